// How each axis of a separable system is transformed on a space.
//
// One axis is not transformed: its lines are solved by elimination (line_elimination.hpp). That is
// the last one, which processes cut. A GPU alone takes axis 1 of three where that is faster: where
// y is stretched, between axes that cuFFT transforms.
//
// Host: by FFTW where it is there, the cells are equal and values are doubles; else by products.
//
// Cuda: the axes of equal cells that cuFFT transforms at once (box_fft.hpp) are those with which a
// solve takes least time, all choices compared. A pass takes its time to start, and the longer of
// its bytes over the bandwidth and its operations over the rate of products. The rates are those of
// an H200; only their ratio decides:
//
//   pass, each way                   bytes                  operations       start
//   products, an axis of n points    2 vectors              2 n each value   7 us
//   FFT of an axis                   2 vectors times 1.2    -                3 us
//   points in or out of their slots  2 vectors times 1.5    -                3 us
//
//   bandwidth 4.0e12 bytes/s, rate 50e12/s. FFT: prime factors above 7 count twice, above 127
//   (cuFFT's transforms by Bluestein) seven times; a real one of odd length twice. Where axis 0 is
//   not among them, whose values lie side by side, FFTs take 3.5 times as long (256^3, x
//   stretched).
//
// Beyond 2048 points equal cells never take products.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "linalg/matrices/separable_system.hpp"

namespace hodge::linalg {

enum class AxisMethod { products, fft_of_lines, fft_of_box, elimination };

// is_alone: one process has the whole box.
template <class Space>
std::vector<AxisMethod> choose_axis_methods(const SeparableSystem& system, std::size_t value_size,
                                            bool is_alone = true);

// Where cuFFT is there.
std::vector<AxisMethod> axis_methods_by_cost(const SeparableSystem& system, std::size_t value_size,
                                             bool is_alone = true);

// The axis that is solved by elimination.
std::size_t eliminated_axis(const std::vector<AxisMethod>& methods);

// Which axes are fft_of_box.
std::vector<bool> axes_of_box(const std::vector<AxisMethod>& methods);

// "products", "fft", "elimination"
std::string describe(AxisMethod method);

// The bytes that a solve by these methods moves; elimination: vectors that it reads or writes.
double direct_bytes(const SeparableSystem& system, const std::vector<AxisMethod>& methods,
                    double elimination, std::size_t value_size);

}  // namespace hodge::linalg
