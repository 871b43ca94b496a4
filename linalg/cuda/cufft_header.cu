// Compares cufft.hpp with the header of the toolkit, where it is there. Enumerations and ints are
// passed alike, and so are pointers.
#if __has_include(<cufft.h>)
#include <cufft.h>

#include <type_traits>

#include "linalg/base/complex.hpp"
#include "linalg/cuda/cufft.hpp"

namespace hodge::linalg::cuda::cufft_interface {

namespace {

// Two types that are passed alike, of which one is a stand-in for the other.
template <class Ours, class Theirs>
constexpr bool alike = std::is_enum_v<Theirs> && sizeof(Ours) == sizeof(Theirs);
template <class Type>
constexpr bool alike<Type, Type> = true;
template <class Ours, class Theirs>
constexpr bool alike<Ours*, Theirs*> = sizeof(Ours) == sizeof(Theirs);
template <class Type>
constexpr bool alike<Type*, Type*> = true;

template <class Ours, class Theirs>
struct Same : std::false_type {};
template <class Our, class... Ours, class Their, class... Theirs>
struct Same<Our(Ours...), Their(Theirs...)>
    : std::bool_constant<alike<Our, Their> && sizeof...(Ours) == sizeof...(Theirs) &&
                         (alike<Ours, Theirs> && ...)> {};

static_assert(Same<Create, decltype(cufftCreate)>::value);
static_assert(Same<Destroy, decltype(cufftDestroy)>::value);
static_assert(Same<SetAutoAllocation, decltype(cufftSetAutoAllocation)>::value);
static_assert(Same<MakePlanMany, decltype(cufftMakePlanMany)>::value);
static_assert(Same<SetStream, decltype(cufftSetStream)>::value);
static_assert(Same<RunReal<float, Complex<float>>, decltype(cufftExecR2C)>::value);
static_assert(Same<RunReal<Complex<float>, float>, decltype(cufftExecC2R)>::value);
static_assert(Same<RunReal<double, Complex<double>>, decltype(cufftExecD2Z)>::value);
static_assert(Same<RunReal<Complex<double>, double>, decltype(cufftExecZ2D)>::value);
static_assert(Same<RunComplex<Complex<float>>, decltype(cufftExecC2C)>::value);
static_assert(Same<RunComplex<Complex<double>>, decltype(cufftExecZ2Z)>::value);
static_assert(std::is_same_v<decltype(cufftSetWorkArea), cufftResult(cufftHandle, void*)>);
static_assert(c2c == int{CUFFT_C2C} && r2c == int{CUFFT_R2C} && c2r == int{CUFFT_C2R});
static_assert(z2z == int{CUFFT_Z2Z} && d2z == int{CUFFT_D2Z} && z2d == int{CUFFT_Z2D});
static_assert(success == int{CUFFT_SUCCESS});
static_assert(direction_forward == CUFFT_FORWARD && direction_inverse == CUFFT_INVERSE);

}  // namespace

}  // namespace hodge::linalg::cuda::cufft_interface
#endif
