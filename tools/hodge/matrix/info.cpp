#include <fmt/format.h>

#include <cmath>

#include "tools/hodge/matrix/matrix.hpp"

namespace hodge::tools {
namespace {

std::string line(const char* name, const std::string& text) {
  return fmt::format("{:<15} {}\n", name, text);
}

// "coordinate real symmetric": the words of the header.
std::string header_text(const linalg::MatrixMarketHeader& header) {
  using namespace linalg;
  const bool array = header.format == MatrixMarketFormat::array;
  const char* field = header.field == MatrixMarketField::real      ? "real"
                      : header.field == MatrixMarketField::integer ? "integer"
                                                                   : "pattern";
  const char* symmetry = header.symmetry == MatrixMarketSymmetry::general     ? "general"
                         : header.symmetry == MatrixMarketSymmetry::symmetric ? "symmetric"
                                                                              : "skew-symmetric";
  return fmt::format("{} {} {}", array ? "array" : "coordinate", field, symmetry);
}

double share(long long part, long long whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string symmetry_text(const MatrixFacts& facts) {
  if (!facts.square()) return "not square";
  std::string pattern = "pattern symmetric";
  if (!facts.pattern_symmetric())
    pattern = fmt::format(
        "pattern {:.1f} % symmetric ({} of {} off-diagonal entries have no mirror)",
        100.0 - share(facts.unmatched, facts.off_diagonal), facts.unmatched, facts.off_diagonal);
  if (facts.asymmetry == 0) return pattern + ", values symmetric";
  return fmt::format("{}, values {}symmetric: max |a_ij - a_ji| / max |a_ij| = {:.2e}", pattern,
                     facts.symmetric() ? "" : "not ", facts.asymmetry);
}

std::string diagonal_text(const MatrixFacts& facts) {
  return fmt::format("{} positive, {} negative, {} zero, {} missing", facts.diagonal_positive,
                     facts.diagonal_negative, facts.diagonal_zero, facts.diagonal_missing);
}

std::string dominance_text(const MatrixFacts& facts) {
  const std::string least =
      std::isinf(facts.least_dominance)
          ? "no row has other entries"
          : fmt::format("least |a_ii| / sum of the others {:.4g}", facts.least_dominance);
  return fmt::format("{:.1f} % of the rows diagonally dominant, {}",
                     share(facts.dominant_rows, facts.rows), least);
}

std::string signs_text(const MatrixFacts& facts) {
  return fmt::format("{:.1f} % of the off-diagonal entries have the sign of the diagonal{}",
                     share(facts.like_diagonal, facts.off_diagonal),
                     facts.like_diagonal == 0 ? ", as in an M-matrix" : "");
}

std::string null_space_text(const MatrixFacts& facts) {
  if (facts.constant_null_space()) return "A 1 = 0: constants are in the null space";
  return fmt::format("max |row sum| / norm inf = {:.2e}", facts.row_sum);
}

std::string for_symmetric(const MatrixFacts& facts) {
  const bool dominant = facts.dominant_rows == facts.rows;
  if (facts.diagonal_positive == facts.rows)
    return dominant ? "positive (semi)definite by diagonal dominance: cg with ssor_sai"
                    : "perhaps positive definite: cg, which says so if it is not; otherwise gmres";
  if (facts.diagonal_negative == facts.rows)
    return dominant ? "negative (semi)definite by diagonal dominance: cg for -A x = -b"
                    : "perhaps negative definite: cg for -A x = -b; otherwise gmres";
  return "indefinite: gmres";
}

std::string for_nonsymmetric(const MatrixFacts& facts) {
  if (!facts.full_diagonal()) return "gmres without preconditioner (the diagonal is not complete)";
  return facts.dominant_rows == facts.rows ? "bicgstab with jacobi or ssor_sai"
                                           : "gmres or bicgstab with ssor_sai";
}

// Which of the solvers to try, a sentence.
std::string solver_hint(const MatrixFacts& facts) {
  if (!facts.square()) return "none: the matrix is not square";
  if (facts.lengths.empty_rows > 0) return "none: empty rows make the matrix singular";
  constexpr int small = 2000;
  std::string text = facts.symmetric() ? for_symmetric(facts) : for_nonsymmetric(facts);
  if (facts.far_from_m_matrix())
    text +=
        "; ssor_sai with a fixed omega is not recommended (many entries have the sign of the "
        "diagonal): jacobi, or omega auto";
  if (facts.rows <= small) text += "; small enough for gauss";
  if (facts.constant_null_space()) text += "; with --null-space constant";
  return text;
}

}  // namespace

std::string info_text(const MatrixFile& file) {
  const MatrixFacts facts = facts_of(*file.matrix);
  const linalg::RowStatistics& lengths = facts.lengths;
  std::string text = line("size", fmt::format("{} rows, {} columns", facts.rows, facts.cols));
  text += line("file",
               fmt::format("{} entries stored, {}", file.header.stored, header_text(file.header)));
  text += line("non-zeros",
               fmt::format("{}, of them {} explicit zeros", facts.nonzeros, facts.explicit_zeros));
  text += line("symmetry", symmetry_text(facts));
  if (facts.square()) {
    text += line("diagonal", diagonal_text(facts));
    text += line("signs", signs_text(facts));
    text += line("dominance", dominance_text(facts));
    text += line("row sums", null_space_text(facts));
  }
  text += line("bandwidth", fmt::format("{} below the diagonal, {} above", lengths.lower_bandwidth,
                                        lengths.upper_bandwidth));
  text += line("row lengths",
               fmt::format("least {}, mean {:.4g}, most {}, standard deviation {:.4g}, {} empty",
                           lengths.shortest, lengths.mean, lengths.longest, lengths.deviation,
                           lengths.empty_rows));
  text +=
      line("norms", fmt::format("1: {:.6g}, infinity: {:.6g}, Frobenius: {:.6g}, largest: {:.6g}",
                                facts.norm_1, facts.norm_inf, facts.norm_frobenius, facts.largest));
  text += line("SpMV kernel", file.matrix->kernel());
  return text + line("solver", solver_hint(facts));
}

}  // namespace hodge::tools
