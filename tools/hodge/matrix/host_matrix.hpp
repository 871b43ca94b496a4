// A CSR matrix on the host, as files, generators and analysis use it.
#pragma once

#include <span>

#include "linalg/matrices/csr.hpp"

namespace hodge::tools {

using HostMatrix = linalg::CsrMatrix<linalg::Host, double>;

// The arrays of a host matrix, to loop over.
struct HostRows {
  std::span<const int> offsets, columns;
  std::span<const double> values;

  explicit HostRows(const HostMatrix& a)
      : offsets(a.pattern().row_offsets().data(), a.pattern().row_offsets().size()),
        columns(a.pattern().columns().data(), a.pattern().columns().size()),
        values(a.values().data(), a.values().size()) {}
  int rows() const { return static_cast<int>(offsets.size()) - 1; }
};

}  // namespace hodge::tools
