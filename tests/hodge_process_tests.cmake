# Tests under mpirun: the files of tests/linalg whose names end with _in_processes_test.cpp, by 2 and 3 real processes
# (tests/support/in_processes.hpp). Label: processes. A process that waits for ever is ended with all others.
file(GLOB_RECURSE process_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/linalg/*_in_processes_test.cpp)
add_executable(hodge_linalg_processes_tests ${process_tests} ${CMAKE_CURRENT_SOURCE_DIR}/processes/main.cpp)
hodge_configure_target(hodge_linalg_processes_tests)
hodge_unite_sources(hodge_linalg_processes_tests)
target_compile_definitions(hodge_linalg_processes_tests PRIVATE HODGE_TESTS_BY_MPI)
target_link_libraries(hodge_linalg_processes_tests PRIVATE hodge_linalg GTest::gtest GTest::gmock Threads::Threads)
add_dependencies(hodge_linalg_processes_tests hodge_mpi)
if(CMAKE_CXX_FLAGS_RELEASE MATCHES "-O[23]")
  target_compile_options(hodge_linalg_processes_tests PRIVATE $<$<CONFIG:Release>:-O1>)
endif()

# Settings of Open MPI 4 and 5; others ignore them. The processes are more than the cores of a small machine, tests run as
# root in containers, where a process may not read the memory of another one.
set(process_environment OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MPIEXEC_TIMEOUT=1400
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=true OMPI_MCA_btl_vader_single_copy_mechanism=none
    PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    ASAN_OPTIONS=detect_leaks=0)  # MPI libraries leak at the end
# The thread sanitizer does not see the synchronisation within MPI.
if(NOT HODGE_SANITIZE MATCHES "thread")
  foreach(count 2 3)
    set(filter *)
    if(count GREATER 2)  # more than the cores of a small machine: not every pair of methods on every matrix
      set(filter -SharedSolves.poisson:SharedSolves.singular_neumann:SharedSolves.convection:SharedSolves.irregular_rows)
    endif()
    add_test(NAME linalg_in_${count}_processes COMMAND ${hodge_mpiexec} ${MPIEXEC_NUMPROC_FLAG} ${count}
             $<TARGET_FILE:hodge_linalg_processes_tests> --gtest_brief=1 --gtest_filter=${filter})
    set_tests_properties(linalg_in_${count}_processes PROPERTIES LABELS "unit;linalg;processes" TIMEOUT 1500
                         RUN_SERIAL ON ENVIRONMENT "${process_environment}")
  endforeach()
endif()
