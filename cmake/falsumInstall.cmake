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
install(EXPORT falsumTargets NAMESPACE falsum:: DESTINATION ${falsum_package_dir})

write_basic_package_version_file(falsumConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/falsumConfig.cmake ${PROJECT_SOURCE_DIR}/cmake/falsumDependencies.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/falsumConfigVersion.cmake DESTINATION ${falsum_package_dir})
