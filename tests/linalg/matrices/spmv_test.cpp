#include "linalg/matrices/spmv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include "linalg/base/errors.hpp"
#include "tests/linalg/matrices/spmv_matrices.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using tests::HostMatrix;
using tests::random_values;
using tests_of_products::matrices;
using tests_of_products::matrix_of_lengths;
using tests_of_products::NamedMatrix;
using tests_of_products::with_dense_rows;

template <class Space>
class SpmvTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(SpmvTest, tests::Spaces, tests::SpaceName);

// Every kernel with every number of lanes, and the shortest, usual and longest staging buffer.
std::vector<SpmvChoice> all_choices() {
  std::vector<SpmvChoice> choices{{"automatic"}, {"csr_scalar"}};
  for (const int lanes : {0, 2, 4, 8, 16, 32}) choices.push_back({"csr_vector", lanes});
  for (const int staging : {128, 512, 4096}) choices.push_back({"csr_two_step", 0, staging});
  return choices;
}

std::string words(const SpmvChoice& c) {
  return c.kernel + ", lanes " + std::to_string(c.lanes) + ", staging " + std::to_string(c.staging);
}

template <class T>
std::vector<T> in_precision(const std::vector<double>& v) {
  return std::vector<T>(v.begin(), v.end());
}

// The error bound of each row: products are exact or rounded in double, the result is rounded to T.
template <class T>
std::vector<double> tolerances(const HostMatrix& a, const std::vector<T>& x) {
  std::vector<double> bound(static_cast<std::size_t>(a.rows));
  const double round_off = 4.0 * std::numeric_limits<T>::epsilon();
  for (int i = 0; i < a.rows; ++i) {
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      bound[i] += round_off * std::abs(a.values[k] * static_cast<double>(x[a.columns[k]]));
  }
  return bound;
}

template <class Space, class T>
void expect_all_kernels_right() {
  for (const NamedMatrix& entry : matrices()) {
    const HostMatrix& host = entry.matrix;
    HostMatrix rounded = host;
    for (double& value : rounded.values) value = static_cast<double>(static_cast<T>(value));
    const auto a = host.in<Space, T>();
    const std::vector<T> x = in_precision<T>(random_values(host.cols, 5));
    const std::vector<double> expected = rounded.multiply(std::vector<double>(x.begin(), x.end()));
    const std::vector<double> bound = tolerances(rounded, x);
    Vector<Space, T> device_x{std::span<const T>(x)}, y(host.rows);
    for (const SpmvChoice& choice : all_choices()) {
      a->use(choice);
      y.fill(T(2));
      a->apply(-1.0, device_x, 0.5, y);
      const std::vector<T> combined = y.to_host();
      multiply(*a, device_x, y);
      const std::vector<T> product = y.to_host();
      for (int i = 0; i < host.rows; ++i) {
        ASSERT_NEAR(product[i], expected[i], bound[i])
            << entry.name << ", " << words(choice) << ", " << i;
        ASSERT_NEAR(combined[i], 1.0 - expected[i],
                    bound[i] + 4.0 * std::numeric_limits<T>::epsilon())
            << entry.name << ", " << words(choice) << ", " << i;
      }
    }
  }
}

TYPED_TEST(SpmvTest, every_kernel_multiplies_every_matrix) {
  expect_all_kernels_right<TypeParam, double>();
}

TYPED_TEST(SpmvTest, every_kernel_multiplies_floats_with_sums_in_double) {
  expect_all_kernels_right<TypeParam, float>();
}

TYPED_TEST(SpmvTest, fused_products_are_those_of_the_vectors) {
  for (const NamedMatrix& entry : matrices()) {
    const HostMatrix& host = entry.matrix;
    if (host.rows != host.cols) continue;
    const auto a = host.in<TypeParam>();
    const auto x = random_values(host.cols, 5);
    const auto expected = host.multiply(x);
    long double xy = 0, xx = 0, yy = 0;
    for (int i = 0; i < host.rows; ++i) {
      xy += static_cast<long double>(x[i]) * expected[i];
      xx += static_cast<long double>(x[i]) * x[i];
      yy += static_cast<long double>(expected[i]) * expected[i];
    }
    const double scale = std::sqrt(static_cast<double>(xx * yy));
    Vector<TypeParam> device_x{std::span<const double>(x)}, y(host.rows), z(host.rows);
    for (const SpmvChoice& choice : all_choices()) {
      a->use(choice);
      multiply(*a, device_x, y);
      const auto products = a->apply_and_dots(device_x, device_x, z);
      // The product with dots may use another number of lanes.
      const auto fused = z.to_host(), plain = y.to_host();
      for (int i = 0; i < host.rows; ++i)
        ASSERT_NEAR(fused[i], plain[i], 1e-13 * scale) << entry.name << ", " << words(choice);
      EXPECT_NEAR(products[0].to_host(), static_cast<double>(xy), 1e-13 * scale)
          << entry.name << ", " << words(choice);
      EXPECT_NEAR(products[1].to_host(), static_cast<double>(xx), 1e-13 * static_cast<double>(xx))
          << entry.name << ", " << words(choice);
      EXPECT_NEAR(products[2].to_host(), static_cast<double>(yy), 1e-13 * static_cast<double>(yy))
          << entry.name << ", " << words(choice);
    }
  }
}

TYPED_TEST(SpmvTest, residuals_come_with_the_dots_of_b_and_r) {
  for (const NamedMatrix& entry : matrices()) {
    const HostMatrix& host = entry.matrix;
    if (host.rows != host.cols) continue;
    const auto a = host.in<TypeParam>();
    const auto x = random_values(host.cols, 5), b = random_values(host.rows, 6);
    const auto product = host.multiply(x);
    long double br = 0, bb = 0, rr = 0;
    std::vector<double> expected(b.size());
    for (std::size_t i = 0; i < b.size(); ++i) {
      expected[i] = b[i] - product[i];
      br += static_cast<long double>(b[i]) * expected[i];
      bb += static_cast<long double>(b[i]) * b[i];
      rr += static_cast<long double>(expected[i]) * expected[i];
    }
    const double scale = std::sqrt(static_cast<double>(bb * rr));
    Vector<TypeParam> device_x{std::span<const double>(x)}, device_b{std::span<const double>(b)},
        r(host.rows);
    for (const SpmvChoice& choice : all_choices()) {
      a->use(choice);
      r.fill(std::nan(""));
      const auto dots = residual_and_dots(*a, device_x, device_b, r);
      const auto residual = r.to_host();
      for (std::size_t i = 0; i < b.size(); ++i)
        ASSERT_NEAR(residual[i], expected[i], 1e-13 * scale) << entry.name << ", " << words(choice);
      EXPECT_NEAR(dots[0].to_host(), static_cast<double>(br), 1e-13 * scale)
          << entry.name << ", " << words(choice);
      EXPECT_NEAR(dots[1].to_host(), static_cast<double>(bb), 1e-13 * static_cast<double>(bb))
          << entry.name << ", " << words(choice);
      EXPECT_NEAR(dots[2].to_host(), static_cast<double>(rr), 1e-13 * static_cast<double>(rr))
          << entry.name << ", " << words(choice);
    }
  }
}

TYPED_TEST(SpmvTest, products_repeat_bit_for_bit) {
  for (const NamedMatrix& entry : matrices()) {
    const HostMatrix& host = entry.matrix;
    if (host.rows != host.cols) continue;
    const auto a = host.in<TypeParam>();
    Vector<TypeParam> x{std::span<const double>(random_values(host.cols, 5))}, y(host.rows);
    for (const SpmvChoice& choice : all_choices()) {
      a->use(choice);
      const auto run = [&] {
        y.fill(std::nan(""));
        std::vector<double> result;
        for (const auto& product : a->apply_and_dots(x, x, y)) result.push_back(product.to_host());
        const auto vector = y.to_host();
        result.insert(result.end(), vector.begin(), vector.end());
        return result;
      };
      const auto first = run();
      for (int repeat = 1; repeat < 5; ++repeat)
        ASSERT_EQ(run(), first) << entry.name << ", " << words(choice);
    }
  }
}

TYPED_TEST(SpmvTest, beta_zero_does_not_read_y) {
  const auto a = with_dense_rows(20000, {7}).template in<TypeParam>();
  Vector<TypeParam> x(20000), y(20000);
  x.fill(1.0);
  for (const SpmvChoice& choice : all_choices()) {
    a->use(choice);
    y.fill(std::nan(""));
    a->apply(1.0, x, 0.0, y);
    for (const double value : y.to_host()) ASSERT_TRUE(std::isfinite(value)) << words(choice);
  }
}

// NaN in x reaches the rows that have an entry in its column, and no other.
TYPED_TEST(SpmvTest, entries_of_x_that_a_row_does_not_have_are_not_read) {
  const HostMatrix host = tests::poisson({40, 30, 1});
  const auto a = host.in<TypeParam>();
  std::vector<double> values(1200, 1.0);
  values[0] = std::nan("");
  Vector<TypeParam> x{std::span<const double>(values)}, y(1200);
  for (const SpmvChoice& choice : all_choices()) {
    a->use(choice);
    multiply(*a, x, y);
    const auto result = y.to_host();
    for (int i = 0; i < 1200; ++i)
      EXPECT_EQ(std::isnan(result[i]), i == 0 || i == 1 || i == 40) << words(choice) << ", " << i;
  }
}

TYPED_TEST(SpmvTest, sweeps_over_triangles_agree_for_every_kernel) {
  HostMatrix host = with_dense_rows(12000, {0, 5000, 11999});
  for (int i = 0; i < host.rows; ++i) host.values[host.row_offsets[i]] += 1.0;
  tests::Entries entries;  // with a whole diagonal
  for (int i = 0; i < host.rows; ++i) {
    entries[{i, i}] = 2.0;
    for (int k = host.row_offsets[i]; k < host.row_offsets[i + 1]; ++k)
      entries[{i, host.columns[k]}] += host.values[k];
  }
  host = tests::from_entries(host.rows, host.cols, entries);
  const auto a = host.in<TypeParam>();
  const auto x = random_values(host.rows, 1), b = random_values(host.rows, 2),
             d = random_values(host.rows, 3);
  Vector<TypeParam> dx{std::span<const double>(x)}, db{std::span<const double>(b)},
      dd{std::span<const double>(d)}, y(host.rows);
  for (const Triangle part : {Triangle::strictly_lower, Triangle::strictly_upper}) {
    const bool lower = part == Triangle::strictly_lower;
    for (const SpmvChoice& choice : all_choices()) {
      a->use(choice);
      TypeParam::sweep(a->view(), part, dd.data(), dx.data(), db.data(), 1.5, y.data());
      const auto result = y.to_host();
      for (int i = 0; i < host.rows; ++i) {
        long double sum = 0, size = std::abs(b[i]);
        for (int k = host.row_offsets[i]; k < host.row_offsets[i + 1]; ++k) {
          const int j = host.columns[k];
          if (lower ? j >= i : j <= i) continue;
          sum += static_cast<long double>(host.values[k]) * x[j];
          size += std::abs(host.values[k] * x[j] * d[i]);
        }
        ASSERT_NEAR(result[i], static_cast<double>(1.5L * (b[i] - d[i] * sum)),
                    static_cast<double>(1e-14L * size))
            << words(choice) << ", row " << i << (lower ? " below" : " above");
      }
    }
  }
}

TYPED_TEST(SpmvTest, products_allocate_nothing) {
  const auto a = with_dense_rows(20000, {3}).template in<TypeParam>();
  Vector<TypeParam> x(20000), y(20000);
  for (const SpmvChoice& choice : all_choices()) {
    a->use(choice);
    (void)a->apply_and_dots(x, x, y);
    const auto before = TypeParam::allocated_bytes();
    multiply(*a, x, y);
    (void)a->apply_and_dots(x, x, y);
    EXPECT_EQ(TypeParam::allocated_bytes(), before) << words(choice);
  }
}

TYPED_TEST(SpmvTest, the_product_buffer_is_given_back_with_its_kernel) {
  const auto a = tests::poisson({30, 30, 1}).template in<TypeParam>();
  const auto before = TypeParam::allocated_bytes();
  a->use({"csr_two_step"});
  EXPECT_GE(TypeParam::allocated_bytes(), before + 8 * a->pattern().nonzeros());
  a->use({"automatic"});
  EXPECT_EQ(TypeParam::allocated_bytes(), before);
}

TYPED_TEST(SpmvTest, wrong_choices_say_what_is_right_and_change_nothing) {
  const auto a = tests::poisson({30, 30, 1}).template in<TypeParam>();
  a->use({"csr_vector", 8});
  const auto refused = [&](const SpmvChoice& choice) {
    return test::message_of<ConfigError>([&] { a->use(choice); });
  };
  const std::string unknown = refused({"csr_vectr"});
  EXPECT_THAT(unknown, HasSubstr("'csr_vectr'"));
  EXPECT_THAT(unknown, HasSubstr("automatic, csr_scalar, csr_vector, csr_diagonals, csr_two_step"));
  for (const int lanes : {-1, 1, 3, 64}) {
    EXPECT_THAT(refused({"csr_vector", lanes}), HasSubstr("expected 2, 4, 8, 16 or 32"));
  }
  for (const int staging : {0, 127, 4097}) {
    EXPECT_THAT(refused({"csr_two_step", 0, staging}), HasSubstr("expected 128 to 4096"));
  }
  EXPECT_EQ(a->kernel(), "csr_vector, 8 lanes per row");
}

TYPED_TEST(SpmvTest, the_kernel_in_use_is_told_in_words) {
  const auto a = tests::poisson({30, 30, 1}).template in<TypeParam>();
  a->use({"csr_scalar"});
  EXPECT_EQ(a->kernel(), "csr_scalar");
  a->use({"csr_two_step", 0, 256});
  EXPECT_EQ(a->kernel(), "csr_two_step, staging of 256 entries");
  const auto b = with_dense_rows(20000, {3, 8}).template in<TypeParam>();
  b->use({"csr_vector", 4});
  EXPECT_EQ(b->kernel(), "csr_vector, 4 lanes per row; 2 long rows separately");
}

// All vectors differ; the dot products equal separately computed ones.
TYPED_TEST(SpmvTest, products_with_another_vector_and_residuals_come_from_one_pass) {
  for (const NamedMatrix& entry : matrices()) {
    const HostMatrix& host = entry.matrix;
    if (host.rows != host.cols) continue;
    const auto a = host.in<TypeParam>();
    const auto values = [&](unsigned seed) { return random_values(host.rows, seed); };
    const auto values_x = values(1), values_w = values(2), values_v = values(3);
    const Vector<TypeParam> x{std::span<const double>(values_x)},
        w{std::span<const double>(values_w)}, v{std::span<const double>(values_v)};
    Vector<TypeParam> y(host.rows), z(host.rows), r(host.rows);
    for (const SpmvChoice& choice : all_choices()) {
      SCOPED_TRACE(std::string(entry.name) + ", " + words(choice));
      a->use(choice);
      multiply(*a, x, y);
      const auto products = a->apply_and_dots(x, w, z, v);
      const auto expected = dots(w, y, w, w, y, y, v, y);
      const double scale = norm(w).to_host() + norm(v).to_host();
      for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_NEAR(products[k].to_host(), expected[k].to_host(),
                    1e-12 * scale * (scale + norm(y).to_host() + expected[2].to_host()));
      EXPECT_NEAR(products[4].to_host(), dot(v, w).to_host(), 1e-12 * scale * scale);
      residual(*a, x, w, r);
      r = r + z - w;
      EXPECT_LE(norm(r).to_host(), 1e-13 * (scale + norm(y).to_host()));
    }
  }
}

TYPED_TEST(SpmvTest, a_view_that_nobody_has_planned_for_is_multiplied) {
  for (const NamedMatrix& entry : matrices()) {
    const auto a = entry.matrix.in<TypeParam>();
    const auto x = random_values(entry.matrix.cols, 5);
    const auto expected = entry.matrix.multiply(x);
    Vector<TypeParam> device_x{std::span<const double>(x)}, y(entry.matrix.rows);
    CsrView<double> view;
    view.rows = a->rows();
    view.cols = a->cols();
    view.nonzeros = a->pattern().nonzeros();
    view.row_offsets = a->pattern().row_offsets().data();
    view.columns = a->pattern().columns().data();
    view.values = a->values().data();
    TypeParam::spmv(view, 1.0, device_x.data(), 0.0, y.data(), y.data());
    const auto result = y.to_host();
    for (int i = 0; i < entry.matrix.rows; ++i)
      ASSERT_NEAR(result[i], expected[i], 1e-12) << entry.name;
  }
}

TYPED_TEST(SpmvTest, the_automatic_choice_suits_the_rows) {
  constexpr bool host = std::is_same_v<TypeParam, Host>;
  const auto chosen = [](const HostMatrix& m) { return m.in<TypeParam>()->kernel(); };
  EXPECT_EQ(chosen(tests::poisson({64, 64, 1})), "csr_diagonals, 5 diagonals");
  EXPECT_EQ(chosen(tests::poisson({16, 16, 16})), "csr_diagonals, 7 diagonals");
  EXPECT_EQ(chosen(matrix_of_lengths(500, 500, [](int) { return 50; })),
            host ? "csr_vector, 4 lanes per row" : "csr_vector, 16 lanes per row");
  EXPECT_EQ(chosen(with_dense_rows(50000, {5, 77})), "csr_scalar; 2 long rows separately");
}

TEST(SpmvHostTest, results_do_not_depend_on_the_number_of_threads) {
  const int usual = omp_get_max_threads();
  for (const NamedMatrix& entry : matrices()) {
    const HostMatrix& host = entry.matrix;
    if (host.rows != host.cols) continue;
    const auto a = host.in<Host>();
    Vector<Host> x{std::span<const double>(random_values(host.cols, 5))}, y(host.rows);
    for (const SpmvChoice& choice : all_choices()) {
      a->use(choice);
      std::vector<std::vector<double>> results;
      for (const int threads : {1, 2, 3, 7}) {
        omp_set_num_threads(threads);
        y.fill(std::nan(""));
        auto& result = results.emplace_back();
        for (const auto& product : a->apply_and_dots(x, x, y)) result.push_back(product.to_host());
        const auto vector = y.to_host();
        result.insert(result.end(), vector.begin(), vector.end());
      }
      omp_set_num_threads(usual);
      for (const auto& result : results)
        ASSERT_EQ(result, results[0]) << entry.name << words(choice);
    }
  }
}

}  // namespace
}  // namespace hodge::linalg
