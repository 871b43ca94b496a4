#include "linalg/direct/fft_library.hpp"

#if HODGE_HAS_CUDA
#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/base/shared_library.hpp"
#include "linalg/cuda/device/cufft.hpp"
#include "linalg/cuda/device/library_stream.hpp"
#include "linalg/space/space.hpp"
#endif

namespace hodge::linalg {

#if HODGE_HAS_CUDA

namespace {

namespace api = cuda::cufft_interface;

struct Cufft {
  api::Create* create = nullptr;
  api::Destroy* destroy = nullptr;
  api::SetAutoAllocation* set_auto_allocation = nullptr;
  api::MakePlanMany* make_plan = nullptr;
  api::SetStream* set_stream = nullptr;
  api::SetWorkArea* set_work_area = nullptr;
  api::RunReal<float, Complex<float>>* run_r2c = nullptr;
  api::RunReal<Complex<float>, float>* run_c2r = nullptr;
  api::RunReal<double, Complex<double>>* run_d2z = nullptr;
  api::RunReal<Complex<double>, double>* run_z2d = nullptr;
  api::RunComplex<Complex<float>>* run_c2c = nullptr;
  api::RunComplex<Complex<double>>* run_z2z = nullptr;

  bool usable = false;
};

const Cufft& library() {
  static const Cufft opened = [] {
    static const SharedLibrary cufft({"libcufft.so.12", "libcufft.so.11", "libcufft.so"});
    Cufft f;
    f.usable =
        cufft.find(f.create, "cufftCreate", f.destroy, "cufftDestroy", f.set_auto_allocation,
                   "cufftSetAutoAllocation", f.make_plan, "cufftMakePlanMany", f.set_stream,
                   "cufftSetStream", f.set_work_area, "cufftSetWorkArea", f.run_r2c, "cufftExecR2C",
                   f.run_c2r, "cufftExecC2R", f.run_d2z, "cufftExecD2Z", f.run_z2d, "cufftExecZ2D",
                   f.run_c2c, "cufftExecC2C", f.run_z2z, "cufftExecZ2Z");
    return f;
  }();
  return opened;
}

void check_cufft(api::Status status, const char* what) {
  if (status != api::success)
    throw DeviceError(std::string("cuFFT: ") + what + " failed with status " +
                      std::to_string(status));
}

// A plan on our stream, without a work area of its own. The layout is the advanced one unless it is
// plain, whatever the batch: parts of a box then have plans of the same kind as the whole.
class CufftPlan {
 public:
  CufftPlan(const FftLayout& layout, const FftArray& in, const FftArray& out, api::Kind kind) {
    if (!library().usable) throw DeviceError("cuFFT was not found");
    const cudaStream_t stream = cuda::library_stream();  // chooses the GPU
    check_cufft(library().create(&handle_), "creating a plan");
    try {
      check_cufft(library().set_auto_allocation(handle_, 0), "leaving out the work area");
      std::vector<int> sizes = layout.sizes, in_embed = in.embed, out_embed = out.embed;
      const bool plain = layout.is_plain;
      check_cufft(library().make_plan(handle_, static_cast<int>(sizes.size()), sizes.data(),
                                      plain ? nullptr : in_embed.data(), in.stride, in.distance,
                                      plain ? nullptr : out_embed.data(), out.stride, out.distance,
                                      kind, layout.batch, &work_bytes_),
                  "planning the transform of a box");
      check_cufft(library().set_stream(handle_, stream), "setting the stream");
    } catch (...) {
      (void)library().destroy(handle_);
      throw;
    }
  }
  ~CufftPlan() { (void)library().destroy(handle_); }
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;

  api::Handle handle() const { return handle_; }
  // An area is set even where none is needed.
  std::size_t work_bytes() const { return std::max(work_bytes_, std::size_t{1}); }
  void work_in(void* area) const {
    check_cufft(library().set_work_area(handle_, area), "setting the work area");
  }

 private:
  api::Handle handle_ = -1;
  std::size_t work_bytes_ = 0;
};

template <class T>
class RealFft final : public Fft<T> {
  static constexpr bool is_double = std::is_same_v<T, double>;

 public:
  explicit RealFft(const FftLayout& layout)
      : layout_(layout),
        forward_(layout, layout.points, layout.spectrum, is_double ? api::d2z : api::r2c),
        backward_(layout, layout.spectrum, layout.points, is_double ? api::z2d : api::c2r) {}

  std::size_t work_bytes() const override {
    return std::max(forward_.work_bytes(), backward_.work_bytes());
  }
  void work_in(void* area) override {
    forward_.work_in(area);
    backward_.work_in(area);
  }

  void forward(const T* points, Complex<T>* spectrum) override {
    (void)cuda::library_stream();          // launches what was gathered
    T* const in = const_cast<T*>(points);  // is not written: the transform is not in place
    for (int r = 0; r < layout_.repeats; ++r)
      check_cufft(
          forward_at(in + r * layout_.points.repeat, spectrum + r * layout_.spectrum.repeat),
          "a transform");
  }
  void backward(Complex<T>* spectrum, T* points) override {
    (void)cuda::library_stream();
    for (int r = 0; r < layout_.repeats; ++r)
      check_cufft(
          backward_at(spectrum + r * layout_.spectrum.repeat, points + r * layout_.points.repeat),
          "a transform back");
  }

 private:
  api::Status forward_at(T* in, Complex<T>* out) const {
    if constexpr (is_double)
      return library().run_d2z(forward_.handle(), in, out);
    else
      return library().run_r2c(forward_.handle(), in, out);
  }
  api::Status backward_at(Complex<T>* in, T* out) const {
    if constexpr (is_double)
      return library().run_z2d(backward_.handle(), in, out);
    else
      return library().run_c2r(backward_.handle(), in, out);
  }

  FftLayout layout_;
  CufftPlan forward_, backward_;
};

// In place, one plan for both directions.
template <class T>
class ComplexFft final : public Fft<T> {
 public:
  explicit ComplexFft(const FftLayout& layout)
      : layout_(layout),
        plan_(layout, layout.spectrum, layout.spectrum,
              std::is_same_v<T, double> ? api::z2z : api::c2c) {}

  std::size_t work_bytes() const override { return plan_.work_bytes(); }
  void work_in(void* area) override { plan_.work_in(area); }

  void forward(const T*, Complex<T>* spectrum) override { run(spectrum, api::direction_forward); }
  void backward(Complex<T>* spectrum, T*) override { run(spectrum, api::direction_inverse); }

 private:
  void run(Complex<T>* spectrum, int direction) const {
    (void)cuda::library_stream();
    for (int r = 0; r < layout_.repeats; ++r) {
      Complex<T>* const at = spectrum + r * layout_.spectrum.repeat;
      if constexpr (std::is_same_v<T, double>)
        check_cufft(library().run_z2z(plan_.handle(), at, at, direction), "a transform");
      else
        check_cufft(library().run_c2c(plan_.handle(), at, at, direction), "a transform");
    }
  }

  FftLayout layout_;
  CufftPlan plan_;
};

}  // namespace

bool has_cufft() {
  return library().usable;
}

template <class T>
std::unique_ptr<Fft<T>> cufft(const FftLayout& layout) {
  if (layout.is_complex) return std::make_unique<ComplexFft<T>>(layout);
  return std::make_unique<RealFft<T>>(layout);
}

template std::unique_ptr<Fft<double>> cufft(const FftLayout&);
template std::unique_ptr<Fft<float>> cufft(const FftLayout&);

#else

bool has_cufft() {
  return false;
}

#endif

}  // namespace hodge::linalg
