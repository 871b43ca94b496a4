// A configuration file with the case that it names: everything that a run needs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cases/registry.hpp"
#include "sim/app/job.hpp"

namespace hodge::sim {
struct Doubt;
struct Preview;
struct RunPlan;
}  // namespace hodge::sim

namespace hodge::tools {

using sim::Job, sim::load_job, sim::placed, sim::with_places;

// Tells on stderr which settings of the file have no effect and which sides drive a flow that may
// not be meant; `processes` run it, 0: not known.
void print_warnings(const Job& job, int processes = 0);

// Tells on stderr what may be meant otherwise.
void print_doubts(const Job& job, const std::vector<sim::Doubt>& doubts);

using Lines = std::vector<std::pair<std::string, std::string>>;

// A job in lines of a name and a text, for `hodge check` and `hodge run --dry-run`.
Lines job_lines(const Job& job, const sim::Preview& begin);

// Those of what it begins with: widths of cells, first step, bounds of scalars, flow rates.
Lines preview_lines(const Job& job, const sim::Preview& begin);

// "21 frames of about 1.3 MB each, 27 MB in all, before compression", of the whole box and of each
// region.
Lines frame_lines(const sim::RunPlan& plan);

// One indented line each, the texts aligned.
std::string text_of(const Lines& lines);

}  // namespace hodge::tools
