// The tables and figures of the four works that linalg stands on, each beside what hodge measures
// today. To add one: an entry in the table of its work's file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/hodge/reproduce/findings.hpp"

namespace hodge::tools::reproduce {

// One published figure or statement beside ours.
struct Claim {
  std::string of;               // the quantity
  std::string published;        // as printed there, with the unit
  std::string measured;         // empty: not measured here
  std::optional<double> ratio;  // measured / published, where both are the same quantity
  std::string verdict;          // whether it holds, and why not where it does not
};

// A table or figure of a publication.
struct Reproduction {
  const char* name;
  const char* description;               // one line
  std::vector<const char*> experiments;  // of `hodge bench`, whose rows it reads
  std::vector<Claim> (*claims)(const Findings& findings);
};

// What a publication describes, and where it is in hodge.
struct Item {
  const char* what;
  const char* state;  // done as published; done otherwise, and why; not reproducible, and why
};

struct Publication {
  const char* citation;
  std::vector<Reproduction> reproductions;
  std::vector<Item> items;
};

std::span<const Publication> publications();
std::vector<Reproduction> all_reproductions();

// Names of experiments that these need, in the order of `hodge bench`, each once.
std::vector<std::string> experiments_of(const std::vector<Reproduction>& chosen);

// The claims of a reproduction as a table: published, measured, ratio, verdict.
sim::Table claims_table(const Reproduction& reproduction, const Findings& findings);

// linalg/LITERATURE.md: each publication with its claims and its items.
std::string literature_markdown(const std::vector<Reproduction>& chosen, const Findings& findings,
                                const std::string& command);

}  // namespace hodge::tools::reproduce
