# Finds MPI for several processes (linalg/processes/mpi); sets hodge_has_mpi to 0 or 1, and hodge_mpiexec to the program
# that starts them, empty where there is none.
#
#   HODGE_MPI=AUTO  with MPI where CMake finds it
#   HODGE_MPI=ON    with MPI; an error where there is none
#   HODGE_MPI=OFF   without
#
# MPI_HOME or MPI_CXX_COMPILER choose one of several MPI libraries: see CMake's FindMPI.
#
# FindMPI ends the configuration, even where it is only asked, when a folder with headers does not exist: one that MPI's
# compiler (mpicxx) names, or that an earlier configuration found. The first is common: on Debian and Ubuntu mpicxx is in
# openmpi-bin, which ParaView and VTK for Python bring, and the headers are in libopenmpi-dev. So both are looked at here
# before FindMPI is asked.

# hodge_forget_old_mpi(): where something that an earlier configuration found is gone or was incomplete, makes FindMPI
# search again for everything.
function(hodge_forget_old_mpi)
  get_cmake_property(entries CACHE_VARIABLES)
  set(paths ${entries})
  list(FILTER paths INCLUDE REGEX "^MPI_.*_LIBRARY$|^MPI_CXX_(.*INCLUDE_DIRS|INCLUDE_PATH|HEADER_DIR)$")
  list(FILTER paths EXCLUDE REGEX "_PKG_")
  foreach(entry IN LISTS paths)
    foreach(path IN LISTS ${entry})
      if(NOT EXISTS "${path}")
        set(stale TRUE)
      endif()
    endforeach()
  endforeach()
  if(stale)
    list(FILTER entries INCLUDE REGEX "^MPI_(.*_LIBRARY|CXX_.*)$")
    if(EXISTS "${MPI_CXX_COMPILER}")  # perhaps named by hand
      list(REMOVE_ITEM entries MPI_CXX_COMPILER)
    endif()
    foreach(entry IN LISTS entries)
      unset(${entry} CACHE)
    endforeach()
  endif()
  if(NOT EXISTS "${MPIEXEC_EXECUTABLE}")
    unset(MPIEXEC_EXECUTABLE CACHE)
  endif()
endfunction()

# hodge_lacking_headers(<variable>): why FindMPI must not be asked: the compiler of MPI that it would take names folders
# that do not exist. Otherwise empty, also where an earlier configuration has its answers.
function(hodge_lacking_headers variable)
  set(${variable} "" PARENT_SCOPE)
  if(MPI_CXX_LIB_NAMES AND (MPI_CXX_COMPILER_INCLUDE_DIRS OR MPI_CXX_INCLUDE_PATH))
    return()
  endif()
  set(homes ${MPI_HOME} $ENV{MPI_HOME} $ENV{I_MPI_ROOT})
  find_program(launcher NAMES mpiexec mpirun HINTS ${homes} PATH_SUFFIXES bin NO_CACHE)
  cmake_path(GET launcher PARENT_PATH beside)
  set(names mpicxx mpiCC mpic++)
  if(MPI_CXX_COMPILER)
    set(names ${MPI_CXX_COMPILER})
  endif()
  find_program(compiler NAMES ${names} HINTS ${beside} ${homes} PATH_SUFFIXES bin NO_CACHE)
  if(NOT compiler)
    return()
  endif()
  # Open MPI, MPICH and their descendants print the command that they would run.
  execute_process(COMMAND ${compiler} -show OUTPUT_VARIABLE command ERROR_QUIET RESULT_VARIABLE failed)
  string(REGEX MATCHALL "(^| )-I *(\"[^\"]+\"|[^\" \n]+)" options "${command}")
  set(missing "")
  foreach(option IN LISTS options)
    string(REGEX REPLACE "^ ?-I *\"?|\"$" "" folder "${option}")
    if(NOT failed AND NOT EXISTS "${folder}")
      list(APPEND missing ${folder})
    endif()
  endforeach()
  if(missing)
    list(JOIN missing ", " missing)
    set(${variable} "MPI has no headers: ${compiler} names folders that do not exist (${missing})" PARENT_SCOPE)
  endif()
endfunction()

# hodge_give_up_mpi(<reason>): an error with HODGE_MPI=ON, else a line that says why this build has no MPI.
macro(hodge_give_up_mpi reason)
  if(HODGE_MPI STREQUAL "AUTO")
    message(STATUS "hodge: one process only: ${reason}")
  else()
    message(FATAL_ERROR "HODGE_MPI=ON, but ${reason}. Debian and Ubuntu: apt-get install libopenmpi-dev openmpi-bin; "
                        "elsewhere install an MPI library with its headers and name its compiler with "
                        "-DMPI_CXX_COMPILER=FILE; or configure with -DHODGE_MPI=OFF.")
  endif()
endmacro()

if(NOT HODGE_MPI MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "HODGE_MPI is `${HODGE_MPI}`; it has to be AUTO, ON or OFF")
endif()

set(hodge_has_mpi 0)
set(hodge_mpiexec "")
if(NOT HODGE_MPI STREQUAL "OFF")
  hodge_forget_old_mpi()
  hodge_lacking_headers(reason)
  if(reason)
    hodge_give_up_mpi("${reason}")
  else()
    set(MPI_CXX_SKIP_MPICXX ON)  # the C functions are used
    find_package(MPI QUIET COMPONENTS CXX)
    if(NOT MPI_CXX_FOUND)
      hodge_give_up_mpi("CMake finds no MPI library")
    else()
      set(hodge_has_mpi 1)
      set(started_by "without mpirun")
      if(MPIEXEC_EXECUTABLE)
        set(hodge_mpiexec ${MPIEXEC_EXECUTABLE})
        set(started_by ${hodge_mpiexec})
      endif()
      message(STATUS "hodge: several processes by MPI ${MPI_CXX_VERSION}, ${started_by}")
    endif()
  endif()
endif()
