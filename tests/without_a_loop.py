"""Call the coroutines of an object without an event loop, as the terminal does."""

from __future__ import annotations

from inspect import iscoroutinefunction
from typing import Any

from houseway.live.offload import run_now


class WithoutLoop:
    """An object whose coroutine methods return their results at once; everything else is passed on."""

    def __init__(self, inner: Any) -> None:
        self.__dict__["inner"] = inner

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.__dict__["inner"], name)
        if not iscoroutinefunction(value):
            return value
        return lambda *args, **options: run_now(value(*args, **options))

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self.__dict__["inner"], name, value)
