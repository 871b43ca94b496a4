#include "tools/hodge/reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/version.hpp"
#include "tools/hodge/bench/experiment.hpp"

namespace hodge::tools::reproduce {

// Each stands in the file of its name.
Publication bicg_tutorial(), ssor_sai(), gmres(), gauss();

std::span<const Publication> publications() {
  static const std::vector<Publication> all{bicg_tutorial(), ssor_sai(), gmres(), gauss()};
  return all;
}

std::vector<Reproduction> all_reproductions() {
  std::vector<Reproduction> all;
  for (const Publication& one : publications())
    all.insert(all.end(), one.reproductions.begin(), one.reproductions.end());
  return all;
}

std::vector<std::string> experiments_of(const std::vector<Reproduction>& chosen) {
  std::vector<std::string> names;
  for (const bench::Experiment& experiment : bench::experiment_table()) {
    const bool wanted = std::any_of(chosen.begin(), chosen.end(), [&](const Reproduction& one) {
      return std::find(one.experiments.begin(), one.experiments.end(),
                       std::string_view(experiment.name)) != one.experiments.end();
    });
    if (wanted) names.push_back(experiment.name);
  }
  return names;
}

sim::Table claims_table(const Reproduction& reproduction, const Findings& findings) {
  sim::Table table(reproduction.name, reproduction.description,
                   {{"of", "quantity"},
                    {"published", "published"},
                    {"measured", "measured"},
                    {"ratio", "measured / published", "{:.3g}"},
                    {"verdict", "verdict"}});
  for (const Claim& claim : reproduction.claims(findings)) {
    Json row{{"of", claim.of}, {"published", claim.published}};
    row["measured"] = claim.measured.empty() ? Json("not here") : Json(claim.measured);
    if (claim.ratio) row["ratio"] = *claim.ratio;
    row["verdict"] = claim.verdict;
    table.add(std::move(row));
  }
  return table;
}

namespace {

std::string items_markdown(const Publication& publication) {
  std::string text = "\n### Where it is in hodge\n\n| described there | in hodge |\n|---|---|\n";
  for (const Item& item : publication.items)
    text += fmt::format("| {} | {} |\n", item.what, item.state);
  return text;
}

}  // namespace

std::string literature_markdown(const std::vector<Reproduction>& chosen, const Findings& findings,
                                const std::string& command) {
  std::string text = fmt::format(
      "# The literature, reproduced\n\n"
      "The four works that linalg stands on: their figures beside what `{}` measured with hodge "
      "{}. "
      "Where a matrix of a publication cannot be had, one of the same size and the same mean row "
      "length stands for it (`like_...`), and ratios are compared, not seconds. Written by "
      "`--markdown`; do not edit it by hand.\n\n",
      command, version);
  for (const std::string& line : findings.circumstances()) text += fmt::format("- {}\n", line);
  for (const Publication& publication : publications()) {
    text += fmt::format("\n## {}\n", publication.citation);
    for (const Reproduction& one : publication.reproductions) {
      const bool wanted = std::any_of(chosen.begin(), chosen.end(), [&](const Reproduction& other) {
        return std::string_view(other.name) == one.name;
      });
      if (wanted) text += "\n" + claims_table(one, findings).markdown();
    }
    text += items_markdown(publication);
  }
  return text;
}

}  // namespace hodge::tools::reproduce
