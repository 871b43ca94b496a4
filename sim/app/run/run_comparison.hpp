// The comparison of solvers in a run, if its settings ask for one: writes the files in the run
// directory, and one line per compared system on the console.
#pragma once

#include <optional>

#include "sim/app/compare/comparison_files.hpp"
#include "sim/app/run/console.hpp"
#include "sim/flow/flow.hpp"

namespace hodge::sim {

class RunComparison final : public ComparisonSink {
 public:
  // Flow and console must outlive it. From here on the flow reports its systems to it.
  RunComparison(Flow& flow, const Settings& settings, const ComparisonStart& start,
                Console& console);
  ~RunComparison() override;
  RunComparison(const RunComparison&) = delete;
  RunComparison& operator=(const RunComparison&) = delete;

  void add(ComparedSystem system) override;
  // Writes what has been found so far; called after an error too.
  void report() const;

 private:
  Flow& flow_;
  Console& console_;
  std::optional<ComparisonFiles> files_;
};

}  // namespace hodge::sim
