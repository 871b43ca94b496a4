# Read by cpack for each generator. A Debian package goes into /usr itself: then the distribution's libraries stay where
# they are (hodge_copy_libraries.cmake), and the package names those that it depends on.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_SET_DESTDIR ON)
  set(CPACK_INSTALL_PREFIX /usr)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY OFF)
endif()
