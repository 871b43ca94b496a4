"""Coordinates and units in which one and the same problem can be written.

A frame has its axes in another order, some of them reversed or begun elsewhere, and units that are powers of two times those of the
problem. The problem itself is a box from 0 to `size`. Its formulas have {x}, {y}, {z} and {t} where the coordinates and the time
stand, and {turn_x}, ... for 2 pi x / size, ..., which are the same at both ends of a periodic axis.
"""


class Frame:
    def __init__(self, size, order=None, reversed_axes=(), begins=None, depth=1.0, length=1.0, time=1.0, mass=1.0):
        """Axis i of this frame is axis order[i] of the problem. begins: at which coordinate of the problem a periodic axis begins
        here. depth: of a plane problem. A value in the problem's units times the unit is that here."""
        self.size = size
        self.dim = len(size)
        self.order = list(order or range(self.dim))
        self.reversed_axes = frozenset(reversed_axes)
        self.depth = depth
        self.begins = begins or [0.0] * self.dim
        self.units = {"length": length, "time": time, "velocity": length / time, "acceleration": length / time**2,
                      "diffusivity": length**2 / time, "pressure": mass / (length * time**2), "density": mass / length**3,
                      "flow_rate": length**self.dim / time, "area": length ** (self.dim - 1), "rate": 1.0 / time, "one": 1.0,
                      "flux": length / time, "transfer": length / time}

    def axis(self, a):
        """The name here of axis a of the problem."""
        return "xyz"[self.order.index(a)]

    def component(self, a):
        return "uvw"[self.order.index(a)]

    def sign(self, a):
        return -1 if a in self.reversed_axes else 1

    def handedness(self):
        """The sign that a rotation has here."""
        swaps = sum(b < a for i, a in enumerate(self.order) for b in self.order[i + 1:])
        return (-1) ** (swaps + len(self.reversed_axes))

    def side(self, a, is_upper):
        return self.axis(a) + ("_upper" if is_upper != (a in self.reversed_axes) else "_lower")

    def per_axis(self, values):
        return [values[a] for a in self.order]

    def number(self, value, unit):
        return value * self.units[unit]

    def point(self, values):
        here = [(v - self.begins[a]) % self.size[a] if self.begins[a] else v for a, v in enumerate(values)]
        here = [self.size[a] - v if a in self.reversed_axes else v for a, v in enumerate(here)]
        return [self.number(v, "length") for v in self.per_axis(here)]

    def box(self, lower, upper):
        """The corners of a box."""
        corners = [self.point(lower), self.point(upper)]
        return [[f(pair) for pair in zip(*corners)] for f in (min, max)]

    def formula(self, text, unit):
        names = {"t": f"(t/{self.units['time']!r})"}
        for a in range(self.dim):
            here = f"({self.axis(a)}/{self.units['length']!r})"
            here = f"({self.size[a]!r} - {here})" if a in self.reversed_axes else here
            names["xyz"[a]] = f"mod({here} + {self.begins[a]!r}, {self.size[a]!r})" if self.begins[a] else here
            names["turn_" + "xyz"[a]] = f"(2*pi*{names['xyz'[a]]}/{self.size[a]!r})"
        factor = self.units[unit]
        value = text.format(**names)
        return value if factor == 1.0 else f"({value})*{factor!r}"

    def vector(self, texts, unit):
        """Formulas of the components along the axes of the problem."""
        values = [self.formula(text, unit) for text in texts]
        return self.per_axis([f"-({v})" if a in self.reversed_axes else v for a, v in enumerate(values)])
