// How long OpenMP threads spin before they sleep.
#pragma once

namespace hodge::tools {

// A step is thousands of short parallel loops. Threads that spin for milliseconds between them, as
// GNU OpenMP's do, starve each other as soon as another process wants a core: runs on two busy
// cores were up to 40 times slower than on one. Spinning for some microseconds and then sleeping
// costs 10 % at most, on the smallest grids of an idle machine. The OpenMP runtime reads its
// settings when it is loaded, so the program sets GOMP_SPINCOUNT and starts itself anew, once,
// unless the user has said how threads wait or where they run. Returns where that is so or the
// restart is not possible.
void spin_briefly(char** argv);

}  // namespace hodge::tools
