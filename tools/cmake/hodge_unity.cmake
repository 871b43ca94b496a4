# HODGE_UNITY_BUILD: the .cpp files of a folder are compiled as one, which takes less than half the time of a cold build.
#
# Headers are read and templates instantiated once per folder. In return an edit compiles its whole folder again, so this
# is off by default; tools/lib/build.sh switches it on in a new build folder. Names within a folder must differ, also those
# in anonymous namespaces.

# hodge_unite_sources(<target> [EXCEPT <regex>]): files whose path matches are compiled alone, such as files with hot
# loops, whose machine code then does not depend on the other files of the folder.
function(hodge_unite_sources target)
  if(NOT HODGE_UNITY_BUILD)
    return()
  endif()
  cmake_parse_arguments(argument "" "EXCEPT" "" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  if(argument_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "${argument_EXCEPT}")
  endif()
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REPLACE "/" "_" group ${folder})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
