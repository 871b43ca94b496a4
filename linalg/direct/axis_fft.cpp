#include "linalg/direct/axis_fft.hpp"

#include <omp.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/base/shared_library.hpp"
#include "linalg/host/loops.hpp"
#include "linalg/space/line_blocks.hpp"

namespace hodge::linalg {

namespace {

// What is used of fftw3.h; part of FFTW's stable interface.
struct Dimension {
  int n, in_stride, out_stride;
};
enum Kind : int {
  r2hc = 0,
  hc2r = 1,
  cosine_3 = 4,
  cosine_2,
  cosine_4,
  sine_3 = 8,
  sine_2,
  sine_4
};
constexpr unsigned unaligned = 2, estimate = 64;
struct PlanOfFftw;

struct Fftw {
  PlanOfFftw* (*plan)(int rank, const Dimension* dims, int many_rank, const Dimension* many,
                      double* in, double* out, const Kind* kinds, unsigned flags) = nullptr;
  void (*execute)(PlanOfFftw*, double* in, double* out) = nullptr;
  void (*destroy)(PlanOfFftw*) = nullptr;

  bool usable = false;
};

const Fftw& fftw() {
  static const Fftw opened = [] {
    static const SharedLibrary library({"libfftw3.so.3", "libfftw3.so"});
    Fftw f;
    f.usable = library.find(f.plan, "fftw_plan_guru_r2r", f.execute, "fftw_execute_r2r", f.destroy,
                            "fftw_destroy_plan");
    return f;
  }();
  return opened;
}

struct Kinds {
  Kind forward, backward;
};

Kinds kinds_of(AxisEnds ends) {
  switch (ends) {
    case AxisEnds::periodic:
      return {r2hc, hc2r};
    case AxisEnds::closed:
      return {cosine_2, cosine_3};
    case AxisEnds::half:
      return {sine_2, sine_3};
    case AxisEnds::closed_half:
      return {cosine_4, cosine_4};
    default:
      return {sine_4, sine_4};
  }
}

// Transforms in place of `lines` lines of n points; lines and points are these strides apart.
class Plan {
 public:
  Plan(int n, int point_stride, int lines, int line_stride, Kind kind) {
    const Dimension points{n, point_stride, point_stride}, many{lines, line_stride, line_stride};
    std::vector<double> values(static_cast<std::size_t>(n) * static_cast<std::size_t>(lines));
    const std::lock_guard turn(one_planner());
    plan_ = fftw().plan(1, &points, 1, &many, values.data(), values.data(), &kind,
                        estimate | unaligned);
    if (plan_ == nullptr) throw DeviceError("FFTW makes no plan of an axis");
  }
  ~Plan() {
    const std::lock_guard turn(one_planner());
    if (plan_ != nullptr) fftw().destroy(plan_);
  }
  Plan(Plan&& other) noexcept : plan_(std::exchange(other.plan_, nullptr)) {}
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  Plan& operator=(Plan&&) = delete;

  void run(double* values) const { fftw().execute(plan_, values, values); }

 private:
  // FFTW makes and destroys one plan at a time.
  static std::mutex& one_planner() {
    static std::mutex turn;
    return turn;
  }

  PlanOfFftw* plan_;
};

// A block of lines is copied to a scratch array of its thread, transformed there and copied to the
// result: the points of a line may be far apart in memory, and then share few sets of a cache.
class AxisFft final : public BoxPass<double> {
 public:
  AxisFft(const AxisShape& shape, const SeparableAxis& axis)
      : shape_(shape),
        blocks_(shape),
        threads_(omp_get_max_threads()),
        scratch_(static_cast<std::size_t>(threads_) * static_cast<std::size_t>(of_block())),
        forward_(plans(kinds_of(axis.ends()).forward)),
        backward_(plans(kinds_of(axis.ends()).backward)) {
    const double length = (axis.periodic ? 1.0 : 2.0) * shape.points;
    scale_ = 1 / (length * axis.weights[0]);
  }

  void forward(const double* in, double* out) override { run(forward_, in, out); }
  void backward(double* in, double* out) override { run(backward_, in, out); }
  double scale() const override { return scale_; }

 private:
  int of_block() const { return shape_.block * shape_.points; }

  // Of a whole block, and of shorter ones.
  std::vector<Plan> plans(Kind kind) const {
    const int n = shape_.points;
    std::vector<Plan> plans;
    for (const int lines : blocks_.lengths())
      if (lines > 0)
        plans.emplace_back(n, shape_.is_adjacent ? 1 : lines, lines, shape_.is_adjacent ? n : 1,
                           kind);
    return plans;
  }

  void run(const std::vector<Plan>& plans, const double* in, double* out) {
    const int most = shape_.size() > host::parallel_threshold ? threads_ : 1;
    const int threads = std::min(most, omp_get_max_threads());
    const int whole = blocks_.lengths().front();
#pragma omp parallel for schedule(static) num_threads(threads)
    for (long long block = 0; block < blocks_.count(); ++block) {
      double* const scratch = scratch_.data() + std::ptrdiff_t{omp_get_thread_num()} * of_block();
      const int lines = blocks_.lines_of(block);
      const std::ptrdiff_t at = blocks_.begin_of(block);
      copy(lines, in + at, shape_.inner, scratch, lines);
      (lines < whole ? plans.back() : plans.front()).run(scratch);
      copy(lines, scratch, lines, out + at, shape_.inner);
    }
  }

  // `count` lines, whose points are these strides apart; whole lines where their points are
  // adjacent.
  void copy(int count, const double* from, std::ptrdiff_t from_stride, double* to,
            std::ptrdiff_t to_stride) const {
    if (shape_.is_adjacent) {
      std::copy_n(from, static_cast<std::ptrdiff_t>(count) * shape_.points, to);
      return;
    }
    for (int i = 0; i < shape_.points; ++i)
      std::copy_n(from + i * from_stride, count, to + i * to_stride);
  }

  AxisShape shape_;
  LineBlocks blocks_;
  int threads_;
  std::vector<double> scratch_;
  std::vector<Plan> forward_, backward_;
  double scale_;
};

}  // namespace

bool has_fftw() {
  return fftw().usable;
}

std::unique_ptr<BoxPass<double>> axis_fft(const AxisShape& shape, const SeparableAxis& axis) {
  return std::make_unique<AxisFft>(shape, axis);
}

}  // namespace hodge::linalg
