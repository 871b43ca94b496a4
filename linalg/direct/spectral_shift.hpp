// What the amplitudes of a separable system are divided by.
#pragma once

namespace hodge::linalg {

// The sum s of the eigenvalues becomes shift + factor s.
struct SpectralShift {
  double shift = 0, factor = 1;

  bool operator==(const SpectralShift&) const = default;
};

}  // namespace hodge::linalg
