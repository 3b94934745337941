#include "page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "falsum/error.h"
#include "search.h"

namespace falsum::hex {
namespace {

const char* const kTemplate =
#include "page_template.inc"
    ;

}  // namespace

std::string page_of(const Machines& machines) {
  const auto clauses_of = [](const Model& model) {  // each: its output, its votes, its literals
    if (is_fuzzy(model.options())) throw ConfigError("fuzzy must be 0 for the page, which draws clauses that are true");
    nlohmann::json clauses = nlohmann::json::array();
    for (std::size_t output = 0; output < model.outputs(); ++output) {
      for (const Weight& weight : model.weights(output)) {
        if (model.clause(weight.clause).empty()) continue;
        nlohmann::json clause = {output, weight.votes};
        for (const std::uint32_t literal : model.clause(weight.clause)) clause.push_back(literal);
        clauses.push_back(std::move(clause));
      }
    }
    return nlohmann::json{{"outputs", model.outputs()}, {"scale", vote_scale(model)}, {"clauses", clauses}};
  };
  const nlohmann::json data = {{"size", machines.size},
                               {"value", clauses_of(machines.value)},
                               {"policy", clauses_of(machines.policy)},
                               {"exploration", SearchOptions{}.exploration},
                               {"caution", SearchOptions{}.caution},
                               {"patience", SearchOptions{}.patience}};
  std::string page = kTemplate;
  const std::string place = "@MODEL@";
  return page.replace(page.find(place), place.size(), data.dump());
}

}  // namespace falsum::hex
