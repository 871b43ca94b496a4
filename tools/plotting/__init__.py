"""The parts of tools/plot.py: frames of fields, and tables of numbers."""
