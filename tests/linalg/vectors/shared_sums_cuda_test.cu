// Sums and maxima of the Cuda space are exact sums of chunks, and have the same bits for any number
// of processes.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>

#include "linalg/base/exact_sum.hpp"
#include "linalg/processes/row_lines.hpp"
#include "linalg/processes/sum_chunks.hpp"
#include "linalg/vectors/parallel.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/processes_in_turn.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg::tests_of_shared_sums_cuda {

using tests::random_values;
using Bits = std::vector<std::uint64_t>;
using Values = std::vector<double>;

class SharedSumsCuda : public tests::SpaceTest<Cuda> {
 protected:
  void SetUp() override {
    setenv("HODGE_GPU_MESSAGES", "host", 1);  // the processes of these tests share the GPU
    tests::SpaceTest<Cuda>::SetUp();
  }
};

Bits bits_of(const Values& values) {
  Bits bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

// Three vectors of the same rows, with values of very different sizes.
struct Rows {
  Values a, b, c;

  int size() const { return static_cast<int>(a.size()); }
  Rows part(std::int64_t first, std::int64_t end) const {
    const auto cut = [=](const Values& all) {
      return Values(all.begin() + first, all.begin() + end);
    };
    return {cut(a), cut(b), cut(c)};
  }
};

Rows rows_of(int n) {
  Rows rows{random_values(n, 1), random_values(n, 2), random_values(n, 3)};
  for (std::size_t i = 0; i < rows.b.size(); ++i) rows.b[i] *= std::pow(10.0, rows.c[i] * 40);
  return rows;
}

template <class T>
void add_dots(const Rows& r, Values& results) {
  const Buffer<T, Cuda> a(std::vector<T>(r.a.begin(), r.a.end()));
  const Buffer<T, Cuda> b(std::vector<T>(r.b.begin(), r.b.end()));
  Buffer<double, Cuda> value(4);
  DotPairs<T> pairs{4,
                    {a.data(), a.data(), b.data(), b.data()},
                    {b.data(), a.data(), b.data(), nullptr},
                    {value.data(), value.data() + 1, value.data() + 2, value.data() + 3}};
  Cuda::dots(static_cast<int>(a.size()), pairs);
  const Values host = value.to_host();
  results.insert(results.end(), host.begin(), host.end());
}

// Of a basis of `columns` vectors: its dot products, and a first round of Gram-Schmidt.
void add_basis(const Rows& r, int columns, Values& results) {
  Values all;
  for (int j = 0; j < columns; ++j) {
    const Values& column = j % 2 == 0 ? r.a : r.b;
    for (const double v : column) all.push_back(v * (1.0 + 0.125 * j));
  }
  const Buffer<double, Cuda> basis(all);
  Buffer<double, Cuda> w(r.c), h(static_cast<std::size_t>(columns));
  Cuda::basis_dots(r.size(), columns, basis.data(), w.data(), h.data());
  const auto size = static_cast<std::size_t>(columns) + 1;
  const Buffer<double, Cuda> dots(Values(size, 0.25)), norms(Values(size, 1.0));
  Buffer<double, Cuda> left(size), left_again(size);
  OrthogonalisationRound round{};
  round.data.dots = const_cast<double*>(dots.data());
  round.data.norms = const_cast<double*>(norms.data());
  round.data.left = left.data();
  round.data.left_again = left_again.data();
  Cuda::basis_round(r.size(), columns, basis.data(), w.data(), round);
  for (const Values& values : {h.to_host(), left.to_host()})
    results.insert(results.end(), values.begin(), values.end());
}

void add_maxima(const Rows& r, Values& results) {
  const Buffer<double, Cuda> a(r.a), b(r.b);
  Buffer<double, Cuda> value(1);
  Cuda::weighted_maximum(r.size(), a.data(), b.data(), value.data());
  results.push_back(value.to_host()[0]);
}

// y = A x for a diagonal matrix, so that no process needs an x of another one.
void add_products(const Rows& r, const char* kernel, Values& results) {
  std::unique_ptr<CsrMatrix<Cuda>> matrix;
  {
    const SharingRows local({});
    tests::HostMatrix diagonal{r.size(), r.size(), {0}, {}, {}};
    for (int i = 0; i < r.size(); ++i) {
      diagonal.columns.push_back(i);
      diagonal.values.push_back(r.b[static_cast<std::size_t>(i)]);
      diagonal.row_offsets.push_back(i + 1);
    }
    matrix = diagonal.in<Cuda>();
    matrix->use({.kernel = kernel});
  }
  const Buffer<double, Cuda> a(r.a), b(r.b), c(r.c);
  Buffer<double, Cuda> y(r.a.size()), transposed(r.a.size()), value(8);
  double* const v = value.data();
  Cuda::spmv_dots(matrix->view(), a.data(), c.data(), y.data(), {v, v + 1, v + 2, v + 3, v + 4},
                  b.data());
  const ProductDots three{v + 5, v + 6, v + 7};
  if (std::string(kernel) == "csr_diagonals") {
    Cuda::spmv_both(matrix->view(), a.data(), c.data(), y.data(), transposed.data(), three);
  } else {
    Cuda::residual_dots(matrix->view(), a.data(), c.data(), y.data(), three);
  }
  const Values host = value.to_host();
  results.insert(results.end(), host.begin(), host.end());
}

Values all_results(const Rows& r) {
  Values results;
  add_dots<double>(r, results);
  add_dots<float>(r, results);
  add_basis(r, 3, results);
  add_basis(r, 30, results);
  add_maxima(r, results);
  for (const char* kernel : {"csr_diagonals", "csr_scalar", "csr_vector"})
    add_products(r, kernel, results);
  return results;
}

// Up to 2^16 rows a chunk has 256 rows, and a vector of one chunk is that chunk.
TEST_F(SharedSumsCuda, sums_are_exact_sums_of_their_chunks) {
  for (const int n : {0, 1, 255, 256, 257, 5000, 65536}) {
    const Rows rows = rows_of(n);
    std::vector<ExactSum> exact(8);
    for (int first = 0; first < n; first += 256) {
      Values of_chunk;
      add_dots<double>(rows.part(first, std::min(first + 256, n)), of_chunk);
      add_dots<float>(rows.part(first, std::min(first + 256, n)), of_chunk);
      for (std::size_t k = 0; k < exact.size(); ++k) exact[k].add(of_chunk[k]);
    }
    Values results, expected;
    add_dots<double>(rows, results);
    add_dots<float>(rows, results);
    for (const ExactSum& sum : exact) expected.push_back(sum.value());
    EXPECT_EQ(bits_of(results), bits_of(expected)) << n << " rows";
  }
}

TEST_F(SharedSumsCuda, repeated_sums_have_the_same_bits_and_agree_with_long_doubles) {
  for (const int n : {1000, 70000, 300000, 1200000}) {
    const Rows rows{random_values(n, 1), random_values(n, 2), random_values(n, 3)};
    long double exact = 0, sizes = 0;
    for (std::size_t i = 0; i < rows.a.size(); ++i) {
      exact += static_cast<long double>(rows.a[i]) * rows.b[i];
      sizes += std::fabs(static_cast<long double>(rows.a[i]) * rows.b[i]);
    }
    Values first;
    add_dots<double>(rows, first);
    EXPECT_NEAR(first[0], static_cast<double>(exact), 1e-14 * static_cast<double>(sizes)) << n;
    for (int i = 0; i < 3; ++i) {
      Values again;
      add_dots<double>(rows, again);
      EXPECT_EQ(bits_of(again), bits_of(first)) << n;
    }
  }
}

// One chunk may hold what others lose: sizes far apart, sums that cancel, values beyond numbers.
TEST_F(SharedSumsCuda, chunks_of_very_different_sizes_lose_nothing) {
  for (const int n : {4096, 1 << 21}) {  // one group of chunks, and several
    Values a(static_cast<std::size_t>(n), 0.0);
    const auto sum = [&] {
      const Buffer<double, Cuda> in(a);
      Buffer<double, Cuda> value(1);
      Cuda::dots(n, DotPairs<double>{1, {in.data()}, {nullptr}, {value.data()}});
      return value.to_host()[0];
    };
    const auto place = [&](int chunk) -> double& {
      return a[static_cast<std::size_t>(chunk) * (n / 4)];
    };
    EXPECT_EQ(sum(), 0.0);
    place(0) = 1e300;
    place(1) = 1.0;
    place(2) = -1e300;
    place(3) = 0x1p-1074;
    EXPECT_EQ(sum(), 1.0);
    place(1) = 0.0;
    EXPECT_EQ(sum(), 0x1p-1074);
    place(0) = -std::numeric_limits<double>::max();
    place(2) = -std::numeric_limits<double>::max();
    EXPECT_EQ(sum(), -std::numeric_limits<double>::infinity());
    place(0) = std::numeric_limits<double>::infinity();
    EXPECT_EQ(sum(), std::numeric_limits<double>::infinity());
    place(1) = -std::numeric_limits<double>::infinity();
    EXPECT_TRUE(std::isnan(sum()));
    place(1) = 0.0;
    place(3) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(sum()));
    for (int chunk = 0; chunk < 4; ++chunk) place(chunk) = 0.0;
    EXPECT_EQ(sum(), 0.0) << "what was counted before is forgotten";
  }
}

// `ends`: where the rows of each process end; each has some (solve/together.hpp).
void processes_change_no_bit(int n, const std::vector<std::int64_t>& ends, const RowLines* lines) {
  const Rows whole = rows_of(n);
  Bits expected;
  {
    const SharingRows one({.lines = lines});
    expected = bits_of(all_results(whole));
  }
  const int count = static_cast<int>(ends.size());
  tests::ProcessesInTurn processes(count);
  Bits bits;
  for (int rank = 0; rank < count; ++rank) {
    const std::int64_t first = rank == 0 ? 0 : ends[static_cast<std::size_t>(rank) - 1];
    const Rows rows = whole.part(first, ends[static_cast<std::size_t>(rank)]);
    const SharingRows sharing({&processes.of_rank(rank), first, 0, n, lines});
    bits = bits_of(all_results(rows));
  }
  EXPECT_EQ(bits, expected) << n << " rows on " << count << " processes";
}

TEST_F(SharedSumsCuda, processes_that_cut_between_chunks_change_no_bit) {
  for (const int n : {5000, 70001, 300000, 1200000}) {
    const std::int64_t step = chunk_alignment(n);
    processes_change_no_bit(n, {n}, nullptr);
    processes_change_no_bit(n, {step, n}, nullptr);
    processes_change_no_bit(n, {step, 3 * step, n}, nullptr);
  }
}

TEST_F(SharedSumsCuda, processes_that_cut_between_lines_change_no_bit) {
  std::vector<std::int64_t> first{0, 3, 3, 1000, 1300, 5000, 5001, 40000, 90001};
  const RowLines lines(first);
  processes_change_no_bit(90001, {90001}, &lines);
  processes_change_no_bit(90001, {3, 1300, 90001}, &lines);
  processes_change_no_bit(90001, {1000, 5001, 40000, 90001}, &lines);
}

// The sum is that of the scope in which it was asked for, though its launch comes later.
TEST_F(SharedSumsCuda, a_sum_that_waits_in_the_queue_keeps_its_processes) {
  const Buffer<double, Cuda> ones(Values(3000, 1.0));
  Buffer<double, Cuda> value(2);
  tests::ProcessesInTurn processes(2);
  for (int rank = 0; rank < 2; ++rank) {
    {
      const SharingRows sharing({&processes.of_rank(rank), 0, 0, 6000});
      Cuda::dots(3000, DotPairs<double>{1, {ones.data()}, {nullptr}, {value.data()}});
    }
    Cuda::dots(3000, DotPairs<double>{1, {ones.data()}, {nullptr}, {value.data() + 1}});
    EXPECT_EQ(value.to_host(), (Values{3000.0 * (rank + 1), 3000.0}));
  }
}

// Sums and maxima of a function of the cells of a box; `below`: cells of the last axis before it.
template <int Dim>
Values reduce_box(const Box<Dim>& box, const Box<Dim>& whole, const double* values, int below) {
  Buffer<double, Cuda> result(3);
  reduce<Cuda, 3>(
      box, {Reduction::sum, Reduction::max, Reduction::sum},
      [=] HODGE_LAMBDA(Index<Dim> c, double(&value)[3]) {
        c[Dim - 1] += below;
        const double v = values[whole.position(c)];
        value[0] = v;
        value[1] = v;
        value[2] = v * v;
      },
      result.data());
  return result.to_host();
}

template <int Dim>
void processes_change_no_bit_of(const Box<Dim>& whole, const std::vector<int>& cuts) {
  const Buffer<double, Cuda> values(rows_of(static_cast<int>(whole.size())).b);
  const Bits expected = bits_of(reduce_box(whole, whole, values.data(), 0));
  const int count = static_cast<int>(cuts.size()) + 1;
  tests::ProcessesInTurn processes(count);
  Bits bits;
  for (int rank = 0; rank < count; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    const int below = rank == 0 ? 0 : cuts[at - 1];
    Box<Dim> own = whole;
    if (rank > 0) own.lower[Dim - 1] = 0;
    own.upper[Dim - 1] = (rank + 1 < count ? cuts[at] : whole.upper[Dim - 1]) - below;
    const SharingRows sharing({.processes = &processes.of_rank(rank)});
    bits = bits_of(reduce_box(own, whole, values.data(), below));
  }
  EXPECT_EQ(bits, expected) << Dim << " axes, " << count << " processes";
}

TEST_F(SharedSumsCuda, processes_that_cut_the_last_axis_of_a_box_change_no_bit) {
  for (const std::vector<int>& cuts :
       {std::vector<int>{}, {8}, {16, 16, 40}, {8, 16, 24, 32, 40, 48, 56}}) {
    processes_change_no_bit_of(Box<2>{{{0, 0}}, {{64, 64}}}, cuts);
    processes_change_no_bit_of(Box<2>{{{1, -1}}, {{334, 64}}}, cuts);
    processes_change_no_bit_of(Box<2>{{{0, 1}}, {{20000, 61}}}, cuts);
    processes_change_no_bit_of(Box<3>{{{0, 0, 1}}, {{16, 16, 65}}}, cuts);
    processes_change_no_bit_of(Box<3>{{{-1, 0, -1}}, {{50, 61, 64}}}, cuts);
    processes_change_no_bit_of(Box<3>{{{0, 0, 0}}, {{3, 200, 60}}}, cuts);
    processes_change_no_bit_of(Box<3>{{{0, 0, 0}}, {{130, 130, 64}}}, cuts);
  }
}

TEST_F(SharedSumsCuda, a_box_wider_than_a_group_of_chunks_is_summed) {
  processes_change_no_bit_of(Box<3>{{{0, 0, 0}}, {{1100, 1030, 9}}}, {8});
}

}  // namespace hodge::linalg::tests_of_shared_sums_cuda
