// Registers an embedded data set (falsum::datasets) with the library, which does not link it. The call is explicit:
// linkers drop an unreferenced registration from a static library.
#pragma once

#include "falsum/source.h"

namespace falsum {

/// Loads one split of MNIST, binarised.
using MnistProvider = Source (*)(Split split);

/// nullptr: there is none.
void set_mnist_provider(MnistProvider provider);

}  // namespace falsum
