// How a data set inside the program (falsum::datasets) becomes known to the library, which does not link it. An
// explicit call: linkers leave a registration that nobody calls out of a static library.
#pragma once

#include "falsum/source.h"

namespace falsum {

/// Loads one split of MNIST, binarised.
using MnistProvider = Source (*)(Split split);

/// nullptr: there is none.
void set_mnist_provider(MnistProvider provider);

}  // namespace falsum
