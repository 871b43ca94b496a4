# Finds Thrust and makes the target hodge::thrust (headers only): the CUDA toolkit's in a CUDA build, else the system's.
#
# One build must not contain both: their inline namespaces and layouts differ. Needs hodge_has_cuda, and
# CUDAToolkit_INCLUDE_DIRS when that is 1. Sets hodge_thrust_include_dir and hodge_thrust_version.
# The installed package includes this file too.

if(hodge_has_cuda)
  set(hodge_thrust_candidates "")
  foreach(directory IN LISTS CUDAToolkit_INCLUDE_DIRS)
    list(APPEND hodge_thrust_candidates ${directory}/cccl ${directory})  # CUDA 13 has the subfolder, CUDA 12 has not
  endforeach()
  find_path(hodge_thrust_include_dir thrust/version.h PATHS ${hodge_thrust_candidates} NO_DEFAULT_PATH NO_CACHE)
else()
  find_path(hodge_thrust_include_dir thrust/version.h NO_CACHE)
endif()
if(NOT hodge_thrust_include_dir)
  message(FATAL_ERROR "Thrust was not found. Debian and Ubuntu: apt-get install libthrust-dev; elsewhere "
                      "give the folder that holds thrust/version.h as -DCMAKE_INCLUDE_PATH=DIR.")
endif()

file(STRINGS ${hodge_thrust_include_dir}/thrust/version.h hodge_thrust_version REGEX "define THRUST_VERSION [0-9]+")
string(REGEX MATCH "[0-9]+" hodge_thrust_version "${hodge_thrust_version}")

if(NOT TARGET hodge::thrust)
  add_library(hodge::thrust INTERFACE IMPORTED GLOBAL)
  target_include_directories(hodge::thrust INTERFACE ${hodge_thrust_include_dir})
endif()
