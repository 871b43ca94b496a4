# Finds MPI for several processes (linalg/processes/mpi); sets hodge_has_mpi to 0 or 1.
#
#   HODGE_MPI=AUTO  with MPI where CMake finds it
#   HODGE_MPI=ON    with MPI; an error where there is none
#   HODGE_MPI=OFF   without
#
# MPI_HOME or MPI_CXX_COMPILER choose one of several MPI libraries: see CMake's FindMPI.
if(NOT HODGE_MPI MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "HODGE_MPI is `${HODGE_MPI}`; it has to be AUTO, ON or OFF")
endif()

set(hodge_has_mpi 0)
if(NOT HODGE_MPI STREQUAL "OFF")
  set(MPI_CXX_SKIP_MPICXX ON)  # the C functions are used
  if(HODGE_MPI STREQUAL "ON")
    find_package(MPI REQUIRED COMPONENTS CXX)
  else()
    find_package(MPI QUIET COMPONENTS CXX)
  endif()
  if(MPI_CXX_FOUND)
    set(hodge_has_mpi 1)
    message(STATUS "hodge: several processes by MPI ${MPI_CXX_VERSION}, ${MPIEXEC_EXECUTABLE}")
  endif()
endif()
