"""The benchmark: what Larder's commands cost, beside other programs at the same work.

`scripts/bench` starts it. The rows are in rows.py, the tools that converge in tools.
"""
