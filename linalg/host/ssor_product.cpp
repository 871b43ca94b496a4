#include "linalg/preconditioners/ssor_product_impl.hpp"

namespace hodge::linalg {

template class SsorProduct<Host, double>;
template class SsorProduct<Host, float>;

}  // namespace hodge::linalg
