// The threads that pack frames beside the steps of a run.
//
// They take the run's cores, as many as OpenMP has threads (OMP_NUM_THREADS, or the cores that the
// process may use), at most 16; on a GPU all but the one that drives it. Their priority is lower
// than that of the steps: where the steps compute on the same cores, packing takes what these
// leave, and all of them where a step waits for a frame.
#pragma once

namespace hodge::sim {

int frame_threads(bool device_is_host);

// Called first by every such thread. A thread inherits the processor that OMP_PROC_BIND has bound
// the main thread to: it may use all processors of the run instead.
void run_in_background();

}  // namespace hodge::sim
