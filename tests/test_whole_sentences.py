"""No function parses a sentence that the program wrote: it uses the values in the sentence instead.

The test follows sentences by name. A function writes sentences if it returns text with values between the
words, or a sentence of such a function. A field holds sentences if one is assigned to it anywhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

import houseway

SOURCE = Path(houseway.__file__).parent
TAKES_APART = frozenset({"removeprefix", "removesuffix", "partition", "rpartition", "split", "rsplit", "startswith", "endswith"})  # fmt: skip
PATTERN_METHODS = frozenset({"match", "search", "fullmatch", "split", "sub", "findall", "finditer"})
RESHAPES = frozenset({"lower", "upper", "capitalize", "replace", "strip", "lstrip", "rstrip", "join"})
PASSES_ON = frozenset(
    {"next", "min", "max", "list", "tuple", "str", "sorted", "map", "capital", "as_sentence"}
)
TEXTS = frozenset({"str", "list[str]", "tuple[str, ...]", "Iterator[str]"})
NAMES = frozenset({
    "act", "at", "backs", "by", "handle", "id", "kind", "mode", "name", "place", "player", "step", "table",
    "title", "to", "value", "version", "wager", "what", "where",
})  # fmt: skip
"""Fields that name something, such as a place ("seat 3 hand 2") or a step. Names are data."""
ALLOWED = {
    "audit/history_text.py": "reads hand histories, which people write",
    "cli/audit.py: _report": "the place is left out if the message begins with it",
    "cli/audit.py: history": "the first bytes of a file",
    "cli/clause_code.py: _lines_reading": "lines of Python source",
    "cli/find.py: _round": "a typed report",
    "cli/review.py: _read": "the first bytes of a file",
    "cli/settle.py: _refusal_text": "the place is left out if the message begins with it",
    "money.py: spoken": "an amount without its cents",
    "play/chair_commands.py: _hint": "advice ends with a question mark or gets a full stop",
    "play/chair_commands.py: act_lines": "the words of a step's name, which is data of a rulebook",
    "play/painter.py: pod": "an amount without its cents",
    "play/plain_screen.py: _decision": "typed words are compared with the labels of the options",
    "play/plain_screen.py: play": "a typed line",
    "play/plain_screen.py: say": "the dealer says a line of the script aloud if the rulebook quotes it",
    "play/staff_commands.py: _details": "the end of a list of forms in the help",
    "play/staff_commands.py: ruling": "a typed amount",
    "report/score_sheet.py: _irregularities": "stored results have these rows as text only",
    "report/sheet/make_sheet.py: _method": "paragraphs of a file",
    "rules/check_house_changes.py: house_changes": "the path of a value in a rulebook",
    "rules/procedure.py: filled": "a line of the script has blanks to fill in",
    "rules/settings.py: read_setting": "errors in a rulebook are written as 'what is wrong; what to do'",
    "school/themes.py: _four": "a choice in Texas Shootout is data: keep or split, and the cards",
    "server/review_import.py: _read": "the first bytes of a file",
    "server/rulebook_library.py: _options": "the name of a pay table's setting, which is data",
    "server/solver.py: _shootout_values": "a choice in Texas Shootout is data: keep or split, and the cards",
    "testing/soundness.py: _folder": "the heading of a rulebook's notes",
    "training/exams/exam.py: _identity": "the id in an exam's file",
}
"""Functions that may parse text, and a module that reads text that people write; each with the reason."""


def prose(node: ast.AST) -> bool:
    """True for text with values between its words."""
    if not isinstance(node, ast.JoinedStr):
        return False
    parts = [part.value if isinstance(part, ast.Constant) else "\0" for part in node.values]
    text = re.sub("(seat|hand) \0", "\0", "".join(map(str, parts)))
    return "\0" in text and re.search(r"[\w,.:;\0] [\w(\0]", text) is not None and text != "\0 \0"


class Sentences:
    """The functions that write a program's sentences, and the fields that hold them."""

    def __init__(self, trees: Mapping[str, ast.Module]) -> None:
        self.writers: set[str] = set()
        self.fields: set[str] = set()
        self.functions = [
            Function(path, node) for path, tree in trees.items() for node in functions_of(tree)
        ]
        size = -1
        while size != len(self.writers) + len(self.fields):
            size = len(self.writers) + len(self.fields)
            for function in self.functions:
                known = self.names(function)
                if function.returns_text and any(self.is_sentence(one, known) for one in function.returned):
                    self.writers.add(function.name)
                self.fields |= {name for name, value in function.given if self.is_sentence(value, known)}

    def is_sentence(self, node: ast.AST | None, known: set[str]) -> bool:
        """True if an expression is a sentence, or has one; `known` are the variables with sentences."""
        match node:
            case ast.JoinedStr():
                inner = (part.value for part in node.values if isinstance(part, ast.FormattedValue))
                return prose(node) or any(self.is_sentence(one, known) for one in inner)
            case ast.Call(func=ast.Name(id=name), args=given):
                mapped = name == "map" and isinstance(given[0], ast.Name) and given[0].id in self.writers
                passed = name in PASSES_ON and any(self.is_sentence(one, known) for one in given)
                return name in self.writers or mapped or passed
            case ast.Call(func=ast.Attribute(value=owner, attr=name), args=given):
                if name in RESHAPES | TAKES_APART:
                    return any(self.is_sentence(one, known) for one in (owner, *given))
                return name in self.writers
            case ast.Name(id=name):
                return name in known
            case ast.Attribute(attr=name):
                return name in self.fields
            case ast.IfExp(body=one, orelse=other):
                return self.is_sentence(one, known) or self.is_sentence(other, known)
            case ast.BoolOp(values=some) | ast.List(elts=some) | ast.Tuple(elts=some):
                return any(self.is_sentence(one, known) for one in some)
            case ast.BinOp(left=one, op=ast.Add(), right=other):
                return self.is_sentence(one, known) or self.is_sentence(other, known)
            case ast.Subscript(value=one) | ast.Starred(value=one) | ast.NamedExpr(value=one):
                return self.is_sentence(one, known)
            case ast.GeneratorExp(elt=one, generators=loops) | ast.ListComp(elt=one, generators=loops):
                inside = {
                    name
                    for loop in loops
                    if self.is_sentence(loop.iter, known)
                    for name in names_in(loop.target)
                }
                return self.is_sentence(one, known | inside)
        return False

    def names(self, function: Function) -> set[str]:
        """The variables of a function that hold sentences."""
        known: set[str] = set()
        size = -1
        while size != len(known):
            size = len(known)
            for names, value in function.assigned:
                if not names <= known and self.is_sentence(value, known):
                    known |= names
        return known

    def taken_apart(self) -> Iterator[str]:
        """The places where a sentence is parsed: "module: function"."""
        for function in self.functions:
            known = self.names(function) if function.parsed else set()
            if any(self.is_sentence(one, known) for one in function.parsed):
                yield f"{function.path}: {function.name}"


class Function:
    """The parts of a function through which sentences can pass."""

    def __init__(self, path: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.path, self.name = path, node.name
        self.returns_text = ast.unparse(node.returns) in TEXTS if node.returns else False
        self.returned: list[ast.AST | None] = []
        self.given: list[tuple[str, ast.AST]] = []
        """Fields, with the values that they get."""
        self.assigned: list[tuple[set[str], ast.AST | None]] = []
        """Variables, with the values that they get."""
        self.parsed: list[ast.AST] = []
        """The expression that is parsed."""
        for one in ast.walk(node):
            self._read(one)

    def _read(self, node: ast.AST) -> None:
        match node:
            case ast.Return(value=value) | ast.Yield(value=value):
                self.returned.append(value)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                self.assigned += zip(map(names_in, targets), values, strict=False)
            case ast.Assign(targets=targets, value=value):
                self.assigned += [(names_in(target), value) for target in targets]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                self.assigned.append((names_in(target), value))
            case ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr():
                self.assigned.append((names_in(node.target), node.value))
            case ast.Call(func=func, args=args, keywords=keywords):
                if is_class(func):
                    self.given += [
                        (one.arg, one.value) for one in keywords if one.arg and one.arg not in NAMES
                    ]
                if isinstance(func, ast.Attribute):
                    # Text that is joined in order to strip its ends is not taken apart.
                    whole = func.attr in TAKES_APART and not isinstance(func.value, ast.JoinedStr)
                    self.parsed += [func.value] if whole else []
                    self.parsed += args if func.attr in PATTERN_METHODS else []


def functions_of(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def names_in(target: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def is_class(function: ast.AST) -> bool:
    name = (
        function.id
        if isinstance(function, ast.Name)
        else function.attr
        if isinstance(function, ast.Attribute)
        else ""
    )
    return name[:1].isupper()


def source() -> dict[str, ast.Module]:
    # The second settler is a program of its own.
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
        if "second_settler" not in path.parts
    }


@cache
def taken_apart() -> frozenset[str]:
    """The functions that parse a sentence: the program's own, and the planted ones."""
    planted = {f"planted/{name}": ast.parse(text) for name, text in OLD.items()}
    return frozenset(Sentences(source() | planted).taken_apart())


def test_no_sentence_is_taken_apart() -> None:
    own = {place for place in taken_apart() if not place.startswith("planted/")}
    assert {
        place for place in own if place not in ALLOWED and place.partition(":")[0] not in ALLOWED
    } == set()


def test_every_exception_is_needed() -> None:
    assert set(ALLOWED) <= taken_apart() | {place.partition(":")[0] for place in taken_apart()}


OLD = {
    "the player of a sentence": """
def shown(entry: ChairEntry, state: State) -> str:
    words = entry_sentence(entry, state)
    return words.removeprefix("Seat 3").strip()
""",
    "a report after its colon": """
def shown(report: ReportIrregularity) -> str:
    return f"Your report takes effect: {act_words(report).partition(': ')[2]}."
""",
    "a full stop": """
def shown(happening: Happening) -> str:
    return happening_words(happening).removesuffix(".")
""",
    "the label of an option": """
def shown(option: Option) -> str:
    return option.says.removesuffix(" with bonus")
""",
    "a line of a list": """
def shown(card: TableCard) -> str:
    return table_line(card).partition(": ")[2]
""",
    "the payment of a row": """
def shown(row: Row) -> str:
    return row_text(row, None).removeprefix("pays ")
""",
    "the reason of an answer": """
def shown(right: RightAnswer) -> str:
    return right.reason.partition(", ")[0]
""",
    "the name of a part": """
def shown(one: RightAnswer) -> str:
    return one.part.split(" ", 2)[2]
""",
    "words that a function has just joined": """
def shown(won: int, wins: bool) -> str:
    answer = f"pay {exactly(won)} at once" if wins else "take"
    return answer.split(" ")[0]
""",
    "a regular expression": """
def shown(act: ChairAct) -> str:
    return re.sub("^asked ", "", act_words(act))
""",
}
"""Functions like those that this test has removed from the program."""


@pytest.mark.parametrize("name", OLD)
def test_a_planted_reader_of_sentences_is_noticed(name: str) -> None:
    assert f"planted/{name}: shown" in taken_apart()
