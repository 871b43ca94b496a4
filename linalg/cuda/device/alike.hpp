// Compares functions that are declared here for libraries that may be missing with those of the
// library's header. Enumerations and ints are passed alike, and so are pointers.
#pragma once

#include <type_traits>

namespace hodge::linalg::cuda {

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
struct SameCall : std::false_type {};
template <class Our, class... Ours, class Their, class... Theirs>
struct SameCall<Our(Ours...), Their(Theirs...)>
    : std::bool_constant<alike<Our, Their> && sizeof...(Ours) == sizeof...(Theirs) &&
                         (alike<Ours, Theirs> && ...)> {};
template <class Ours, class Theirs>
inline constexpr bool same_call = SameCall<Ours, Theirs>::value;

}  // namespace hodge::linalg::cuda
