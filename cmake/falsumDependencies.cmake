# What the library links besides fmt. Included by our own build and, installed beside falsumConfig.cmake,
# by every project that finds the package: a static library needs its dependencies again there.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(ZLIB)
find_package(LibLZMA QUIET)  # optional: xz-compressed data

# zstd and xxhash come without CMake files on some systems, so they are looked up as header and library.
function(falsum_find_library name header library package)
  if(TARGET falsum::${name})
    return()
  endif()
  find_path(FALSUM_${name}_INCLUDE_DIR ${header})
  find_library(FALSUM_${name}_LIBRARY ${library})
  mark_as_advanced(FALSUM_${name}_INCLUDE_DIR FALSUM_${name}_LIBRARY)
  if(NOT FALSUM_${name}_INCLUDE_DIR OR NOT FALSUM_${name}_LIBRARY)
    message(FATAL_ERROR "falsum needs ${name} (Debian package ${package})")
  endif()
  add_library(falsum::${name} UNKNOWN IMPORTED)
  set_target_properties(
    falsum::${name} PROPERTIES IMPORTED_LOCATION "${FALSUM_${name}_LIBRARY}" #
                               INTERFACE_INCLUDE_DIRECTORIES "${FALSUM_${name}_INCLUDE_DIR}")
endfunction()
falsum_find_library(zstd zstd.h zstd libzstd-dev)
falsum_find_library(xxhash xxhash.h xxhash libxxhash-dev)
