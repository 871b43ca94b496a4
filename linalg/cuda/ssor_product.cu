#include "linalg/preconditioners/ssor_product_impl.hpp"

namespace hodge::linalg {

template class SsorProduct<Cuda, double>;
template class SsorProduct<Cuda, float>;

}  // namespace hodge::linalg
