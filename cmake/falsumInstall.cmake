# cmake --install: headers, libraries, command, licences and what find_package(falsum) needs.
include(CMakePackageConfigHelpers)
set(falsum_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/falsum)

install(TARGETS falsum falsum_datasets EXPORT falsumTargets)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/LICENSE-MNIST DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/falsum DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING
        PATTERN "*.h")
if(TARGET falsum_command)
  install(TARGETS falsum_command)
endif()
# The C interface is an export of its own: who links it needs none of what the static library needs.
if(TARGET falsum_c)
  install(TARGETS falsum_c EXPORT falsumCTargets)
  install(EXPORT falsumCTargets NAMESPACE falsum:: DESTINATION ${falsum_package_dir})
  # Relative to where the file is: the package may be moved.
  file(RELATIVE_PATH falsum_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" falsum_pc_prefix "${falsum_pc_prefix}")
  configure_file(${PROJECT_SOURCE_DIR}/c_api/falsum.pc.in ${PROJECT_BINARY_DIR}/falsum.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/falsum.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(EXPORT falsumTargets NAMESPACE falsum:: DESTINATION ${falsum_package_dir})

write_basic_package_version_file(falsumConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/falsumConfig.cmake ${PROJECT_SOURCE_DIR}/cmake/falsumDependencies.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/falsumConfigVersion.cmake DESTINATION ${falsum_package_dir})
