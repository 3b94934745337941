#include "falsum/part.h"

#include "support/format.h"

namespace falsum {

std::string text_of(const Part& part) {
  if (part.is_whole()) return "all classes";
  std::string text = part.classes.size() == 1 ? "class " : "classes ";
  for (std::size_t i = 0; i < part.classes.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == part.classes.size() ? " and " : ", ", part.classes[i]);
  }
  return text;
}

}  // namespace falsum
