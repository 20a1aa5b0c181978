"""The files for deployment agree with the program and with each other."""

from __future__ import annotations

import configparser
import inspect
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from houseway.auditor.audit_metrics import AuditMetrics
from houseway.cli.app import COMMANDS, main
from houseway.cli.follow import follow
from houseway.cli.serve import serve
from houseway.live.record_files import keep
from houseway.server.app import application
from houseway.server.house import HouseServer

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PAGE = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
OPTIONS = {
    "--open" if name == "open_page" else f"--{name.replace('_', '-')}": parameter
    for name, parameter in inspect.signature(serve).parameters.items()
}
VERBS = {"up", "exec", "kill", "start", "stop", "run", "cp"}


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile with their arguments."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in lines if line.strip()]


def arguments_of(name: str) -> list[str]:
    return [rest for instruction, rest in instructions() if instruction == name]


def house_settings() -> dict[str, str]:
    environment = COMPOSE["services"]["houseway"]["environment"]
    return {name: str(value) for name, value in environment.items() if name.startswith("HOUSEWAY_")}


def check_options(words: list[str]) -> None:
    """Check that the words are a command of houseway with options that it has."""
    assert words[0] in {target.rpartition(":")[2] for target in COMMANDS}
    named = {word for word in words if word.startswith("--")}
    if words[0] == "serve":
        assert named <= set(OPTIONS)
    if words[:2] == ["audit", "follow"]:
        assert named <= {f"--{name.replace('_', '-')}" for name in inspect.signature(follow).parameters}
        assert words[2].startswith("postgresql://")


def test_the_dockerfile_names_files_and_options_that_exist() -> None:
    known = {
        "FROM",
        "WORKDIR",
        "COPY",
        "RUN",
        "ENV",
        "USER",
        "VOLUME",
        "EXPOSE",
        "HEALTHCHECK",
        "ENTRYPOINT",
        "CMD",
    }
    assert {name for name, _ in instructions()} == known
    sent = re.findall(
        "^!(.+)$", (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8"), re.MULTILINE
    )
    copied = [words.split()[:-1] for words in arguments_of("COPY") if not words.startswith("--from=")]
    assert sorted(source for sources in copied for source in sources) == sorted(sent)
    assert all((ROOT / source).exists() for source in sent)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    (installs,) = (run for run in arguments_of("RUN") if "pip install" in run)
    assert set(re.findall(r"\.\[(\w+)\]", installs)) <= set(extras)
    assert arguments_of("ENTRYPOINT") == ['["houseway"]']
    check_options(yaml.safe_load(arguments_of("CMD")[0]))
    assert arguments_of("EXPOSE") == [str(OPTIONS["--port"].default)]


def test_the_image_does_not_run_as_root_and_probes_itself() -> None:
    (user,) = arguments_of("USER")
    assert re.search(rf"useradd --uid \d+ .*{user}", arguments_of("RUN")[1])
    names = [name for name, _ in instructions()]
    assert names.index("USER") > max(n for n, name in enumerate(names) if name in ("RUN", "COPY"))
    (probe,) = re.findall(r"http://127\.0\.0\.1:8000(/\w+)", arguments_of("HEALTHCHECK")[0])
    store, signer = keep(None)
    paths = {getattr(route, "path", "") for route in application(HouseServer(store, signer)).routes}
    assert probe in paths


def test_the_compose_file_names_things_that_exist() -> None:
    services = COMPOSE["services"]
    build = services["houseway"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).resolve() == DEPLOY / "Dockerfile"
    for name, service in services.items():
        assert set(service.get("depends_on", ())) <= set(services), name
        assert set(service["networks"]) <= set(COMPOSE["networks"]), name
        for mounted in service.get("volumes", ()):
            source = mounted.partition(":")[0]
            exists = (DEPLOY / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]
            assert exists, mounted
    # Only the proxy can be reached from outside.
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    used = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text(encoding="utf-8")))
    given = dict(
        re.findall(r"^(\w+)=(.+)$", (DEPLOY / "example.env").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert used == set(given)


def test_the_compose_files_settings_are_accepted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in house_settings().items():
        monkeypatch.setenv(name, re.sub(r"\$\{SITE[^}]*\}", "tables.example", value))
    assert main(["serve", "--host", "0.0.0.0", "--log-format", "json", "--show-config"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("the environment") == len(house_settings()) == 7
    assert "https://tables.example  #" in shown
    # The proxy is trusted, because it is in the network whose addresses are trusted.
    subnet = COMPOSE["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert house_settings()["HOUSEWAY_BEHIND_PROXY"] == subnet
    # The mounted folder is the one that the image makes writable.
    for folder in ("/var/lib/houseway", "/backups"):
        assert f"houseway {folder}" in arguments_of("RUN")[1] or f" {folder}" in arguments_of("RUN")[1]
        assert any(mounted.endswith(f":{folder}") for mounted in COMPOSE["services"]["houseway"]["volumes"])


def test_the_proxy_forwards_to_the_server() -> None:
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert text.count("{") == text.count("}")
    ((service, port),) = re.findall(r"reverse_proxy (\w+):(\d+)", text)
    assert service in COMPOSE["services"]
    assert int(port) == OPTIONS["--port"].default
    assert set(re.findall(r"\{\$(\w+)\}", text)) <= set(COMPOSE["services"]["proxy"]["environment"])


@pytest.mark.skipif(shutil.which("caddy") is None, reason="caddy is not installed")
@pytest.mark.parametrize("file", ["Caddyfile", "Caddyfile.servers"])
def test_caddy_accepts_its_files(file: str) -> None:
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / file)]
    subprocess.run(command, env={"SITE": "tables.example"}, check=True)


def test_the_settings_file_is_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    file = DEPLOY / "houseway.toml"
    assert main(["serve", "--config", str(file), "--show-config"]) == 0
    assert capsys.readouterr().out.count(str(file)) == len(tomllib.loads(file.read_text(encoding="utf-8")))


UNITS = ["houseway.service", "houseway-auditor.service"]


def unit(name: str = "houseway.service") -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=False, comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string((DEPLOY / name).read_text(encoding="utf-8"))
    return parser


def test_the_unit_starts_the_server_with_its_settings() -> None:
    service = unit()["Service"]
    program, *words = shlex.split(service["ExecStart"])
    assert program == "/opt/houseway/bin/houseway"
    check_options(words)
    assert words[words.index("--config") + 1] == "/etc/houseway/houseway.toml"
    for path in (
        program.rpartition("/bin/")[0],
        "/etc/houseway/",
        "/var/lib/houseway",
        "/var/cache/houseway",
    ):
        assert path in PAGE
    settings = tomllib.loads((DEPLOY / "houseway.toml").read_text(encoding="utf-8"))
    state = Path("/var/lib") / service["StateDirectory"]
    assert Path(settings["key"]).parent == Path(settings["owner-file"]).parent == state
    assert dict(pair.split("=") for pair in service["Environment"].split()) == {
        "XDG_DATA_HOME": "/var/lib",
        "XDG_CACHE_HOME": "/var/cache",
    }


def test_the_auditor_is_a_service_that_can_only_read() -> None:
    program, *words = shlex.split(unit("houseway-auditor.service")["Service"]["ExecStart"])
    assert program == shlex.split(unit()["Service"]["ExecStart"])[0]
    check_options(words)
    service = COMPOSE["services"]["auditor"]
    check_options(service["command"])
    assert service["build"] == COMPOSE["services"]["houseway"]["build"]
    # The role of the script is the user of both services, and the script gets its password.
    script = (DEPLOY / "create-auditor.sh").read_text(encoding="utf-8")
    assert "CREATE ROLE auditor LOGIN PASSWORD :'password' IN ROLE pg_read_all_data;" in script
    assert service["command"][2].startswith("postgresql://auditor@db/")
    assert unit("houseway-auditor.service")["Service"]["User"] == "auditor"
    database = COMPOSE["services"]["db"]
    assert service["environment"]["PGPASSWORD"] == database["environment"]["AUDITOR_PASSWORD"]
    assert set(re.findall(r"\$(\w+)", script)) <= set(database["environment"])
    (mounted,) = (volume for volume in database["volumes"] if volume.startswith("."))
    assert mounted == "./create-auditor.sh:/docker-entrypoint-initdb.d/create-auditor.sh:ro"
    # The health check asks for the metrics, at their port.
    assert f":{service['command'][-1]}/metrics" in service["healthcheck"]["test"][-1]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_accepts_the_unit(tmp_path: Path, name: str) -> None:
    # systemd looks for the program, so the copy names the one of this environment.
    text = (DEPLOY / name).read_text(encoding="utf-8")
    program = Path(sys.executable).with_name("houseway")
    copy = tmp_path / name
    copy.write_text(text.replace("/opt/houseway/bin/houseway", str(program)), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    command = ["systemd-analyze", "security", "--offline=true", str(copy)]
    scored = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    (score,) = re.findall(rf"exposure level for {re.escape(name)}: ([\d.]+)", scored)
    # 0 is best; a unit without any protection has 9.6.
    assert float(score) < 2


def test_the_compose_commands_on_the_page_exist() -> None:
    commands = re.findall(r"^docker compose -f (\S+) (.*)$", PAGE, re.MULTILINE)
    assert len(commands) > 8
    for file, rest in commands:
        assert ROOT / file == DEPLOY / "compose.yaml"
        more, _, verb = rest.rpartition("-f deploy/compose.servers.yaml ")
        assert not more
        words = shlex.split(verb)
        assert words[0] in VERBS, rest
        services = [
            word.partition(":")[0] for word in words[1:] if word.partition(":")[0] in COMPOSE["services"]
        ]
        assert services or words[0] == "up", rest
        ours = re.findall(r"houseway (backup|restore|serve)|run --rm houseway (\w+)", rest)
        for pair in ours:
            check_options([next(filter(None, pair))])


def test_the_files_for_several_servers_agree_with_the_first() -> None:
    more = yaml.safe_load((DEPLOY / "compose.servers.yaml").read_text(encoding="utf-8"))["services"]
    servers = [name for name in more if name != "proxy"]
    caddy = (DEPLOY / "Caddyfile.servers").read_text(encoding="utf-8")
    port = OPTIONS["--port"].default
    assert f"reverse_proxy {' '.join(f'{name}:{port}' for name in servers)} {{" in caddy
    assert caddy.count("{") == caddy.count("}")
    for name in servers:
        assert more[name]["environment"] == {"HOUSEWAY_INTERNAL_ADDRESS": f"{name}:{port}"}
        assert "--internal-address" in OPTIONS
        if name != "houseway":
            assert more[name]["extends"] == {"file": "compose.yaml", "service": "houseway"}
            assert set(more[name]["depends_on"]) == {"houseway"}
    (mounted,) = more["proxy"]["volumes"]
    assert (DEPLOY / mounted.partition(":")[0]).exists()
    (first,) = (v for v in COMPOSE["services"]["proxy"]["volumes"] if v.startswith("."))
    assert mounted.split(":")[1:] == first.split(":")[1:]
    store, signer = keep(None)
    paths = {getattr(route, "path", "") for route in application(HouseServer(store, signer)).routes}
    assert set(re.findall(r"health_uri (\S+)", caddy)) <= paths


def test_the_page_names_every_file() -> None:
    named = set(re.findall(r"`(deploy/[\w.-]+)`", PAGE))
    # The operator writes .env.
    assert {f"deploy/{file.name}" for file in DEPLOY.iterdir()} | {"deploy/.env"} == named


def test_every_metric_is_on_the_page() -> None:
    from prometheus_client import generate_latest

    store, signer = keep(None)
    text = generate_latest(HouseServer(store, signer).metrics.registry).decode()
    text += generate_latest(AuditMetrics().registry).decode()
    names = set(re.findall(r"^# TYPE (houseway_\w+) ", text, re.MULTILINE))
    listed = set(re.findall(r"`(houseway_\w+)", PAGE))
    assert len(names) > 10
    assert names == listed
