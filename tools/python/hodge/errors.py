"""The exceptions of hodge. Each has the program's message, and the program's exit code as `exit_code`."""

import builtins


class Error(Exception):
    """What all of them are."""

    exit_code = 4


class ConfigError(Error, ValueError):
    """Wrong input: `cavity.yaml:2:8: ...` of a file, `grid.cells: ...` of a dict, `--set KEY=VALUE: ...` of `set`."""

    exit_code = 2


class ShapeError(Error, ValueError):
    """Sizes that do not fit together, or an array of the wrong shape, type or device."""

    exit_code = 2


class NumericalError(Error, ArithmeticError):
    """The computation failed: no convergence, a blow-up, a singular system."""

    exit_code = 3


class DeviceError(Error, RuntimeError):
    """The machine failed: no such device, a failed kernel."""


class MemoryError(Error, builtins.MemoryError):
    """Not enough memory on the host or the device."""


class IoError(Error, OSError):
    """A file cannot be read or written."""
