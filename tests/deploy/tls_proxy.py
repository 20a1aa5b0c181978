"""A TLS-terminating proxy that adds X-Forwarded-For and X-Forwarded-Proto, as Caddy does.

It handles one request per connection.
"""

from __future__ import annotations

import asyncio
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def certificate(folder: Path) -> tuple[Path, Path]:
    """Create a certificate for localhost and return its file and the file of its key."""
    cert, key = folder / "tls.pem", folder / "tls.key"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "1", "-keyout", key, "-out", cert, *subject],
        check=True, capture_output=True,
    )  # fmt: skip
    return cert, key


@contextmanager
def tls_proxy(folder: Path, port: int, to: int) -> Iterator[None]:
    """Forward HTTPS on a port to HTTP on another."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate(folder))
    loop = asyncio.new_event_loop()
    ready, stop = threading.Event(), asyncio.Event()

    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, *_ = writer.get_extra_info("peername")
        with suppress(OSError, asyncio.IncompleteReadError):
            first = await reader.readuntil(b"\r\n")
            inside, outside = await asyncio.open_connection("127.0.0.1", to)
            more = f"x-forwarded-for: {host}\r\nx-forwarded-proto: https\r\nconnection: close\r\n"
            outside.write(first + more.encode())
            sending = asyncio.create_task(pipe(reader, outside))
            await pipe(inside, writer)
            sending.cancel()
            outside.close()
        writer.close()

    async def serve() -> None:
        server = await asyncio.start_server(forward, "127.0.0.1", port, ssl=context)
        ready.set()
        async with server:
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(10)
        yield
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()
