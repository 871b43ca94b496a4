#include "linalg/vectors/vector.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::random_values;

template <class Space>
class VectorTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(VectorTest, tests::Spaces, tests::SpaceName);

const int sizes[] = {1, 31, 33, 1000, 100003};

template <class Space>
Vector<Space> vector_of(const std::vector<double>& values) {
  return Vector<Space>(std::span<const double>(values));
}

TYPED_TEST(VectorTest, linear_combinations_agree_with_a_loop) {
  for (const int n : sizes) {
    const auto a = random_values(n, 1), b = random_values(n, 2), c = random_values(n, 3);
    const auto u = vector_of<TypeParam>(a), v = vector_of<TypeParam>(b),
               w = vector_of<TypeParam>(c);
    const Scalar<TypeParam> alpha(0.5), beta(-3.0);
    Vector<TypeParam> out(n);
    out = u - alpha * v + 2.0 * w - (alpha / beta) * u;
    const auto result = out.to_host();
    for (int i = 0; i < n; ++i)
      ASSERT_NEAR(result[i], a[i] - 0.5 * b[i] + 2 * c[i] + a[i] / 6, 1e-14) << n;
  }
}

TYPED_TEST(VectorTest, left_side_may_stand_on_the_right) {
  const auto a = random_values(1000, 1), b = random_values(1000, 2);
  auto p = vector_of<TypeParam>(a);
  const auto z = vector_of<TypeParam>(b);
  const Scalar<TypeParam> beta(0.25);
  p = z + beta * p;
  const auto result = p.to_host();
  for (int i = 0; i < 1000; ++i) ASSERT_DOUBLE_EQ(result[i], b[i] + 0.25 * a[i]);
}

// A space may gather several lines into one kernel, with the same results.
TYPED_TEST(VectorTest, every_line_sees_the_ones_before) {
  for (const int n : sizes) {
    auto x = random_values(n, 1), p = random_values(n, 2), r = random_values(n, 3);
    const auto q = random_values(n, 4), d = random_values(n, 5);
    auto X = vector_of<TypeParam>(x), P = vector_of<TypeParam>(p), R = vector_of<TypeParam>(r);
    const auto Q = vector_of<TypeParam>(q), D = vector_of<TypeParam>(d);
    Vector<TypeParam> Z(n);
    for (int pass = 0; pass < 3; ++pass) {
      const Scalar<TypeParam> alpha(0.5 + pass), one(1.0);
      X = X + alpha * P;
      R = R - (alpha / one) * Q;
      TypeParam::multiply_elements(n, D.data(), R.data(), Z.data());
      const auto [rz, rr] = dots(R, Z, R, R);
      P = Z + (one / rr) * P;
      X = X - P;
      double dot_rz = 0, dot_rr = 0;
      for (int i = 0; i < n; ++i) {
        x[i] += (0.5 + pass) * p[i];
        r[i] -= (0.5 + pass) * q[i];
        dot_rz += d[i] * r[i] * r[i];
        dot_rr += r[i] * r[i];
      }
      for (int i = 0; i < n; ++i) {
        p[i] = d[i] * r[i] + p[i] / dot_rr;
        x[i] -= p[i];
      }
      EXPECT_NEAR(rz.to_host(), dot_rz, 1e-12 * n);
      EXPECT_NEAR(rr.to_host(), dot_rr, 1e-12 * n);
    }
    const auto gpu_x = X.to_host(), gpu_p = P.to_host(), gpu_r = R.to_host();
    for (int i = 0; i < n; ++i) {
      ASSERT_NEAR(gpu_x[i], x[i], 1e-12) << n;
      ASSERT_NEAR(gpu_p[i], p[i], 1e-12) << n;
      ASSERT_NEAR(gpu_r[i], r[i], 1e-12) << n;
    }
  }
}

// On a GPU neighbouring lines become one kernel. The first three have inexact coefficients and two
// or three terms; the lines beside them give them other places in it.
TYPED_TEST(VectorTest, bits_of_a_line_do_not_depend_on_its_neighbours) {
  const int n = 1000;
  const auto u = vector_of<TypeParam>(random_values(n, 1)),
             v = vector_of<TypeParam>(random_values(n, 2)),
             w = vector_of<TypeParam>(random_values(n, 3));
  const double third = 1.0 / 3, e0 = 1.9999999999999998;
  const auto three = [&](Vector<TypeParam>& x) { x = third * u - e0 * v + 0.7 * w; };
  const auto two = [&](Vector<TypeParam>& x) { x = e0 * w + (1 - e0) * u; };
  const auto own = [&](Vector<TypeParam>& x) { x = e0 * w + third * x - 0.7 * u; };
  Vector<TypeParam> x(n), y(n), z(n);
  three(x);
  const auto three_alone = x.to_host();
  two(x);
  const auto two_alone = x.to_host();
  three(x);
  z = 1.0 * u;
  EXPECT_EQ(x.to_host(), three_alone) << "before a copy";
  three(x);
  two(y);
  EXPECT_EQ(x.to_host(), three_alone) << "before another one";
  EXPECT_EQ(y.to_host(), two_alone) << "behind another one";
  two(x);
  y = 1.0 * w;
  z = 1.0 * x;
  EXPECT_EQ(x.to_host(), two_alone) << "before copies";
  z = 1.0 * w;
  two(x);
  const Scalar<TypeParam> product = dot(x, w);
  EXPECT_EQ(x.to_host(), two_alone) << "between a copy and a dot product, " << product.to_host();

  const auto begin = [&] {
    x = 1.0 * v;
    (void)x.to_host();
  };
  begin();
  own(x);
  const auto own_alone = x.to_host();
  begin();
  z = 1.0 * u;
  own(x);
  EXPECT_EQ(x.to_host(), own_alone) << "behind a copy of its last term";
  begin();
  z = 1.0 * u;
  y = third * w + 1.0 * z;
  own(x);
  EXPECT_EQ(x.to_host(), own_alone) << "behind two others";
  begin();
  own(x);
  two(y);
  const Scalar<TypeParam> other_product = dot(x, y);
  EXPECT_EQ(x.to_host(), own_alone) << "before another order, " << other_product.to_host();
  EXPECT_EQ(y.to_host(), two_alone) << "behind another order";
}

TYPED_TEST(VectorTest, many_vectors_of_two_lengths_and_of_short_lives_add_up) {
  Vector<TypeParam> sum(1000), other(77);
  sum.fill(0.0);
  other.fill(1.0);
  for (int k = 1; k <= 20; ++k) {
    Vector<TypeParam> term(1000);
    Vector<TypeParam> twice(1000);
    term.fill(k);
    twice = 2.0 * term;
    sum = sum + twice - term;
    other = 1.5 * other;
  }
  const auto of_sum = dot(sum, sum);
  EXPECT_EQ(of_sum.to_host(), 1000.0 * 210 * 210);
  for (const double value : sum.to_host()) ASSERT_EQ(value, 210.0);
  for (const double value : other.to_host()) ASSERT_DOUBLE_EQ(value, std::pow(1.5, 20));
}

TYPED_TEST(VectorTest, term_with_zero_coefficient_is_not_read) {
  Vector<TypeParam> garbage(33), x(33);
  garbage.fill(std::numeric_limits<double>::quiet_NaN());
  x.fill(2.0);
  const Scalar<TypeParam> zero(0.0);
  x = x + zero * garbage;
  for (const double value : x.to_host()) EXPECT_EQ(value, 2.0);
}

TYPED_TEST(VectorTest, constant_is_taken_from_every_entry) {
  auto x = vector_of<TypeParam>(random_values(1001, 4));
  const auto total = sum(x);
  x = x - total / x.size();
  EXPECT_NEAR(tests::mean(x.to_host()), 0.0, 1e-15);
}

TYPED_TEST(VectorTest, several_dots_agree_with_single_ones_bit_for_bit) {
  for (const int n : sizes) {
    const auto a = vector_of<TypeParam>(random_values(n, 1)),
               b = vector_of<TypeParam>(random_values(n, 2));
    const auto [ab, aa, bb] = dots(a, b, a, a, b, b);
    EXPECT_EQ(ab.to_host(), dot(a, b).to_host());
    EXPECT_EQ(aa.to_host(), dot(a, a).to_host());
    EXPECT_EQ(bb.to_host(), dot(b, b).to_host());
    EXPECT_NEAR(norm(a).to_host(), tests::norm2(a.to_host()), 1e-12 * n);
  }
}

TYPED_TEST(VectorTest, sum_of_a_million_floats_keeps_six_digits) {
  Vector<TypeParam, float> x(1000000);
  x.fill(0.001f);
  EXPECT_NEAR(sum(x).to_host(), 1000.0, 1e-3);  // one after the other in float gives 991
}

TYPED_TEST(VectorTest, sums_repeat_bit_for_bit) {
  const auto a = vector_of<TypeParam>(random_values(100003, 1)),
             b = vector_of<TypeParam>(random_values(100003, 2));
  const double first = dot(a, b).to_host();
  for (int repeat = 0; repeat < 20; ++repeat) ASSERT_EQ(dot(a, b).to_host(), first);
}

TYPED_TEST(VectorTest, converts_between_the_value_types) {
  const auto a = random_values(33, 1);
  const auto x = vector_of<TypeParam>(a);
  Vector<TypeParam, float> single(33);
  Vector<TypeParam> back(33);
  TypeParam::convert(33, x.data(), single.data());
  TypeParam::convert(33, single.data(), back.data());
  const auto result = back.to_host();
  for (int i = 0; i < 33; ++i) EXPECT_EQ(result[i], static_cast<double>(static_cast<float>(a[i])));
}

TYPED_TEST(VectorTest, different_lengths_are_refused) {
  Vector<TypeParam> a(3), b(4);
  EXPECT_THROW(a = a + b, ShapeError);
  EXPECT_THROW(a = 2.0 * b, ShapeError);
  EXPECT_THROW((void)dot(a, b), ShapeError);
  EXPECT_THROW(a.upload(std::vector<double>(5)), ShapeError);
}

TYPED_TEST(VectorTest, resize_within_capacity_allocates_nothing) {
  Vector<TypeParam> a(1000);
  const auto before = TypeParam::allocated_bytes();
  a.resize(10);
  a.resize(1000);
  EXPECT_EQ(TypeParam::allocated_bytes(), before);
  a.resize(1001);
  EXPECT_GT(TypeParam::allocated_bytes(), before);
}

TYPED_TEST(VectorTest, raised_guard_leaves_everything_as_it_was) {
  const Buffer<int, TypeParam> raised(std::vector<int>{1});
  Vector<TypeParam> x(100);
  x.fill(1.0);
  TypeParam::set_guard(raised.data());
  x.fill(2.0);
  x = 3.0 * x;
  TypeParam::set_guard(nullptr);
  for (const double value : x.to_host()) EXPECT_EQ(value, 1.0);
}

}  // namespace
}  // namespace hodge::linalg
