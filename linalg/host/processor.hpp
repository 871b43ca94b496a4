// The processor that the Host space runs on.
#pragma once

#include <string>

namespace hodge::linalg::host {

std::string processor_name();  // as the system calls it; "CPU" where it does not say
int thread_count();            // of a parallel loop

}  // namespace hodge::linalg::host
