"""Reading a rulebook's tables: every value typed, every fault noted with its key path, none fatal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, ParamSpec, TypeVar

from houseway.money import Cents, MoneyError, Payment, cents, payment
from houseway.rules.problems import Problem, meant

T = TypeVar("T")
P = ParamSpec("P")

Mode = Literal["manual", "device"]
MODES: tuple[Mode, ...] = ("manual", "device")
BASIS_KEYS = frozenset({"clause", "also", "filled", "house", "silent", "own"})


@dataclass(frozen=True, slots=True)
class Basis:
    """What a value rests on: a clause of its own document, or of another that fills a silence, a house
    setting, a user's own file that changed it, or nothing at all where every document is silent."""

    clauses: Mapping[str, str] = field(default_factory=dict)
    """The deciding clause by deal mode."""
    also: tuple[str, ...] = ()
    filled: bool = False
    house: str | None = None
    own: str | None = None
    """The id of the file that changed the value of the rulebook it extends."""

    def clause(self, mode: str) -> str | None:
        """The deciding clause in a deal mode; `house.NAME` for a house setting, `own.ID` for a change."""
        return self.clauses.get(mode) or self.elsewhere

    @property
    def elsewhere(self) -> str | None:
        """What decides where no clause does."""
        if self.own:
            return f"own.{self.own}"
        return f"house.{self.house}" if self.house else None

    @property
    def deciding(self) -> tuple[str, ...]:
        """The deciding clauses over the modes, each once."""
        return tuple(dict.fromkeys(self.clauses.values()))

    @property
    def all(self) -> tuple[str, ...]:
        """Every clause cited."""
        return tuple(dict.fromkeys((*self.clauses.values(), *self.also)))

    def __str__(self) -> str:
        named = " / ".join(self.deciding) or self.elsewhere or "silent"
        return f"{named} (filled)" if self.filled else named


NOTHING = Basis()


@dataclass(frozen=True, slots=True)
class Said(Generic[T]):
    """A value and what it rests on."""

    value: T
    basis: Basis = NOTHING

    def clause(self, mode: str = "manual") -> str | None:
        """The deciding clause."""
        return self.basis.clause(mode)


class Reader:
    """One table of the file, its key path, and the list where faults are noted."""

    def __init__(self, data: Any, path: str, problems: list[Problem], own: str = "") -> None:
        self.path = path
        self.problems = problems
        self.own = own
        """The id of an extending file: what names no basis rests on that file."""
        self.data: dict[str, Any] = data if isinstance(data, dict) else {}
        self._read: set[str] = set()
        if not isinstance(data, dict):
            self.fault("", f"is {kind(data)}", "a table belongs here")

    def fault(self, key: str, wrong: str, right: str) -> None:
        """Note a fault of a key of this table."""
        self.problems.append(Problem(self.at(key), wrong, right))

    def at(self, key: str) -> str:
        """The full path of a key."""
        if not self.path or not key:
            return self.path or key
        return f"{self.path}.{key}"

    def below(self, data: Any, key: str) -> Reader:
        """The reader of a table below this one."""
        return Reader(data, self.at(key), self.problems, self.own)

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def raw(self, key: str) -> Any:
        """The value of a key as it stands in the file, or None."""
        self._read.add(key)
        return self.data.get(key)

    def typed(self, key: str, type_: type[T], default: T, *, needed: bool = False) -> T:
        """The value of a key if it has the type; noted and replaced by the default if not."""
        value = self.raw(key)
        if value is None:
            if needed:
                self.fault(key, "is missing", f"{kind(default)} belongs here")
            return default
        if type(value) is not type_:
            self.fault(key, f"is {kind(value)}", f"{kind(default)} belongs here")
            return default
        return value

    def text(self, key: str, default: str = "", *, needed: bool = False) -> str:
        """A text."""
        return self.typed(key, str, default, needed=needed)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; a single text is a list of one."""
        value = self.raw(key)
        if isinstance(value, str):
            return (value,)
        if value is None:
            return ()
        if isinstance(value, list) and all(isinstance(v, str) for v in value):
            return tuple(value)
        self.fault(key, f"is {kind(value)}", "a list of texts belongs here")
        return ()

    def flag(self, key: str) -> bool:
        """True or false; false if it is not there."""
        return self.typed(key, bool, False)  # noqa: FBT003

    def money(self, key: str) -> Cents:
        """An amount of dollars; nothing if it is not there or cannot be read."""
        return self.amount(key) or Cents(0)

    def optional_basis(self, key: str) -> Basis | None:
        """What the table of a key rests on, or None if there is none."""
        return None if self.raw(key) is None else self.table(key).basis()

    def choice(self, key: str, words: Iterable[str], default: str = "") -> str:
        """One of some words."""
        value = self.text(key, default)
        known = list(words)
        if value and value not in known:
            self.fault(key, f"{value!r} is unknown", meant(value, known))
            return default
        return value

    def amount(self, key: str) -> Cents | None:
        """An amount of dollars, written as text."""
        value = self.raw(key)
        return None if value is None else self.dollars(key, value)

    def dollars(self, key: str, value: Any) -> Cents | None:
        """A value that must be dollars written as text."""
        try:
            if not isinstance(value, str):
                raise MoneyError(f"is {kind(value)}")
            return cents(value)
        except MoneyError as error:
            self.fault(key, str(error), 'write dollars as text, "7.50"')
            return None

    def payment(self, key: str) -> Payment:
        """A payment as printed; noted and read as a loss if it cannot be."""
        value = self.raw(key)
        try:
            if not isinstance(value, str):
                raise MoneyError(f"is {kind(value)}")
            return payment(value)
        except MoneyError as error:
            wrong, _, right = str(error).partition(": ")
            self.fault(key, wrong, right or 'write odds as "A to B", or "push" or "lose"')
            return "lose"

    def table(self, key: str) -> Reader:
        """A table below this one; empty if it is not there."""
        value = self.raw(key)
        return self.below({} if value is None else value, key)

    def tables(self, key: str) -> Iterator[tuple[str, Reader]]:
        """The tables below a key, by name."""
        yield from self.table(key).tables_here()

    def tables_here(self) -> Iterator[tuple[str, Reader]]:
        """The tables of this one, by name."""
        for name in self.data:
            yield name, self.table(name)

    def rows(self, key: str) -> list[Reader]:
        """The tables of an array below this one."""
        value = self.raw(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault(key, f"is {kind(value)}", "a list of tables belongs here")
            return []
        return [self.below(v, f"{key}[{n}]") for n, v in enumerate(value)]

    def basis(self) -> Basis:
        """What this table rests on."""
        self._read |= BASIS_KEYS
        clauses = self._clauses("clause")
        filled = self._clauses("filled")
        house, own = self.text("house") or None, self.text("own") or None
        if not (clauses or filled or house or own or self.data.get("silent") or "also" in self.data):
            if not self.own:
                self.fault("", "names no clause", 'add clause, filled or house, or "silent = true"')
            own = self.own or None
        return Basis(clauses or filled, self.texts("also"), bool(filled and not clauses), house, own)

    def _clauses(self, key: str) -> dict[str, str]:
        value = self.raw(key)
        if isinstance(value, str):
            return dict.fromkeys(MODES, value)
        if isinstance(value, dict):
            below = self.table(key)
            by_mode: dict[str, str] = {mode: below.text(mode) for mode in MODES if mode in below}
            below.finish_known(MODES)
            return by_mode
        if value is not None:
            self.fault(key, f"is {kind(value)}", "a clause id belongs here")
        return {}

    def said(self, key: str, read: Callable[[Reader, str], T]) -> Said[T] | None:
        """A value with its basis, as `{ value = …, clause = "…" }`; None where it is not there."""
        if key not in self.data:
            self._read.add(key)
            return None
        below = self.table(key)
        if "value" not in below:
            below.fault("", "has no value", "write { value = …, clause = … }")
            return None
        return below.make(Said, read(below, "value"), below.basis())

    def make(self, part: Callable[P, T], *values: P.args, **named: P.kwargs) -> T:
        """Return a part made of values read from this table; every key that was not read is noted."""
        self.finish()
        return part(*values, **named)

    def finish_known(self, keys: Iterable[str]) -> None:
        """Note every key that is not among some."""
        self._read |= set(keys)
        self.finish()

    def finish(self) -> None:
        """Note every key that was never asked for."""
        for key in self.data:
            if key not in self._read:
                self.fault(key, "is unknown here", meant(key, self._read - {"value"}))


def kind(value: object) -> str:
    """What a value is, in words: "a number", "a table"."""
    names = {bool: "true or false", int: "a number", str: "a text", list: "a list", dict: "a table"}
    return names.get(type(value), "nothing" if value is None else f"a {type(value).__name__}")
