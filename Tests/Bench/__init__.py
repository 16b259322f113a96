"""The benchmark: what Larder's commands cost, beside other programs at the same work.

`scripts/bench` starts it; `docs` of its rows are in rows.py, of the convergence in converge.py.
"""
