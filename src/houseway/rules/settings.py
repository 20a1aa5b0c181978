"""House settings: values that the documents leave to the house (the operator), each with a type and
bounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from houseway.money import MoneyError, cents
from houseway.rules.problems import suggest
from houseway.rules.toml_reader import Basis, Reader, kind

KINDS: Final = ("choice", "count", "money", "amounts", "flag", "limits", "text", "percent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A condition: a setting may be above a number only if another setting has a certain value."""

    above: int = 0
    setting: str
    value: Any
    basis: Basis


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One house setting."""

    name: str
    kind: str
    about: str
    choices: tuple[str, ...]
    names: tuple[str, ...]
    """The names allowed in a setting of kind amounts."""
    low: int | None
    high: int | None
    default: Any
    example: Any
    by_device: Any
    """The default in the deal mode "device", if it is different."""
    required: bool = False
    wager: str = ""
    """The wager it belongs to; without that wager the setting need not be chosen."""
    needs: tuple[Requirement, ...]
    basis: Basis

    @property
    def assumed(self) -> Any:
        """The value if the house has not chosen one: the default, or the example."""
        return self.default if self.default is not None else self.example

    def assumed_in(self, mode: str) -> Any:
        """Return the value in a deal mode if the house has not chosen one."""
        return self.by_device if mode == "device" and self.by_device is not None else self.assumed

    def read(self, value: Any) -> tuple[Any, str | None]:
        """Return the value in the setting's own type, and None or the text "WHAT IS WRONG; WHAT TO DO"."""
        match self.kind:
            case "choice":
                if value in self.choices:
                    return value, None
                return None, f"{value!r} is not a choice; {suggest(str(value), self.choices)}"
            case "flag":
                if isinstance(value, bool):
                    return value, None
                return None, f"is {kind(value)}; write true or false"
            case "count" | "percent":
                if type(value) is int and self._within(value):
                    return value, None
                return (
                    None,
                    f"{value!r} is not allowed; write a whole number from {self.low} to {self.high}",
                )
            case "money":
                return self._money(value)
            case "amounts":
                return self._amounts(value)
            case "text":
                wrong = f"is {kind(value)}; write a string"
                return (value, None) if isinstance(value, str) else (None, wrong)
            case _:
                return None, 'does not belong here; write "limits" instead, with limits for each wager'

    def _within(self, value: int) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def _money(self, value: Any) -> tuple[Any, str | None]:
        text = str(value) if type(value) is int else value
        try:
            if not isinstance(text, str):
                raise MoneyError(f'is {kind(value)}; write dollars as a string, as in "7.50"')
            amount = cents(text)
        except MoneyError as error:
            return None, str(error)
        return (amount, None) if amount > 0 else (None, "is 0; write an amount above 0")

    def _amounts(self, value: Any) -> tuple[Any, str | None]:
        if not isinstance(value, dict):
            return None, f'is {kind(value)}; write amounts by name, as in {{"{self.names[0]}": "10000"}}'
        amounts = {}
        for name, text in value.items():
            if name not in self.names:
                return None, f"unknown name {name!r}; {suggest(name, self.names)}"
            try:
                amounts[name] = cents(str(text) if type(text) is int else text)
            except (MoneyError, TypeError):
                return None, f'{name}: {text!r} is not an amount; write dollars as a string, as in "10000"'
        return amounts, None


def read_setting(name: str, reader: Reader) -> Setting:
    """Return a house setting from its table."""
    setting = reader.record(Setting, name=name, kind=reader.choice("kind", KINDS, "text"))
    values = {}
    for key in ("default", "example", "by_device"):
        value = getattr(setting, key)
        if value is not None:
            values[key], wrong = setting.read(value)
            if wrong:
                reader.fault(key, *wrong.split("; ", 1))
    return replace(setting, **values)
