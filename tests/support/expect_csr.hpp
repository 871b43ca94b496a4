// Compares a CSR matrix of any space with one of the host, entry by entry and bit by bit.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/matrices.hpp"

namespace hodge::tests {

template <class Space, class T>
void expect_csr(const linalg::CsrMatrix<Space, T>& a, const HostMatrix& expected,
                const std::string& what = {}) {
  SCOPED_TRACE(what + ", " + std::to_string(expected.rows) + " x " + std::to_string(expected.cols));
  EXPECT_EQ(a.rows(), expected.rows);
  EXPECT_EQ(a.cols(), expected.cols);
  EXPECT_EQ(a.pattern().row_offsets().to_host(), expected.row_offsets);
  EXPECT_EQ(a.pattern().columns().to_host(), expected.columns);
  EXPECT_EQ(a.values().to_host(), std::vector<T>(expected.values.begin(), expected.values.end()));
}

}  // namespace hodge::tests
