# Finds a BLAS for dense Gauss on the Host and makes the target hodge::blas; sets hodge_has_blas to 0 or 1.
#
#   HODGE_BLAS=AUTO   with a fast BLAS (1 or 2 below) where there is one, otherwise without
#   HODGE_BLAS=ON     with a BLAS (1, 2 or 3); an error where there is none
#   HODGE_BLAS=OFF    without
#
# Candidates, the first one found is taken:
#   1. BLIS with OpenMP threads (Debian and Ubuntu: libblis-openmp-dev). The folder of that package is searched first,
#      because `libblis.so` in the common folder may be the serial variant.
#   2. OpenBLAS.
#   3. The result of FindBLAS (BLA_VENDOR chooses). Not with AUTO: often this is the unoptimised reference BLAS, which is
#      slower than linalg's own product.
# HODGE_BLAS_LIBRARY names a library by hand; it must have the Fortran symbols dgemm_, dtrsm_, sgemm_, strsm_ with 32-bit
# integers. The installed package includes this file too.

if(NOT HODGE_BLAS MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "HODGE_BLAS is `${HODGE_BLAS}`; it has to be AUTO, ON or OFF")
endif()

set(hodge_has_blas 0)
set(hodge_blas_libraries "")
if(NOT HODGE_BLAS STREQUAL "OFF")
  set(hodge_library_folder ${CMAKE_LIBRARY_ARCHITECTURE})
  find_library(HODGE_BLAS_LIBRARY NAMES blis
               HINTS /usr/lib/${hodge_library_folder}/blis-openmp /usr/lib64/blis-openmp
               DOC "A fast BLAS: BLIS or OpenBLAS")
  find_library(HODGE_BLAS_LIBRARY NAMES openblaso openblas
               HINTS /usr/lib/${hodge_library_folder}/openblas-openmp)
  mark_as_advanced(HODGE_BLAS_LIBRARY)
  if(HODGE_BLAS_LIBRARY)
    set(hodge_blas_libraries ${HODGE_BLAS_LIBRARY})
  elseif(HODGE_BLAS STREQUAL "ON")
    find_package(BLAS)
    if(BLAS_FOUND)
      set(hodge_blas_libraries ${BLAS_LIBRARIES} ${BLAS_LINKER_FLAGS})
    endif()
  endif()
  if(hodge_blas_libraries)
    set(hodge_has_blas 1)
    message(STATUS "hodge: dense products on the Host by ${hodge_blas_libraries}")
  elseif(HODGE_BLAS STREQUAL "ON")
    message(FATAL_ERROR "HODGE_BLAS=ON, but no BLAS was found. Debian and Ubuntu: apt-get install libblis-openmp-dev; "
                        "elsewhere name the library with -DHODGE_BLAS_LIBRARY=FILE, or configure with -DHODGE_BLAS=OFF.")
  else()
    message(STATUS "hodge: dense products on the Host by our own code: no BLIS or OpenBLAS was found")
  endif()
endif()

if(hodge_has_blas AND NOT TARGET hodge::blas)
  add_library(hodge::blas INTERFACE IMPORTED GLOBAL)
  target_link_libraries(hodge::blas INTERFACE ${hodge_blas_libraries})
endif()
