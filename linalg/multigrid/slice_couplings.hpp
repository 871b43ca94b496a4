// The mean of |upper_d| over each slice of a level across axis d, over the cells that have this
// coupling. Of a large slice only a sample of evenly spread cells is taken: 32 x 32 cells in 3D,
// 1024 in 2D.
//
// Processes that share the layers take the samples of their own ones, and add them in turn
// (processes/in_turn.hpp), so that the bits are those of one process.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "linalg/multigrid/stencil.hpp"
#include "linalg/processes/in_turn.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg::multigrid {

// The samples of all slices across axis d: sample k of slice i, k with axis 0 fastest.
template <int Dim>
struct SliceSamples {
  static constexpr int most = Dim == 2 ? 1024 : 32;  // along each axis of the slice

  Index<Dim> extent;
  int d;

  HODGE_HD int along(int e) const { return e == d ? 1 : extent[e] < most ? extent[e] : most; }
  HODGE_HD int of_slice() const {
    int samples = 1;
    for (int e = 0; e < Dim; ++e) samples *= along(e);
    return samples;
  }
  HODGE_HD Index<Dim> cell(int i, int k) const {
    Index<Dim> c{};
    for (int e = 0, rest = k; e < Dim; rest /= along(e), ++e)
      c[e] = e == d
                 ? i
                 : static_cast<int>(static_cast<long long>(rest % along(e)) * extent[e] / along(e));
    return c;
  }
};

// |upper_d| of a cell, 0 without a neighbour.
template <int Dim, class View>
HODGE_HD auto coupling_above(const View& a, int d, const Index<Dim>& c) {
  using T = decltype(a.upper_of(c, d));
  const T v = a.shape.has_above(c, d) ? a.upper_of(c, d) : T(0);
  return v < T(0) ? -v : v;
}

// The type of couplings.
template <int Dim, class View>
using CouplingOf = decltype(coupling_above<Dim>(std::declval<View>(), 0, Index<Dim>{}));

// The means of all axes.
template <int Dim, class Space, class View>
std::array<std::vector<double>, Dim> slice_couplings(const View& a) {
  std::array<std::vector<double>, Dim> means;
  for (int d = 0; d < Dim; ++d) {
    const SliceSamples<Dim> samples{a.shape.extent, d};
    Buffer<double, Space> of_axis(static_cast<std::size_t>(a.shape.extent[d]));
    double* const mean = of_axis.data();
    for_each<Space>(a.shape.extent[d], [=] HODGE_LAMBDA(int i) {
      double sum = 0.0;
      int coupled = 0;
      for (int k = 0, end = samples.of_slice(); k < end; ++k) {
        const auto v = coupling_above<Dim>(a, samples.d, samples.cell(i, k));
        sum += static_cast<double>(v);
        coupled += v != 0 ? 1 : 0;
      }
      mean[i] = coupled > 0 ? sum / coupled : 0.0;
    });
    means[d] = of_axis.to_host();
  }
  return means;
}

// The samples that lie in some layers: of the slices `slices`, those from first on.
struct SamplesOfLayers {
  Layers slices;
  int first, count;

  std::size_t size() const {
    return static_cast<std::size_t>(slices.count()) * static_cast<std::size_t>(count);
  }
};

template <int Dim>
SamplesOfLayers samples_of(const SliceSamples<Dim>& samples, const Layers& layers) {
  if (samples.d == Dim - 1) return {layers, 0, samples.of_slice()};
  const int along = samples.along(Dim - 1), of_layer = samples.of_slice() / along;
  // The first sample along the last axis that is at this layer or behind it.
  const auto from = [&](int layer) {
    const int n = samples.extent[Dim - 1];
    return of_layer * static_cast<int>((static_cast<long long>(layer) * along + n - 1) / n);
  };
  return {
      {0, samples.extent[samples.d]}, from(layers.begin), from(layers.end) - from(layers.begin)};
}

// |upper_d| at these samples, slice by slice.
template <int Dim, class Space, class View>
std::vector<CouplingOf<Dim, View>> couplings_at(const SliceSamples<Dim>& samples,
                                                const SamplesOfLayers& of, const View& a) {
  Buffer<CouplingOf<Dim, View>, Space> values(of.size());
  auto* const value = values.data();
  for_each<Space>(static_cast<int>(of.size()), [=] HODGE_LAMBDA(int s) {
    const Index<Dim> c = samples.cell(of.slices.begin + s / of.count, of.first + s % of.count);
    value[s] = coupling_above<Dim>(a, samples.d, c);
  });
  return values.to_host();
}

// Adds values to sums[2 i], and how many of them are not 0 to sums[2 i + 1], i their slice.
template <class T>
void add_samples(const SamplesOfLayers& of, const std::vector<T>& values, double* sums) {
  const T* value = values.data();
  for (int i = of.slices.begin; i < of.slices.end; ++i)
    for (int k = 0; k < of.count; ++k, ++value) {
      sums[2 * i] += static_cast<double>(*value);
      sums[2 * i + 1] += *value != T(0) ? 1.0 : 0.0;
    }
}

// The means of all axes, of a level whose layers processes share; `own` has those of this process.
// Collective.
template <int Dim, class Space, class View>
std::array<std::vector<double>, Dim> shared_slice_couplings(Communicator& processes,
                                                            const Layers& own, const View& a) {
  const auto samples = [&](int d) { return SliceSamples<Dim>{a.shape.extent, d}; };
  std::array<std::vector<CouplingOf<Dim, View>>, Dim> values;
  std::size_t slices = 0;
  for (int d = 0; d < Dim; ++d) {
    values[d] = couplings_at<Dim, Space>(samples(d), samples_of(samples(d), own), a);
    slices += static_cast<std::size_t>(a.shape.extent[d]);
  }
  std::vector<double> sums(2 * slices);
  add_in_turn(processes, sums, [&] {
    double* of_axis = sums.data();
    for (int d = 0; d < Dim; of_axis += 2 * a.shape.extent[d], ++d)
      add_samples(samples_of(samples(d), own), values[d], of_axis);
  });
  std::array<std::vector<double>, Dim> means;
  const double* sum = sums.data();
  for (int d = 0; d < Dim; ++d)
    for (int i = 0; i < a.shape.extent[d]; ++i, sum += 2)
      means[d].push_back(sum[1] > 0 ? sum[0] / sum[1] : 0.0);
  return means;
}

}  // namespace hodge::linalg::multigrid
