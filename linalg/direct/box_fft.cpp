#include "linalg/direct/box_fft.hpp"

#include <algorithm>
#include <limits>

#include "linalg/direct/eigenbasis.hpp"

#if HODGE_HAS_CUDA
#include <string>
#include <type_traits>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/base/shared_library.hpp"
#include "linalg/cuda/library_stream.hpp"
#include "linalg/vectors/buffer.hpp"
#endif

namespace hodge::linalg {

#if HODGE_HAS_CUDA

namespace {

// What is used of cufft.h. These have been the same since CUDA 5.
using CufftHandle = int;
using CufftStatus = int;  // 0: success
enum CufftKind : int { r2c = 0x2a, c2r = 0x2c, d2z = 0x6a, z2d = 0x6c };
using MakeCufftPlan = CufftStatus(CufftHandle, int rank, int* n, int* in_embed, int in_stride,
                                  int in_distance, int* out_embed, int out_stride, int out_distance,
                                  CufftKind, int batch, std::size_t* work_bytes);

struct Cufft {
  CufftStatus (*create)(CufftHandle*) = nullptr;
  CufftStatus (*destroy)(CufftHandle) = nullptr;
  CufftStatus (*set_auto_allocation)(CufftHandle, int) = nullptr;
  MakeCufftPlan* make_plan = nullptr;
  CufftStatus (*set_stream)(CufftHandle, cudaStream_t) = nullptr;
  CufftStatus (*set_work_area)(CufftHandle, void*) = nullptr;
  CufftStatus (*run_r2c)(CufftHandle, float*, Complex<float>*) = nullptr;
  CufftStatus (*run_c2r)(CufftHandle, Complex<float>*, float*) = nullptr;
  CufftStatus (*run_d2z)(CufftHandle, double*, Complex<double>*) = nullptr;
  CufftStatus (*run_z2d)(CufftHandle, Complex<double>*, double*) = nullptr;

  bool usable() const {
    return create != nullptr && destroy != nullptr && set_auto_allocation != nullptr &&
           make_plan != nullptr && set_stream != nullptr && set_work_area != nullptr &&
           run_r2c != nullptr && run_c2r != nullptr && run_d2z != nullptr && run_z2d != nullptr;
  }
};

const Cufft& cufft() {
  static const Cufft opened = [] {
    static const SharedLibrary library({"libcufft.so.12", "libcufft.so.11", "libcufft.so"});
    Cufft f;
    f.create = library.symbol<CufftStatus(CufftHandle*)>("cufftCreate");
    f.destroy = library.symbol<CufftStatus(CufftHandle)>("cufftDestroy");
    f.set_auto_allocation = library.symbol<CufftStatus(CufftHandle, int)>("cufftSetAutoAllocation");
    f.make_plan = library.symbol<MakeCufftPlan>("cufftMakePlanMany");
    f.set_stream = library.symbol<CufftStatus(CufftHandle, cudaStream_t)>("cufftSetStream");
    f.set_work_area = library.symbol<CufftStatus(CufftHandle, void*)>("cufftSetWorkArea");
    f.run_r2c = library.symbol<CufftStatus(CufftHandle, float*, Complex<float>*)>("cufftExecR2C");
    f.run_c2r = library.symbol<CufftStatus(CufftHandle, Complex<float>*, float*)>("cufftExecC2R");
    f.run_d2z = library.symbol<CufftStatus(CufftHandle, double*, Complex<double>*)>("cufftExecD2Z");
    f.run_z2d = library.symbol<CufftStatus(CufftHandle, Complex<double>*, double*)>("cufftExecZ2D");
    return f;
  }();
  return opened;
}

void check_cufft(CufftStatus status, const char* what) {
  if (status != 0)
    throw DeviceError(std::string("cuFFT: ") + what + " failed with status " +
                      std::to_string(status));
}

// A transform of the whole box, not in place, on our stream.
class CufftPlan {
 public:
  CufftPlan(std::vector<int> slowest_first, CufftKind kind) {
    const cudaStream_t stream = cuda::library_stream();  // chooses the GPU
    check_cufft(cufft().create(&handle_), "creating a plan");
    try {
      check_cufft(cufft().set_auto_allocation(handle_, 0), "leaving out the work area");
      check_cufft(
          cufft().make_plan(handle_, static_cast<int>(slowest_first.size()), slowest_first.data(),
                            nullptr, 1, 0, nullptr, 1, 0, kind, 1, &work_bytes_),
          "planning the transform of a box");
      check_cufft(cufft().set_stream(handle_, stream), "setting the stream");
    } catch (...) {
      (void)cufft().destroy(handle_);
      throw;
    }
  }
  ~CufftPlan() { (void)cufft().destroy(handle_); }
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;

  CufftHandle handle() const { return handle_; }
  std::size_t work_bytes() const { return work_bytes_; }
  void work_in(void* area) const {
    check_cufft(cufft().set_work_area(handle_, area), "setting the work area");
  }

 private:
  CufftHandle handle_ = -1;
  std::size_t work_bytes_ = 0;
};

std::vector<int> slowest_first(const SeparableSystem& system) {
  std::vector<int> sizes;
  for (const SeparableAxis& axis : system.axes) sizes.insert(sizes.begin(), axis.points());
  return sizes;
}

template <class T>
class BoxFftByCufft final : public BoxFft<T> {
  static constexpr bool is_double = std::is_same_v<T, double>;

 public:
  explicit BoxFftByCufft(const SeparableSystem& system)
      : forward_(slowest_first(system), is_double ? d2z : r2c),
        backward_(slowest_first(system), is_double ? z2d : c2r),
        spectrum_(spectrum_size(system)),
        work_(std::max({forward_.work_bytes(), backward_.work_bytes(), std::size_t{1}})) {
    forward_.work_in(work_.data());
    backward_.work_in(work_.data());
    // The first run loads kernels, which it may not do while a recording is made.
    Buffer<T, Cuda> values(static_cast<std::size_t>(system.rows()));
    forward(values.data());
    backward(values.data());
  }

  void forward(const T* in) override {
    (void)cuda::library_stream();          // launches what was gathered
    T* const values = const_cast<T*>(in);  // is not written: the transform is not in place
    if constexpr (is_double)
      check_cufft(cufft().run_d2z(forward_.handle(), values, spectrum_.data()), "a transform");
    else
      check_cufft(cufft().run_r2c(forward_.handle(), values, spectrum_.data()), "a transform");
  }
  void backward(T* out) override {
    (void)cuda::library_stream();
    if constexpr (is_double)
      check_cufft(cufft().run_z2d(backward_.handle(), spectrum_.data(), out), "a transform back");
    else
      check_cufft(cufft().run_c2r(backward_.handle(), spectrum_.data(), out), "a transform back");
  }
  Complex<T>* spectrum() override { return spectrum_.data(); }

 private:
  CufftPlan forward_, backward_;
  Buffer<Complex<T>, Cuda> spectrum_;
  Buffer<char, Cuda> work_;
};

}  // namespace

bool has_cufft() {
  return cufft().usable();
}

template <class T>
std::unique_ptr<BoxFft<T>> box_fft(const SeparableSystem& system) {
  return std::make_unique<BoxFftByCufft<T>>(system);
}

template std::unique_ptr<BoxFft<double>> box_fft(const SeparableSystem&);
template std::unique_ptr<BoxFft<float>> box_fft(const SeparableSystem&);

#else

bool has_cufft() {
  return false;
}

#endif

bool has_box_fft(const SeparableSystem& system) {
  const bool fits =
      std::all_of(system.axes.begin(), system.axes.end(), [](const SeparableAxis& axis) {
        return axis.periodic && axis.points() > 1 && axis.is_uniform();
      });
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  return fits && !system.axes.empty() && spectrum_size(system) <= most;
}

std::size_t spectrum_size(const SeparableSystem& system) {
  std::size_t size = 1;
  for (std::size_t d = 0; d < system.axes.size(); ++d) {
    const int n = system.axes[d].points();
    size *= static_cast<std::size_t>(d == 0 ? n / 2 + 1 : n);
  }
  return size;
}

std::vector<std::vector<double>> spectrum_eigenvalues(const SeparableSystem& system) {
  std::vector<std::vector<double>> values(3, {0.0});
  for (std::size_t d = 0; d < system.axes.size(); ++d)
    values[d] = uniform_eigenvalues(system.axes[d]);
  values[0].resize(values[0].size() / 2 + 1);
  return values;
}

double spectrum_scale(const SeparableSystem& system) {
  double scale = 1;
  for (const SeparableAxis& axis : system.axes) scale /= axis.points() * axis.weights[0];
  return scale;
}

std::size_t box_fft_memory(const SeparableSystem& system, std::size_t value_size) {
  return 2 * spectrum_size(system) * 2 * value_size;
}

}  // namespace hodge::linalg
