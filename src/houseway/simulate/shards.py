"""Shards: parts of a run kept in files, to be played anywhere and put together in any order."""

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
from houseway.simulate.run_plan import CHUNK, Plan, again
from houseway.simulate.tally import Tally

KIND = "houseway simulation shard 2"


class Shard(NamedTuple):
    """A part of a run, read back from its file."""

    file: Path
    told: Mapping[str, Any]
    """What the plan told of itself."""
    chunks: range
    tally: Tally


def part(plan: Plan, number: int, of: int) -> range:
    """The chunks of the number-th of so many shards."""
    if not 1 <= number <= of:
        raise SimulationError(f"shard {number}/{of} is none; write 1/{of} to {of}/{of}")
    return range(plan.chunks * (number - 1) // of, plan.chunks * number // of)


def name(plan: Plan, chunks: range) -> str:
    """What a shard's file is called: rulebook, kernels, the plan with its seed, and which chunks of it."""
    digest = hashlib.sha256(_canonical(plan.told)).hexdigest()
    parts = (plan.told["hash"][:12], plan.told["kernels"][:12], digest[:12])
    return f"{'-'.join(parts)}-{chunks.start}-{chunks.stop}.json"


def write(plan: Plan, chunks: range, tally: Tally, file: Path) -> None:
    """Write a shard; it is there whole or not at all."""
    body = {"kind": KIND, "plan": plan.told, "chunks": [chunks.start, chunks.stop], "tally": asdict(tally)}
    text = _canonical({**body, "sha256": hashlib.sha256(_canonical(body)).hexdigest()})
    half = file.with_name(f"{file.name}.{os.getpid()}.part")
    half.write_bytes(text + b"\n")
    half.replace(file)


def read(file: Path) -> Shard:
    """Read a shard; refused where it is none or not as it was written."""
    try:
        body = json.loads(file.read_bytes())
        known = body.pop("sha256")
        kind, (start, stop), told = body["kind"], body["chunks"], body["plan"]
        tally = msgspec.convert(body["tally"], Tally)
    except OSError as error:
        raise SimulationError(f"cannot read {file}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, msgspec.ValidationError) as error:
        raise SimulationError(f"{file} is no shard of a simulation, or only a part of one") from error
    if kind != KIND:
        raise SimulationError(f"{file} is of kind {kind!r}; this version reads {KIND!r}")
    if hashlib.sha256(_canonical(body)).hexdigest() != known:
        wrong = "is not as it was written: its checksum differs"
        raise SimulationError(f"{file} {wrong}; play that shard again")
    return Shard(file, told, range(start, stop), tally)


def kept(plan: Plan, chunks: range, file: Path) -> bool:
    """Whether a file already holds this very shard; refused where it holds anything else."""
    if not file.exists():
        return False
    found = read(file)
    if found.chunks != chunks or found.told != _plain(plan.told):
        raise SimulationError(f"{file} holds another shard; name another file, or a folder")
    return True


def merge(files: Sequence[Path]) -> tuple[Plan, Tally]:
    """Put the shards of a run together, in any order; refused unless they make the whole run."""
    shards = sorted(map(read, files), key=lambda shard: (shard.chunks.start, shard.chunks.stop))
    if not shards:
        raise SimulationError("no shard to merge; name the files")
    first = shards[0]
    for shard in shards[1:]:
        differs = [key for key in first.told if shard.told.get(key) != first.told[key]]
        if differs:
            theirs, ours = shard.told.get(differs[0]), first.told[differs[0]]
            other = f"{shard.file} is of another run than {first.file}"
            raise SimulationError(f"{other}: its {differs[0]} is {theirs}, not {ours}")
    rounds = first.told["rounds"]
    edges = [shard.chunks for shard in shards]
    ends = [range(0), *edges, range(-(-rounds // CHUNK), 0)]
    for before, after in pairwise(ends):
        if after.start > before.stop:
            missing = f"{before.stop * CHUNK + 1:,} to {min(after.start * CHUNK, rounds):,}"
            raise SimulationError(f"rounds {missing} are in none of these shards")
        if after.start < before.stop:
            twice = f"{after.start * CHUNK + 1:,}"
            raise SimulationError(f"round {twice} is in two of these shards; name each once")
    return again(first.told), reduce(add, (shard.tally for shard in shards))


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    """A value as it is read back from JSON."""
    return json.loads(_canonical(value))
