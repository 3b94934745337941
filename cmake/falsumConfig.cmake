# find_package(falsum) gives the target falsum::falsum.
include(CMakeFindDependencyMacro)
find_dependency(fmt)
include(${CMAKE_CURRENT_LIST_DIR}/falsumDependencies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/falsumTargets.cmake)
