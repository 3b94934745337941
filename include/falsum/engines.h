// Engines: the ways to evaluate clauses, in one table. None of them ever changes a result. Which of them learn and
// which predict stands here and nowhere else; the library's checks, the option --engine with its help, and the Python
// package are fed by it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace falsum {

enum class Engine : std::uint8_t { kAuto, kScan, kIndex, kLookahead, kBitmap, kSliced };

enum class EngineTask { kLearn, kPredict };

struct EngineInfo {
  Engine engine;
  std::string_view name;
  bool learns, predicts;
  std::string_view help;
  bool can(EngineTask task) const { return task == EngineTask::kLearn ? learns : predicts; }
};

/// In the order of the enumeration.
std::span<const EngineInfo> engine_table();

/// "scan"; and back. An unknown name is a ConfigError that lists the known ones.
std::string_view name_of(Engine engine);
Engine engine_named(std::string_view name);

/// "auto, scan, index, lookahead": those that can do it, in the order of the table.
std::string engine_names(EngineTask task);

/// Throws ConfigError naming the engine and those that can do it.
void require_engine(Engine engine, EngineTask task);

/// `engine` where it can do that, else kAuto: what tests a machine that learns with an engine for learning only.
Engine engine_for(Engine engine, EngineTask task);

}  // namespace falsum
