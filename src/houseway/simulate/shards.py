"""Shards: parts of a run that are stored in files.

They can be played on any machine and merged in any order.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import reduce
from itertools import pairwise
from operator import add
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from houseway.simulate.errors import SimulationError
from houseway.simulate.run_plan import CHUNK, Plan, rebuild
from houseway.simulate.tally import Tally

KIND = "houseway simulation shard 2"


class Shard(NamedTuple):
    """A part of a run, as read from its file."""

    file: Path
    inputs: Mapping[str, Any]
    """The inputs that identify the run."""
    chunks: range
    tally: Tally


def part(plan: Plan, number: int, of: int) -> range:
    """Return the chunks of a shard. Shards are numbered from 1 to `of`."""
    if not 1 <= number <= of:
        raise SimulationError(f"shard {number}/{of} does not exist; use 1/{of} to {of}/{of}")
    return range(plan.chunks * (number - 1) // of, plan.chunks * number // of)


def name(plan: Plan, chunks: range) -> str:
    """Return a shard's file name, made from the rulebook, the kernels, the plan and the chunks."""
    digest = hashlib.sha256(_canonical(plan.told)).hexdigest()
    parts = (plan.told["hash"][:12], plan.told["kernels"][:12], digest[:12])
    return f"{'-'.join(parts)}-{chunks.start}-{chunks.stop}.json"


def write(plan: Plan, chunks: range, tally: Tally, file: Path) -> None:
    """Write a shard atomically."""
    body = {
        "kind": KIND,
        "plan": plan.told,
        "chunks": [chunks.start, chunks.stop],
        "tally": asdict(tally),
    }
    text = _canonical({**body, "sha256": hashlib.sha256(_canonical(body)).hexdigest()})
    temporary = file.with_name(f"{file.name}.{os.getpid()}.part")
    temporary.write_bytes(text + b"\n")
    temporary.replace(file)


def read(file: Path) -> Shard:
    """Read a shard. Raise an error if the file is not a shard or has been changed."""
    try:
        body = json.loads(file.read_bytes())
        known = body.pop("sha256")
        kind, (start, stop), inputs = body["kind"], body["chunks"], body["plan"]
        tally = msgspec.convert(body["tally"], Tally)
    except OSError as error:
        raise SimulationError(f"cannot read {file}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, msgspec.ValidationError) as error:
        problem = "is not a simulation shard, or is incomplete"
        raise SimulationError(f"{file} {problem}; play the shard again") from error
    if kind != KIND:
        raise SimulationError(f"{file} has the format {kind!r}; this version reads only {KIND!r}")
    if hashlib.sha256(_canonical(body)).hexdigest() != known:
        problem = "has been changed: its checksum does not match"
        raise SimulationError(f"{file} {problem}; play that shard again")
    return Shard(file, inputs, range(start, stop), tally)


def kept(plan: Plan, chunks: range, file: Path) -> bool:
    """True if a file already has this shard. Raise an error if it has another shard."""
    if not file.exists():
        return False
    shard = read(file)
    if shard.chunks != chunks or shard.inputs != _plain(plan.told):
        raise SimulationError(f"{file} already contains another shard; choose another file or a folder")
    return True


def merge(files: Sequence[Path]) -> tuple[Plan, Tally]:
    """Merge shards, in any order. Raise an error unless they make up one complete run."""
    shards = sorted(map(read, files), key=lambda shard: (shard.chunks.start, shard.chunks.stop))
    if not shards:
        raise SimulationError("there are no shards to merge; name the files of the shards")
    first = shards[0]
    for shard in shards[1:]:
        differs = [key for key in first.inputs if shard.inputs.get(key) != first.inputs[key]]
        if differs:
            theirs, ours = shard.inputs.get(differs[0]), first.inputs[differs[0]]
            other = f"{shard.file} and {first.file} are from different runs"
            raise SimulationError(f"{other}: their values for {differs[0]} are {theirs} and {ours}")
    rounds = first.inputs["rounds"]
    ends = [range(0), *(shard.chunks for shard in shards), range(-(-rounds // CHUNK), 0)]
    for before, after in pairwise(ends):
        if after.start > before.stop:
            missing = f"{before.stop * CHUNK + 1:,} to {min(after.start * CHUNK, rounds):,}"
            raise SimulationError(f"rounds {missing} are missing; add their shards")
        if after.start < before.stop:
            twice = f"{after.start * CHUNK + 1:,}"
            raise SimulationError(f"round {twice} is in two of these shards; name each shard once")
    return rebuild(first.inputs), reduce(add, (shard.tally for shard in shards))


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    """Return a value as it would be read back from JSON."""
    return json.loads(_canonical(value))
