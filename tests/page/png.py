"""Write small PNGs with 256 colours, chosen by median cut."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

COLOURS = 256
Pixels = NDArray[np.uint8]


def palette(colours: Pixels, counts_of: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return `COLOURS` colours that represent all others."""
    boxes = [np.arange(len(colours))]
    while len(boxes) < COLOURS:
        wide = [int(np.ptp(colours[box], axis=0).max()) if len(box) > 1 else 0 for box in boxes]
        weights = [
            width * float(counts_of[box].sum()) ** 0.5 for width, box in zip(wide, boxes, strict=True)
        ]
        box = boxes.pop(int(np.argmax(weights)))
        side = int(np.argmax(np.ptp(colours[box], axis=0)))
        ranked = box[np.argsort(colours[box, side], kind="stable")]
        counts = np.cumsum(counts_of[ranked])
        middle = int(np.clip(np.searchsorted(counts, counts[-1] / 2), 1, len(ranked) - 1))
        boxes += [ranked[:middle], ranked[middle:]]
    return np.array([np.average(colours[box], axis=0, weights=counts_of[box]) for box in boxes])


def encode(pixels: Pixels) -> bytes:
    """Encode rows of red, green and blue as a PNG."""
    height, width, _ = pixels.shape
    distinct, places, counts_of = np.unique(
        pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    if len(distinct) > COLOURS:
        colours = np.rint(palette(distinct, counts_of))
        nearest = [
            int(np.argmin(((colours - colour) ** 2).sum(axis=1))) for colour in distinct.astype(float)
        ]
    else:
        colours, nearest = distinct.astype(float), list(range(len(distinct)))
    rows = np.zeros((height, width + 1), np.uint8)
    rows[:, 1:] = np.array(nearest, np.uint8)[places.reshape(-1)].reshape(height, width)
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", colours.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    ]
    chunks = (struct.pack(">I", len(b)) + k + b + struct.pack(">I", zlib.crc32(k + b)) for k, b in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
