"""Waits until other work on the machine has ended, because it would be measured too."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from .measure import Failed

LOADED = 0.5
"""The highest load of the last minute, of all processors together, at which figures are published."""
PATIENCE = 300
"""The seconds in which it has to fall: building Larder was work, too."""


def wait_for_quiet(
    allowed: str,
    load: Callable[[], float] = lambda: os.getloadavg()[0],
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Waits for a load of at most so much, by default 0.5; fails if it stays higher for five minutes."""
    try:
        most = float(allowed or LOADED)
    except ValueError:
        raise Failed(f"LOAD is a number such as 2.5, not {allowed!r}") from None
    for waited in range(0, PATIENCE, 5):
        now = load()
        if now <= most:
            return
        if waited == 0:
            print(f"the load is {now:.2f}: waiting for {most}, five minutes at most", flush=True)
        sleep(5)
    raise Failed(
        f"other work keeps this machine busy: the load is {now:.2f}, and {most} is quiet\n"
        f"hint: end it, and try again; LOAD={now + 1:.0f} measures all the same, and the document says the load"
    )
