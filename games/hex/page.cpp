#include "page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "falsum/error.h"
#include "features.h"

namespace falsum::hex {
namespace {

const char* const kTemplate =
#include "page_template.inc"
    ;

}  // namespace

std::string page_of(const Model& model) {
  nlohmann::json clauses = nlohmann::json::array();
  if (is_fuzzy(model.options())) throw ConfigError("fuzzy must be 0 for the page, which draws clauses that are true");
  for (std::size_t output = 0; output < 2; ++output) {
    for (const Weight& weight : model.weights(output)) {
      if (model.clause(weight.clause).empty()) continue;
      nlohmann::json clause = {output == 0 ? weight.votes : -weight.votes};  // votes for black
      for (const std::uint32_t literal : model.clause(weight.clause)) clause.push_back(literal);
      clauses.push_back(std::move(clause));
    }
  }
  const nlohmann::json data = {{"size", size_of(model)}, {"scale", WinChance(model).scale()}, {"clauses", clauses}};
  std::string page = kTemplate;
  const std::string place = "@MODEL@";
  return page.replace(page.find(place), place.size(), data.dump());
}

}  // namespace falsum::hex
