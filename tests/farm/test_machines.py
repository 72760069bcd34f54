"""Schedulers, workers and stores in processes of their own.

Killed, begun again, failing and slow.
"""

import http.client
import http.server
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import pytest

from generator.farm.dask_backend import run_on_scheduler
from generator.farm.jobs import read_plan
from generator.farm.store import open_store
from generator.farm.workers import FarmLimits, run_locally
from tests.farm.test_farm import children, contents, packs, plan

__all__ = ["packs"]
pytestmark = [pytest.mark.farm, pytest.mark.filterwarnings("default")]

GAMES = "games: [packs/one, packs/two, packs/three]\npapers: [a4, letter, a5]\n"
LIMITS = FarmLimits(600, 2)
PATIENCE = 300
"""Seconds after which something is broken, however busy the machine is."""


def free_port():
    """A port that the system gives to nobody who asks for any, so that it is free still when it is bound again."""
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text("ascii").split()[0])
    while True:
        port = secrets.choice(range(lowest - 20_000, lowest))
        with suppress(OSError), socket.socket() as open_one:
            open_one.bind(("127.0.0.1", port))
            return port


def answering(port):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise AssertionError("it did not begin in time")


@contextmanager
def process(*words):
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    begun = subprocess.Popen([sys.executable, "-m", *map(str, words)], **quiet)
    try:
        yield begun
    finally:
        begun.kill()
        begun.wait()


def scheduler(port):
    words = ("--port", port, "--host", "127.0.0.1", "--no-dashboard", "--no-show")
    return process("distributed.cli.dask_scheduler", *words)


def worker(port):
    where = f"tcp://127.0.0.1:{port}"
    words = ("--nthreads", 1, "--no-nanny", "--no-dashboard", "--death-timeout", PATIENCE)
    return process("distributed.cli.dask_worker", where, *words)


def test_workers_and_the_scheduler_may_be_lost_in_the_middle(packs):
    """A worker is killed after the first answer.

    Then the scheduler, which is begun again with a new worker.
    """
    jobs = read_plan(plan(packs, GAMES)).jobs
    list(run_locally(jobs, str(packs / "here"), LIMITS))
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    done = []
    with scheduler(port) as first, worker(port) as lost, worker(port):
        answering(port)
        answers = run_on_scheduler(jobs, str(packs / "there"), LIMITS, address)
        done.append(next(answers))
        lost.send_signal(signal.SIGKILL)
        done.append(next(answers))
        first.send_signal(signal.SIGKILL)
        first.wait()
    with scheduler(port), worker(port):
        done += answers
    assert not [item.problems for item in done if item.problems]
    assert contents(packs / "there") == contents(packs / "here")


def test_a_scheduler_of_ones_own(packs):
    jobs = read_plan(plan(packs, GAMES)).jobs
    list(run_locally(jobs, str(packs / "here"), LIMITS))
    done = list(run_on_scheduler(jobs, str(packs / "there"), LIMITS, "local"))
    assert len(done) == len(jobs)
    assert not [entry.problems for entry in done if entry.problems]
    assert contents(packs / "there") == contents(packs / "here")
    assert not any(
        item.is_fresh for item in run_on_scheduler(jobs, str(packs / "there"), LIMITS, "local")
    )


class Unsteady(http.server.BaseHTTPRequestHandler):
    """Hands requests on to a store; of those that put, one in ten fails, and one in ten is slow."""

    protocol_version = "HTTP/1.1"
    puts: "list[int]" = []  # noqa: RUF012 - of all requests
    counting = threading.Lock()

    def _pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.command == "PUT":
            with self.counting:
                nth = len(self.puts)
                self.puts.append(nth)
            if nth % 10 == 2:
                self.send_response(503)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            time.sleep(0.5 if nth % 10 == 6 else 0)
        onward = http.client.HTTPConnection("127.0.0.1", self.server.map_to_back)
        onward.request(self.command, self.path, body, dict(self.headers))
        answer = onward.getresponse()
        data = answer.read()
        self.send_response(answer.status)
        for key, value in answer.getheaders():
            if key.lower() not in {"transfer-encoding", "connection", "content-length"}:
                self.send_header(key, value)
        is_head = self.command == "HEAD"
        self.send_header(
            "Content-Length", answer.headers.get("Content-Length") if is_head else str(len(data))
        )
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else data)

    do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = _pass_on  # noqa: N815 - the library's names

    def log_message(self, *_):
        """Say nothing."""


def test_a_store_that_fails_and_is_slow_has_all_in_the_end(packs, monkeypatch):
    """S3 as moto has it, behind a door that fails one write in ten."""
    port = free_port()
    with process("moto.server", "-p", port, "-H", "127.0.0.1"):
        answering(port)
        door = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Unsteady)
        door.map_to_back = port
        threading.Thread(target=door.serve_forever, daemon=True).start()
        for name, value in {
            "AWS_ACCESS_KEY_ID": "any",
            "AWS_SECRET_ACCESS_KEY": "any",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{door.server_address[1]}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_VIRTUAL_HOSTED_STYLE_REQUEST": "false",
        }.items():
            monkeypatch.setenv(name, value)
        made = http.client.HTTPConnection("127.0.0.1", port)
        signed = "AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/s3/aws4_request"
        made.request("PUT", "/games", headers={"Authorization": signed})
        assert made.getresponse().status == 200
        jobs = read_plan(plan(packs, GAMES)).jobs
        list(run_locally(jobs, str(packs / "here"), LIMITS))
        done = list(run_locally(jobs, "s3://games/made", LIMITS))
        assert not [entry.problems for entry in done if entry.problems]
        assert len(Unsteady.puts) > 18
        store = open_store("s3://games/made")
        names = sorted(store.names(""))
        for name, digest in contents(packs / "here").items():
            assert name in names
            assert sha256(store.get(name)).hexdigest() == digest
        assert len(names) == len(contents(packs / "here"))
        assert not any(item.is_fresh for item in run_locally(jobs, "s3://games/made", LIMITS))
        door.shutdown()
        door.server_close()


def test_no_process_is_left():
    with process("http.server", free_port(), "--bind", "127.0.0.1"):
        assert len(list(children(os.getpid(), b"http.server"))) == 1
    assert not list(children(os.getpid(), b"distributed.cli"))
