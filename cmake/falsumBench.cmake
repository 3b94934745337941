# Not part of `all`: `make bench`, `make bench-peers` and `make bench-kernels` build them.
if(TARGET falsum_command)
  add_executable(falsum_bench EXCLUDE_FROM_ALL bench/engines.cpp bench/data.cpp)
  target_link_libraries(falsum_bench PRIVATE falsum_flags falsum_datasets fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json)
  add_executable(falsum_bench_incremental EXCLUDE_FROM_ALL bench/incremental.cpp)
  target_link_libraries(falsum_bench_incremental PRIVATE falsum_flags falsum fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json)
  add_executable(falsum_bench_worker EXCLUDE_FROM_ALL bench/worker.cpp bench/data.cpp)
  target_include_directories(falsum_bench_worker PRIVATE src)
  add_executable(falsum_bench_ablation EXCLUDE_FROM_ALL bench/ablation.cpp bench/data.cpp)
  target_include_directories(falsum_bench_ablation PRIVATE src)
  target_link_libraries(falsum_bench_ablation PRIVATE falsum_flags falsum_datasets fmt::fmt CLI11::CLI11)
  add_executable(falsum_bench_paper EXCLUDE_FROM_ALL bench/paper/cell.cpp bench/data.cpp)
  add_executable(falsum_bench_profile EXCLUDE_FROM_ALL bench/paper/profile.cpp bench/data.cpp)
  add_executable(falsum_bench_index EXCLUDE_FROM_ALL bench/paper/index_ablation.cpp bench/data.cpp)
  foreach(name IN ITEMS paper profile index)
    target_include_directories(falsum_bench_${name} PRIVATE bench src)
    target_link_libraries(falsum_bench_${name} PRIVATE falsum_flags falsum_datasets fmt::fmt CLI11::CLI11
                                                       nlohmann_json::nlohmann_json)
  endforeach()
  target_compile_definitions(falsum_bench_paper PRIVATE FALSUM_COMPILER="${CMAKE_CXX_COMPILER_ID}")
  target_link_libraries(falsum_bench_worker PRIVATE falsum_flags falsum_datasets fmt::fmt nlohmann_json::nlohmann_json)
endif()
add_executable(falsum_draws EXCLUDE_FROM_ALL bench/draws.cpp)  # make battery
target_include_directories(falsum_draws PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(falsum_draws PRIVATE falsum_flags)

add_executable(falsum_soak EXCLUDE_FROM_ALL bench/soak.cpp bench/live_bytes.cpp)  # make soak
target_link_libraries(falsum_soak PRIVATE falsum_flags falsum_datasets fmt::fmt Threads::Threads)
find_package(benchmark QUIET)
if(benchmark_FOUND)
  add_executable(falsum_bench_kernels EXCLUDE_FROM_ALL bench/kernels.cpp)
  target_include_directories(falsum_bench_kernels PRIVATE bench src)
  target_link_libraries(falsum_bench_kernels PRIVATE falsum_flags falsum fmt::fmt falsum::xxhash benchmark::benchmark)
endif()

# Benchmarks that no test runs are only parsed by `make test`, so that none rots: to compile them takes minutes.
if(TARGET falsum_command)
  add_library(falsum_bench_check OBJECT EXCLUDE_FROM_ALL bench/engines.cpp bench/ablation.cpp bench/paper/profile.cpp
                                                         bench/paper/index_ablation.cpp bench/draws.cpp bench/incremental.cpp)
  if(benchmark_FOUND)
    target_sources(falsum_bench_check PRIVATE bench/kernels.cpp)
    target_link_libraries(falsum_bench_check PRIVATE benchmark::benchmark)
  endif()
  target_include_directories(falsum_bench_check PRIVATE bench src)
  target_compile_options(falsum_bench_check PRIVATE -fsyntax-only)
  target_link_libraries(falsum_bench_check PRIVATE falsum_flags falsum_datasets fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json
                                                   falsum::xxhash)
endif()
