"""Where a camera stands to see the whole of a box."""

import math


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    length = math.sqrt(dot(a, a))
    return [p / length for p in a]


def distance_to_see(bounds, towards_camera, up, angle, aspect, width=1.0, height=1.0):
    """The least distance from the middle of the box at which all of its corners are in the picture.

    `bounds` are x0, x1, y0, y1, z0, z1; `angle` is the vertical angle of view in degrees, `aspect` width / height of
    the picture. The corners take up at most the shares `width` and `height` of it, around its middle.
    """
    backward = unit(towards_camera)
    right = unit(cross(up, backward))
    upward = cross(backward, right)
    middle = [0.5 * (bounds[2 * d] + bounds[2 * d + 1]) for d in range(3)]
    slope = math.tan(math.radians(0.5 * angle))
    distance = 0.0
    for k in range(8):
        corner = [bounds[2 * d + (k >> d & 1)] - middle[d] for d in range(3)]
        needed = max(abs(dot(corner, right)) / (slope * aspect * width), abs(dot(corner, upward)) / (slope * height))
        distance = max(distance, dot(corner, backward) + needed)
    return distance
