// The primitives that take point functions: loops and a reduction over a box of indices.
//
//   for_each<Space>(box, [=] HODGE_LAMBDA(Index<2> c) { field(c) = 0.0; });
//   for_each<Space>(n, [=] HODGE_LAMBDA(int i) { a[i] = i; });
//   for_each_of<Space>(boxes, f);
//   reduce<Space, 2>(box, {Reduction::sum, Reduction::max}, f, result);
//   reduce<Space>(box, Kinds<Reduction::sum, Reduction::max>(), f, result);
//   reduce<Space>(box, Sums<2>(), f, result);
//   fill_runs<Space, 7>(box, values, start, [=] HODGE_LAMBDA(Index<3> c, double* run) { ...; });
//
// for_each_of goes over several boxes in one pass: f(part, c) for every index c of boxes[part],
// where part is a std::integral_constant<int>. What the parts of an index and its neighbours share
// is read from memory once. No part may read what another one writes. For a GPU f may say more:
//
//   value(part, c)           what f computes, of one type for all parts, without writing
//   store(part, c, value)
//   F::together              at an index of all the first parts, as many, no other part is called,
//                            and these read together before they write
//   F::least_blocks          of a multiprocessor, for which registers must suffice
//   F::most_planes           that a thread may take one after the other, in 3D, where neighbouring
//                            planes share what they read
//
// fill_runs writes a run of at most 7 consecutive values for each index: the point function writes
// run[0] .. run[count - 1] and returns count. The run is stored at values[start(c)], or dropped if
// start(c) < 0 or `values` is null. Along axis 0 the runs of a box follow one another without gaps,
// so that a GPU can gather the runs of neighbouring indices and store whole lines.
//
// A point function captures its views by copy and writes only what belongs to its own index. In
// reduce, f(c, value) sets value[0..K-1]; the K results go to `result` in the memory of the space.
// Kinds that are known when compiled cost a GPU nothing for each index.
// Sums have the same bits for any number of threads (host/loops.hpp, cuda/kernels/loops.cuh). A
// maximum starts at 0 and ignores NaN. Where rows are shared (processes/shared_rows.hpp), both are
// over the boxes of all processes, which therefore call reduce together: what concerns this process
// alone is reduced while a `SharingRows local({})` lives. On a GPU sums have the bits of one
// process where the boxes are cut at multiples of SumTiles::length() along each axis, each box
// counting from there; SummingOver says what they are parts of (base/sum_tiles.hpp).
//
// The host compiler compiles templates that use these for Host, nvcc for Cuda.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "linalg/base/index.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

enum class Reduction : int { sum, max };

template <Reduction... kinds>
struct Kinds {
  static constexpr std::array<Reduction, sizeof...(kinds)> list{kinds...};
  // Bit k set: number k is a maximum.
  static constexpr unsigned maxima() {
    unsigned mask = 0, bit = 1;
    ((mask |= kinds == Reduction::max ? bit : 0u, bit <<= 1), ...);
    return mask;
  }
};

namespace detail {
template <int... number>
Kinds<(static_cast<void>(number), Reduction::sum)...> sums(std::integer_sequence<int, number...>);
}
template <int count>
using Sums = decltype(detail::sums(std::make_integer_sequence<int, count>()));

template <class Space>
struct Loops;  // for_each and reduce of a space: host/loops.hpp, cuda/kernels/loops.cuh

}  // namespace hodge::linalg

#include "linalg/host/loops.hpp"
#ifdef __CUDACC__
#include "linalg/cuda/kernels/loops.cuh"
#endif

namespace hodge::linalg {

// `range` is a box or a number n of indices.
template <class Space, class Range, class F>
void for_each(const Range& range, F f) {
  Loops<Space>::for_each(range, f);
}

template <class Space, int Dim, std::size_t Count, class F>
void for_each_of(const std::array<Box<Dim>, Count>& boxes, F f) {
  Box<Dim> whole = boxes[0];
  for (const Box<Dim>& box : boxes) whole = joined(whole, box);
  Loops<Space>::for_each_of(boxes, whole, std::make_integer_sequence<int, Count>(), f);
}

// Guarded (space.hpp).
template <class Space, class Range, class F>
void for_each_guarded(const Range& range, F f) {
  Loops<Space>::for_each_guarded(range, f);
}

template <class Space, int Most, int Dim, class T, class Start, class F>
void fill_runs(const Box<Dim>& box, T* values, Start start, F f) {
  Loops<Space>::template fill_runs<Most>(box, values, start, f);
}

template <class Space, int K, int Dim, class F>
void reduce(const Box<Dim>& box, const std::array<Reduction, K>& kinds, F f, double* result) {
  Loops<Space>::template reduce<K>(box, kinds, f, result);
}

template <class Space, Reduction... kinds, int Dim, class F>
void reduce(const Box<Dim>& box, Kinds<kinds...> fixed, F f, double* result) {
  Loops<Space>::reduce(box, fixed, f, result);
}

// The results on the host; waits for them.
template <class Space, int K, int Dim, class F>
std::array<double, K> reduce_to_host(const Box<Dim>& box, const std::array<Reduction, K>& kinds,
                                     F f) {
  Buffer<double, Space> result(K);
  reduce<Space, K>(box, kinds, f, result.data());
  std::array<double, K> host{};
  result.download(host);
  return host;
}

// The same for f(i, value), i = 0 .. n-1. A Host loop divides lines among its threads, so the
// indices become a box of two axes, whose last line may extend beyond n.
template <class Space, int K, class F>
std::array<double, K> reduce_to_host(int n, const std::array<Reduction, K>& kinds, F f) {
  constexpr int line = 1024;
  const Box<2> box{{{0, 0}}, {{line, static_cast<int>((n + line - 1LL) / line)}}};
  return reduce_to_host<Space, K>(box, kinds, [=] HODGE_LAMBDA(const Index<2>& c, double* value) {
    for (int k = 0; k < K; ++k) value[k] = 0.0;
    const int i = c[1] * line + c[0];
    if (i < n) f(i, value);
  });
}

}  // namespace hodge::linalg
