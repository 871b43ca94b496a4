// The frequency of a record (t, q) of one nearly periodic signal, with its uncertainty; steps may
// have any sizes. tools/plotting/frequency.py does the same for any column of any file.
//
// The crossings of the mean, counted with a hysteresis of half the rms, give a first frequency f.
// Each period then gives an amplitude and a phase, by least squares with the mean and the second
// harmonic beside the wave; the slope of the phases in time corrects f. The uncertainty is the
// larger one of the 95 % interval of that slope and of half the difference between the two halves
// of the record, so it knows both the scatter of the periods and a frequency that still changes.
//
// A record has a frequency where it has at least four periods of at least six rows, its amplitude
// grows or decays by at most 20 % from end to end, the wave and its second harmonic explain at
// least half of its variance, and the uncertainty is at most a tenth of the frequency.
#pragma once

#include <span>
#include <string>

namespace hodge::sim {

struct Frequency {
  double value = 0, uncertainty = 0;  // 1/T; 95 %
  double periods = 0;                 // in the record
  double amplitude = 0;               // of the wave
  std::string why_none;               // not empty: the record has no frequency, and why
};

// Of two lists of one length, t increasing.
Frequency frequency_of(std::span<const double> t, std::span<const double> q);

}  // namespace hodge::sim
