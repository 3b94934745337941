#include "falsum/model.h"
#include "falsum/predictor.h"
#include "falsum/rules.h"
#include "fuzz.h"
#include "fuzz_container.h"
#include "model/sections.h"

namespace {

/// What was read is written and read again alike, and predicts the same with every engine.
void use(const falsum::Model& model, std::string_view input) {
  if (!falsum::fuzz::one_in(4, input)) return;
  const std::string bytes = model.to_bytes();
  if (falsum::Model::from_bytes(bytes).to_bytes() != bytes) __builtin_trap();
  if (!falsum::fuzz::one_in(4, input, 1)) return;
  if (model.features() > 512 || model.clauses() > 512) return;
  model.literal_names();
  const falsum::Conditions conditions(model);
  for (std::size_t o = 0; o < model.outputs(); ++o) falsum::rules_of(conditions, o);
  falsum::BitMatrix rows(3, model.features());
  for (std::size_t k = 0; k < model.features(); k += 2) rows.set(1, k);
  for (std::size_t k = 0; k < model.features(); ++k) rows.set(2, k);
  const auto expected = falsum::Predictor(model, falsum::Engine::kScan, "scalar").votes(rows);
  for (const double p : falsum::Predictor(model, falsum::Engine::kScan, "scalar").probabilities(rows)) {
    if (!(p >= 0 && p <= 1)) __builtin_trap();
  }
  for (const char* engine : {"index", "bitmap", "sliced", "auto"}) {
    if (falsum::Predictor(model, falsum::engine_named(engine), "scalar").votes(rows) != expected) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  falsum::set_most_section_bytes(std::uint64_t{1} << 20);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = falsum::fuzz::bytes_of(data, size);
  try {
    use(falsum::Model::from_bytes(falsum::fuzz::container_of(
            input, falsum::FileKind::kModel, {"CLAU", "LITS", "WGTS", "BOOL", "TRUE", "true", "schm", "prob"})),
        input);
  } catch (const falsum::Error&) {
  }
  return 0;
}
