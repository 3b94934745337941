# The libraries for a build that has a C++ compiler and PyPI but no system packages: `pip install .` in a clean
# environment, and wheels that carry what they need. pip fetches source packages that hold these libraries, pinned by
# SHA-256 in pypi-*.txt; their C sources and headers are compiled into static libraries here. Nothing of those
# packages is installed or run from, except what pip needs to read their metadata.
#
# Why out of other packages: PyPI has none of CLI11, zstd or xxHash alone, `pip install` can count on no other server than
# PyPI, and copies in this repository would be larger than falsum and grow old here.
#
# Gives the same targets as falsumDependencies.cmake, without liblzma: xz-compressed data then get a message.
enable_language(C)
find_package(Threads REQUIRED)
find_package(
  Python 3.9
  COMPONENTS Interpreter
  REQUIRED)

set(falsum_pypi ${PROJECT_BINARY_DIR}/pypi)
function(falsum_pip_download list)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -m pip download --quiet --no-deps --require-hashes --ignore-requires-python ${ARGN} #
            --dest ${falsum_pypi} --requirement ${PROJECT_SOURCE_DIR}/cmake/${list}
    RESULT_VARIABLE failed
    ERROR_VARIABLE message)
  if(failed)
    message(FATAL_ERROR "pip could not fetch the libraries that falsum is built with:\n${message}\nInstall them as system "
                        "packages instead (docs/dependencies.md), or give pip access to PyPI.")
  endif()
endfunction()

if(NOT EXISTS ${falsum_pypi}/complete)
  falsum_pip_download(pypi-wheels.txt --only-binary=:all: --platform manylinux_2_28_x86_64 --python-version 3.11)
  falsum_pip_download(pypi-sources.txt --no-binary=blosc,highspy)
  file(GLOB archives ${falsum_pypi}/*.whl ${falsum_pypi}/*.tar.gz)
  foreach(archive IN LISTS archives)
    file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${falsum_pypi})
  endforeach()
  file(TOUCH ${falsum_pypi}/complete)
endif()

# Single places where a header or a folder must be, so that a changed package is an error here and not a riddle later.
function(falsum_pypi_find variable header)
  file(GLOB found ${falsum_pypi}/${header})
  list(LENGTH found count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "expected one ${header} in ${falsum_pypi}, found: ${found}")
  endif()
  cmake_path(GET found PARENT_PATH folder)
  set(${variable} ${folder} PARENT_SCOPE)
endfunction()
falsum_pypi_find(fmt_folder cmeel.prefix/include/fmt/format.h)
falsum_pypi_find(json_folder nlohmann_json/include/nlohmann/json.hpp)
falsum_pypi_find(cli11_folder highspy-*/extern/cli11/CLI11.hpp)
falsum_pypi_find(zlib_folder blosc-*/blosc/c-blosc/internal-complibs/zlib-*/zlib.h)
falsum_pypi_find(zstd_folder blosc-*/blosc/c-blosc/internal-complibs/zstd-*/zstd.h)

function(falsum_header_library target folder)
  add_library(falsum_pypi_${target} INTERFACE)
  target_include_directories(falsum_pypi_${target} SYSTEM INTERFACE ${folder})
endfunction()
falsum_header_library(fmt ${fmt_folder}/..)
target_compile_definitions(falsum_pypi_fmt INTERFACE FMT_HEADER_ONLY)
add_library(fmt::fmt ALIAS falsum_pypi_fmt)
falsum_header_library(json ${json_folder}/..)
add_library(nlohmann_json::nlohmann_json ALIAS falsum_pypi_json)

# CLI11 comes as its single header; our sources include its parts.
foreach(part App Config Formatter CLI)
  file(CONFIGURE OUTPUT ${falsum_pypi}/include/CLI/${part}.hpp CONTENT "#include \"${cli11_folder}/CLI11.hpp\"\n")
endforeach()
falsum_header_library(cli11 ${falsum_pypi}/include)
add_library(CLI11::CLI11 ALIAS falsum_pypi_cli11)

function(falsum_c_library target folder)
  add_library(falsum_pypi_${target} STATIC ${ARGN})
  target_include_directories(falsum_pypi_${target} SYSTEM PUBLIC ${folder})
  set_target_properties(falsum_pypi_${target} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
endfunction()
file(GLOB zlib_sources ${zlib_folder}/*.c)
list(FILTER zlib_sources EXCLUDE REGEX "/gz[a-z]+\\.c$")  # reading and writing of files: not used
falsum_c_library(zlib ${zlib_folder} ${zlib_sources})
add_library(ZLIB::ZLIB ALIAS falsum_pypi_zlib)

file(GLOB zstd_sources ${zstd_folder}/common/*.c ${zstd_folder}/compress/*.c ${zstd_folder}/decompress/*.c)
falsum_c_library(zstd ${zstd_folder} ${zstd_sources})
target_compile_definitions(falsum_pypi_zstd PRIVATE ZSTD_DISABLE_ASM XXH_NAMESPACE=ZSTD_)
add_library(falsum::zstd ALIAS falsum_pypi_zstd)

# xxHash is inside zstd; the header alone, out of that folder, is all that is needed.
file(COPY ${zstd_folder}/common/xxhash.h DESTINATION ${falsum_pypi}/include/xxhash)
falsum_header_library(xxhash ${falsum_pypi}/include/xxhash)
target_compile_definitions(falsum_pypi_xxhash INTERFACE XXH_INLINE_ALL)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(falsum_pypi_xxhash INTERFACE -Wno-array-bounds) # once inlined, g++ 12 takes it for ours and is wrong
endif()
add_library(falsum::xxhash ALIAS falsum_pypi_xxhash)
