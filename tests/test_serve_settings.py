"""Settings of the server: the command line overrides the environment, which overrides the file; unknown names
are refused."""

from __future__ import annotations

import inspect
import re
import socket
from pathlib import Path

import pytest

from houseway.audit.store_factory import open_store
from houseway.cli.app import _configured_rulebooks, main
from houseway.cli.serve import serve
from houseway.cli.serve_settings import COMMAND_LINE_ONLY
from houseway.live.clock import Patience
from houseway.server.people import Expiry
from server.houses import free_port

OPTIONS = [
    "open" if name == "open_page" else name.replace("_", "-")
    for name in inspect.signature(serve).parameters
]
VALUES = {
    "host": "10.0.0.1",
    "port": "9000",
    "db": "postgresql://ann@db/house",
    "key": "/keys/house.key",
    "origin": "https://a.example",
    "behind-proxy": "10.0.0.0/8",
    "internal-address": "10.0.0.5:8000",
    "secrets-key": "/keys/secrets.key",
    "heads": "/heads",
    "certificate-key": "/keys/certificate.key",
    "certificate-name": "Charles House",
    "training": "/training",
    "metrics-host": "10.0.0.2",
    "metrics-port": "9100",
    "log-format": "json",
    "role-days": "14",
    "invitation-days": "2",
    "away-seconds": "31",
    "decision-seconds": "301",
    "ready-seconds": "61",
    "opening-seconds": "11",
    "stalled-seconds": "121",
    "unattended-hours": "49",
    "held-rounds": "4",
    "idle-rounds": "5",
    "open": "True",
    "owner": "True",
    "owner-file": "/run/link",
}
"""A value for each option, other than its default."""


@pytest.fixture
def show_config(capsys: pytest.CaptureFixture[str]) -> object:
    def show(*options: str) -> dict[str, tuple[str, str]]:
        code = main(["serve", *options, "--show-config"])
        printed = capsys.readouterr()
        assert code == 0, printed.err
        lines = (re.fullmatch(r"(\S+) +(.*)  # (.*)", line) for line in printed.out.splitlines())
        return {line[1]: (line[2], line[3]) for line in lines if line}

    return show


def variable(option: str) -> str:
    return f"HOUSEWAY_{option.upper().replace('-', '_')}"


def toml(option: str, value: str) -> str:
    bare = value.lower() if value == "True" else value if value.isdecimal() else f'"{value}"'
    return f"{option} = {bare}\n"


def test_every_option_has_a_value_here() -> None:
    assert set(VALUES) == set(OPTIONS) - COMMAND_LINE_ONLY


def test_every_option_can_be_set_everywhere(  # type: ignore[no-untyped-def]
    show_config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "houseway.toml"
    file.write_text("".join(toml(option, value) for option, value in VALUES.items()))
    assert show_config("--config", str(file)) == {
        option: (value, str(file)) for option, value in VALUES.items()
    }
    file.write_text("")
    for option, value in VALUES.items():
        monkeypatch.setenv(variable(option), value)
    monkeypatch.setenv("HOUSEWAY_CONFIG", str(file))
    expected = {
        option: (value, f"the environment ({variable(option)})") for option, value in VALUES.items()
    }
    assert show_config() == expected


def test_the_old_name_of_the_training_folder_works_everywhere(  # type: ignore[no-untyped-def]
    show_config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert show_config("--school", "/own")["training"] == ("/own", "the command line")
    file = tmp_path / "houseway.toml"
    file.write_text(toml("school", "/own"))
    assert show_config("--config", str(file))["training"] == ("/own", str(file))
    monkeypatch.setenv("HOUSEWAY_SCHOOL", "/own")
    shown = show_config()
    assert shown["training"] == ("/own", "the environment (HOUSEWAY_SCHOOL)")
    assert "school" not in shown
    # A source with precedence wins under either name.
    assert show_config("--training", "/other")["training"] == ("/other", "the command line")


def test_the_deadlines_and_days_reach_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given: list[Patience] = []
    expiries: list[Expiry] = []

    def no_server(*_: object, patience: Patience, expiry: Expiry, **__: object) -> None:
        given.append(patience)
        expiries.append(expiry)
        raise ValueError("no server today")

    monkeypatch.setattr("houseway.server.house.HouseServer", no_server)
    monkeypatch.setattr("houseway.server.log_lines.configure_logs", lambda kind: None)
    deadlines = [option for option in VALUES if option.endswith(("seconds", "hours", "rounds"))]
    assert len(deadlines) == len(Patience.__struct_fields__)
    start = ["serve", "--port", str(free_port()), "--db", str(tmp_path / "house.db")]
    for options in ((), [part for name in deadlines for part in (f"--{name}", VALUES[name])]):
        assert main([*start, *options]) == 2
        assert "no server today" in capsys.readouterr().err
    assert given == [Patience(), Patience(31, 301, 61, 11, 121, 49 * 3600, 4, 5)]
    assert main([*start, "--role-days", "14", "--invitation-days", "2"]) == 2
    assert expiries == [Expiry(), Expiry(), Expiry(14, 2)]
    for option in deadlines:
        assert main([*start, f"--{option}", "0"]) == 2
        assert f"--{option} must be 1 to 100000 (got 0)" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--role-days", "--invitation-days"])
@pytest.mark.parametrize("days", ["0", "3651"])
def test_days_out_of_bounds_are_refused(
    option: str, days: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = tmp_path / "house.db"
    assert main(["serve", "--port", str(free_port()), "--db", str(db), option, days]) == 2
    assert f"{option} must be 1 to 3650 (got {days})" in capsys.readouterr().err
    assert not db.exists()


def test_the_order_of_precedence(show_config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "houseway.toml"
    file.write_text("port = 1\nmetrics-port = 1\nhost = '10.0.0.1'\norigin = ['https://file.example']\n")
    monkeypatch.setenv("HOUSEWAY_PORT", "2")
    monkeypatch.setenv("HOUSEWAY_METRICS_PORT", "2")
    monkeypatch.setenv("HOUSEWAY_ORIGIN", "https://b.example https://c.example")
    found = show_config("--port", "3", "--config", str(file))
    assert found["port"] == ("3", "the command line")
    assert found["metrics-port"] == ("2", "the environment (HOUSEWAY_METRICS_PORT)")
    assert found["host"] == ("10.0.0.1", str(file))
    assert found["origin"][0] == "https://b.example https://c.example"
    assert found["log-format"] == ("text", "default")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("prot = 1", "there is no setting 'prot'; did you mean 'port'?"),
        ("behind_proxy = '::1'", "there is no setting 'behind_proxy'; did you mean 'behind-proxy'?"),
        ("new-key = true", "new-key can be given on the command line only; remove it"),
        ("show-config = true", "show-config can be given on the command line only; remove it"),
        ("[port]\nx = 1", "port must be a value, not a table"),
        ("port = ", "is not valid TOML"),
        ("port = 'x'", "unable to convert"),
        ("log-format = 'xml'", "log-format"),
    ],
)
def test_a_wrong_file_is_refused(
    text: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "houseway.toml"
    file.write_text(text)
    assert main(["serve", "--show-config", "--config", str(file)]) == 2
    errors = capsys.readouterr().err
    assert sentence in errors
    assert str(file) in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("HOUSEWAY_PRT", "there is no setting HOUSEWAY_PRT; did you mean 'HOUSEWAY_PORT'?"),
        (
            "HOUSEWAY_NEW_KEY",
            "HOUSEWAY_NEW_KEY: --new-key can be given on the command line only; unset the variable",
        ),
        ("HOUSEWAY_SHOW_CONFIG", "--show-config can be given on the command line only"),
    ],
)
def test_a_wrong_variable_is_refused(
    name: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(name, "1")
    assert main(["serve", "--show-config"]) == 2
    assert sentence in capsys.readouterr().err
    # Other commands do not read the settings of the server.
    assert main(["clause", "MA-7.b"]) == 0


def test_a_missing_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--config", "/nowhere.toml"]) == 2
    assert "cannot read /nowhere.toml" in capsys.readouterr().err


def test_the_password_of_the_database_is_not_shown(show_config) -> None:  # type: ignore[no-untyped-def]
    assert (
        show_config("--db", "postgresql://ann:hunter2@db/house")["db"][0] == "postgresql://ann:…@db/house"
    )


def test_a_file_can_name_rulebooks(tmp_path: Path) -> None:
    file = tmp_path / "houseway.toml"
    for text, paths in (
        ("rulebooks = ['a', 'b']", ["a", "b"]),
        ("rulebooks = 'a'", ["a"]),
        ("port = 1", []),
    ):
        file.write_text(text)
        assert _configured_rulebooks(["serve", "--config", str(file)]) == paths
    assert _configured_rulebooks(["rulebooks", "--config", str(file)]) == []


def test_the_owners_link_is_not_written_to_a_json_log(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--owner", "--log-format", "json"]) == 2
    assert "use --owner-file FILE" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["foo", "tables.example", "https://", "ftp://a.example", "https://a.example/page", "http://a:x"]
)
def test_an_origin_that_is_not_a_scheme_and_a_host_is_rejected(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--port", "1", "--origin", text]) == 2
    assert (
        "--origin must be a scheme and a host, such as https://tables.example (got"
        in capsys.readouterr().err
    )


def test_a_folder_that_does_not_exist_is_not_created(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "typing-error"
    for name, options in (
        ("house.db", ["--db", str(missing / "house.db")]),
        ("house.key", ["--db", str(tmp_path / "house.db"), "--key", str(missing / "house.key")]),
    ):
        assert main(["serve", "--port", str(free_port()), *options]) == 2
        assert f"there is no folder {missing} for {name}; create it first" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_new_database_is_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_server(*_: object, **__: object) -> None:
        raise ValueError("no server today")

    monkeypatch.setattr("houseway.server.house.HouseServer", no_server)
    monkeypatch.setattr("houseway.server.log_lines.configure_logs", lambda kind: None)
    db = tmp_path / "house.db"
    announced = f"{db} did not exist; created a new, empty database"
    for new in (True, False):
        assert main(["serve", "--port", str(free_port()), "--db", str(db)]) == 2
        assert (announced in capsys.readouterr().err) is new


def test_a_busy_port_for_metrics_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("houseway.server.log_lines.configure_logs", lambda kind: None)
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = str(busy.getsockname()[1])
        options = ["--port", str(free_port()), "--metrics-port", port, "--db", str(tmp_path / "house.db")]
        assert main(["serve", *options]) == 2
    errors = capsys.readouterr().err
    assert f"cannot serve metrics on 127.0.0.1:{port}: Address already in use; stop the program" in errors
    # Nothing is left open: the database can be used at once.
    assert main(["serve", "--port", "0", "--db", str(tmp_path / "house.db")]) == 2
    open_store(tmp_path / "house.db").close()
