# How everything is compiled: options, warnings, what each kernel file may use of the processor.

option(FALSUM_BUILD_COMMAND "Build the falsum command" ${PROJECT_IS_TOP_LEVEL})
option(FALSUM_BUILD_C_API "Build libfalsum.so, the C interface" ${PROJECT_IS_TOP_LEVEL})
option(FALSUM_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(FALSUM_BUILD_MPI "Build falsum-mpi, for the processes of an MPI job" OFF)
option(FALSUM_BUILD_FUZZ "Build the fuzz targets (clang)" OFF)
option(FALSUM_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})

option(FALSUM_UNITY "Compile folders as one file each: a whole build takes half the time, a small change more" ON)

# For presets whose tests need some of the library.
set(FALSUM_WITHOUT "" CACHE STRING "Folders of src that are left out; what needs them cannot be linked")

# Warnings are errors with the compilers that CI runs; a newer one may warn about something new, and that
# must not stop a user from building.
set(falsum_werror OFF)
if(PROJECT_IS_TOP_LEVEL
   AND "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" MATCHES "^(GNU 12|Clang 14)\\.")
  set(falsum_werror ON)
endif()
option(FALSUM_WERROR "Treat warnings as errors" ${falsum_werror})

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

# Results are the same for every compiler: no fused multiply-add behind our back, no -march=native.
add_library(falsum_flags INTERFACE)
target_compile_features(falsum_flags INTERFACE cxx_std_20)
target_compile_options(
  falsum_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wnon-virtual-dtor>
                         $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${FALSUM_WERROR}>>:-Werror> -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU) # that of clang is another, with signs
  target_compile_options(falsum_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wconversion>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(falsum_flags INTERFACE -Wno-restrict) # GCC bug 105651: cries wolf at "text" + std::string
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  target_compile_options(falsum_flags INTERFACE -Wno-maybe-uninitialized) # its manual: false with sanitizers
endif()
set(CMAKE_CXX_EXTENSIONS OFF)

# Release builds are hardened: checked copies, stack protector, tables that are read-only once linked, random addresses.
# tests/repository/test_hardening.py reads them off the command. Kernels index nothing by what a file says and are the hot
# loops: without the stack protector there.
file(GLOB falsum_kernel_sources ${PROJECT_SOURCE_DIR}/src/kernels/*.cpp)
option(FALSUM_HARDENING "Harden release builds" ON)
if(FALSUM_HARDENING AND CMAKE_SYSTEM_NAME STREQUAL Linux AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  target_compile_options(
    falsum_flags INTERFACE $<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2;-fstack-protector-strong>)
  target_link_options(falsum_flags INTERFACE $<$<CONFIG:Release>:LINKER:-z,relro,-z,now,-z,noexecstack>)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  set_property(SOURCE ${falsum_kernel_sources} APPEND PROPERTY COMPILE_OPTIONS -fno-stack-protector)
endif()

function(falsum_kernel_set name)
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/kernels/${name}.cpp APPEND PROPERTY COMPILE_OPTIONS ${ARGN})
endfunction()

# A kernel is many small functions that must be inlined, so it has this level in release builds of any other.
set_property(SOURCE ${falsum_kernel_sources} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)

# The baseline is plain x86-64; only these files may use more, and only after a look at the CPU.
# On other processors they compile to nothing.
function(falsum_kernel_flags)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    falsum_kernel_set(neon_aes -march=armv8-a+crypto)
    return()
  endif()
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    return()
  endif()
  set(avx2 -mavx2 -mbmi -mbmi2 -mpopcnt)
  set(avx512 -mavx512f -mavx512bw -mavx512vl -mavx512dq -mbmi -mbmi2 -mpopcnt)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # g++ 12 warns about its own header (GCC bug 105593: _mm512_undefined_epi32 and friends).
    list(APPEND avx512 -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
  # The scalar set has the checks for undefined behaviour, which in files of intrinsics take three times as long to compile as these.
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=.*undefined")
    list(APPEND avx2 -fno-sanitize=undefined)
    list(APPEND avx512 -fno-sanitize=undefined)
  endif()
  falsum_kernel_set(avx2_tables ${avx2})
  falsum_kernel_set(avx2_aes ${avx2} -maes)
  falsum_kernel_set(avx2_vaes ${avx2} -maes -mvaes)
  falsum_kernel_set(avx512_aes ${avx512} -maes)
  falsum_kernel_set(avx512_vaes ${avx512} -mavx512vbmi -maes -mvaes)
endfunction()

# Builds compile the library as a few files, since most of the time goes into headers that all files include. Kernels stay files of
# their own, each with its own flags. In release builds what is hot keeps -O3. With -O2 the others compile in 0.7 times the time, and
# reading a CSV file, the slowest of what they do, takes 1.00 to 1.05 times as long; with -O1 it is 0.8 times that for writing exports.
# Debug builds are for sanitizers, where a whole build is what costs: three large files, of which fuzz/not_readers.txt knows `behind`,
# the code that no reader calls.
function(falsum_unity_folders)
  if(NOT FALSUM_UNITY)
    return()
  endif()
  set_target_properties(falsum PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU) # types of anonymous namespaces are all right in a file that is included just once
    target_compile_options(falsum PRIVATE -Wno-subobject-linkage)
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL Debug)
    falsum_unity_group(files "" support data)
    falsum_unity_group(models "" booleanize model export bank)
    falsum_unity_group(behind "" literals index vote evaluate learn predict explain report pipeline)
    set(around models)
  else()
    falsum_unity_group(files -O2 support data)
    falsum_unity_group(models -O2 booleanize model)
    falsum_unity_group(explain -O2 explain report)
    falsum_unity_group(export -O1 export)
    falsum_unity_group(banks -O3 literals bank index vote evaluate)
    falsum_unity_group(learn -O3 learn)
    falsum_unity_group(predict -O3 predict)
    falsum_unity_group(around -O2 pipeline)
    set(around around)
  endif()
  # Of hot folders, what runs once an epoch, or once a batch.
  foreach(name literals/data_digest literals/sparse_bits learn/machine learn/memory learn/checkpoint predict/auto_engine
               predict/clause_outputs predict/predictor)
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/${name}.cpp PROPERTY UNITY_GROUP ${around})
  endforeach()
endfunction()

# falsum_unity_group(name level folder...): the sources of the folders as one file, at this level in release builds that leave the
# level to us.
function(falsum_unity_group name level)
  foreach(folder IN LISTS ARGN)
    file(GLOB sources ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
    set_property(SOURCE ${sources} PROPERTY UNITY_GROUP ${name})
  endforeach()
  if(CMAKE_BUILD_TYPE STREQUAL Release AND CMAKE_CXX_FLAGS_RELEASE MATCHES -O3) # the options are those of the file that CMake writes
    set_property(SOURCE ${PROJECT_BINARY_DIR}/CMakeFiles/falsum.dir/Unity/unity_${name}_cxx.cxx PROPERTY COMPILE_OPTIONS ${level})
  endif()
endfunction()

# falsum_embed(data definition source...): the sources pull `data` in by .incbin; `definition` is its path.
function(falsum_embed data definition)
  foreach(source IN LISTS ARGN)
    if(EXISTS ${PROJECT_SOURCE_DIR}/${source})
      set_source_files_properties(
        ${source} PROPERTIES COMPILE_DEFINITIONS "${definition}=\"${PROJECT_SOURCE_DIR}/${data}\"" #
                             OBJECT_DEPENDS ${PROJECT_SOURCE_DIR}/${data})
    endif()
  endforeach()
endfunction()

# ccache when it is there and works (it may not: no home folder, a read-only one).
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(FALSUM_CCACHE ccache)
  mark_as_advanced(FALSUM_CCACHE)
  if(FALSUM_CCACHE)
    file(WRITE ${PROJECT_BINARY_DIR}/ccache_works.cpp "int main() {}\n")
    execute_process(
      COMMAND ${FALSUM_CCACHE} ${CMAKE_CXX_COMPILER} -c ccache_works.cpp -o ccache_works.o
      WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
      RESULT_VARIABLE ccache_failed
      OUTPUT_QUIET ERROR_QUIET)
    if(NOT ccache_failed)
      set(CMAKE_CXX_COMPILER_LAUNCHER ${FALSUM_CCACHE})
    endif()
  endif()
endif()
