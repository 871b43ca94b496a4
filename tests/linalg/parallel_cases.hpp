// Loops and reductions over boxes, for parallel_host_test.cpp and parallel_cuda_test.cu.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "linalg/buffer.hpp"
#include "linalg/parallel.hpp"

namespace hodge::tests {

// Every index of the box is visited once, and none outside.
template <class Space, int Dim>
void visits_every_index_once(const linalg::Box<Dim>& box, const linalg::Box<Dim>& whole) {
  linalg::Buffer<int, Space> visits(static_cast<std::size_t>(whole.size()));
  int* count = visits.data();
  linalg::for_each<Space>(
      box, [=] HODGE_LAMBDA(linalg::Index<Dim> c) { count[whole.position(c)] += 1; });
  long long total = 0;
  for (const int v : visits.to_host()) {
    ASSERT_TRUE(v == 0 || v == 1);
    total += v;
  }
  EXPECT_EQ(total, box.size());
}

template <class Space>
void loops_over_boxes() {
  using linalg::Box;
  visits_every_index_once<Space>(Box<1>{{{2}}, {{1000}}}, Box<1>{{{0}}, {{1001}}});
  visits_every_index_once<Space>(Box<2>{{{1, 0}}, {{70, 33}}}, Box<2>{{{0, 0}}, {{71, 40}}});
  visits_every_index_once<Space>(Box<2>{{{0, 0}}, {{2, 300000}}}, Box<2>{{{0, 0}}, {{2, 300000}}});
  visits_every_index_once<Space>(Box<3>{{{1, 2, 3}}, {{31, 9, 20}}},
                                 Box<3>{{{0, 0, 0}}, {{32, 10, 21}}});
  visits_every_index_once<Space>(Box<3>{{{0, 0, 0}}, {{1, 1, 200000}}},
                                 Box<3>{{{0, 0, 0}}, {{1, 1, 200000}}});
  visits_every_index_once<Space>(Box<3>{{{5, 0, 0}}, {{5, 4, 4}}},
                                 Box<3>{{{0, 0, 0}}, {{8, 4, 4}}});
}

template <class Space, int Dim>
void reduces(const linalg::Box<Dim>& box) {
  using linalg::Reduction;
  linalg::Buffer<double, Space> result(3);
  linalg::reduce<Space, 3>(
      box, {Reduction::sum, Reduction::max, Reduction::sum},
      [=] HODGE_LAMBDA(linalg::Index<Dim> c, double(&value)[3]) {
        value[0] = box.position(c);
        value[1] = box.position(c);
        value[2] = 1.0;
      },
      result.data());
  const auto host = result.to_host();
  const double n = static_cast<double>(box.size());
  EXPECT_EQ(host[0], n * (n - 1) / 2);
  EXPECT_EQ(host[1], n - 1);
  EXPECT_EQ(host[2], n);
}

template <class Space>
void reductions_over_boxes() {
  reduces<Space>(linalg::Box<1>{{{0}}, {{1}}});
  reduces<Space>(linalg::Box<2>{{{1, 2}}, {{34, 35}}});
  reduces<Space>(linalg::Box<2>{{{0, 0}}, {{1000, 777}}});
  reduces<Space>(linalg::Box<3>{{{-1, 0, 5}}, {{30, 31, 38}}});
}

}  // namespace hodge::tests
