// What the bits of direct solves by several processes rest on: a library transforms a layer, or a
// line, in the same way however many of them there are.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "linalg/direct/box_fft.hpp"
#include "linalg/space/axis_product.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/plain_fft.hpp"
#include "tests/support/separable.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

template <class Space, class T>
class PartsOfTransforms {
 public:
  static void expect_layers_as_in_the_whole(const std::vector<int>& points, int layers) {
    const BoxSpectrum box = periodic_box(points);
    BoxSpectrum part = box;
    part.points[last(box)] = part.entries[last(box)] = layers;
    const std::size_t all = count_of(box, last(box)), own = static_cast<std::size_t>(layers),
                      in_layer = box.size() / all;
    const Planned whole(fft_layout(box)), of_part(fft_layout(part));
    const std::vector<T> values = random(points_of_layer(box) * all);
    const Transformed expected = there_and_back(whole, in_layer * all, values);
    for (std::size_t first = 0; first + own <= all; first += 3 * own) {
      const Transformed found = there_and_back(of_part, in_layer * own,
                                               part_of(values, points_of_layer(box), first, own));
      EXPECT_TRUE(found.spectrum == part_of(expected.spectrum, 2 * in_layer, first, own)) << first;
      EXPECT_TRUE(found.back == part_of(expected.back, points_of_layer(box), first, own)) << first;
    }
  }

  static void expect_columns_as_in_the_whole(const std::vector<int>& points, int columns) {
    const BoxSpectrum box = periodic_box(points);
    BoxSpectrum part = box;
    part.entries[0] = columns;
    const Planned whole(last_layout(box)), of_part(last_layout(part));
    const std::vector<T> values = random(2 * box.size());
    const Transformed expected = there_and_back(whole, values);
    const auto columns_of = [&](const std::vector<T>& spectrum, std::size_t first) {
      const std::size_t line = 2 * count_of(box, 0);
      std::vector<T> own;
      for (std::size_t begin = 2 * first; begin < spectrum.size(); begin += line)
        own.insert(own.end(), spectrum.begin() + begin, spectrum.begin() + begin + 2 * columns);
      return own;
    };
    for (std::size_t first = 0; first + columns <= count_of(box, 0); first += columns) {
      const Transformed found = there_and_back(of_part, columns_of(values, first));
      EXPECT_TRUE(found.spectrum == columns_of(expected.spectrum, first)) << first;
      EXPECT_TRUE(found.back == columns_of(expected.back, first)) << first;
    }
  }

  // `inner`, `outer`: of the part, of the whole of which it is the beginning.
  static void expect_products_as_in_the_whole(AxisShape part, AxisShape whole) {
    const auto n = static_cast<std::size_t>(whole.points);
    const Buffer<T, Space> matrix{std::span<const T>(random(n * n))};
    const std::vector<T> values = random(static_cast<std::size_t>(whole.size()));
    const auto of_part = [&](const std::vector<T>& all) {
      std::vector<T> own;
      for (int line = 0; line < part.points * part.outer; ++line) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(line) * whole.inner;
        own.insert(own.end(), begin, begin + part.inner);
      }
      return own;
    };
    AxisPrimitives<Space>::prepare_axis_products();
    for (const bool transposed : {false, true}) {
      const auto product = [&](const AxisShape& shape, const std::vector<T>& in) {
        const Buffer<T, Space> from{std::span<const T>(in)};
        Buffer<T, Space> to(in.size());
        AxisPrimitives<Space>::multiply_along(shape, matrix.data(), transposed, from.data(),
                                              to.data());
        return to.to_host();
      };
      EXPECT_TRUE(product(part, of_part(values)) == of_part(product(whole, values))) << transposed;
    }
  }

 private:
  static std::vector<T> random(std::size_t size) {
    const std::vector<double> values = tests::random_values(static_cast<int>(size), 7);
    return {values.begin(), values.end()};
  }
  static BoxSpectrum periodic_box(const std::vector<int>& points) {
    return box_spectrum(tests::periodic_box(points), std::vector<bool>(points.size(), true));
  }
  static std::size_t last(const BoxSpectrum& box) { return static_cast<std::size_t>(box.last); }
  static std::size_t count_of(const BoxSpectrum& box, std::size_t axis) {
    return static_cast<std::size_t>(box.entries[axis]);
  }
  static std::size_t points_of_layer(const BoxSpectrum& box) {
    return static_cast<std::size_t>(box.points[0]) *
           (box.last == 2 ? static_cast<std::size_t>(box.points[1]) : 1);
  }

  struct Planned {
    std::unique_ptr<Fft<T>> fft;
    Buffer<char, Space> work;
    explicit Planned(const FftLayout& layout) : fft(tests::fft_for_tests<Space, T>()(layout)) {
      work = Buffer<char, Space>(fft->work_bytes());
      if (work.size() > 0) fft->work_in(work.data());
    }
  };

  struct Transformed {
    std::vector<T> spectrum, back;
  };
  // Of real values.
  static Transformed there_and_back(const Planned& planned, std::size_t entries,
                                    const std::vector<T>& values) {
    const Buffer<T, Space> points{std::span<const T>(values)};
    Buffer<T, Space> spectrum(2 * entries), back(values.size());
    auto* const numbers = reinterpret_cast<Complex<T>*>(spectrum.data());
    planned.fft->forward(points.data(), numbers);
    const std::vector<T> there = spectrum.to_host();
    planned.fft->backward(numbers, back.data());
    return {there, back.to_host()};
  }
  // Of complex ones, in place.
  static Transformed there_and_back(const Planned& planned, const std::vector<T>& values) {
    Buffer<T, Space> spectrum{std::span<const T>(values)};
    auto* const numbers = reinterpret_cast<Complex<T>*>(spectrum.data());
    planned.fft->forward(nullptr, numbers);
    const std::vector<T> there = spectrum.to_host();
    planned.fft->backward(numbers, nullptr);
    return {there, spectrum.to_host()};
  }

  static std::vector<T> part_of(const std::vector<T>& all, std::size_t layer, std::size_t first,
                                std::size_t layers) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first * layer);
    return {begin, begin + static_cast<std::ptrdiff_t>(layers * layer)};
  }
};

template <class Space>
class PartsOfTransformsTest : public tests::SpaceTest<Space> {
 protected:
  void SetUp() override {
    tests::SpaceTest<Space>::SetUp();
    if (!this->IsSkipped() && !tests::has_fft_for_tests<Space>())
      GTEST_SKIP() << "cuFFT was not found";
  }
  // The stand-in of the Host takes long.
  static std::vector<std::vector<int>> boxes() {
    if (std::is_same_v<Space, Host>) return {{12, 8, 16}, {9, 16}};
    return {{64, 64, 64},    {96, 80, 64},  {100, 60, 88}, {128, 128, 128},
            {256, 256, 256}, {75, 33, 40},  {512, 512},    {2048, 2048},
            {1000, 360},     {131, 50, 32}, {67, 71, 16}};
  }
};
TYPED_TEST_SUITE(PartsOfTransformsTest, tests::Spaces, tests::SpaceName);

TYPED_TEST(PartsOfTransformsTest, layers_are_transformed_as_in_the_whole) {
  for (const std::vector<int>& points : TestFixture::boxes())
    for (const int layers : {2, 8}) {
      SCOPED_TRACE(::testing::PrintToString(points) + ", " + std::to_string(layers));
      PartsOfTransforms<TypeParam, double>::expect_layers_as_in_the_whole(points, layers);
      PartsOfTransforms<TypeParam, float>::expect_layers_as_in_the_whole(points, layers);
    }
}

TYPED_TEST(PartsOfTransformsTest, columns_are_transformed_as_in_the_whole) {
  for (const std::vector<int>& points : TestFixture::boxes())
    for (const int columns : {1, 4, 17}) {
      SCOPED_TRACE(::testing::PrintToString(points) + ", " + std::to_string(columns));
      PartsOfTransforms<TypeParam, double>::expect_columns_as_in_the_whole(points, columns);
      PartsOfTransforms<TypeParam, float>::expect_columns_as_in_the_whole(points, columns);
    }
}

// On the Host a process has whole blocks of lines (space/line_blocks.hpp), which other tests use.
TYPED_TEST(PartsOfTransformsTest, products_are_those_of_the_whole) {
  using Space = TypeParam;
  if (std::is_same_v<Space, Host>) GTEST_SKIP() << "parts there are whole blocks";
  const auto expect_same = [](int inner, int points, int outer, int part_inner, int part_outer) {
    SCOPED_TRACE(::testing::Message() << inner << "x" << points << "x" << outer << ", "
                                      << part_inner << ", " << part_outer);
    const AxisShape whole{inner, points, outer, inner == 1},
        part{part_inner, points, part_outer, inner == 1};
    PartsOfTransforms<Space, double>::expect_products_as_in_the_whole(part, whole);
    PartsOfTransforms<Space, float>::expect_products_as_in_the_whole(part, whole);
  };
  for (const int n : {32, 64, 100, 128, 256})
    for (const int parts : {2, 4, 8}) {
      expect_same(1, n, n * n, 1, n * n / parts);  // axis 0, layers
      expect_same(n, n, n, n, n / parts);          // axis 1, layers
      expect_same(n * n, n, 1, n * n / parts, 1);  // the last axis, lines
      expect_same(n, n, 1, n / parts, 1);          // the same in 2D
    }
}

}  // namespace
}  // namespace hodge::linalg
