#include <vector>

#include "linalg/cuda/shared_library.hpp"
#include "tools/hodge/bench/yardsticks.hpp"

namespace hodge::tools::bench {
namespace {

using Dgesv = void(const int* n, const int* right_sides, double* a, const int* lda, int* pivots,
                   double* b, const int* ldb, int* info);

struct Lapack {
  std::string file;
  Dgesv* dgesv = nullptr;
};

const Lapack& lapack() {
  static const Lapack found = [] {
    for (const char* name : {"libopenblas.so.0", "liblapack.so.3"}) {
      const linalg::cuda::SharedLibrary file({name});
      if (auto* dgesv = file.symbol<Dgesv>("dgesv_")) return Lapack{name, dgesv};
    }
    return Lapack{};
  }();
  return found;
}

}  // namespace

std::string lapack_library() {
  return lapack().file;
}

LibraryWork library_solve(linalg::DenseMatrix<linalg::Host>& a, linalg::Vector<linalg::Host>& b) {
  if (lapack().dgesv == nullptr) return {};
  return [&a, &b, pivots = std::vector<int>(static_cast<std::size_t>(a.rows()))]() mutable {
    const int n = a.rows(), one = 1;
    int info = 0;
    lapack().dgesv(&n, &one, a.data(), &n, pivots.data(), b.data(), &n, &info);
  };
}

}  // namespace hodge::tools::bench
