"""House-banked hold'em by the written rules.

>>> import houseway
>>> paid = houseway.settle({
...     "rulebook": "uth-ma", "board": "Qd 9s 7h 4c 2d", "dealer": "Qc 3s",
...     "seats": [{"seat": 1, "hole": "As Ah", "ante": "10", "play": 4}],
... })
>>> [(line.wager, line.net, line.clause) for line in paid.lines]
[('ante', '10.00', 'MA-10.b'), ('blind', '0.00', 'MA-9.h.2-b'), ('play', '40.00', 'MA-10.b')]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from houseway.engine.refusals import Refusal, Refused
    from houseway.engine.settle_json import Window, settle
    from houseway.engine.settlement import Settlement
    from houseway.engine.settlement import SettlementLine as Line
    from houseway.rules.loader import RulebookError, load, rulebook_ids

__all__ = [
    "Line",
    "Refusal",
    "Refused",
    "RulebookError",
    "Settlement",
    "Window",
    "__version__",
    "load",
    "rulebook_ids",
    "settle",
]

_HOMES = {
    "Line": "houseway.engine.settlement:SettlementLine",
    "Refusal": "houseway.engine.refusals",
    "RulebookError": "houseway.rules.loader",
    "Window": "houseway.engine.settle_json",
    "settle": "houseway.engine.settle_json",
    "Settlement": "houseway.engine.settlement",
    "Refused": "houseway.engine.refusals",
    "load": "houseway.rules.loader",
    "rulebook_ids": "houseway.rules.loader",
}


def __getattr__(name: str) -> Any:
    # Imported on first use, so that `import houseway` is fast.
    if name not in _HOMES:
        raise AttributeError(f"module 'houseway' has no attribute {name!r}")
    module, _, attribute = _HOMES[name].partition(":")
    return getattr(import_module(module), attribute or name)
