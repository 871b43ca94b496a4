// A file that a configuration names, and what was in it when it was read.
#pragma once

#include <string>
#include <vector>

namespace hodge::sim {

struct InputFile {
  std::string file;    // as the resolved configuration names it: an absolute path
  std::string digest;  // BLAKE2b-256 of its contents

  bool operator==(const InputFile&) const = default;
};
using InputFiles = std::vector<InputFile>;

}  // namespace hodge::sim
