// Compares cufft.hpp with the header of the toolkit, where it is there.
#if __has_include(<cufft.h>)
#include <cufft.h>

#include <type_traits>

#include "linalg/base/complex.hpp"
#include "linalg/cuda/device/alike.hpp"
#include "linalg/cuda/device/cufft.hpp"

namespace hodge::linalg::cuda::cufft_interface {

namespace {

static_assert(same_call<Create, decltype(cufftCreate)>);
static_assert(same_call<Destroy, decltype(cufftDestroy)>);
static_assert(same_call<SetAutoAllocation, decltype(cufftSetAutoAllocation)>);
static_assert(same_call<MakePlanMany, decltype(cufftMakePlanMany)>);
static_assert(same_call<SetStream, decltype(cufftSetStream)>);
static_assert(same_call<RunReal<float, Complex<float>>, decltype(cufftExecR2C)>);
static_assert(same_call<RunReal<Complex<float>, float>, decltype(cufftExecC2R)>);
static_assert(same_call<RunReal<double, Complex<double>>, decltype(cufftExecD2Z)>);
static_assert(same_call<RunReal<Complex<double>, double>, decltype(cufftExecZ2D)>);
static_assert(same_call<RunComplex<Complex<float>>, decltype(cufftExecC2C)>);
static_assert(same_call<RunComplex<Complex<double>>, decltype(cufftExecZ2Z)>);
static_assert(std::is_same_v<decltype(cufftSetWorkArea), cufftResult(cufftHandle, void*)>);
static_assert(c2c == int{CUFFT_C2C} && r2c == int{CUFFT_R2C} && c2r == int{CUFFT_C2R});
static_assert(z2z == int{CUFFT_Z2Z} && d2z == int{CUFFT_D2Z} && z2d == int{CUFFT_Z2D});
static_assert(success == int{CUFFT_SUCCESS});
static_assert(direction_forward == CUFFT_FORWARD && direction_inverse == CUFFT_INVERSE);

}  // namespace

}  // namespace hodge::linalg::cuda::cufft_interface
#endif
