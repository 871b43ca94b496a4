// Loops and reductions over boxes, for parallel_host_test.cpp and parallel_cuda_test.cu.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::tests {

// Every index of the box is visited once, and no index outside the box.
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

// A functor: nvcc wants the names of the types that a kernel is compiled for.
template <int Dim>
struct CountVisits {
  linalg::Box<Dim> whole;
  int* count;  // of part 0, then of part 1
  template <int Part>
  HODGE_HD void operator()(std::integral_constant<int, Part>, const linalg::Index<Dim>& c) const {
    count[static_cast<int>(whole.size()) * Part + whole.position(c)] += 1;
  }
};

// Each part visits every index of its box once, and no other.
template <class Space, int Dim>
void visits_every_part(const linalg::Box<Dim>& first, const linalg::Box<Dim>& second,
                       const linalg::Box<Dim>& whole) {
  const auto size = static_cast<std::size_t>(whole.size());
  linalg::Buffer<int, Space> visits(2 * size);
  const std::array<linalg::Box<Dim>, 2> boxes{first, second};
  linalg::for_each_of<Space>(boxes, CountVisits<Dim>{whole, visits.data()});
  const std::vector<int> counts = visits.to_host();
  for (std::size_t part = 0; part < 2; ++part) {
    std::vector<int> expected(size, 0);
    for (std::size_t i = 0; i < size; ++i) {
      linalg::Index<Dim> c{};
      for (int d = 0, rest = static_cast<int>(i); d < Dim; rest /= whole.extent(d), ++d)
        c[d] = whole.lower[d] + rest % whole.extent(d);
      expected[i] = boxes[part].contains(c) ? 1 : 0;
    }
    EXPECT_EQ(std::vector<int>(counts.begin() + static_cast<std::ptrdiff_t>(part * size),
                               counts.begin() + static_cast<std::ptrdiff_t>((part + 1) * size)),
              expected);
  }
}

template <class Space>
void loops_over_parts() {
  using linalg::Box;
  visits_every_part<Space>(Box<1>{{{1}}, {{999}}}, Box<1>{{{0}}, {{900}}}, Box<1>{{{0}}, {{1000}}});
  visits_every_part<Space>(Box<2>{{{1, 0}}, {{70, 33}}}, Box<2>{{{0, 1}}, {{71, 34}}},
                           Box<2>{{{0, 0}}, {{72, 35}}});
  visits_every_part<Space>(Box<3>{{{1, 2, 3}}, {{31, 9, 20}}}, Box<3>{{{4, 2, 1}}, {{30, 8, 21}}},
                           Box<3>{{{0, 0, 0}}, {{32, 10, 21}}});
  visits_every_part<Space>(Box<3>{{{1, 0, 0}}, {{1, 9, 20}}}, Box<3>{{{4, 2, 1}}, {{30, 8, 21}}},
                           Box<3>{{{0, 0, 0}}, {{32, 10, 21}}});
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

  // The same where the kinds are known when compiled; a maximum ignores NaN.
  linalg::reduce<Space>(
      box, linalg::Kinds<Reduction::max, Reduction::sum, Reduction::max>(),
      [=] HODGE_LAMBDA(linalg::Index<Dim> c, double(&value)[3]) {
        const double position = box.position(c);
        value[0] = position;
        value[1] = position;
        value[2] = position == 0.0 ? 0.0 / position : 1.0 / position;
      },
      result.data());
  const auto known = result.to_host();
  EXPECT_EQ(known[0], n - 1);
  EXPECT_EQ(known[1], n * (n - 1) / 2);
  EXPECT_EQ(known[2], n > 1 ? 1.0 : 0.0);

  linalg::reduce<Space>(
      box, linalg::Sums<2>(),
      [=] HODGE_LAMBDA(linalg::Index<Dim> c, double(&value)[2]) {
        value[0] = 1.0;
        value[1] = -box.position(c);
      },
      result.data());
  EXPECT_EQ(result.to_host()[0], n);
  EXPECT_EQ(result.to_host()[1], -n * (n - 1) / 2);
}

template <class Space>
void reductions_over_boxes() {
  reduces<Space>(linalg::Box<1>{{{0}}, {{1}}});
  reduces<Space>(linalg::Box<2>{{{1, 2}}, {{34, 35}}});
  reduces<Space>(linalg::Box<2>{{{0, 0}}, {{1000, 777}}});
  reduces<Space>(linalg::Box<3>{{{-1, 0, 5}}, {{30, 31, 38}}});
  reduces<Space>(linalg::Box<3>{{{0, -2, 1}}, {{300, 38, 51}}});
}

// How many values an index has: 0 to 5, and no run (start -1) for every seventh index.
HODGE_HD inline bool has_run(int position) {
  return position % 7 != 3;
}
HODGE_HD inline int run_length(int position) {
  return has_run(position) ? position % 6 : 0;
}

// Every run is stored at its place, and nothing else is written.
template <class Space, int Dim>
void fills_every_run(const linalg::Box<Dim>& box) {
  std::vector<int> starts;
  std::vector<double> expected;
  for (int i = 0; i < static_cast<int>(box.size()); ++i) {
    starts.push_back(has_run(i) ? static_cast<int>(expected.size()) : -1);
    for (int k = 0; k < run_length(i); ++k) expected.push_back(10.0 * i + k);
  }
  const linalg::Buffer<int, Space> on_device{std::span<const int>(starts)};
  linalg::Buffer<double, Space> values(expected.size() + 1);
  const int* const start = on_device.data();
  linalg::fill_runs<Space, 5>(
      box, values.data(),
      [=] HODGE_LAMBDA(const linalg::Index<Dim>& c) { return start[box.position(c)]; },
      [=] HODGE_LAMBDA(const linalg::Index<Dim>& c, double* run) {
        const int position = box.position(c), count = run_length(position);
        for (int k = 0; k < count; ++k) run[k] = 10.0 * position + k;
        return count;
      });
  expected.push_back(0.0);
  EXPECT_EQ(values.to_host(), expected);
}

template <class Space>
void runs_over_boxes() {
  for (const int n : {1, 31, 33, 1000}) fills_every_run<Space>(linalg::Box<1>{{{0}}, {{n}}});
  fills_every_run<Space>(linalg::Box<2>{{{1, 2}}, {{34, 35}}});
  fills_every_run<Space>(linalg::Box<2>{{{0, 0}}, {{3, 300000}}});
  fills_every_run<Space>(linalg::Box<3>{{{-1, 0, 5}}, {{130, 31, 38}}});
  fills_every_run<Space>(linalg::Box<3>{{{0, 0, 0}}, {{0, 4, 4}}});
}

}  // namespace hodge::tests
