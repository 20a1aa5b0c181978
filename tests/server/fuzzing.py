"""Malformed messages, generated from the schema of valid ones.

Everything is JSON text from the start, because the worst inputs have no Python value: numbers with a
thousand digits, lone surrogates, duplicate keys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, get_args

import msgspec

from houseway.client.messages import Do, ToHouse
from houseway.engine import commands as c
from houseway.engine.codec import kinds
from houseway.server.api_description import components_of

TextMaker = Callable[[], str]
Schema = dict[str, Any]

HUGE: Final = "9" * 700
"""A number with more digits than any account balance, but short enough to fit into one frame."""
ODD: Final = (
    "null", "true", "false", "0", "-1", "1.5", "-0.0", "1e400", "-1e-400", "NaN", "Infinity", "01", "+1",
    str(2**31), str(2**53 + 1), str(2**63), str(2**64), str(-(2**63) - 1), HUGE, f"-{HUGE}", "9" * 5000,
    '""', '"\\u0000"', '"\\ud800"', '"\\udfff\\ud800"', '"\\ud83d\\ude00"', '"\u202e\u0007"', '"\\"', "'x'",
    '"' + "x" * 2000 + '"', '"' + "\\u00e9" * 900 + '"', "[" * 40 + "]" * 40, "[" * 2000,
    '{"a":' * 1500 + "1" + "}" * 1500, "[" * 5000 + "]" * 5000, "{}", "[]", "[[]]", "[null]", '{"":""}',
    '{"type":"Check"}', '{"a":1,"a":2}', "", " ", "\t\r\n", "//", "/**/", "\ufeff1", "\x00", "\ud800",
)  # fmt: skip
"""Texts that can replace any value."""
WORDS: Final = (
    "ante", "blind", "play", "trips", "progressive", "wager", "bonus", "cover_all", "rail", "dealer", "floor",
    "seat 1", "seat 2", "seat 99", "surveillance", "supervisor", "deadline", "uth-ma", "shuffle", "manual",
    "chips", "cash", "a" * 32, "0123456789abcdef" * 2, "Ah Kd", "*", "", "../..", "%00", "é", "Ω\u0301",
)  # fmt: skip
NUMBERS: Final = ("0", "1", "2", "3", "4", "5", "6", "7", "500", "1000", "2500", "100000", "-1", "52", "99")
CLOSE_PROBABILITY: Final = 0.001
CARDS: Final = ('"Ah"', '"Kd"', '"2c"', '"Ts"', '"9h"', '"Qc"', '"As"', '"xx"')
JUNK: Final = (
    "\x00",
    "\ud800",
    "\uffff",
    "\\",
    '"',
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "é",
    "\U0001f0a1",
    "0",
    "e",
)


class Grammar:
    """Generates JSON texts from a schema: mostly valid, with every kind of error mixed in."""

    def __init__(self, rng: Random, components: Schema, wrong: float = 0.06) -> None:
        self._rng = rng
        self._components = components
        self._wrong = wrong
        self._named: dict[str, TextMaker] = {}
        self.free: TextMaker = self.odd
        """Generates the text of a value that the schema does not describe."""

    def odd(self) -> str:
        """Return an odd value."""
        return self._rng.choice(ODD)

    def of(self, schema: Schema) -> TextMaker:
        """Return a function that generates JSON texts for a schema."""
        right = self._right(schema)
        rng, wrong = self._rng, self._wrong

        def make() -> str:
            return rng.choice(ODD) if rng.random() < wrong else right()

        return make

    def _right(self, schema: Schema) -> TextMaker:
        rng = self._rng
        match schema:
            case {"$ref": str(ref)}:
                return self._component(ref.rpartition("/")[2])
            case {"anyOf": kinds}:
                among = [self.of(kind) for kind in kinds]
                return lambda: rng.choice(among)()
            case {"enum": values}:
                texts = [msgspec.json.encode(value).decode() for value in values]
                return lambda: rng.choice(texts)
            case {"type": "object", "properties": _}:
                return self._struct(schema)
            case {"type": "object", "additionalProperties": dict(values)}:
                name, value = self._words(), self.of(values)
                return lambda: _object([(name(), value()) for _ in range(rng.randrange(4))])
            case {"type": "object"}:
                return lambda: self.free()
            case {"type": "array"}:
                item = self.of(schema.get("items") or {})
                return lambda: f"[{','.join(item() for _ in range(rng.randrange(5)))}]"
            case {"type": "boolean"}:
                return lambda: rng.choice(("true", "false"))
            case {"type": "integer" | "number"}:
                return lambda: rng.choice(NUMBERS)
            case {"type": "string", "pattern": _}:
                return lambda: rng.choice(CARDS)
            case {"type": "string"}:
                return self._words()
        return self.odd

    def _component(self, name: str) -> TextMaker:
        if name not in self._named:
            self._named[name] = self._right(self._components[name])
        return self._named[name]

    def _words(self) -> TextMaker:
        texts = [msgspec.json.encode(word).decode() for word in WORDS]
        return lambda: self._rng.choice(texts)

    def _struct(self, schema: Schema) -> TextMaker:
        rng, required = self._rng, schema.get("required", ())
        fields = [
            (f'"{name}"', self.of(kind), 1.0 if name in required else 0.3)
            for name, kind in schema["properties"].items()
        ]
        strange = ('"by"', '"seat"', '"type"', '"__class__"', '"\\u0000"', '""')

        def make() -> str:
            pairs = [(name, value()) for name, value, probability in fields if rng.random() < probability]
            damage = rng.random()
            if damage < 0.02 and pairs:
                pairs.pop(rng.randrange(len(pairs)))
            elif damage < 0.04 and pairs:
                pairs.append(rng.choice(pairs))
            elif damage < 0.06:
                pairs.append((rng.choice(strange), self.odd()))
            return _object(pairs)

        return make

    def damaged(self, text: str) -> str:
        """Return a text damaged as if in transit."""
        rng = self._rng
        at = rng.randrange(len(text) + 1)
        match rng.randrange(5):
            case 0:
                return text[:at]
            case 1:
                return text[:at] + rng.choice(JUNK) + text[at:]
            case 2:
                return text[:at] + text[at + rng.randrange(1, 9) :]
            case 3:
                return text + text
        return rng.randbytes(rng.randrange(64)).decode("latin1")


def _object(pairs: Sequence[tuple[str, str]]) -> str:
    return "{" + ",".join(f"{name}:{value}" for name, value in pairs) + "}"


class Frames:
    """Frames for a socket: generated messages, commands on offer, and noise."""

    def __init__(self, rng: Random, longest: int) -> None:
        self._rng = rng
        messages, commands = get_args(ToHouse), kinds(c.Command)
        schemas, components = components_of([*messages, *commands])
        self._grammar = Grammar(rng, components)
        made = dict(zip((*messages, *commands), map(self._grammar.of, schemas), strict=True))
        self._messages, self._do = [made[kind] for kind in messages], made[Do]
        self._close_table = made[c.CloseTable]
        self._commands = [made[kind] for kind in commands if kind is not c.CloseTable]
        self._grammar.free = self._command
        self._longest = longest
        self._sent = [""] * 16
        self._keys = 0

    def _command(self) -> str:
        """Return a command; closing the table is rare, because nothing can follow it."""
        closes = self._rng.random() < CLOSE_PROBABILITY
        return self._close_table() if closes else self._rng.choice(self._commands)()

    def frame(self, offered: Callable[[], Sequence[str]]) -> str | bytes:
        """Return the next frame; `offered` returns the commands the table would accept now."""
        rng, chance = self._rng, self._rng.random()
        if chance < 0.06:
            text = self._offered(offered())
        elif chance < 0.08:
            text = rng.choice(self._sent)
        elif chance < 0.0805:
            return rng.randbytes(rng.randrange(200))
        else:
            text = self._do() if rng.random() < 0.6 else rng.choice(self._messages)()
            if rng.random() < 0.15:
                text = self._grammar.damaged(text)
        text = text[: self._longest]
        self._sent[rng.randrange(len(self._sent))] = text
        return text

    def _offered(self, commands: Sequence[str]) -> str:
        rng = self._rng
        if not commands or rng.random() < 0.4:
            return '{"type":"ready"}'
        self._keys += 1
        command = rng.choice(commands)
        if rng.random() < 0.1:
            command = self._grammar.damaged(command)
        return f'{{"type":"do","key":"k{self._keys}","command":{command}}}'
