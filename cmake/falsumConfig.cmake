# find_package(falsum) gives the targets falsum::falsum and falsum::datasets (MNIST inside the program: LICENSE-MNIST).
include(CMakeFindDependencyMacro)
find_dependency(fmt)
include(${CMAKE_CURRENT_LIST_DIR}/falsumDependencies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/falsumTargets.cmake)
