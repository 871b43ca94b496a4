// A Matrix Market file, packed by gzip or not: as a matrix and as a vector.
#include "linalg/files/matrix_market.hpp"
#include "linalg/matrices/convert.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hodge::fuzz::MemoryFile file(hodge::fuzz::text_of(data, size));
  hodge::fuzz::expect_errors_of_hodge(
      [&] { (void)hodge::linalg::to_csr(hodge::linalg::read_matrix_market(file.path()).matrix); });
  return hodge::fuzz::expect_errors_of_hodge(
      [&] { (void)hodge::linalg::read_vector(file.path()); });
}
