#include "falsum/export.h"
#include "fuzz.h"

// What was read is a model like any other: its JSON and its file give it back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = falsum::fuzz::bytes_of(data, size);
  try {
    const falsum::Model model = falsum::from_json(text);
    if (!falsum::fuzz::one_in(8, text)) return 0;
    const std::string bytes = model.to_bytes();
    if (falsum::Model::from_bytes(bytes).to_bytes() != bytes) __builtin_trap();
    if (model.features() > 512 || model.clauses() > 512) return 0;
    if (falsum::from_json(falsum::to_json(model)).to_bytes() != bytes) __builtin_trap();
  } catch (const falsum::Error&) {
  }
  return 0;
}
