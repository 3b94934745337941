// The tests carry MNIST inside; the main function is GoogleTest's.
#include "falsum/datasets.h"

namespace {
[[maybe_unused]] const bool kInUse = (falsum::use_builtin_datasets(), true);
}
