// How much a run says on the terminal; the log of a quiet run is that of any other.
#pragma once

namespace hodge::sim {

enum class Verbosity {
  quiet,    // nothing but errors
  normal,   // how far it is: one line that is redrawn, or plain lines every few seconds
  verbose,  // a plain line a step, with the residuals of its solves
};

}  // namespace hodge::sim
