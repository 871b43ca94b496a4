// Moments in the queue of a space: its work is timed, and values are brought to the host, without
// waiting for each part. host/marks.cpp, cuda/device/marks.cu.
#pragma once

namespace hodge::linalg {

// Used by one host thread only. Errors: DeviceError.
template <class Space>
struct Marks {
  static int set();                              // behind the work that is queued now
  static void wait(int mark);                    // until the work before it is done
  static double seconds(int first, int second);  // between two marks whose work is done
  static void forget();                          // all marks
  // *shared := *value, in memory of allocate_shared(), behind the work that is queued now.
  static void bring(const double* value, double* shared);
};

}  // namespace hodge::linalg
