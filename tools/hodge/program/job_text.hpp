// A job in lines of a name and a text, for `hodge check` and `hodge run --dry-run`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/hodge/program/job.hpp"

namespace hodge::tools {

using Lines = std::vector<std::pair<std::string, std::string>>;

Lines job_lines(const Job& job);

// One indented line each, the texts aligned.
std::string text_of(const Lines& lines);

}  // namespace hodge::tools
