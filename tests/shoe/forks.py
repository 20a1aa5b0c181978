"""A process that forks others and writes the seeds they draw: python forks.py kernel|buffered FORKS DRAWS

`buffered` is a planted fault: it buffers random bytes, which a fork copies.
"""

from __future__ import annotations

import os
import sys

from houseway.shoe import Entropy, SystemEntropy


class Buffered:
    """Read many bytes from the kernel at once and hand them out later."""

    live = True

    def __init__(self) -> None:
        self.kept = b""

    def draw(self, count: int) -> bytes:
        if len(self.kept) < count:
            self.kept = os.urandom(1 << 16)
        drawn, self.kept = self.kept[:count], self.kept[count:]
        return drawn

    def named(self, name: str) -> Buffered:
        return self


def main(kind: str, forks: int, draws: int) -> None:
    entropy: Entropy = Buffered() if kind == "buffered" else SystemEntropy()
    # Draw once before forking, as a table that is already open has done. This fills the buffer of `Buffered`.
    entropy.draw(32)
    out = sys.stdout.buffer.fileno()
    for _ in range(forks):
        child = os.fork()
        if not child:
            seeds = b"".join(entropy.draw(32) for _ in range(draws))
            while seeds:
                seeds = seeds[os.write(out, seeds) :]
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            sys.exit(f"a forked process ended with {status}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
