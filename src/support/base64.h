// Bytes as text: 64 digits, four for every three bytes, as browsers read them.
#pragma once

#include <string>
#include <string_view>

namespace falsum {

std::string base64(std::string_view bytes);

}  // namespace falsum
