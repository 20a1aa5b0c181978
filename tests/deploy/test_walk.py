"""A shell executes the commands of docs/operate.md in order."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from deploy.tls_proxy import tls_proxy
from record.servers import Server
from server.houses import free_port

PAGE = (Path(__file__).parents[2] / "docs" / "operate.md").read_text(encoding="utf-8")
STEPS = re.findall(r"^### (.*?)$.*?^```bash\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
TOOLS = ("bash", "curl", "jq", "openssl")


def need_tools() -> None:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing and os.environ.get("CI"):
        raise RuntimeError(f"the commands need {', '.join(missing)}")
    if missing:
        pytest.skip(f"the commands need {', '.join(missing)}")


def test_every_step_has_commands_to_execute() -> None:
    titles = re.findall(r"^### (.*?)$", PAGE, re.MULTILINE)
    assert [title for title, _ in STEPS] == titles
    assert titles == [
        "Start",
        "TLS",
        "Invite",
        "Back up",
        "Kill a server",
        "Restore",
        "Upgrade with a live table",
    ]


@pytest.mark.slow
def test_the_commands_of_the_page_succeed_in_order(postgres: Server, tmp_path: Path) -> None:
    need_tools()
    port, tls = free_port(), free_port()
    env = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "DB": postgres.database(),
        "OTHER_DB": postgres.database(),
        "STATE": str(tmp_path),
        "PORT": str(port),
        "METRICS_PORT": str(free_port()),
        "SITE": f"localhost:{tls}",
    }
    # A marker in the output names each step, so that a failure shows where it happened.
    script = "set -euo pipefail\n" + "\n".join(f"echo; echo '## {title}'\n{text}" for title, text in STEPS)
    try:
        with tls_proxy(tmp_path, tls, port):
            done = subprocess.run(
                ["bash", "-c", script], env=env, capture_output=True, text=True, timeout=300, check=False
            )
    finally:
        running = tmp_path / "pid"
        if running.exists():
            with suppress(ProcessLookupError):
                os.kill(int(running.read_text()), signal.SIGKILL)
    log = (tmp_path / "log").read_text() if (tmp_path / "log").exists() else ""
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{log}"
    assert re.findall("^## (.*)$", done.stdout, re.MULTILINE) == [title for title, _ in STEPS]
    assert "is not empty" in done.stderr
    # The server's log contains no secret.
    token = (tmp_path / "token").read_text().strip()
    for secret in (
        token,
        (tmp_path / "owner-link").read_text().strip(),
        "Olive",
        (tmp_path / "house.key").read_text().strip(),
    ):
        assert len(secret) > 4
        assert secret not in log
    assert log.count('"event":"server-started"') == 4
