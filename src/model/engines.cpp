#include "falsum/engines.h"

#include <algorithm>

#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr EngineInfo kEngines[] = {
    {"auto", true, true, "the fastest for the machine and the data"},
    {"scan", true, true, "compares each clause with the example, word by word"},
    {"index", true, true, "walks the inclusion lists of the false literals"},
    {"lookahead", true, false, "evaluates a clause for the next 256 uses at once and mends that when it flips"},
    {"bitmap", false, true, "joins bitmaps of the clauses that each literal falsifies"},
    {"sliced", false, true, "evaluates a clause for 512 examples at once"},
};

bool can(std::string_view engine, EngineTask task) {
  return std::any_of(std::begin(kEngines), std::end(kEngines),
                     [&](const EngineInfo& info) { return info.name == engine && info.can(task); });
}

}  // namespace

std::span<const EngineInfo> engine_table() { return kEngines; }

std::string engine_names(EngineTask task) {
  std::string names;
  for (const EngineInfo& info : kEngines) {
    if (info.can(task)) names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  return names;
}

void require_engine(const std::string& engine, EngineTask task) {
  if (can(engine, task)) return;
  throw ConfigError(fmt::format("engine must be one of {} when {}, got {}", engine_names(task),
                                task == EngineTask::kLearn ? "learning" : "predicting", engine));
}

std::string engine_for(const std::string& engine, EngineTask task) { return can(engine, task) ? engine : "auto"; }

}  // namespace falsum
