# Run at install time: copies the shared libraries of ${hodge_executables} into lib/hodge of the installed folder.
#
# Not copied: glibc, which must match the kernel and the loader of the machine, and the NVIDIA driver. libstdc++ and
# libgomp are copied: another machine may have none, or older ones that lack functions.
# Into a system prefix (/usr, /usr/local) only the libraries are copied that were unpacked into ${hodge_packages} and not
# installed: the distribution has the others.

file(GLOB unpacked LIST_DIRECTORIES TRUE ${hodge_packages}/usr/lib/*-linux-* ${hodge_packages}/usr/lib/*/openblas-openmp)
# The unpacked libraries of VTK need each other. CMake finds them only by DIRECTORIES, and warns about each: they are named
# here, and not searched for.
file(GLOB vtk ${hodge_packages}/usr/lib/*-linux-*/libvtk*.so.?)
set(vtk_names "")
if(vtk)
  set(vtk_names "^libvtk")
endif()
file(GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${hodge_executables}
  LIBRARIES ${vtk}
  DIRECTORIES ${unpacked}
  CONFLICTING_DEPENDENCIES_PREFIX twice
  RESOLVED_DEPENDENCIES_VAR libraries
  UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES ${vtk_names}
    "^ld-linux" "^lib(c|m|mvec|pthread|dl|rt|resolv|util|anl|nsl)\\.so" "^lib(cuda|nvidia|nvcuvid|nvoptix)")
list(APPEND libraries ${vtk})
# A library may be installed as well: the program is linked with the unpacked one.
foreach(name IN LISTS twice_FILENAMES)
  foreach(folder IN LISTS unpacked)
    if(EXISTS ${folder}/${name})
      list(APPEND libraries ${folder}/${name})
    endif()
  endforeach()
  if(NOT "${libraries}" MATCHES "/${name}(;|$)")
    list(GET twice_${name} 0 first)
    list(APPEND libraries ${first})
  endif()
endforeach()
list(REMOVE_DUPLICATES libraries)
if(missing)
  message(FATAL_ERROR "hodge: the program needs shared libraries that are not here: ${missing}")
endif()
if(CMAKE_INSTALL_PREFIX MATCHES "^(/|/usr|/usr/local)/?$")
  message(STATUS "hodge: shared libraries of the distribution stay where they are, ${CMAKE_INSTALL_PREFIX} is a system folder")
  foreach(library IN LISTS libraries)
    cmake_path(IS_PREFIX hodge_packages "${library}" is_unpacked)
    if(NOT is_unpacked)
      list(REMOVE_ITEM libraries "${library}")
    endif()
  endforeach()
endif()
list(LENGTH libraries count)
message(STATUS "hodge: copying ${count} shared libraries")
if(libraries)
  file(INSTALL ${libraries} DESTINATION ${CMAKE_INSTALL_PREFIX}/lib/hodge TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
endif()
