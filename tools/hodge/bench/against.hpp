// The results of an older run, the JSON that `hodge bench NAME --output DIR` has written, and what
// has changed since: for every row that both have, its times over those of the older run.
//
// A row is known by its keys (result_table.hpp), of the experiment as it is now. The result is one
// more table, `against`; other hardware, another version, rows without a partner are notes.
#pragma once

#include <filesystem>
#include <string>

#include "tools/hodge/bench/experiment_run.hpp"

namespace hodge::tools::bench {

class OlderResults {
 public:
  // Errors: ConfigError, one sentence, where the file is not there or is none of `hodge bench`.
  explicit OlderResults(const std::filesystem::path& file);

  const std::string& experiment() const { return experiment_; }

  // Adds the comparison to a run of the same experiment that has all of its rows.
  void compare(ExperimentRun& run) const;

 private:
  void note_differences(const Json& now, ExperimentRun& run) const;

  std::string file_, experiment_;
  Json data_;
};

}  // namespace hodge::tools::bench
