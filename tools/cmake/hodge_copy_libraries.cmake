# Run at install time: copies the shared libraries of ${hodge_executables} into lib/ of the installed folder.
#
# All but glibc's own, which belong to the kernel and the loader of the machine, and the NVIDIA driver's. libstdc++
# and libgomp do go along: a machine need not have them, and an older one would not do.
# Into a prefix of the system (/usr, /usr/local) nothing is copied: it would hide the distribution's own libraries.

if(CMAKE_INSTALL_PREFIX MATCHES "^(/|/usr|/usr/local)/?$")
  message(STATUS "hodge: shared libraries stay where they are, ${CMAKE_INSTALL_PREFIX} is a system folder")
  return()
endif()

file(GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${hodge_executables}
  RESOLVED_DEPENDENCIES_VAR libraries
  UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES
    "^ld-linux" "^lib(c|m|mvec|pthread|dl|rt|resolv|util|anl|nsl)\\.so" "^lib(cuda|nvidia|nvcuvid|nvoptix)")
if(missing)
  message(FATAL_ERROR "hodge: the program needs shared libraries that are not here: ${missing}")
endif()
list(LENGTH libraries count)
message(STATUS "hodge: copying ${count} shared libraries")
file(INSTALL ${libraries} DESTINATION ${CMAKE_INSTALL_PREFIX}/lib TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
