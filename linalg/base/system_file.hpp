// What Linux says of the machine and of this process in the files of /proc and /sys.
#pragma once

#include <string>

namespace hodge::linalg {

// The text of such a file; empty where there is none or it cannot be read to its end: then what it
// would say is not known.
std::string text_of_system_file(const char* path);

}  // namespace hodge::linalg
