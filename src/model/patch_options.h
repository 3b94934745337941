// The part of validate() that is about patches (falsum/patches.h).
#pragma once

#include "falsum/options.h"

namespace falsum {

/// Throws ConfigError for a text that is not of its form, and for a patch larger than the image. A patch without an
/// image is allowed: the size may still come from the data.
void check_patch_options(const Options& options);

}  // namespace falsum
