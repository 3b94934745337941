#include "falsum/engines.h"

#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr EngineInfo kEngines[] = {
    {Engine::kAuto, "auto", true, true, "the fastest for the machine and the data"},
    {Engine::kScan, "scan", true, true, "compares each clause with the example, word by word"},
    {Engine::kIndex, "index", true, true, "walks the inclusion lists of the false literals"},
    {Engine::kLookahead, "lookahead", true, false,
     "evaluates a clause for the next 256 uses at once (64 with patches) and updates the outputs when it flips"},
    {Engine::kBitmap, "bitmap", false, true,
     "combines bitmaps of the clauses that each literal falsifies; with patches, of the positions where it is true"},
    {Engine::kSliced, "sliced", false, true, "evaluates a clause for 512 examples at once (64 with patches)"},
    {Engine::kTables, "tables", false, true, "fuzzy clauses only: adds up their misses from tables of four features"},
};

const EngineInfo& info_of(Engine engine) { return kEngines[static_cast<std::size_t>(engine)]; }

}  // namespace

std::span<const EngineInfo> engine_table() { return kEngines; }

std::string engine_names(EngineTask task) {
  std::string names;
  for (const EngineInfo& info : kEngines) {
    if (info.can(task)) names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  return names;
}

std::string_view name_of(Engine engine) { return info_of(engine).name; }

Engine engine_named(std::string_view name) {
  std::string names;
  for (const EngineInfo& info : kEngines) {
    if (info.name == name) return info.engine;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  throw ConfigError(fmt::format("engine must be one of {}, got {}", names, name));
}

void require_engine(Engine engine, EngineTask task) {
  if (info_of(engine).can(task)) return;
  throw ConfigError(fmt::format("engine must be one of {} when {}, got {}", engine_names(task),
                                task == EngineTask::kLearn ? "learning" : "predicting", name_of(engine)));
}

Engine engine_for(Engine engine, EngineTask task) { return info_of(engine).can(task) ? engine : Engine::kAuto; }

}  // namespace falsum
