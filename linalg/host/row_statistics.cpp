// Host space: statistics of rows, and the list of long ones.
#include "linalg/matrices/row_statistics_impl.hpp"

namespace hodge::linalg {

template RowStatistics row_statistics<Host>(int, int, int, const int*, const int*);
template LongRows<Host> find_long_rows<Host>(int, const int*, int);

}  // namespace hodge::linalg
