#include "tools/hodge/bench/lapack.hpp"

#include "linalg/cuda/shared_library.hpp"

namespace hodge::tools::bench {
namespace {

using Dgesv = void(const int* n, const int* right_sides, double* a, const int* lda, int* pivots,
                   double* b, const int* ldb, int* info);

struct Library {
  std::string name;
  Dgesv* dgesv = nullptr;
};

const Library& library() {
  static const Library found = [] {
    for (const char* name : {"libopenblas.so.0", "liblapack.so.3"}) {
      const linalg::cuda::SharedLibrary file({name});
      if (auto* dgesv = file.symbol<Dgesv>("dgesv_")) return Library{name, dgesv};
    }
    return Library{};
  }();
  return found;
}

}  // namespace

std::string lapack_library() {
  return library().name;
}

bool lapack_solve(linalg::DenseMatrix<linalg::Host>& a, std::vector<double>& b) {
  const int n = a.rows(), one = 1;
  std::vector<int> pivots(static_cast<std::size_t>(n));
  int info = 0;
  library().dgesv(&n, &one, a.data(), &n, pivots.data(), b.data(), &n, &info);
  return info == 0;
}

}  // namespace hodge::tools::bench
