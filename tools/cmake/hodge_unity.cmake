# HODGE_UNITY_BUILD: the .cpp files of a folder are compiled as one, which takes less than half the time of a cold build.
#
# The headers are read and the templates instantiated once a folder. In turn an edit compiles its whole folder again,
# which is why it is off unless asked for; tools/lib/build.sh asks in a new build folder. It needs names that differ
# within a folder, those in anonymous namespaces too.

# hodge_unite_sources(<target> [EXCEPT <regex>]): a file whose path matches is compiled alone: such as one with hot
# loops, whose code then does not depend on its neighbours.
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
