# Finds a BLAS for dense Gauss on the Host and makes the target hodge::blas; sets hodge_has_blas to 0 or 1, and
# hodge_blas_library.
#
#   HODGE_BLAS=AUTO   with a fast BLAS (1 to 4 below) where there is one, otherwise without
#   HODGE_BLAS=ON     with a BLAS (1 to 5); an error where there is none
#   HODGE_BLAS=OFF    without
#
# Candidates, the first one found is taken:
#   1. HODGE_BLAS_LIBRARY, named by hand. It must have the Fortran symbols dgemm_, dtrsm_, sgemm_, strsm_ with 32-bit
#      integers.
#   2. OpenBLAS with OpenMP, in HODGE_PACKAGES_DIR (tools/lib/unpack.sh), beside this file in an installed
#      package, or in the folder of Debian's and Ubuntu's libopenblas-openmp-dev. linalg's own threads divide the work.
#   3. Another OpenBLAS.
#   4. BLIS.
#   5. The result of FindBLAS (BLA_VENDOR chooses). Not with AUTO: often this is the unoptimised reference BLAS, which is
#      slower than linalg's own product.
# The installed package includes this file too.

if(NOT HODGE_BLAS MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "HODGE_BLAS is `${HODGE_BLAS}`; it has to be AUTO, ON or OFF")
endif()

set(hodge_has_blas 0)
set(hodge_blas_library hodge_blas_library-NOTFOUND)
set(hodge_blas_libraries "")
if(NOT HODGE_BLAS STREQUAL "OFF")
  file(GLOB hodge_blas_folders ${HODGE_PACKAGES_DIR}/usr/lib/*/openblas-openmp)
  list(APPEND hodge_blas_folders ${CMAKE_CURRENT_LIST_DIR}/blas
       /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp)
  set(HODGE_BLAS_LIBRARY "" CACHE FILEPATH "A BLAS, in place of the one that CMake would find")
  mark_as_advanced(HODGE_BLAS_LIBRARY)
  if(HODGE_BLAS_LIBRARY)
    set(hodge_blas_library ${HODGE_BLAS_LIBRARY})
  else()
    find_library(hodge_blas_library NAMES openblas PATHS ${hodge_blas_folders} NO_DEFAULT_PATH NO_CACHE)
    find_library(hodge_blas_library NAMES openblas openblaso NO_CACHE)
    find_library(hodge_blas_library NAMES blis NO_CACHE
                 HINTS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/blis-openmp /usr/lib64/blis-openmp)
  endif()
  if(hodge_blas_library)
    set(hodge_blas_libraries ${hodge_blas_library})
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
    message(FATAL_ERROR "HODGE_BLAS=ON, but no BLAS was found. Name a library with -DHODGE_BLAS_LIBRARY=FILE, or "
                        "configure with -DHODGE_BLAS=OFF.")
  else()
    message(STATUS "hodge: dense products on the Host by our own code: no OpenBLAS or BLIS was found")
  endif()
endif()

if(hodge_has_blas AND NOT TARGET hodge::blas)
  add_library(hodge::blas INTERFACE IMPORTED GLOBAL)
  target_link_libraries(hodge::blas INTERFACE ${hodge_blas_libraries})
endif()
