# Decides whether this build has the CUDA space, and for which GPUs.
#
#   HODGE_CUDA=AUTO   with CUDA where a toolkit works, otherwise without
#   HODGE_CUDA=ON     with CUDA; an error where no toolkit works
#   HODGE_CUDA=OFF    without CUDA
#
# Sets hodge_has_cuda to 0 or 1, and hodge_cuda_options, the options of nvcc. nvcc is looked for on PATH, in $CUDA_HOME
# and in /usr/local/cuda.

set(hodge_cuda_minimum 12.0)
set(hodge_has_cuda 0)

# hodge_give_up_cuda(<reason>): an error with HODGE_CUDA=ON, else a line that says why this build has no CUDA.
macro(hodge_give_up_cuda reason)
  if(HODGE_CUDA STREQUAL "AUTO")
    message(STATUS "hodge: CPU only: ${reason}")
  else()
    message(FATAL_ERROR "HODGE_CUDA=${HODGE_CUDA}, but ${reason}. Install a CUDA toolkit (>= ${hodge_cuda_minimum}), "
                        "point CMAKE_CUDA_COMPILER to its nvcc, or configure with -DHODGE_CUDA=OFF.")
  endif()
endmacro()

# hodge_default_architectures(<variable> <toolkit version> <nvcc>): the GPUs of this machine that the toolkit can compile
# for. On a machine without a GPU:
#   oldest   PTX: the driver compiles it at the first start (CUDA 13: Turing; CUDA 12: Volta and Turing)
#   80       machine code, runs on 8.0 and all later 8.x (Ampere, Ada)
#   90       machine code (Hopper), and PTX for all newer GPUs
# Machine code for the oldest GPUs too would add about a third to the time of compilation.
function(hodge_default_architectures variable toolkit_version nvcc)
  set(architectures "")
  find_program(HODGE_NVIDIA_SMI nvidia-smi)
  mark_as_advanced(HODGE_NVIDIA_SMI)
  if(HODGE_NVIDIA_SMI)
    execute_process(COMMAND ${HODGE_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE capabilities ERROR_QUIET RESULT_VARIABLE failed TIMEOUT 30)
    execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE supported ERROR_QUIET)
    if(NOT failed)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${capabilities}")
      foreach(capability IN LISTS capabilities)
        string(REPLACE "." "" architecture ${capability})
        if("${supported}" MATCHES "compute_${architecture}([^0-9]|$)")
          list(APPEND architectures ${architecture})
        endif()
      endforeach()
      list(REMOVE_DUPLICATES architectures)
    endif()
  endif()
  if(NOT architectures)
    if(toolkit_version VERSION_LESS 13)
      set(architectures 70-virtual 80-real 90)
    else()
      set(architectures 75-virtual 80-real 90)
    endif()
  endif()
  set(${variable} ${architectures} PARENT_SCOPE)
endfunction()

if(NOT HODGE_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "HODGE_CUDA is `${HODGE_CUDA}`; it has to be AUTO, ON or OFF")
endif()

if(NOT HODGE_CUDA STREQUAL "OFF")
  set(hodge_nvcc "")
  foreach(candidate IN ITEMS "${CMAKE_CUDA_COMPILER}" "$ENV{CUDACXX}")
    if(candidate AND NOT hodge_nvcc)
      set(hodge_nvcc ${candidate})
    endif()
  endforeach()
  if(NOT hodge_nvcc)
    find_program(HODGE_NVCC nvcc PATHS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin /usr/local/cuda/bin /opt/cuda/bin)
    mark_as_advanced(HODGE_NVCC)
    if(HODGE_NVCC)
      set(hodge_nvcc ${HODGE_NVCC})
    endif()
  endif()

  if(NOT hodge_nvcc)
    hodge_give_up_cuda("no CUDA compiler (nvcc) is on PATH or in /usr/local/cuda")
  else()
    execute_process(COMMAND ${hodge_nvcc} --version OUTPUT_VARIABLE output ERROR_QUIET RESULT_VARIABLE failed)
    string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" found "${output}")
    set(toolkit_version "${CMAKE_MATCH_1}")
    if(failed OR NOT found)
      hodge_give_up_cuda("${hodge_nvcc} does not tell its version")
    elseif(toolkit_version VERSION_LESS hodge_cuda_minimum)
      hodge_give_up_cuda("${hodge_nvcc} is CUDA ${toolkit_version} and hodge needs ${hodge_cuda_minimum} or newer")
    else()
      if(NOT HODGE_CUDA_ARCHITECTURES STREQUAL "auto")
        set(CMAKE_CUDA_ARCHITECTURES ${HODGE_CUDA_ARCHITECTURES})
      elseif(NOT CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
        hodge_default_architectures(CMAKE_CUDA_ARCHITECTURES ${toolkit_version} ${hodge_nvcc})
      endif()
      if(NOT CMAKE_CUDA_COMPILER)
        set(ENV{CUDACXX} ${hodge_nvcc})
      endif()
      include(CheckLanguage)
      check_language(CUDA)
      if(CMAKE_CUDA_COMPILER)
        set(hodge_has_cuda 1)
      else()
        hodge_give_up_cuda("${hodge_nvcc} cannot build a program with this host compiler")
      endif()
    endif()
  endif()
endif()

if(hodge_has_cuda)
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake before 3.25.2 does not know that nvcc 12 has C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  find_package(CUDAToolkit ${hodge_cuda_minimum} REQUIRED)
  set(hodge_cuda_options --extended-lambda)
  list(LENGTH CMAKE_CUDA_ARCHITECTURES architecture_count)
  if(architecture_count GREATER 1)  # nvcc compiles a file for several architectures side by side
    list(APPEND hodge_cuda_options --threads=${architecture_count})
  endif()
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13)  # CUDA 12.8 and 12.9 warn that CUDA 13 does not have Volta
    list(APPEND hodge_cuda_options -Wno-deprecated-gpu-targets)
  endif()
  message(STATUS "hodge: CUDA ${CMAKE_CUDA_COMPILER_VERSION} for architectures ${CMAKE_CUDA_ARCHITECTURES}")
elseif(HODGE_CUDA STREQUAL "OFF")
  message(STATUS "hodge: CPU only: HODGE_CUDA=OFF")
endif()
