# The git commit of the sources, as tools::commit() (tools/hodge/program/commit.hpp) in the library hodge_commit.
#
# Written into one generated file whenever a library of hodge has been built anew or HEAD has moved, so that nothing else
# is compiled for it. "unknown" where the sources are no git repository. This file also runs as a script:
#   cmake -Dsource=DIR -Doutput=FILE -P hodge_commit.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  set(commit unknown)
  find_program(git git)
  if(git)
    execute_process(COMMAND ${git} -C ${source} rev-parse --show-toplevel OUTPUT_VARIABLE top ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    file(REAL_PATH ${source} source)
    if(top STREQUAL source)  # not the repository of another project that this folder lies in
      execute_process(COMMAND ${git} -C ${source} rev-parse HEAD OUTPUT_VARIABLE head RESULT_VARIABLE failed ERROR_QUIET
                      OUTPUT_STRIP_TRAILING_WHITESPACE)
      execute_process(COMMAND ${git} -C ${source} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes
                      ERROR_QUIET)
      if(NOT failed)
        set(commit ${head})
        if(changes)
          string(APPEND commit ", with local changes")
        endif()
      endif()
    endif()
  endif()
  file(CONFIGURE OUTPUT ${output} CONTENT [[
#include "tools/hodge/program/commit.hpp"

const char* hodge::tools::commit() {
  return "@commit@";
}
]] @ONLY)
  return()
endif()

set(commit_source ${PROJECT_BINARY_DIR}/generated/hodge_commit.cpp)
set(commit_depends hodge_tools)
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} rev-parse --path-format=absolute --git-path logs/HEAD
                  OUTPUT_VARIABLE git_log ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(git_log AND EXISTS ${git_log})
    list(APPEND commit_depends ${git_log})
  endif()
endif()
add_custom_command(OUTPUT ${commit_source}
  COMMAND ${CMAKE_COMMAND} -Dsource=${PROJECT_SOURCE_DIR} -Doutput=${commit_source} -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${commit_depends} ${CMAKE_CURRENT_LIST_FILE} COMMENT "" VERBATIM)
add_library(hodge_commit STATIC ${commit_source})
target_include_directories(hodge_commit PRIVATE ${PROJECT_SOURCE_DIR})
