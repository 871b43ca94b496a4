// The entries of a COO matrix as kernels see them.
#pragma once

namespace hodge::linalg {

template <class T>
struct EntryView {
  int size = 0;
  const int* row_indices = nullptr;
  const int* columns = nullptr;
  const T* values = nullptr;
};

}  // namespace hodge::linalg
