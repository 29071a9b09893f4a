"""The kit that chapters are made of: they import from here, from `manim` and from `lesson`, and nowhere else."""
