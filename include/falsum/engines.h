// Engines: the ways to evaluate clauses, in one table. Which of them learn and which predict stands here and nowhere
// else; the library's checks, the option --engine with its help, and the Python package are fed by it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace falsum {

enum class EngineTask { kLearn, kPredict };

struct EngineInfo {
  std::string_view name;
  bool learns, predicts;
  std::string_view help;
  bool can(EngineTask task) const { return task == EngineTask::kLearn ? learns : predicts; }
};

std::span<const EngineInfo> engine_table();

/// "auto, scan, index, lookahead": those that can do it, in the order of the table.
std::string engine_names(EngineTask task);

/// Throws ConfigError naming the engine and those that can do it.
void require_engine(const std::string& engine, EngineTask task);

/// `engine` where it can do that, else "auto": what tests a machine that learns with an engine for learning only.
std::string engine_for(const std::string& engine, EngineTask task);

}  // namespace falsum
