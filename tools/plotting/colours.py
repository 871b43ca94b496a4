"""Ranges of colours, for plot.py and view.py alike."""

# Fields whose zero is in the middle of blue and red, where they have both signs.
SIGNED = ("vorticity", "pressure", "mean_pressure")
# The smaller side must have this share of the larger one: else half of the colours would hardly be used.
SMALLEST_SHARE = 0.2


def colour_range(name, low, high):
    """(low, high, has_middle): with a middle, zero is there and the range is as wide on both sides."""
    if name in SIGNED and low < 0 < high and min(-low, high) >= SMALLEST_SHARE * max(-low, high):
        bound = max(-low, high)
        return -bound, bound, True
    return low, (high if high > low else low + 1), False
