"""Runs of a script that mpirun has started several times: every process makes the same calls, process 0 does what they say
with the others, and all have its answer."""

import atexit
import contextlib
import pickle

from . import _hodge, errors

_open: dict = {}  # of process 0: {number: _hodge.Run}, in the order in which they were made
_left: list = []  # likewise: runs that nobody has any more, which may end only where the others follow
_known: dict = {}


def count():
    """How many processes share the runs of this script. Starts MPI, where they are several."""
    if "count" not in _known:
        _known["count"] = _hodge.size()
    return _known["count"]


def together(action):
    """action() of process 0, in all processes; an exception is raised in all. Collective."""
    if count() == 1:
        return action()

    def answer():
        _left.clear()
        try:
            return pickle.dumps((action(), None))
        except (Exception, KeyboardInterrupt) as error:
            return pickle.dumps((None, error))
    value, error = pickle.loads(_hodge.together(answer))
    if error is not None:
        raise error
    return value


@atexit.register
def _end():
    """Ends the runs that are open, and then MPI."""
    if _known.get("count", 1) == 1:
        return

    def close_all():
        for run in _open.values():
            with contextlib.suppress(errors.Error):
                if run.has_files:
                    run.finish(0)
            run.close()
        _open.clear()
    together(close_all)
    _hodge.end_together()


class SharedRun:
    """As _hodge.Run, of all processes: each call and each property is collective."""

    _properties = ("time", "steps", "dt", "has_files", "is_closed", "device", "directory", "name", "config", "ended")
    _made = 0

    def __init__(self, *arguments):
        SharedRun._made += 1
        self._number = SharedRun._made

        def make():
            _open[self._number] = _hodge.Run(*arguments)
        together(make)

    def __getattr__(self, name):
        if name in self._properties:
            return together(lambda: getattr(_open[self._number], name))
        return lambda *arguments: together(lambda: getattr(_open[self._number], name)(*arguments))

    def __del__(self):
        run = _open.pop(self._number, None)
        if run is not None:
            _left.append(run)
