// What the bits of direct solves by several processes rest on: a layer is transformed in
// the same way however many of them there are. On the Host alone: cuFFT does so for some boxes
// only, and DirectSolver finds out for which.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "linalg/direct/box_fft.hpp"
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
    const std::size_t last = points.size() - 1;
    part.points[last] = part.entries[last] = layers;
    const auto all = static_cast<std::size_t>(points.back());
    const std::size_t own = static_cast<std::size_t>(layers), in_layer = box.size() / all;
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

 private:
  static std::vector<T> random(std::size_t size) {
    const std::vector<double> values = tests::random_values(static_cast<int>(size), 7);
    return {values.begin(), values.end()};
  }
  static BoxSpectrum periodic_box(const std::vector<int>& points) {
    std::vector<bool> by_fft(points.size(), true);
    by_fft.back() = false;  // it is eliminated
    return box_spectrum(tests::periodic_box(points), by_fft, points.back());
  }
  static std::size_t points_of_layer(const BoxSpectrum& box) {
    return static_cast<std::size_t>(box.points[0]) *
           (box.by_fft[1] ? static_cast<std::size_t>(box.points[1]) : 1);
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
  static std::vector<T> part_of(const std::vector<T>& all, std::size_t layer, std::size_t first,
                                std::size_t layers) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first * layer);
    return {begin, begin + static_cast<std::ptrdiff_t>(layers * layer)};
  }
};

template <class Space>
class PartsOfTransformsTest : public tests::SpaceTest<Space> {
 protected:
  static std::vector<std::vector<int>> boxes() { return {{12, 8, 16}, {9, 16}}; }
};
TYPED_TEST_SUITE(PartsOfTransformsTest, ::testing::Types<Host>, tests::SpaceName);

TYPED_TEST(PartsOfTransformsTest, layers_are_transformed_as_in_the_whole) {
  for (const std::vector<int>& points : TestFixture::boxes())
    for (const int layers : {2, 8}) {
      SCOPED_TRACE(::testing::PrintToString(points) + ", " + std::to_string(layers));
      PartsOfTransforms<TypeParam, double>::expect_layers_as_in_the_whole(points, layers);
      PartsOfTransforms<TypeParam, float>::expect_layers_as_in_the_whole(points, layers);
    }
}

}  // namespace
}  // namespace hodge::linalg
