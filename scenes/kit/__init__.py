"""The kit that chapters are made of. Chapters import from here, from `manim` and from `lesson`, and nowhere else."""
