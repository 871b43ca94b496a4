// The transform along a uniform axis by FFTW's real transforms, on the Host in double: halfcomplex
// for a periodic axis, cosines and sines of types 2 and 3, or 4, for others. FFTW (libfftw3.so.3)
// is opened when it is first asked for; without it an axis is transformed by products.
//
// Plans are estimated, not measured, and lines are divided into blocks that do not depend on the
// number of threads or processes (space/line_blocks.hpp): a run repeats bit for bit.
#pragma once

#include <memory>

#include "linalg/direct/box_pass.hpp"
#include "linalg/matrices/separable_system.hpp"
#include "linalg/space/axis_product.hpp"

namespace hodge::linalg {

bool has_fftw();

// Lines that are transformed at once (AxisShape::block): two cache lines of adjacent values.
inline constexpr int fft_block = 16;

// Of a uniform axis. Errors: DeviceError where FFTW makes no plan.
std::unique_ptr<BoxPass<double>> axis_fft(const AxisShape& shape, const SeparableAxis& axis);

}  // namespace hodge::linalg
