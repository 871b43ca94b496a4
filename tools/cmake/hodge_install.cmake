# What `cmake --install build --prefix DIR` puts into DIR, in components:
#
#   program      bin/hodge, the shared libraries that it needs in lib/hodge, configurations, reference data,
#                small matrices and the scripts of `hodge bench` and `hodge validate` in share/hodge, the manual page and
#                completions for bash and zsh in share/. Where it was built with MPI, lib/hodge/libhodge_mpi.so, which works
#                on machines with the same MPI library.
#                The folder can be moved and copied to any machine with the same or a newer glibc.
#   development  headers, libhodge_linalg.a and the CMake package: find_package(hodge) gives hodge::linalg
#   tests        the test executables (only with HODGE_INSTALL_TESTS)
#   python       the module of the Python package, which has `program` beside it (only with HODGE_PYTHON: tools/python)
include(CMakePackageConfigHelpers)

# --- development
install(TARGETS hodge_linalg EXPORT hodge_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY linalg ${PROJECT_BINARY_DIR}/generated/linalg DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hodge
        COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/hodge)
install(EXPORT hodge_targets NAMESPACE hodge:: FILE hodge-targets.cmake DESTINATION ${package_folder}
        COMPONENT development)
if(hodge_has_blas)  # a program that links this library needs a BLAS then
  set(hodge_package_blas ON)
else()
  set(hodge_package_blas OFF)
endif()
configure_package_config_file(tools/cmake/hodge-config.cmake.in ${PROJECT_BINARY_DIR}/hodge-config.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hodge-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hodge-config.cmake ${PROJECT_BINARY_DIR}/hodge-config-version.cmake
              tools/cmake/hodge_thrust.cmake tools/cmake/hodge_blas.cmake
        DESTINATION ${package_folder} COMPONENT development)
cmake_path(IS_PREFIX HODGE_PACKAGES_DIR "${hodge_blas_library}" NORMALIZE hodge_blas_is_unpacked)
if(hodge_blas_is_unpacked)  # an unpacked library is not on this system otherwise
  install(CODE "file(INSTALL \"${hodge_blas_library}\" TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN
                     DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${package_folder}/blas\")" COMPONENT development)
endif()
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)

# Loaded by programs when several processes are started. MPI itself is never copied: it belongs to the machine.
if(hodge_has_mpi)
  if(HODGE_BUILD_SIM)
    set(mpi_component program)
  else()
    set(mpi_component development)
  endif()
  install(TARGETS hodge_mpi LIBRARY DESTINATION lib/hodge COMPONENT ${mpi_component})
endif()

# hodge_find_own_libraries(<target> <folder>): it finds its libraries in this folder beside it, also after a move.
# It has the old DT_RPATH, which also applies to libraries of libraries; DT_RUNPATH does not.
# Unpacked libraries are named here, because CMake adds no folders within the build folder.
function(hodge_find_own_libraries target folder)
  file(GLOB unpacked LIST_DIRECTORIES TRUE
       ${HODGE_PACKAGES_DIR}/usr/lib/*-linux-* ${HODGE_PACKAGES_DIR}/usr/lib/*/openblas-openmp)
  # The build folder has the same path: otherwise CMake pads it with an empty entry, which means the caller's folder.
  set_target_properties(${target} PROPERTIES
    INSTALL_RPATH "${folder};${unpacked}" INSTALL_RPATH_USE_LINK_PATH ON BUILD_WITH_INSTALL_RPATH ON)
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
endfunction()

# hodge_install_executables(<component> <target>...): programs, and the libraries that they need.
function(hodge_install_executables component)
  set(files "")
  foreach(target IN LISTS ARGN)
    hodge_find_own_libraries(${target} "$ORIGIN/../lib/hodge")
    list(APPEND files $<TARGET_FILE:${target}>)
  endforeach()
  install(TARGETS ${ARGN} RUNTIME DESTINATION bin COMPONENT ${component})
  install(CODE "set(hodge_executables \"${files}\")\nset(hodge_packages \"${HODGE_PACKAGES_DIR}\")"
          COMPONENT ${component})
  install(SCRIPT tools/cmake/hodge_copy_libraries.cmake COMPONENT ${component})
  list(TRANSFORM ARGN PREPEND bin/)
  hodge_forget_packages_dir(${component} ${ARGN})
endfunction()

# hodge_forget_packages_dir(<component> <file>...): what is installed does not look into the folder of unpacked libraries
# of the machine that it was built on. The libraries from there have been copied.
function(hodge_forget_packages_dir component)
  install(CODE "
    set(hodge_packages \"${HODGE_PACKAGES_DIR}\")
    foreach(file IN ITEMS ${ARGN})
      string(PREPEND file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\")
      file(READ_ELF \"\${file}\" RPATH folders)
      set(kept \"\")
      foreach(folder IN LISTS folders)
        cmake_path(IS_PREFIX hodge_packages \"\${folder}\" is_unpacked)
        if(NOT is_unpacked)
          list(APPEND kept \"\${folder}\")
        endif()
      endforeach()
      list(JOIN kept \":\" kept)
      file(RPATH_SET FILE \"\${file}\" NEW_RPATH \"\${kept}\")
    endforeach()" COMPONENT ${component})
endfunction()

# --- program
if(HODGE_BUILD_SIM)
  hodge_install_executables(program hodge)
  install(DIRECTORY configs DESTINATION share/hodge COMPONENT program
          FILES_MATCHING PATTERN "*.yaml" PATTERN "*.stl" PATTERN "*.csv" PATTERN "*.slurm")
  install(DIRECTORY cases/reference DESTINATION share/hodge COMPONENT program)
  install(DIRECTORY tests/data/matrices DESTINATION share/hodge COMPONENT program)
  install(PROGRAMS tools/plot_bench.py tools/plot_compare.py tools/plot_validation.py tools/bench_yardsticks.py
          DESTINATION share/hodge/tools COMPONENT program)
  install(PROGRAMS tools/plot.py tools/view.py tools/strouhal.py DESTINATION share/hodge/tools COMPONENT program)
  install(DIRECTORY tools/plotting DESTINATION share/hodge/tools COMPONENT program FILES_MATCHING PATTERN "*.py")
  install(FILES README.md CHANGELOG.md CITATION.cff LICENSE DESTINATION share/hodge COMPONENT program)
  install(FILES LICENSE DESTINATION share/doc/hodge RENAME copyright COMPONENT program)
  # Written by the program itself, from its own tables.
  install(CODE "
    set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share\")
    foreach(file IN ITEMS man/man1/hodge.1 bash-completion/completions/hodge zsh/site-functions/_hodge)
      cmake_path(GET file PARENT_PATH folder)
      file(MAKE_DIRECTORY \${share}/\${folder})
      set(words man)
      if(file MATCHES \"^(bash|zsh)\")
        set(words completion \${CMAKE_MATCH_1})
      endif()
      execute_process(COMMAND \"$<TARGET_FILE:hodge>\" \${words} OUTPUT_FILE \${share}/\${file}
                      COMMAND_ERROR_IS_FATAL ANY)
      message(STATUS \"Installing: \${share}/\${file}\")
    endforeach()" COMPONENT program)
endif()

# --- tests
if(HODGE_BUILD_TESTS AND HODGE_INSTALL_TESTS)
  get_property(test_executables GLOBAL PROPERTY hodge_test_executables)
  hodge_install_executables(tests ${test_executables})
endif()

# --- cpack: the program, and the tests if they are installed (tools/package.sh)
set(CPACK_GENERATOR TGZ)
set(CPACK_COMPONENTS_ALL program)
if(HODGE_INSTALL_TESTS)
  list(APPEND CPACK_COMPONENTS_ALL tests)
endif()
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME hodge-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
if(hodge_has_cuda)
  string(APPEND CPACK_PACKAGE_FILE_NAME -cuda${CUDAToolkit_VERSION_MAJOR})
endif()
set(CPACK_PACKAGE_VENDOR "hodge authors")
set(CPACK_PACKAGE_CONTACT "hodge authors")
set(CPACK_PACKAGE_DESCRIPTION
    "Solves the Navier-Stokes equations on 2D and 3D grids with bodies, heat and scalars, from one YAML file a run.")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/tools/cmake/hodge_cpack.cmake)
# -G DEB: with the libraries of the distribution that it was built on, and in /usr/lib/hodge those that were unpacked.
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
file(GLOB CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS LIST_DIRECTORIES TRUE
     ${HODGE_PACKAGES_DIR}/usr/lib/*-linux-* ${HODGE_PACKAGES_DIR}/usr/lib/*/openblas-openmp)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libfftw3-double3")
if(hodge_has_mpi)
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", openmpi-bin")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-matplotlib, python3-numpy, python3-vtk9 | python3-paraview, paraview")
include(CPack)
