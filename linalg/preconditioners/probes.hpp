// Vectors with which the omega of ssor_sai is chosen (choose_omega.hpp).
#pragma once

#include <cstdint>

#include "linalg/matrices/csr.hpp"

namespace hodge::linalg {

template <class Space, class T>
struct Probes {
  // Numbers between -1 and 1 that have no pattern and are the same in every space; `first` is the
  // number of the first row in the whole system.
  static void noise(Vector<Space, T>& out, std::int64_t first = 0);
  // out_i = a_ii; every row has that entry.
  static void diagonal(const CsrMatrix<Space, T>& a, Vector<Space, T>& out);
};

}  // namespace hodge::linalg
