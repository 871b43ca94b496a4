// Sums and maxima of the Host have the same bits for any number of threads and of processes.
#include <gtest/gtest.h>
#include <omp.h>

#include <bit>
#include <cmath>

#include "linalg/processes/shared_rows.hpp"
#include "linalg/vectors/parallel.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/processes_in_threads.hpp"

namespace hodge::linalg::tests_of_shared_sums {
namespace {

using tests::random_values;
using Bits = std::vector<std::uint64_t>;

Bits bits_of(const std::vector<double>& values) {
  Bits bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

class Threads {
 public:
  explicit Threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before_); }

 private:
  int before_;
};

// Three vectors of the same rows, with values of very different sizes.
struct Rows {
  std::vector<double> a, b, c;

  int size() const { return static_cast<int>(a.size()); }
  void take(const Rows& all, int row) {
    a.push_back(all.a[static_cast<std::size_t>(row)]);
    b.push_back(all.b[static_cast<std::size_t>(row)]);
    c.push_back(all.c[static_cast<std::size_t>(row)]);
  }
};

Rows rows_of(int n) {
  Rows rows{random_values(n, 1), random_values(n, 2), random_values(n, 3)};
  for (std::size_t i = 0; i < rows.b.size(); ++i) rows.b[i] *= std::pow(10.0, rows.c[i] * 4);
  return rows;
}

void add_dots(const Rows& r, std::vector<double>& results) {
  const auto add = [&]<class T>(const std::vector<T>& a, const std::vector<T>& b) {
    double value[4];
    DotPairs<T> pairs{4,
                      {a.data(), a.data(), b.data(), b.data()},
                      {b.data(), a.data(), b.data(), nullptr},
                      {value, value + 1, value + 2, value + 3}};
    Host::dots(static_cast<int>(a.size()), pairs);
    results.insert(results.end(), value, value + 4);
  };
  add(r.a, r.b);
  add(std::vector<float>(r.a.begin(), r.a.end()), std::vector<float>(r.b.begin(), r.b.end()));
}

void add_basis_dots(const Rows& r, std::vector<double>& results) {
  std::vector<double> basis = r.a;
  basis.insert(basis.end(), r.b.begin(), r.b.end());
  double h[2];
  Host::basis_dots(r.size(), 2, basis.data(), r.c.data(), h);
  results.insert(results.end(), h, h + 2);
}

// A first round of Gram-Schmidt against two vectors.
void add_basis_round(const Rows& r, std::vector<double>& results) {
  std::vector<double> basis = r.a, w = r.c;
  basis.insert(basis.end(), r.b.begin(), r.b.end());
  std::vector<double> dots{0.25, 0.5, 1.0}, norms{1.0, 1.0, 1.0}, left(3), left_again(3);
  OrthogonalisationRound round{};
  round.data.dots = dots.data();
  round.data.norms = norms.data();
  round.data.left = left.data();
  round.data.left_again = left_again.data();
  Host::basis_round(r.size(), 2, basis.data(), w.data(), round);
  results.insert(results.end(), left.begin(), left.end());
}

void add_maxima(const Rows& r, std::vector<double>& results) {
  double value = 0.0;
  Host::weighted_maximum(r.size(), r.a.data(), r.b.data(), &value);
  results.push_back(value);
}

// y = A x for a diagonal matrix, so that no process needs an x of another one.
void add_products(const Rows& r, std::vector<double>& results) {
  tests::HostMatrix diagonal{r.size(), r.size(), {0}, {}, {}};
  for (int i = 0; i < r.size(); ++i) {
    diagonal.columns.push_back(i);
    diagonal.values.push_back(r.b[static_cast<std::size_t>(i)]);
    diagonal.row_offsets.push_back(i + 1);
  }
  const auto matrix = diagonal.in<Host>();
  std::vector<double> y(r.a.size()), transposed(r.a.size());
  double value[8] = {};
  const ProductDots five{value, value + 1, value + 2, value + 3, value + 4};
  Host::spmv_dots(matrix->view(), r.a.data(), r.c.data(), y.data(), five, r.b.data());
  const ProductDots three{value + 5, value + 6, value + 7};
  Host::spmv_both(matrix->view(), r.a.data(), r.c.data(), y.data(), transposed.data(), three);
  results.insert(results.end(), value, value + 8);
}

std::vector<double> all_results(const Rows& r) {
  std::vector<double> results;
  add_dots(r, results);
  add_basis_dots(r, results);
  add_basis_round(r, results);
  add_maxima(r, results);
  add_products(r, results);
  return results;
}

TEST(SharedSumsHost, threads_change_no_bit) {
  for (const int n : {1, 15, 17, 4099, 20011})
    for (const int line : {0, 1, 7, 16, 65}) {
      const SharingRows sharing({.line = line});
      const Rows rows = rows_of(n);
      Bits expected;
      for (const int threads : {1, 2, 3, 5}) {
        const Threads set(threads);
        const Bits bits = bits_of(all_results(rows));
        if (threads == 1) expected = bits;
        EXPECT_EQ(bits, expected) << n << " rows, lines of " << line << ", " << threads;
      }
    }
}

TEST(SharedSumsHost, dots_agree_with_long_doubles) {
  const Rows rows = rows_of(5000);
  for (const int line : {0, 1, 7, 16, 65}) {
    const SharingRows sharing({.line = line});
    long double exact = 0, sizes = 0;
    for (std::size_t i = 0; i < rows.a.size(); ++i) {
      exact += static_cast<long double>(rows.a[i]) * rows.b[i];
      sizes += std::fabs(static_cast<long double>(rows.a[i]) * rows.b[i]);
    }
    std::vector<double> results;
    add_dots(rows, results);
    EXPECT_NEAR(results[0], static_cast<double>(exact), 1e-15 * static_cast<double>(sizes)) << line;
  }
}

// A row of more than `long_rows` entries is summed by itself; its part of the dots is not.
TEST(SharedSumsHost, products_of_long_rows_have_the_bits_of_dots) {
  tests::Entries entries;
  const int n = 9000;
  for (int i = 0; i < n; ++i) entries[{i, i}] = 1.0 + i % 7;
  for (int j = 0; j < n; ++j) entries[{1234, j}] = 0.1 * (j % 11);
  const auto matrix = tests::from_entries(n, n, entries).in<Host>();
  ASSERT_GT(matrix->view().long_rows.count, 0);
  const Rows r = rows_of(n);
  std::vector<double> y(r.a.size());
  double wy = 0, ww = 0, yy = 0, expected[2];
  Host::spmv_dots(matrix->view(), r.a.data(), r.b.data(), y.data(), {&wy, &ww, &yy});
  DotPairs<double> pairs{2, {r.b.data(), y.data()}, {y.data(), y.data()}, {expected, expected + 1}};
  Host::dots(n, pairs);
  EXPECT_EQ(wy, expected[0]);
  EXPECT_EQ(yy, expected[1]);
}

// Of an nx x ny grid each process has the cells from x0 to x1 and from y0 to y1.
struct Part {
  int x0, x1, y0, y1;
};

void parts_have_the_bits_of_the_whole(int nx, int ny, const std::vector<Part>& parts) {
  const Rows whole = rows_of(nx * ny);
  Bits expected;
  {
    const SharingRows sharing({.line = nx});
    expected = bits_of(all_results(whole));
  }
  tests::run_in_processes(static_cast<int>(parts.size()), [&](Communicator& own) {
    const Part part = parts[static_cast<std::size_t>(own.rank())];
    Rows rows;
    for (int y = part.y0; y < part.y1; ++y)
      for (int x = part.x0; x < part.x1; ++x) rows.take(whole, y * nx + x);
    const SharingRows sharing({&own, part.y0 * nx + part.x0, part.x1 - part.x0});
    EXPECT_EQ(bits_of(all_results(rows)), expected) << "process " << own.rank();
  });
}

TEST(SharedSumsHost, processes_that_cut_a_grid_change_no_bit) {
  parts_have_the_bits_of_the_whole(65, 40, {{0, 65, 0, 40}});
  parts_have_the_bits_of_the_whole(65, 40, {{0, 48, 0, 40}, {48, 65, 0, 40}});
  parts_have_the_bits_of_the_whole(
      65, 40, {{0, 16, 0, 7}, {16, 65, 0, 7}, {0, 64, 7, 40}, {64, 65, 7, 40}});
  parts_have_the_bits_of_the_whole(7, 500, {{0, 7, 0, 1}, {0, 7, 1, 400}, {0, 7, 400, 500}});
}

TEST(SharedSumsHost, processes_that_cut_one_line_change_no_bit) {
  const int n = 9001;
  for (const std::vector<int>& ends : {std::vector<int>{0, n},
                                       {0, 16, n},
                                       {0, 4800, 4800, n},
                                       {0, 0, 32, 8992, n},
                                       {0, 160, 320, n, n}}) {
    const Rows whole = rows_of(n);
    const Bits expected = bits_of(all_results(whole));
    tests::run_in_processes(static_cast<int>(ends.size()) - 1, [&](Communicator& own) {
      const auto rank = static_cast<std::size_t>(own.rank());
      Rows rows;
      for (int row = ends[rank]; row < ends[rank + 1]; ++row) rows.take(whole, row);
      const SharingRows sharing({&own, ends[rank], 0});
      EXPECT_EQ(bits_of(all_results(rows)), expected) << "process " << rank;
    });
  }
}

// Sums and maxima of a function of the cells of a box.
std::vector<double> reduce_box(const Box<2>& box, int nx, const double* values, Index<2> origin) {
  std::vector<double> result(3);
  reduce<Host, 3>(
      box, {Reduction::sum, Reduction::max, Reduction::sum},
      [=](const Index<2>& c, double(&value)[3]) {
        const double v = values[(c[1] + origin[1]) * nx + c[0] + origin[0]];
        value[0] = v;
        value[1] = v;
        value[2] = v * v;
      },
      result.data());
  return result;
}

TEST(SharedSumsHost, threads_change_no_bit_of_a_reduction) {
  const int nx = 133, ny = 90;
  const std::vector<double> values = rows_of(nx * ny).b;
  for (const Box<2>& box : {Box<2>{{{0, 0}}, {{nx, ny}}}, Box<2>{{{3, 5}}, {{nx, 80}}},
                            Box<2>{{{17, 0}}, {{18, ny}}}, Box<2>{{{4, 4}}, {{4, 9}}}}) {
    Bits expected;
    for (const int threads : {1, 2, 3, 5}) {
      const Threads set(threads);
      const Bits bits = bits_of(reduce_box(box, nx, values.data(), {}));
      if (threads == 1) expected = bits;
      EXPECT_EQ(bits, expected) << threads << " threads";
    }
  }
}

// 1e17 ends a piece, and the next one forgets its 1 beside -1e17. A piece from the box's lower end
// on would hold all three.
TEST(SharedSumsHost, pieces_of_a_reduction_end_at_the_same_places_in_every_box) {
  const int nx = 40;
  std::vector<double> values(nx, 0.0);
  values[15] = 1e17;
  values[16] = -1e17;
  values[17] = 1.0;
  for (const int lower : {0, 3, 11, 15})
    EXPECT_EQ(reduce_box({{{lower, 0}}, {{nx, 1}}}, nx, values.data(), {})[0], 0.0) << lower;
}

TEST(SharedSumsHost, processes_change_no_bit_of_a_reduction) {
  const int nx = 133, ny = 90;
  const std::vector<double> values = rows_of(nx * ny).b;
  const Box<2> whole{{{3, 0}}, {{nx, ny}}};
  const Bits expected = bits_of(reduce_box(whole, nx, values.data(), {}));
  const std::vector<Part> parts{
      {0, 32, 0, ny}, {32, nx, 0, 44}, {32, nx, 44, 44}, {32, nx, 44, ny}};
  tests::run_in_processes(4, [&](Communicator& own) {
    const Part part = parts[static_cast<std::size_t>(own.rank())];
    const SharingRows sharing({&own, 0, part.x1 - part.x0});
    const Index<2> origin{{part.x0, part.y0}};
    const Box<2> box{{{std::max(0, 3 - part.x0), 0}}, {{part.x1 - part.x0, part.y1 - part.y0}}};
    EXPECT_EQ(bits_of(reduce_box(box, nx, values.data(), origin)), expected) << own.rank();
  });
}

}  // namespace
}  // namespace hodge::linalg::tests_of_shared_sums
