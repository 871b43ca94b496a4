// A driver of HDF5 ("virtual file layer", H5FDpublic.h) that keeps in memory what the library
// writes itself: headers, groups and small values. Lists for which it only finds a place take no
// memory, wherever that place is.
#pragma once

#include <cstdint>

#include "sim/app/checkpoint/sparse_bytes.hpp"

namespace hodge::sim {

// A new list of access properties: files that are made with it go to `bytes`, which has to live
// until they are closed. < 0: HDF5 refuses.
std::int64_t access_to(SparseBytes& bytes);

// The bytes up to the end of what HDF5 has placed in the file, after H5Fflush.
std::uint64_t placed_bytes(std::int64_t file);

}  // namespace hodge::sim
