// The data sets that can be embedded in a program: today MNIST, binarised at pixel > 75 (1.5 MB).
//
//   target_link_libraries(my_program PRIVATE falsum::falsum falsum::datasets)
//   falsum::use_builtin_datasets();                       // once, before threads
//   falsum::Source train = falsum::load_source("mnist");
//
// A separate target, because the images are not ours and not under the MIT licence: MNIST by Yann LeCun, Corinna Cortes
// and Christopher J. C. Burges is CC BY-SA 3.0 (LICENSE-MNIST). A program that does not link this target contains no
// images; `load_source("mnist")` then looks for the IDX files, as for any other data set (docs/data.md).
#pragma once

namespace falsum {

/// From now on load_source("mnist") returns the images embedded in this program. Calling it again has no effect.
void use_builtin_datasets();

}  // namespace falsum
