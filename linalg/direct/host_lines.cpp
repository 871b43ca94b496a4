#include "linalg/direct/host_lines.hpp"

#include <omp.h>

#include <algorithm>

#include "linalg/host/loops.hpp"

namespace hodge::linalg {

namespace {

// Of a chunk. 40 000 layers of lines, with their factors, are 1 MB.
constexpr int most_layers = 40000, most_lines = 32, least_lines = 8;

// The lines of a chunk in the cache of a thread.
template <class T>
class ChunkOfLines {
 public:
  // Of the lines first .. first + count - 1.
  ChunkOfLines(const HostLines<T>& lines, const typename LineScratch<T>::Chunk& scratch, int first,
               int count)
      : of_(lines),
        view_(lines.view),
        is_shared_(lines.ends != nullptr),
        first_(first),
        count_(count),
        at_(scratch),
        layers_(lines.view.layers + lines.view.blocks.first(lines.view.first_block)),
        own_layers_(first_of(lines.view.own_blocks)) {
    const SpectrumAxis &x = of_.amplitudes.x, &y = of_.amplitudes.y;
    for (int m = 0; m < count_; ++m)
      at_.sum[m] = view_.shift + view_.factor * (x.values[(first_ + m) % x.entries] +
                                                 y.values[(first_ + m) / x.entries]);
  }

  void reduce() {
    load();
    for (int block = 0; block < view_.own_blocks; ++block) reduce_block(block);
    for (const LineMerge& merge : of_.tree.merges()) join(merge);
    if (is_shared_) return;
    for (const LineMerge& merge : of_.tree.rounds()[0].merges)
      if (!merge.is_root()) join(among_own(merge));
  }
  void fill() {
    const auto separate_all = [&](const std::vector<LineMerge>& merges, const auto& place) {
      std::for_each(merges.rbegin(), merges.rend(),
                    [&](const LineMerge& merge) { separate(place(merge)); });
    };
    if (!is_shared_)
      separate_all(of_.tree.rounds()[0].merges, [&](const LineMerge& m) { return among_own(m); });
    separate_all(of_.tree.merges(), [](const LineMerge& merge) { return merge; });
    for (int block = 0; block < view_.own_blocks; ++block) fill_block(block);
    store();
  }
  void pack() {
    for_each_end([&](T* row, int place) {
      std::copy_n(end(place), count_, row + first_);
      if (has_sums()) row[view_.lines] = at_.sums[place];
    });
  }
  void unpack() {
    for_each_end([&](const T* row, int place) {
      std::copy_n(row + first_, count_, end(place));
      if (has_sums()) at_.sums[place] = row[view_.lines];
    });
  }

 private:
  int first_of(int block) const {
    return view_.blocks.first(view_.first_block + block) - view_.blocks.first(view_.first_block);
  }
  T* row(int layer) const { return at_.values + at_.width * static_cast<std::size_t>(layer); }
  // An axis of one layer has its other end behind it.
  T* end(int place) const {
    if (view_.blocks.layers == 1) return row(place);
    return row(place % 2 == 0 ? first_of(place / 2) : first_of(place / 2 + 1) - 1);
  }
  T* in_box(int layer) const {
    return of_.amplitudes.real + of_.amplitudes.layer_stride * layer + first_;
  }
  // Of the line of the constant, which is the first one.
  bool has_sums() const { return first_ == 0 && view_.spread != nullptr; }
  // A merge of the only round, of one process.
  LineMerge among_own(const LineMerge& merge) const {
    const std::vector<int>& ends = of_.tree.own_ends();
    const auto at = [&](int place) { return ends[static_cast<std::size_t>(place)]; };
    return {at(merge.a), at(merge.b), at(merge.c), at(merge.d), merge.factors};
  }

  void load() {
    const double scale = of_.amplitudes.scale;
    for (int k = 0; k < own_layers_; ++k) {
      const T* const from = in_box(k);
      T* const to = row(k);
      for (int m = 0; m < count_; ++m) to[m] = static_cast<T>(scale * static_cast<double>(from[m]));
    }
    if (view_.blocks.layers == 1) std::fill_n(row(1), count_, T(0));
    if (!has_sums()) return;
    const int layer = view_.blocks.first(view_.first_block);
    for (int block = 0; block < view_.own_blocks; ++block) {
      double sum = 0, spread = 0;
      for (int k = first_of(block); k < first_of(block + 1); ++k) {
        const double f = scale * static_cast<double>(in_box(k)[0]);
        sum += f;
        spread += view_.spread[layer + k] * f;
      }
      at_.sums[2 * block] = static_cast<T>(sum);
      at_.sums[2 * block + 1] = static_cast<T>(spread);
    }
  }
  void store() {
    const int layer = view_.blocks.first(view_.first_block);
    if (has_sums())
      for (int k = 0; k < own_layers_; ++k)
        row(k)[0] = static_cast<T>(static_cast<double>(row(k)[0]) +
                                   beyond_layer_0(view_, static_cast<double>(at_.sums[0]),
                                                  static_cast<double>(at_.sums[1]), layer + k));
    for (int k = 0; k < own_layers_; ++k) std::copy_n(row(k), count_, in_box(k));
  }

  // The steps of BlockWalk, for all lines of the chunk.
  void reduce_block(int block) {
    const int first = first_of(block), end = first_of(block + 1);
    if (end - first < 3) return;
    const double factor = view_.factor;
    double *const sum = at_.sum, *const excess = at_.excess, *const coupling = at_.coupling;
    const LineLayer &one = layers_[first], &two = layers_[first + 1];
    for (int m = 0; m < count_; ++m) {
      coupling[m] = factor * one.above;
      excess[m] = sum[m] * two.weight + factor * two.end;
    }
    T* const f_first = row(first);
    for (int k = first + 1; k + 1 < end; ++k) {
      const double above = factor * layers_[k].above, weight = layers_[k + 1].weight,
                   at_end = factor * layers_[k + 1].end;
      T *const f = row(k), *const f_next = row(k + 1);
      double *const to_first = at_.to_first + at_.width * static_cast<std::size_t>(k),
                    *const to_next = at_.to_next + at_.width * static_cast<std::size_t>(k);
#pragma omp simd
      for (int m = 0; m < count_; ++m) {
        const double inverse = 1 / (excess[m] + (coupling[m] + above)),
                     back = coupling[m] * inverse, on = above * inverse,
                     value = static_cast<double>(f[m]);
        f_first[m] = static_cast<T>(static_cast<double>(f_first[m]) + back * value);
        f_next[m] = static_cast<T>(static_cast<double>(f_next[m]) + on * value);
        f[m] = static_cast<T>(inverse * value);
        to_first[m] = back;
        to_next[m] = on;
        excess[m] = sum[m] * weight + at_end + on * excess[m];
        coupling[m] = back * above;
      }
    }
  }
  void fill_block(int block) {
    const int first = first_of(block), end = first_of(block + 1);
    const T* const y_first = row(first);
    for (int k = end - 2; k > first; --k) {
      T* const y = row(k);
      const T* const y_next = row(k + 1);
      const double *const to_first = at_.to_first + at_.width * static_cast<std::size_t>(k),
                          *const to_next = at_.to_next + at_.width * static_cast<std::size_t>(k);
#pragma omp simd
      for (int m = 0; m < count_; ++m)
        y[m] = static_cast<T>(static_cast<double>(y[m]) +
                              (to_first[m] * static_cast<double>(y_first[m]) +
                               to_next[m] * static_cast<double>(y_next[m])));
    }
  }

  const double* factors_of(const LineMerge& merge, int value) const {
    return view_.factors +
           static_cast<std::size_t>(view_.systems) *
               static_cast<std::size_t>(values_of_factors * merge.factors + value) +
           first_;
  }
  void join(const LineMerge& merge) {
    const double *const bb = factors_of(merge, 0), *const bc = factors_of(merge, 1),
                        *const cc = factors_of(merge, 2), *const left = factors_of(merge, 3),
                        *const right = factors_of(merge, 4);
    T *const a = end(merge.a), *const d = end(merge.d);
    const T *const b = end(merge.b), *const c = end(merge.c);
#pragma omp simd
    for (int m = 0; m < count_; ++m) {
      const double p = static_cast<double>(b[m]), q = static_cast<double>(c[m]);
      a[m] = static_cast<T>(static_cast<double>(a[m]) + left[m] * (bb[m] * p + bc[m] * q));
      d[m] = static_cast<T>(static_cast<double>(d[m]) + right[m] * (bc[m] * p + cc[m] * q));
    }
    if (!has_sums()) return;
    at_.sums[merge.a] += at_.sums[merge.c];
    at_.sums[merge.d] += at_.sums[merge.b];
  }
  void separate(const LineMerge& merge) {
    const double *const bb = factors_of(merge, 0), *const bc = factors_of(merge, 1),
                        *const cc = factors_of(merge, 2), *const left = factors_of(merge, 3),
                        *const right = factors_of(merge, 4);
    const T *const a = end(merge.a), *const d = end(merge.d);
    T *const b = end(merge.b), *const c = end(merge.c);
#pragma omp simd
    for (int m = 0; m < count_; ++m) {
      const double p = static_cast<double>(b[m]) + left[m] * static_cast<double>(a[m]),
                   q = static_cast<double>(c[m]) + right[m] * static_cast<double>(d[m]);
      b[m] = static_cast<T>(bb[m] * p + bc[m] * q);
      c[m] = static_cast<T>(bc[m] * p + cc[m] * q);
    }
    if (!has_sums() || merge.is_root()) return;
    at_.sums[merge.b] = at_.sums[merge.d];
    at_.sums[merge.c] = at_.sums[merge.a];
  }

  template <class F>
  void for_each_end(F f) {
    T* row = of_.ends;
    for (const int end : of_.tree.own_ends()) {
      f(row, end - 2 * view_.first_block);
      row += view_.systems;
    }
  }

  const HostLines<T>& of_;
  const LineView& view_;
  bool is_shared_;
  int first_, count_;
  typename LineScratch<T>::Chunk at_;
  const LineLayer* layers_;  // own ones
  int own_layers_;
};

template <class T, class F>
void for_each_chunk(const HostLines<T>& lines, LineScratch<T>& scratch, F f) {
  const int all = lines.view.lines, of_chunk = scratch.lines(),
            chunks = (all + of_chunk - 1) / of_chunk;
  const long long size = 1LL * all * lines.view.own_blocks * lines.view.blocks.most;
  const int threads =
      size > host::parallel_threshold ? std::min(scratch.threads(), omp_get_max_threads()) : 1;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const int first = chunk * of_chunk;
    ChunkOfLines<T> own(lines, scratch.of_thread(omp_get_thread_num()), first,
                        std::min(of_chunk, all - first));
    f(own);
  }
}

}  // namespace

template <class T>
LineScratch<T>::LineScratch(int layers, int lines)
    : layers_(static_cast<std::size_t>(layers) + 1),
      width_(static_cast<std::size_t>(
          std::min(lines, std::clamp(most_layers / std::max(1, layers), least_lines, most_lines)))),
      threads_(omp_get_max_threads()),
      values_(static_cast<std::size_t>(threads_) * layers_ * (width_ + 2)),
      steps_(static_cast<std::size_t>(threads_) * (2 * layers_ + 3) * width_) {}

template <class T>
auto LineScratch<T>::of_thread(int thread) -> Chunk {
  const auto t = static_cast<std::size_t>(thread);
  double* const steps = steps_.data() + t * (2 * layers_ + 3) * width_;
  double* const rest = steps + 2 * layers_ * width_;
  T* const values = values_.data() + t * layers_ * (width_ + 2);
  return {width_, values,        values + layers_ * width_, steps, steps + layers_ * width_,
          rest,   rest + width_, rest + 2 * width_};
}

template <class T>
void reduce_lines(const HostLines<T>& lines, LineScratch<T>& scratch) {
  for_each_chunk(lines, scratch, [](ChunkOfLines<T>& chunk) {
    chunk.reduce();
    chunk.pack();
  });
}

template <class T>
void fill_lines(const HostLines<T>& lines, LineScratch<T>& scratch) {
  for_each_chunk(lines, scratch, [&](ChunkOfLines<T>& chunk) {
    chunk.reduce();
    if (lines.ends != nullptr) chunk.unpack();
    chunk.fill();
  });
}

#define HODGE_HOST_LINES(T)                                         \
  template class LineScratch<T>;                                    \
  template void reduce_lines(const HostLines<T>&, LineScratch<T>&); \
  template void fill_lines(const HostLines<T>&, LineScratch<T>&);
HODGE_HOST_LINES(double)
HODGE_HOST_LINES(float)

}  // namespace hodge::linalg
