#include "linalg/vectors/part_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

template <class Space>
class PartBuffers : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(PartBuffers, tests::Spaces, tests::SpaceName);

constexpr std::size_t size = std::size_t{1} << 23;  // 32 MB of floats: many granules

template <class Space>
std::vector<float> entries(const PartBuffer<float, Space>& buffer, const PartRange& part) {
  std::vector<float> host(part.end - part.begin);
  Space::download(buffer.data() + part.begin, host.data(), sizeof(float) * host.size());
  return host;
}

// The last two parts overlap, and the first one ends within a granule.
TYPED_TEST(PartBuffers, parts_keep_their_values_at_their_indices) {
  const std::vector<PartRange> parts{{0, 1000}, {size - 5000, size}, {size - 9000, size - 4000}};
  PartBuffer<float, TypeParam> buffer(size, parts);
  EXPECT_EQ(buffer.size(), size);
  float next = 1;
  std::vector<std::vector<float>> written;
  for (const PartRange& part : {parts[0], PartRange{size - 9000, size}}) {
    std::vector<float> values(part.end - part.begin);
    std::ranges::generate(values, [&] { return next++; });
    TypeParam::upload(values.data(), buffer.data() + part.begin, sizeof(float) * values.size());
    written.push_back(std::move(values));
  }
  const PartBuffer<float, TypeParam> moved = std::move(buffer);
  EXPECT_EQ(entries(moved, parts[0]), written[0]);
  EXPECT_EQ(entries(moved, {size - 9000, size}), written[1]);
}

TYPED_TEST(PartBuffers, an_array_that_is_used_as_a_whole_is_an_ordinary_one) {
  const std::vector<PartRange> all{{0, 1000}};
  PartBuffer<double, TypeParam> buffer(1000, all);
  std::vector<double> values(1000, 2.5);
  buffer.upload(values);
  EXPECT_EQ(buffer.to_host(), values);
  EXPECT_THROW(buffer.upload(std::vector<double>(999)), ShapeError);
}

TYPED_TEST(PartBuffers, an_empty_array_has_no_entries) {
  EXPECT_EQ((PartBuffer<double, TypeParam>().size()), 0u);
  EXPECT_EQ((PartBuffer<double, TypeParam>(0, {}).to_host().size()), 0u);
}

#if HODGE_HAS_CUDA
class PartBuffersCuda : public tests::SpaceTest<Cuda> {};

TEST_F(PartBuffersCuda, take_memory_for_their_parts_alone_which_are_zero) {
  const std::size_t before = Cuda::allocated_bytes();
  {
    const std::vector<PartRange> parts{{0, 1000}, {size - 5000, size}};
    const PartBuffer<float, Cuda> buffer(size, parts);
    EXPECT_LE(Cuda::allocated_bytes() - before, sizeof(float) * size / 2);
    for (const PartRange& part : parts)
      EXPECT_EQ(entries(buffer, part), std::vector<float>(part.end - part.begin, 0.0f));
  }
  EXPECT_EQ(Cuda::allocated_bytes(), before);
}
#endif

}  // namespace
}  // namespace hodge::linalg
