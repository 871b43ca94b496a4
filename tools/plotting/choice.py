"""The names that --fields gives: which of the fields and columns of a run are drawn."""

def stands_for(name, offered):
    """Whether a name chooses a field or column: itself, and columns that begin with NAME_; velocity those of u, v, w.

    Iterations and seconds of solvers are chosen by their own names alone.
    """
    if offered.endswith(("_iterations", "_seconds")):
        return name == offered
    if name == "velocity" and offered.split("_")[0] in ("u", "v", "w"):
        return True
    return name == offered or offered.startswith(name + "_")


class Choice:
    """Without names everything is chosen. `known` collects what the run offers, file by file."""

    def __init__(self, names):
        self.names, self.known = names, {}

    def of(self, source, offered):
        """The chosen ones, in the order in which --fields names them."""
        self.known.setdefault(source, []).extend(offered)
        if not self.names:
            return list(offered)
        return list(dict.fromkeys(one for name in self.names for one in offered if stands_for(name, one)))

    def check(self):
        """ValueError for a name that chooses nothing."""
        everything = [one for offered in self.known.values() for one in offered]
        for name in self.names or []:
            if not any(stands_for(name, one) for one in everything):
                lists = "; ".join(f"{source}: {', '.join(dict.fromkeys(offered))}"
                                  for source, offered in self.known.items() if offered)
                raise ValueError(f"--fields: {name} is no field and no column, known: {lists or 'none'}")
