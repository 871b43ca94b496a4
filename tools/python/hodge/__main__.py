"""python -m hodge: the command `hodge`."""

from .program import main

main()
