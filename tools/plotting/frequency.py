"""The frequency of a record (t, q) of one nearly periodic signal, with its uncertainty; steps may have any sizes.

The largest peak of the spectrum (Hann window) gives a first frequency f. Each period then gives an amplitude and a phase,
by least squares with the mean and the second harmonic beside the wave; the slope of the phases in time corrects f. The
uncertainty is the larger one of the 95 % interval of that slope and of half the difference between the two halves of the
record, so it knows both the scatter of the periods and a frequency that still changes.
"""

import math

import numpy

LEAST_PERIODS = 4
LARGEST_TREND = 0.2     # of the amplitude, from end to end of the record
LEAST_SHARE = 0.5       # of the variance that the wave and its second harmonic explain


class NoFrequency(ValueError):
    """The record has no frequency that could be told."""


def design(t, f, harmonics):
    """Columns 1, cos, sin, ... of the model at times t."""
    waves = [wave(2 * math.pi * k * f * t) for k in range(1, harmonics + 1) for wave in (numpy.cos, numpy.sin)]
    return numpy.column_stack([numpy.ones_like(t)] + waves)


def fit(t, q, weights, f, harmonics=2):
    """(coefficients, weighted sum of squares that is left) of the least-squares fit."""
    root = numpy.sqrt(weights)
    matrix = design(t, f, harmonics)
    coefficients = numpy.linalg.lstsq(matrix * root[:, None], q * root, rcond=None)[0]
    return coefficients, float(numpy.sum(weights * (q - matrix @ coefficients) ** 2))


def spans(t):
    """The part of the record that each sample stands for: the weights of the trapezoidal rule."""
    steps = numpy.diff(t)
    return 0.5 * (numpy.append(steps, 0) + numpy.insert(steps, 0, 0))


def spectral_peak(t, q):
    """The frequency whose wave explains most of the windowed record: that of a spectrum of evenly spaced values, improved
    by a golden section over fits to the record itself."""
    length = t[-1] - t[0]
    even = numpy.linspace(t[0], t[-1], 2 * len(t))
    spectrum = numpy.abs(numpy.fft.rfft(numpy.interp(even, t, q) * numpy.hanning(len(even)), 8 * len(even)))
    step = (len(even) - 1) / (8 * len(even) * length)
    first = math.ceil(1 / (length * step))  # slower waves have no whole period in the record
    lower, upper = (first + int(numpy.argmax(spectrum[first:]))) * step + step * numpy.array([-1.0, 1.0])
    weights = spans(t) * numpy.sin(math.pi * (t - t[0]) / length) ** 2
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(30):
        a, b = upper - ratio * (upper - lower), lower + ratio * (upper - lower)
        lower, upper = (lower, b) if fit(t, q, weights, a, 1)[1] < fit(t, q, weights, b, 1)[1] else (a, upper)
    return 0.5 * (lower + upper)


def slope(x, y):
    """(slope, its 95 % interval) of the line through the points."""
    x = x - x.mean()
    value = float(numpy.sum(x * y) / numpy.sum(x * x))
    rest = y - y.mean() - value * x
    freedom = max(len(x) - 2, 1)
    error = math.sqrt(float(numpy.sum(rest**2)) / freedom / float(numpy.sum(x * x)))
    return value, (2 + 4 / freedom) * error  # Student's factor, within 10 %


def periods_of(t, q, f):
    """(middle times, amplitudes, phases) of the periods, whole ones counted from the end of the record."""
    count = int((t[-1] - t[0]) * f + 1e-9)
    edges = t[-1] - numpy.arange(count, -1, -1) / f
    weights, middles, waves = spans(t), [], []
    for lower, upper in zip(edges, edges[1:]):
        inside = (t >= lower) & (t <= upper)
        if numpy.count_nonzero(inside) < 6:
            continue
        _, c, s = fit(t[inside], q[inside], weights[inside], f, 2)[0][:3]
        middles.append(0.5 * (lower + upper))
        waves.append(complex(c, -s))
    return numpy.array(middles), numpy.abs(waves), numpy.unwrap(numpy.angle(waves))


def refuse_trend(middles, amplitudes, t):
    rate, error = slope(middles, numpy.log(amplitudes))
    trend, least = (math.expm1(r * (t[-1] - t[0])) for r in (abs(rate), abs(rate) - error))
    if least > LARGEST_TREND:
        raise NoFrequency(f"the signal {'grows' if rate > 0 else 'decays'} by {100 * trend:.0f} % from t = {t[0]:.6g} to "
                          f"{t[-1]:.6g}: a longer run, or a later --from")


def uncertainty_of(middles, phases):
    """The larger one of the 95 % interval of the slope and of half the difference between the slopes of both halves."""
    half = len(middles) // 2
    halves = [slope(middles[part], phases[part])[0] for part in (slice(0, half), slice(-half, None))]
    return max(slope(middles, phases)[1], abs(halves[0] - halves[1]) / 2) / (2 * math.pi)


def frequency(t, q):
    """A dictionary of what is known of the record's wave; NoFrequency where there is none."""
    if len(t) < 16:
        raise NoFrequency(f"{len(t)} rows are too few")
    length, weights = t[-1] - t[0], spans(t)
    mean = float(numpy.sum(weights * q) / length)
    rms = math.sqrt(float(numpy.sum(weights * (q - mean) ** 2) / length))
    if rms <= 1e-12 * numpy.max(numpy.abs(q)):
        raise NoFrequency("the signal does not vary")
    q = (q - mean) / rms
    f = spectral_peak(t, q)
    for _ in range(4):
        if length * f < LEAST_PERIODS:
            raise NoFrequency(f"{length * f:.1f} periods from t = {t[0]:.6g} to {t[-1]:.6g}, expected {LEAST_PERIODS} or more: "
                              "a longer run, or an earlier --from")
        middles, amplitudes, phases = periods_of(t, q, f)
        if len(middles) < LEAST_PERIODS:
            raise NoFrequency("fewer than six rows per period")
        f += slope(middles, phases)[0] / (2 * math.pi)
    refuse_trend(middles, amplitudes, t)
    share = 1 - fit(t, q, weights, f)[1] / length
    if share < LEAST_SHARE:
        raise NoFrequency(f"not periodic: the best wave, of frequency {f:.4g}, explains {100 * share:.0f} % of the variance")
    return {"frequency": f, "uncertainty": uncertainty_of(middles, phases), "periods": length * f, "mean": mean, "rms": rms,
            "amplitude": float(numpy.mean(amplitudes)) * rms}
