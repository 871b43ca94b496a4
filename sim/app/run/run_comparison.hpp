// The comparison of a run, if its settings ask for one: into the files of its directory and onto
// its console, a line a compared system.
#pragma once

#include <optional>

#include "sim/app/compare/comparison_files.hpp"
#include "sim/app/run/console.hpp"
#include "sim/flow/flow.hpp"

namespace hodge::sim {

class RunComparison final : public ComparisonSink {
 public:
  // Flow and console must outlive it; the flow tells it of its systems from here on.
  RunComparison(Flow& flow, const Settings& settings, const ComparisonStart& start,
                Console& console);
  ~RunComparison() override;
  RunComparison(const RunComparison&) = delete;
  RunComparison& operator=(const RunComparison&) = delete;

  void add(ComparedSystem system) override;
  // What has been found so far, also by a run that an error then stops.
  void report() const;

 private:
  Flow& flow_;
  Console& console_;
  std::optional<ComparisonFiles> files_;
};

}  // namespace hodge::sim
