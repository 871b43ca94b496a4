// Cuda space: statistics of rows, and the list of long ones.
#include "linalg/matrices/row_statistics_impl.hpp"

namespace hodge::linalg {

template RowStatistics row_statistics<Cuda>(int, int, int, const int*, const int*);
template LongRows<Cuda> find_long_rows<Cuda>(int, const int*, int);

}  // namespace hodge::linalg
