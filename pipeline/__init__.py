"""From chapters to finished video files: plan, render, publish, join."""
