"""Merge a rulebook that extends another with its base.

Tables are merged. A list replaces the base's whole list. If the base has a list and the extension has a
table under the same key, the table changes or adds rows of the list, which it names. A value that a house
changes cites the house's own file (`own.ID`). A value that another jurisdiction inherits cites the base's
document, marked `filled`; a value that it changes must cite its own document.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Final

from houseway.rules.problems import Problem, closest, suggest
from houseway.rules.toml_reader import BASIS_KEYS

HOUSE, JURISDICTION = "house", "jurisdiction"
NAMED_ROWS: Final = {
    "pass": "name", "stage": "name", "opening": "step", "shuffling": "step", "round": "step",
}  # fmt: skip
"""The lists whose rows have names, and the key of the name."""
SECTIONS: Final = {part for part, key in NAMED_ROWS.items() if key == "step"}
WINDOWS: Final = ("free_from", "free_until")
"""The keys of a step that name other steps."""
Table = dict[str, Any]


def extended(base: Table, change: Table) -> tuple[Table, list[Problem]]:
    """Return a rulebook's tables merged with changes, and a problem for each name that the base lacks."""
    problems: list[Problem] = []
    head = dict(change["rulebook"])
    foreign = head.get("as") == JURISDICTION
    own = "" if foreign else str(head.get("id", "own"))
    joined = _filled(base) if foreign else dict(base)
    _drop(joined, head.pop("drop", []), problems)
    for part, value in change.items():
        below = joined.get(part)
        if isinstance(below, dict) and isinstance(value, dict):
            joined[part] = _merged(below, value, own)
            if (
                part == "bet_limit"
                and own
                and value.get("amount", below.get("amount")) != below.get("amount")
            ):
                # No clause of the base supports the changed amount, so cite the house's own file for it.
                clauses = {key: {"own": own} for key in below if key not in value and key != "amount"}
                joined[part] |= clauses
        elif isinstance(below, list) and isinstance(value, dict) and part in NAMED_ROWS:
            joined[part] = _named_rows(part, below, value, own, problems)
        else:
            joined[part] = value
    _offer(joined, base, change, own)
    inherited = {key: value for key, value in base["rulebook"].items() if key not in ("extends", "as")}
    source = {"value": f"a house's own, after {base['rulebook'].get('title', '')}", "own": own}
    if foreign:
        inherited.pop("source", None)
    joined["rulebook"] = {**inherited, **({} if foreign else {"source": source}), **head}
    return joined, problems


def _merged(base: Table, change: Table, own: str) -> Table:
    """Merge a change into a copy of a table: nested tables are merged, everything else is replaced.

    A changed value loses its clause, unless the change cites one.
    """
    cites = bool(BASIS_KEYS & change.keys())
    joined = {k: v for k, v in base.items() if not (cites and k in BASIS_KEYS)}
    changed = False
    for key, value in change.items():
        below = base.get(key)
        if isinstance(below, dict) and isinstance(value, dict) and key != "value":
            joined[key] = _lines(below, value, own, cites) if key == "rows" else _merged(below, value, own)
        else:
            joined[key] = value
            changed = changed or (key not in BASIS_KEYS and key in base and value != below)
    if changed and not cites and BASIS_KEYS & base.keys():
        joined = {k: v for k, v in joined.items() if k not in BASIS_KEYS} | ({"own": own} if own else {})
    return joined


def _lines(base: Table, change: Table, own: str, cites: bool) -> Table:
    """Return a pay table's lines with some of them changed; the others keep the table's clause."""
    basis = {"own": own} if own else {}
    lines = {
        hand: {"pays": pays, **basis}
        if isinstance(pays, str) and pays != base.get(hand) and (own or not cites)
        else pays
        for hand, pays in change.items()
    }
    return {**base, **lines}


def _named_rows(part: str, rows: list[Any], change: Table, own: str, problems: list[Problem]) -> list[Any]:
    """Return a list with rows changed or added by name; `after` in a new row names the row before it."""
    key = NAMED_ROWS[part]
    joined = list(rows)
    for name, new in change.items():
        row = dict(new) if isinstance(new, dict) else {"value": new}
        names = [old.get(key) if isinstance(old, dict) else None for old in joined]
        listed = row.pop("add") if isinstance(row.get("add"), list) else []
        added = [_step(wager, own) for wager in listed]
        adds = "after" in row
        after = row.pop("after", name)
        if after not in names:
            path = f"{part}.{name}.after" if adds else f"{part}.{name}"
            right = suggest(str(after), filter(None, names))
            right += "" if adds else " (to add a new row, write after = …)"
            problems.append(Problem(path, f"{after!r} is not a row of [[{part}]]", right))
            continue
        at = names.index(after)
        if after != name:
            joined.insert(at + 1, {key: name, **row})
            continue
        joined[at] = _merged(joined[at], row, own)
        if added:
            joined[at] = {**joined[at], "wagers": [*joined[at].get("wagers", []), *added]}
    return joined


def _step(wager: object, own: str) -> object:
    return {"wager": wager, "own": own} if own and isinstance(wager, str) else wager


# --- dropped parts ---


def _drop(tables: Table, paths: object, problems: list[Problem]) -> None:
    """Remove the parts that `drop` names, such as "wager.progressive", "tables.trips.A" or "pass.envy"."""
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        wrong = "is not a list of key paths"
        problems.append(Problem("rulebook.drop", wrong, 'write drop = ["wager.progressive"]'))
        return
    before = _step_names(tables)
    for path in paths:
        *above, last = path.split(".", 2 if path.startswith("tables.") else 1)
        part = above[0] if above else ""
        holder: Any = tables
        for key in above:
            if key not in holder:
                holder = {}
                break
            # Copy before changing: the original belongs to the base.
            holder[key] = copy(holder[key])
            holder = holder[key]
        if isinstance(holder, dict):
            names = list(holder)
            holder.pop(last, None)
        else:
            names = [row[NAMED_ROWS[part]] for row in holder if part in NAMED_ROWS]
            holder[:] = [row for row in holder if row.get(NAMED_ROWS.get(part)) != last]
        if last not in names:
            # A name can contain spaces and commas, so each path is quoted.
            known = [".".join((*above, name)) for name in names]
            advice = closest(path, known) or f"use one of {', '.join(map(repr, sorted(known)))}"
            problems.append(Problem("rulebook.drop", f"the base has no {path!r}", advice))
        elif part == "wager":
            _forget(tables, last)
    if gone := before - _step_names(tables):
        _close_windows(tables, gone)


def _step_names(tables: Table) -> set[str]:
    return {row["step"] for section in SECTIONS & tables.keys() for row in tables[section]}


def _close_windows(tables: Table, gone: set[str]) -> None:
    """Remove dropped steps from the moments between which other steps may be done."""
    for section in SECTIONS & tables.keys():
        tables[section] = [
            {
                key: [name for name in value if name not in gone] if key in WINDOWS else value
                for key, value in row.items()
            }
            for row in tables[section]
        ]


def _forget(tables: Table, wager: str) -> None:
    """Remove a dropped wager from every list that names it, and the rows and tables left unused."""
    for part in {"pass", "cap", "approval"} & tables.keys():
        rows = [{**row, "wagers": _without(row.get("wagers", []), wager)} for row in tables[part]]
        tables[part] = [row for row in rows if row["wagers"]]
    passes = {row["name"] for row in tables.get("pass", [])}
    for section in SECTIONS & tables.keys():
        tables[section] = [row for row in tables[section] if "pass" not in row or row["pass"] in passes]
    for name in {"offered", "tips"} & tables.get("options", {}).keys():
        option = tables["options"][name]
        named = {name: {**option, "value": _without(option["value"], wager)}}
        tables["options"] = tables["options"] | named
    if "entry" in tables:
        ways = [way for way in tables["entry"]["value"] if wager not in way]
        tables["entry"] = {**tables["entry"], "value": ways}
    rows = [row for below in tables["wager"].values() for row in below.get("pays", [])]
    used = {row["table"].partition(".")[0] for row in rows if "table" in row}
    in_use = {"posted": tables["wager"], "limits": tables["wager"], "tables": used, "table_rules": used}
    for part, names in in_use.items():
        if part in tables:
            tables[part] = {name: below for name, below in tables[part].items() if name in names}


def _without(wagers: list[Any], dropped: str) -> list[Any]:
    return [w for w in wagers if (w.get("wager") if isinstance(w, dict) else w) != dropped]


# --- inherited parts ---


def _filled(value: Any) -> Any:
    """Return a copy in which every key `clause` is renamed to `filled`."""
    if isinstance(value, dict):
        return {"filled" if key == "clause" else key: _filled(below) for key, below in value.items()}
    return [_filled(below) for below in value] if isinstance(value, list) else value


def _offer(joined: Table, base: Table, change: Table, own: str) -> None:
    """Add new wagers to `options.offered`, unless the change sets it."""
    options, wagers = change.get("options", {}), change.get("wager", {})
    if not isinstance(options, dict) or not isinstance(wagers, dict) or "offered" in options:
        return
    new = [name for name in wagers if name not in base.get("wager", {}) and name != "envy"]
    listed = joined.get("options", {}).get("offered")
    if not new or not isinstance(listed, dict):
        return
    offered = _merged(listed, {"value": [*listed.get("value", []), *new]}, own)
    joined["options"] = {**joined["options"], "offered": offered}
