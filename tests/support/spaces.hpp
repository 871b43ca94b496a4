// Typed tests over the execution spaces; a test of Cuda skips with a reason where there is no GPU.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "linalg/space/space.hpp"

namespace hodge::tests {

#if HODGE_HAS_CUDA
using Spaces = ::testing::Types<linalg::Host, linalg::Cuda>;
#else
using Spaces = ::testing::Types<linalg::Host>;
#endif

struct SpaceName {
  template <class Space>
  static std::string GetName(int) {
    return std::is_same_v<Space, linalg::Host> ? "Host" : "Cuda";
  }
};

template <class Space>
bool space_is_usable() {
#if HODGE_HAS_CUDA
  if constexpr (std::is_same_v<Space, linalg::Cuda>) return linalg::Cuda::device_count() > 0;
#endif
  return true;
}

template <class Space>
class SpaceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!space_is_usable<Space>()) GTEST_SKIP() << "no usable NVIDIA GPU on this machine";
  }
};

}  // namespace hodge::tests
