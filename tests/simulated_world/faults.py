"""The faults of a simulated world: their rates, drawn from the seed, and how often each one happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

STRENGTHS = (0.0, 0.5, 1.0, 1.0, 3.0)
"""The factors by which a seed multiplies the usual rate of a fault; 0 means that the fault never happens."""
CHANCES = {
    "delayed message": 0.03,
    "message lost with its connection": 0.0015,
    "command sent twice": 0.04,
    "request lost": 0.01,
    "reply lost": 0.01,
    "crash before a commit": 0.002,
    "crash after a commit": 0.002,
    "failing read": 0.002,
    "failing fsync": 0.012,
    "call given up before it wrote": 0.003,
    "call given up after it wrote": 0.003,
}
"""The usual chance of a fault at each opportunity."""
EVERY = {
    "disconnect": 25.0,
    "client paused": 40.0,
    "server paused": 80.0,
    "crash": 90.0,
    "clock jump": 60.0,
    "disk full": 100.0,
    "disk gone": 120.0,
    "slow disk": 90.0,
}
"""The usual simulated seconds between two faults of a kind, for faults that happen at random times."""
KINDS = (*CHANCES, *EVERY)


class Faults:
    """Decides when a fault happens. Each kind has its own random numbers, so one kind does not change the
    others."""

    def __init__(self, seed: str, now: Callable[[], float], trace: Callable[[str], None]) -> None:
        rng = Random(f"{seed}/faults")
        self._strength = {kind: rng.choice(STRENGTHS) for kind in KINDS}
        self._rngs = {kind: Random(f"{seed}/{kind}") for kind in KINDS}
        self._now = now
        self._trace = trace
        self.happened: Counter[str] = Counter()
        self.stopped = True
        """True before the faults begin and after they end."""

    def happens(self, kind: str, rng: Random | None = None) -> bool:
        """True if a fault happens at this opportunity. `rng` is for opportunities without a fixed order."""
        chance = CHANCES[kind] * self._strength[kind]
        if self.stopped or (rng or self._rngs[kind]).random() >= chance:
            return False
        self.note(kind)
        return True

    def wait(self, kind: str) -> float | None:
        """Return the seconds until the next fault of a kind; None if there is none in this seed."""
        strength = self._strength[kind]
        return self._rngs[kind].expovariate(strength / EVERY[kind]) if strength else None

    def note(self, kind: str) -> None:
        """Count a fault."""
        self.happened[kind] += 1
        self._trace(f"fault: {kind}")

    def rates(self) -> str:
        """Return the strength of each fault in this seed."""
        return ", ".join(f"{kind} ×{factor:g}" for kind, factor in self._strength.items())
