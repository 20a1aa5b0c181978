"""The messages about classes: an instructor, trainees, the exam that is set, and the results."""

from __future__ import annotations

from houseway.client.messages import Reply, Request, TableCard
from houseway.client.training_messages import TrainingCard


class ExamChoice(Reply, frozen=True):
    """An exam that an instructor can set."""

    id: str
    title: str


class ExamSet(Reply, frozen=True):
    """The exam that is set for a class."""

    exam: str
    title: str
    rulebook: str
    rulebook_title: str
    set_at: str
    mode: str = ""
    """The deal mode."""


class ClassCard(Reply, frozen=True):
    """A class."""

    id: str
    name: str
    instructor: str
    yours: bool
    """True if you are the instructor."""
    members: int
    created_at: str
    closed: bool = False
    exam: ExamSet | None = None


class ClassCards(Reply, frozen=True):
    """The classes that you teach, and the classes that you have joined."""

    may_open: bool
    """True if you may open a class."""
    teaching: tuple[ClassCard, ...]
    joined: tuple[ClassCard, ...]


class OpenClass(Request, frozen=True):
    """Open a class."""

    name: str


class ClassInvitation(Reply, frozen=True):
    """The link with which trainees join a class. It works for many trainees until it expires."""

    link: str
    invitation: str
    expires_at: str


class JoinClass(Request, frozen=True):
    """Join a class, or look at it first."""

    invitation: str


class ClassPreview(Reply, frozen=True):
    """A class as a person sees it before joining."""

    name: str
    instructor: str
    members: int
    joined: str = ""
    """The id of the class, if you are already in it."""


class SetExam(Request, frozen=True):
    """Set the exam of a class; without an exam, remove it."""

    exam: str = ""
    rulebook: str = ""
    mode: str = ""
    """The deal mode; by default the one that offers more kinds of wagers."""


class ClassPerson(Request, frozen=True):
    """Name a trainee of a class."""

    handle: str


class ClassTable(Request, frozen=True):
    """Name a table of a class."""

    table: str


class ResultMeasure(Reply, frozen=True):
    """A measure of an exam, as the results show it."""

    name: str
    label: str
    shown: str
    limit: str
    """The limit in words; empty if there is none."""
    passed: bool


class AttemptResult(Reply, frozen=True):
    """An attempt of a trainee at an exam."""

    attempt: int
    exam: str
    rulebook: str
    status: str
    """started, passed, not passed, aborted, out of time or erased."""
    started_at: str
    ended_at: str = ""
    passed: bool | None = None
    """None while there is no result."""
    certificate: bool = False
    """True if the house has signed a certificate."""
    session: str = ""
    """The training session of the attempt."""
    measures: tuple[ResultMeasure, ...] = ()


class TraineeResults(Reply, frozen=True):
    """A trainee of a class, and the trainee's attempts."""

    handle: str
    joined_at: str
    erased_at: str = ""
    """The time at which the trainee erased earlier results, or empty."""
    erased_attempts: int = 0
    """The number of attempts that the trainee erased."""
    attempts: tuple[AttemptResult, ...] = ()


class ClassSheet(Reply, frozen=True):
    """A class with its trainees and results. A trainee sees only their own results."""

    card: ClassCard
    trainees: tuple[TraineeResults, ...]
    exams: tuple[ExamChoice, ...] = ()
    """The exams that the instructor can set."""
    invited_until: str = ""
    """The time at which the invitation link expires; empty if there is none."""


class ClassTables(Reply, frozen=True):
    """The open tables at which trainees of a class play or deal."""

    tables: tuple[TableCard, ...]


class ClassSession(Reply, frozen=True):
    """A session of a trainee that the instructor of a class may watch."""

    trainee: str
    session: TrainingCard


class ClassSessions(Reply, frozen=True):
    """The open sessions of the trainees of a class."""

    sessions: tuple[ClassSession, ...]


class ClassLeft(Reply, frozen=True):
    """The result of leaving a class."""

    left: bool
