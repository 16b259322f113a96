"""The benchmark's arithmetic and its data."""
