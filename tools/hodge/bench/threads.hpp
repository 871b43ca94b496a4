// The Host space on one thread, for as long as this lives.
#pragma once

#include <omp.h>

namespace hodge::tools::bench {

class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

}  // namespace hodge::tools::bench
