"""Read a rulebook's tables. The type of every value is checked. Problems are collected; reading continues.

The parts of a rulebook are dataclasses. `Reader.record` reads one from a table: each field by its type,
from the key with its name or the key in its metadata. A string or number without a default is required.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache, partial
from types import NoneType
from typing import Any, Final, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from houseway.money import Cents, MoneyError, Payment, cents, payment
from houseway.rules.problems import Problem, split_problem, suggest

T = TypeVar("T")

Mode = Literal["manual", "device"]
MODES: tuple[Mode, ...] = ("manual", "device")
BASIS_KEYS = frozenset({"clause", "also", "filled", "house", "silent", "own"})


@dataclass(frozen=True, slots=True)
class Basis:
    """The source of a value.

    It is a clause of the rulebook's own document, a clause of another document if this one is silent, a
    house setting, or a user's own file that changed the value. It is empty if every document is silent.
    """

    clauses: Mapping[str, str] = field(default_factory=dict)
    """The deciding clause by deal mode."""
    also: tuple[str, ...] = ()
    filled: bool = False
    """True if the clause belongs to another document."""
    house: str | None = None
    own: str | None = None
    """The id of the extending file that changed the value."""

    def clause(self, mode: str) -> str | None:
        """Return the deciding clause in a deal mode: `house.NAME` for a setting, `own.ID` for a change."""
        return self.clauses.get(mode) or self.elsewhere

    @property
    def elsewhere(self) -> str | None:
        """The source if it is not a clause: `own.ID`, `house.NAME` or None."""
        if self.own:
            return f"own.{self.own}"
        return f"house.{self.house}" if self.house else None

    @property
    def deciding(self) -> tuple[str, ...]:
        """The deciding clauses of all modes, each once."""
        return tuple(dict.fromkeys(self.clauses.values()))

    @property
    def all(self) -> tuple[str, ...]:
        """Every clause cited."""
        return tuple(dict.fromkeys((*self.clauses.values(), *self.also)))

    def __str__(self) -> str:
        named = " / ".join(self.deciding) or self.elsewhere or "silent"
        return f"{named} (borrowed)" if self.filled else named


NOTHING = Basis()


@dataclass(frozen=True, slots=True)
class Cited(Generic[T]):
    """A value with its basis."""

    value: T
    basis: Basis = NOTHING

    def clause(self, mode: str = "manual") -> str | None:
        """Return the deciding clause."""
        return self.basis.clause(mode)


class Reader:
    """One table of the file with its key path, and the list that problems are added to."""

    def __init__(self, data: Any, path: str, problems: list[Problem], own: str = "") -> None:
        self.path = path
        self.problems = problems
        self.own = own
        """The id of an extending file. It is the basis of every value that cites no clause."""
        self.data: dict[str, Any] = data if isinstance(data, dict) else {}
        self._read: set[str] = set()
        if not isinstance(data, dict):
            self.fault("", f"is {kind(data)}", "write a table")

    def fault(self, key: str, wrong: str, right: str) -> None:
        """Add a problem with a key of this table."""
        self.problems.append(Problem(self.at(key), wrong, right))

    def at(self, key: str) -> str:
        """Return the full path of a key."""
        return join(self.path, key)

    def below(self, data: Any, key: str) -> Reader:
        """Return the reader of a nested table."""
        return Reader(data, self.at(key), self.problems, self.own)

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def raw(self, key: str) -> Any:
        """Return the value of a key as it is in the file, or None."""
        self._read.add(key)
        return self.data.get(key)

    def typed(self, key: str, type_: type[T], default: T, *, needed: bool = False) -> T:
        """Return the value of a key; if it has another type, report a problem and return the default."""
        value = self.raw(key)
        if value is None:
            if needed:
                self.fault(key, "is missing", f"write {kind(default)}")
            return default
        if type(value) is not type_:
            self.fault(key, f"is {kind(value)}", f"write {kind(default)}")
            return default
        return value

    def text(self, key: str, default: str = "", *, needed: bool = False) -> str:
        """Return a string."""
        return self.typed(key, str, default, needed=needed)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings; a single string is a list of one."""
        value = self.raw(key)
        if isinstance(value, str):
            return (value,)
        return tuple(self.listed(key, str, "write a list of strings"))

    def listed(self, key: str, item: type[T], right: str) -> list[T]:
        """Return a list of items of a type; empty if the key is missing."""
        value = self.raw(key)
        if isinstance(value, list) and all(isinstance(v, item) for v in value):
            return value
        if value is not None:
            self.fault(key, f"is {kind(value)}", right)
        return []

    def optional_basis(self, key: str) -> Basis | None:
        """Return the basis of a key's table, or None if the key is missing."""
        return None if self.raw(key) is None else self.table(key).basis()

    def choice(self, key: str, words: Iterable[str], default: str = "") -> str:
        """Return the value of a key, which must be one of these words."""
        value = self.text(key, default)
        known = list(words)
        if value and value not in known:
            self.fault(key, f"{value!r} is not allowed", suggest(value, known))
            return default
        return value

    def amount(self, key: str) -> Cents | None:
        """Return an amount of dollars, written as a string; None if the key is missing."""
        value = self.raw(key)
        return None if value is None else self.dollars(key, value)

    def dollars(self, key: str, value: Any) -> Cents | None:
        """Return the amount in a string; if the value is not one, report a problem and return None."""
        return self._money(key, value, cents, 'write dollars as a string, as in "7.50"')

    def payment(self, key: str) -> Payment:
        """Return a payment as printed; if it cannot be read, report a problem and return "lose"."""
        right = 'write odds as "A to B", or "push" or "lose"'
        return self._money(key, self.raw(key), payment, right) or "lose"

    def _money(self, key: str, value: Any, read: Callable[[str], T], right: str) -> T | None:
        """Parse a string with `read`. If that fails or it is not a string, report it and return None."""
        try:
            if not isinstance(value, str):
                raise MoneyError(f"is {kind(value)}; {right}")
            return read(value)
        except MoneyError as error:
            self.problems.append(split_problem(self.at(key), str(error)))
            return None

    def table(self, key: str) -> Reader:
        """Return the reader of a nested table; empty if the key is missing."""
        value = self.raw(key)
        return self.below({} if value is None else value, key)

    def tables(self, key: str = "") -> Iterator[tuple[str, Reader]]:
        """Yield the nested tables of a key, or of this table, by name."""
        parent = self.table(key) if key else self
        for name in parent.data:
            yield name, parent.table(name)

    def rows(self, key: str) -> list[Reader]:
        """Return the readers of an array of tables."""
        rows = self.listed(key, object, "write a list of TOML tables, as in [{ … }]")
        return [self.below(row, f"{key}[{n}]") for n, row in enumerate(rows)]

    def basis(self) -> Basis:
        """Return the basis of this table."""
        self._read |= BASIS_KEYS
        clauses = self._clauses("clause")
        filled = self._clauses("filled")
        house, own = self.text("house") or None, self.text("own") or None
        if not (clauses or filled or house or own or self.data.get("silent") or "also" in self.data):
            # A clause of the wrong type is already reported.
            readable = all(isinstance(self.data.get(key, ""), str | dict) for key in ("clause", "filled"))
            if not self.own and readable:
                self.fault(
                    "", "names no clause", 'add clause = "…", filled = "…", house = "…" or silent = true'
                )
            own = self.own or None
        return Basis(clauses or filled, self.texts("also"), bool(filled and not clauses), house, own)

    def _clauses(self, key: str) -> dict[str, str]:
        value = self.raw(key)
        if isinstance(value, str):
            return dict.fromkeys(MODES, value)
        if isinstance(value, dict):
            below = self.table(key)
            by_mode: dict[str, str] = {mode: below.text(mode) for mode in MODES if mode in below}
            below.finish(*MODES)
            return by_mode
        if value is not None:
            self.fault(key, f"is {kind(value)}", "write a clause id")
        return {}

    def cited(self, key: str, read: Callable[[Reader, str], T]) -> Cited[T] | None:
        """Return a value with its basis, `{ value = …, clause = "…" }`; None if the key is missing."""
        if self.raw(key) is None:
            return None
        below = self.table(key)
        if "value" not in below:
            below.fault("", "has no value", 'write { value = …, clause = "…" }')
            return None
        return below.record(Cited, value=read(below, "value"))

    def record(self, part: Callable[..., T], **given: Any) -> T:
        """Return a part of the rulebook; fields that are not given are read from this table.

        Reports every key that was not read.
        """
        values = {name: read(self, key) for name, key, read in _reads(part, *given)}
        self.finish()
        return part(**given, **values)

    def finish(self, *known: str) -> None:
        """Report every key that was never read and is not one of `known`."""
        self._read.update(known)
        for key in self.data:
            if key not in self._read:
                self.fault(key, "unknown key", suggest(key, self._read - {"value"}, "key"))


def texts_or_tables(reader: Reader, key: str, part: Callable[..., T], right: str) -> tuple[T, ...]:
    """Return the parts of a list. Each is a table, or a string with the basis of the reader's table."""
    return tuple(
        part(item, reader.basis())
        if isinstance(item, str)
        else reader.below(item, f"{key}[{n}]").record(part)
        for n, item in enumerate(reader.listed(key, object, right))
    )


def join(path: str, key: str) -> str:
    """Return the path of a key below a path; either may be empty."""
    return f"{path}.{key}" if path and key else path or key


def kind(value: object) -> str:
    """Return the type of a value in words: "a number", "a table"; for a boolean "true or false"."""
    names = {bool: "true or false", int: "a number", str: "a string", list: "a list", dict: "a table"}
    return names.get(type(value), "missing" if value is None else f"a {type(value).__name__}")


# --- readers by field type ---

Read = Callable[[Reader, str], Any]


@cache
def _reads(part: Any, *given: str) -> tuple[tuple[str, str, Read], ...]:
    """Return the name, the key and the reading function of every field of a part that is not in `given`."""
    types = get_type_hints(part)
    listed = [f for f in fields(part) if f.init and f.name not in given]
    return tuple((f.name, key_of(f), _read_as(types[f.name], f.default)) for f in listed)


def key_of(part: Field[Any]) -> str:
    """Return the key in the file that a field is read from: its name, or the key in its metadata."""
    key: str = part.metadata.get("key", part.name)
    return key


def _read_as(type_: Any, default: Any = MISSING) -> Read:
    """Return the function that reads a value of a type."""
    if type_ in _VALUES:
        return _VALUES[type_]
    origin, inner = get_origin(type_), get_args(type_)
    if NoneType in inner:
        return _OPTIONAL.get(inner[0]) or partial(_optional, _read_as(inner[0]))
    if origin is Cited:
        value = _read_as(inner[0])
        return lambda reader, key: reader.cited(key, value)
    if origin is Mapping:
        return partial(_mapping, _read_as(inner[1]))
    if origin is tuple:
        return lambda reader, key: tuple(row.record(inner[0]) for row in reader.rows(key))
    if isinstance(type_, type) and is_dataclass(type_):
        return lambda reader, key: reader.table(key).record(type_)
    needed = default is MISSING
    fallback = type_() if needed else default
    return lambda reader, key: reader.typed(key, type_, fallback, needed=needed)


def _optional(read: Read, reader: Reader, key: str) -> Any:
    return None if reader.raw(key) is None else read(reader, key)


def _mapping(read: Read, reader: Reader, key: str) -> dict[str, Any]:
    below = reader.table(key)
    values = {name: read(below, name) for name in below.data}
    return {name: value for name, value in values.items() if value is not None}


def _multiples(reader: Reader, key: str) -> tuple[int, ...]:
    value = reader.raw(key)
    if isinstance(value, list) and value and all(type(v) is int and v > 0 for v in value):
        return tuple(value)
    reader.fault(key, "is not a list of sizes", "write multiples of the ante, as in [3, 4]")
    return ()


def _amounts(reader: Reader, key: str) -> tuple[Cents, ...]:
    return tuple(reader.dollars(key, v) or Cents(0) for v in reader.texts(key))


def _sets(reader: Reader, key: str) -> tuple[tuple[str, ...], ...]:
    sets = reader.listed(key, list, 'write sets of wagers, as in [["ante", "blind"], ["trips"]]')
    return tuple(tuple(wagers) for wagers in sets)


_VALUES: Final[dict[Any, Read]] = {
    Any: Reader.raw,
    Basis: lambda reader, _: reader.basis(),
    Cents: lambda reader, key: reader.amount(key) or Cents(0),
    tuple[str, ...]: Reader.texts,
    tuple[int, ...]: _multiples,
    tuple[Cents, ...]: _amounts,
    tuple[tuple[str, ...], ...]: _sets,
}
_OPTIONAL: Final[dict[Any, Read]] = {
    Basis: Reader.optional_basis,
    Cents: Reader.amount,
    str: lambda reader, key: reader.text(key) or None,
}
"""Functions that read optional values of these types; other types use `_optional`."""
