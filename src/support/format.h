// fmt::format() and fmt::print() for numbers and text, from the smallest header of fmt that has them: it takes half as
// long to compile as fmt/format.h, which is only needed for fmt::join() and fmt::to_string().
#pragma once

#include <fmt/core.h>
#if FMT_VERSION >= 110000  // since then core.h has no format(), and format.h is as small as core.h was
#include <fmt/format.h>
#endif
