#include "rows.h"

namespace falsum::cli {

void add_explain_engine(const Verb& verb, bool& flag) {
  verb.add_flag("--explain-engine", flag, "say which engine predicted, and why");
}

std::string explanation(const EngineChoice& engine) { return "engine " + engine.name + ": " + engine.reason; }

}  // namespace falsum::cli
