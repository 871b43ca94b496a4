# What every target of hodge is built with: build type, warnings, the CUDA space, Thrust and OpenMP.
#
# Sets hodge_has_cuda (0 or 1) and hodge_thrust_include_dir, and defines hodge_configure_target(), hodge_glob_sources()
# and hodge_list_files(). Included once, by the root list file: enable_language() has to run at its level.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)  # the tests see the packages that sim finds
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# Libraries that were unpacked and not installed: VTK, OpenBLAS (tools/lib/unpack.sh).
set(hodge_packages_default ${PROJECT_BINARY_DIR}/packages)
if(DEFINED ENV{HODGE_PACKAGES_DIR})
  set(hodge_packages_default $ENV{HODGE_PACKAGES_DIR})
endif()
set(HODGE_PACKAGES_DIR ${hodge_packages_default} CACHE PATH "Where tools/lib/unpack.sh has unpacked VTK and OpenBLAS")

include(hodge_cuda)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
include(hodge_thrust)
include(hodge_blas)
include(hodge_mpi)
include(hodge_unity)

# Without zlib, compressed matrix files cannot be read.
find_package(ZLIB QUIET)
set(hodge_has_zlib 0)
if(ZLIB_FOUND)
  set(hodge_has_zlib 1)
endif()

set(hodge_cxx_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND hodge_cxx_warnings -Wno-restrict)  # GCC bug 105651: false alarms on "literal" + std::string
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # False alarms where a function that takes a text returns a row of a table that lives as long as the program.
  list(APPEND hodge_cxx_warnings -Wno-dangling-reference)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND hodge_cxx_warnings -Wno-pass-failed)  # a loop that was not vectorised, as with -O1
  list(APPEND hodge_cxx_warnings -Wno-missing-braces)  # of a std::array in an aggregate, which GCC does not ask for
endif()
if(HODGE_UNITY_BUILD)
  # A local variable may have the name of a function, or with Clang of a variable, in another file of the folder.
  list(REMOVE_ITEM hodge_cxx_warnings -Wshadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND hodge_cxx_warnings -Wshadow=local)
  endif()
endif()
set(hodge_cuda_host_warnings -Wall -Wextra -Wshadow)

# hodge_configure_target(<target>): compiler options of our own targets; imported targets do not get them.
function(hodge_configure_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  list(JOIN hodge_cuda_host_warnings "," cuda_host_warnings)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:${hodge_cxx_warnings}>
    $<$<COMPILE_LANGUAGE:CUDA>:${hodge_cuda_options} -Xcompiler=${OpenMP_CXX_FLAGS},${cuda_host_warnings}>)
  if(HODGE_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Werror>
      $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Werror>)
  endif()
  if(target IN_LIST HODGE_UNOPTIMISED)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
  endif()
  if(HODGE_NATIVE)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-march=native> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-march=native>)
  endif()
  if(HODGE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${HODGE_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${HODGE_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # With a sanitizer GCC loses track of what is set: false alarms in std::optional, std::function and <regex>.
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
    if(HODGE_SANITIZE MATCHES "undefined")
      # Every finding ends the program. Without `null`: Thrust's dispatch binds null references that it never reads.
      target_compile_options(${target} PRIVATE -fno-sanitize-recover=all -fno-sanitize=null)
    endif()
  endif()
  if(HODGE_BUILD_FUZZERS)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  # Thrust's `device` is OpenMP in the files of the Host space and CUDA in the .cu files (its default there).
  target_compile_definitions(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP>)
  set_target_properties(${target} PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON CUDA_EXTENSIONS OFF)
endfunction()

# hodge_glob_sources(<variable> <folder>): the .cpp files below a folder, and the .cu files of a CUDA build. A header
# X_each_space.hpp is compiled by itself once for each space (linalg/space/this_space.hpp).
function(hodge_glob_sources variable folder)
  set(patterns ${folder}/*.cpp)
  if(hodge_has_cuda)
    list(APPEND patterns ${folder}/*.cu)
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*_each_space.hpp)
  foreach(header IN LISTS headers)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    string(REGEX REPLACE "\\.hpp$" "" unit ${PROJECT_BINARY_DIR}/generated/each_space/${path})
    foreach(extension IN ITEMS cpp cu)
      if(extension STREQUAL "cpp" OR hodge_has_cuda)
        file(CONFIGURE OUTPUT ${unit}.${extension} CONTENT "#include \"${path}\"\n" @ONLY)
        list(APPEND sources ${unit}.${extension})
      endif()
    endforeach()
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# hodge_list_files(<header> <folder> <namespace> <type> [EXCEPT <name>...]): each other NAME.cpp of the folder defines the
# function `describe` in <namespace>::NAME, which returns a vector of this type: what the file adds to a registry.
# generated/<header> has the function all(), which joins them in the order of the names; what has no name of its own gets
# that of its file. The next build finds a new file by itself.
function(hodge_list_files header folder namespace type)
  cmake_parse_arguments(argument "" "" "EXCEPT" ${ARGN})
  file(GLOB names CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.cpp)
  list(TRANSFORM names REPLACE "\\.cpp$" "")
  list(REMOVE_ITEM names ${argument_EXCEPT})
  list(SORT names)
  foreach(name IN LISTS names)
    string(APPEND declarations "namespace ${name} {\n${type} describe();\n}\n")
    string(APPEND calls "  add(\"${name}\", ${name}::describe());\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${header} CONTENT [[
// Made by CMake from the names of the files: see hodge_list_files().
#pragma once

#include <utility>

namespace @namespace@ {

@declarations@
inline @type@ all() {
  @type@ table;
  const auto add = [&table](const char* file, @type@ entries) {
    for (auto& entry : entries) {
      if (entry.name == nullptr) entry.name = file;
      table.push_back(std::move(entry));
    }
  };
@calls@  return table;
}

}  // namespace @namespace@
]] @ONLY)
endfunction()

message(STATUS "hodge: build type ${CMAKE_BUILD_TYPE}, Thrust ${hodge_thrust_version} in ${hodge_thrust_include_dir}")
