"""The figures of one load test, and how they are printed."""

from __future__ import annotations

from typing import Final

import msgspec
from bare_costs import BareCommit, BareEcho
from load_players import SEATS

HOUR: Final = 3600.0
FILLED: Final = 600
"""Seconds until all caches of the house are full; memory grows until then."""


class Costs(msgspec.Struct, frozen=True):
    """Processor seconds of the house, of PostgreSQL and of the players."""

    house: float
    postgres: float
    players: float

    def since(self, before: Costs) -> Costs:
        return Costs(
            self.house - before.house, self.postgres - before.postgres, self.players - before.players
        )

    def each(self, parts: float) -> Costs:
        return Costs(self.house / parts, self.postgres / parts, self.players / parts)


class Verification(msgspec.Struct, frozen=True):
    """The result of verifying every record after the run."""

    events: int
    seconds: float
    faults: tuple[str, ...]


class Memory(msgspec.Struct, frozen=True):
    """The memory of all servers at the end of the run, and its growth."""

    megabytes: float
    growth: float
    """The growth in an hour, as a fraction."""
    watched: float
    """The seconds from which the growth was computed."""
    filling: bool
    """True if the caches of the house were still filling in this time."""

    @property
    def extrapolated(self) -> bool:
        """True if the growth in an hour was computed from less than an hour."""
        return self.watched < HOUR


class LoadResult(msgspec.Struct, frozen=True):
    """One number of tables, measured with one number of servers."""

    tables: int
    servers: int
    opening: float
    seconds: float
    times: tuple[float, float]
    """The 50th and 99th percentile of the times from a command to all seats, in milliseconds."""
    commands: int
    rounds: int
    refused: int
    dropped: int
    costs: Costs
    memory: Memory
    echo: BareEcho
    commit: BareCommit
    verified: Verification

    @property
    def per_command(self) -> Costs:
        """The processor time for one command, in milliseconds."""
        return self.costs.each(max(self.commands, 1) / 1000)

    @property
    def shares(self) -> Costs:
        """The processor time for each second, as a fraction of one core."""
        return self.costs.each(self.seconds)

    @property
    def to_echo(self) -> float:
        """The processor time of the house for one command, divided by that of a bare echo."""
        return self.per_command.house / self.echo.milliseconds

    @property
    def to_commit(self) -> float:
        """The processor time of house and PostgreSQL for one command, divided by that of a bare commit."""
        return (self.per_command.house + self.per_command.postgres) / self.commit.milliseconds


def several_servers(servers: int) -> str:
    if not servers:
        return "1 server with SQLite"
    return f"{servers} {'server' if servers == 1 else 'servers'} with PostgreSQL"


# --- output ---


def row(words: str, *figures: str) -> None:
    print(f"{words:<38}" + "".join(f"{figure:>24}" for figure in figures))


def growth(memory: Memory) -> str:
    """Describe the growth of the memory, with the reasons why it may not continue like this."""
    notes = [f"extrapolated from {memory.watched / 60:.1f} min"] if memory.extrapolated else []
    notes += ["caches still filling"] if memory.filling else []
    return f"{memory.growth:+.1%} an hour" + (f" ({', '.join(notes)})" if notes else "")


def show(result: LoadResult, servers: int) -> None:
    """Print one result in full."""
    each, shares = result.per_command, result.shares
    commands = result.commands / result.seconds
    print(f"{result.tables} tables of {SEATS} seats, {several_servers(servers)}, {result.seconds:.0f} s")
    row("all tables opened and seated", f"{result.opening:.0f} s")
    row("commands and rounds a second", f"{commands:.0f}", f"{result.rounds / result.seconds:.1f}")
    row("command to all seats, ms", f"p50 {result.times[0]:.1f}", f"p99 {result.times[1]:.1f}")
    row("commands refused, sockets dropped", f"{result.refused}", f"{result.dropped}")
    row(
        "processor, share of one core",
        f"house {shares.house:.0%}",
        f"PostgreSQL {shares.postgres:.0%}",
        f"players {shares.players:.0%}",
    )
    row(
        "processor time a command, ms",
        f"house {each.house:.2f}",
        f"PostgreSQL {each.postgres:.2f}",
        f"players {each.players:.2f}",
    )
    echo, commit = result.echo, result.commit
    row("bare echo, processor ms", f"{echo.milliseconds:.3f}", f"{echo.rate:.0f} a second")
    row("bare echo, ms", f"p50 {echo.p50:.1f}", f"p99 {echo.p99:.1f}")
    row("bare durable commit, processor ms", f"{commit.milliseconds:.3f}", f"{commit.rate:.0f} a second")
    row("a command, in bare echoes", f"{result.to_echo:.1f}")
    row("a command, in bare commits", f"{result.to_commit:.1f}")
    row("memory of the house", f"{result.memory.megabytes:.0f} MB")
    print(f"  growth: {growth(result.memory)}")
    verified = result.verified
    row(
        "records verified",
        f"{verified.events} events",
        f"{verified.seconds:.0f} s",
        f"{len(verified.faults)} faults",
    )
    for fault in verified.faults[:5]:
        print(f"  {fault}")


HEADS: Final = (
    ("", "tables"),
    ("", "servers"),
    ("opened", "s"),
    ("commands", "a second"),
    ("p50", "ms"),
    ("p99", "ms"),
    ("house", "ms/cmd"),
    ("database", "ms/cmd"),
    ("players", "ms/cmd"),
    ("house", "core"),
    ("database", "core"),
    ("players", "core"),
    ("bare echo", "ms"),
    ("ratio", ""),
    ("commit", "ms"),
    ("ratio", ""),
    ("memory", "MB"),
    ("growth", "an hour"),
    ("events", "verified"),
    ("", "faults"),
    ("", "refused"),
    ("", "dropped"),
)


def cells(result: LoadResult) -> list[str]:
    """Return the columns after the numbers of tables and servers."""
    each, shares, memory, verified = result.per_command, result.shares, result.memory, result.verified
    return [
        f"{result.opening:.0f}",
        f"{result.commands / result.seconds:.0f}",
        f"{result.times[0]:.1f}",
        f"{result.times[1]:.1f}",
        *(f"{cost:.2f}" for cost in (each.house, each.postgres, each.players)),
        *(f"{share:.0%}" for share in (shares.house, shares.postgres, shares.players)),
        f"{result.echo.milliseconds:.3f}",
        f"{result.to_echo:.1f}",
        f"{result.commit.milliseconds:.3f}",
        f"{result.to_commit:.1f}",
        f"{memory.megabytes:.0f}",
        f"{memory.growth:+.0%}{'*' if memory.extrapolated else ''}",
        f"{verified.events}",
        f"{len(verified.faults)}",
        f"{result.refused}",
        f"{result.dropped}",
    ]


def show_table(results: list[tuple[int, int, LoadResult | str]]) -> None:
    """Print one line for each number of tables and servers: its figures, or why there are none."""
    lines: list[list[str]] = [list(line) for line in zip(*HEADS, strict=True)]
    for tables, servers, result in results:
        first = [f"{tables}", f"{servers or 'SQLite'}"]
        lines.append([*first, *(cells(result) if isinstance(result, LoadResult) else (result,))])
    widths = [
        max(len(line[column]) for line in lines if len(line) == len(HEADS)) for column in range(len(HEADS))
    ]
    for line in lines:
        print("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=False)))
    measured = [result for _, _, result in results if isinstance(result, LoadResult)]
    if any(result.memory.extrapolated for result in measured):
        shortest = min(result.memory.watched for result in measured) / 60
        print(f"* extrapolated: the memory was watched for less than an hour ({shortest:.1f} minutes)")
    if any(result.memory.filling for result in measured):
        print(f"Caches fill in the first {FILLED // 60} minutes; until then, the memory grows faster.")
