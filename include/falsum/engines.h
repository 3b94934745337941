// Engines: the ways to evaluate clauses, in one table. The choice of engine never changes a result. Only this table
// says which engines learn and which predict; the library's checks, the option --engine with its help, and the Python
// package use it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "falsum/choices.h"

namespace falsum {

enum class Engine : std::uint8_t { kAuto, kScan, kIndex, kLookahead, kBitmap, kSliced, kTables };

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
template <>
inline Engine named<Engine>(std::string_view name) {
  return engine_named(name);
}

/// "auto, scan, index, lookahead": the engines for this task, in the order of the table.
std::string engine_names(EngineTask task);

/// Throws ConfigError naming the engine and the engines that can do the task.
void require_engine(Engine engine, EngineTask task);

/// `engine` if it can do the task, else kAuto. For testing a machine whose engine can only learn.
Engine engine_for(Engine engine, EngineTask task);

}  // namespace falsum
