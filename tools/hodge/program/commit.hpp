// Which sources the program was built from.
#pragma once

namespace hodge::tools {

// The git commit, ", with local changes" where files differ from it; "unknown" outside of a
// repository. Made by tools/cmake/hodge_commit.cmake.
const char* commit();

}  // namespace hodge::tools
