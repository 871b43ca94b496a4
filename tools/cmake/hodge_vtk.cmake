# The modules of VTK in vtk_modules.txt, as targets VTK::<module>.
#
# tools/lib/unpack.sh unpacks the libraries and headers of VTK's packages into HODGE_PACKAGES_DIR, without the packages
# that VTK's own CMake files ask for. Where they are there, the targets are made from these files; elsewhere
# find_package(VTK) makes them.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/vtk_modules.txt hodge_vtk_modules)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${CMAKE_CURRENT_LIST_DIR}/vtk_modules.txt)

file(GLOB hodge_vtk_headers ${HODGE_PACKAGES_DIR}/usr/include/vtk-*)
if(NOT hodge_vtk_headers OR VTK_DIR)
  find_package(VTK REQUIRED COMPONENTS ${hodge_vtk_modules})
  message(STATUS "hodge: VTK ${VTK_VERSION} in ${VTK_DIR}")
  return()
endif()

string(REGEX REPLACE "^.*/vtk-" "" VTK_VERSION ${hodge_vtk_headers})
# A module's classes derive from those of other modules, so each is linked with all that were unpacked.
file(GLOB hodge_vtk_libraries ${HODGE_PACKAGES_DIR}/usr/lib/*/libvtk*-${VTK_VERSION}.so)
foreach(module IN LISTS hodge_vtk_modules)
  file(GLOB library ${HODGE_PACKAGES_DIR}/usr/lib/*/libvtk${module}-${VTK_VERSION}.so)
  if(NOT library)
    message(FATAL_ERROR "libvtk${module} is missing in ${HODGE_PACKAGES_DIR}: delete this folder, and tools/run.sh "
                        "unpacks VTK again; or install VTK's development package.")
  endif()
  add_library(VTK::${module} SHARED IMPORTED GLOBAL)
  # The libraries find each other by the program's DT_RPATH. DT_RUNPATH would not apply to libraries of libraries.
  set_target_properties(VTK::${module} PROPERTIES
    IMPORTED_LOCATION ${library} INTERFACE_INCLUDE_DIRECTORIES ${hodge_vtk_headers}
    INTERFACE_LINK_LIBRARIES "${hodge_vtk_libraries}" INTERFACE_LINK_OPTIONS -Wl,--disable-new-dtags)
endforeach()
message(STATUS "hodge: VTK ${VTK_VERSION} in ${HODGE_PACKAGES_DIR}")
