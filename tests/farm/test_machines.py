"""Test schedulers, workers and stores in processes of their own,

killed, restarted, failing and slow.
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
from tests.farm.test_farm import children, digests_by_name, farm_folder, plan

__all__ = ["farm_folder"]
pytestmark = [pytest.mark.farm, pytest.mark.filterwarnings("default")]

GAMES = "games: [packs/one, packs/two, packs/three]\npapers: [a4, letter, a5]\n"
LIMITS = FarmLimits(600, 2)
TIMEOUT_SECONDS = 300
"""Seconds after which a process counts as hanging on any machine."""


def free_port():
    """Return a free port below the range of ports that the system assigns."""
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text("ascii").split()[0])
    while True:
        port = secrets.choice(range(lowest - 20_000, lowest))
        with suppress(OSError), socket.socket() as open_one:
            open_one.bind(("127.0.0.1", port))
            return port


def wait_for_server(port):
    end = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise AssertionError("it did not begin in time")


@contextmanager
def process(*words):
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, "-m", *map(str, words)], **quiet)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def scheduler(port):
    words = ("--port", port, "--host", "127.0.0.1", "--no-dashboard", "--no-show")
    return process("distributed.cli.dask_scheduler", *words)


def worker(port):
    where = f"tcp://127.0.0.1:{port}"
    words = ("--nthreads", 1, "--no-nanny", "--no-dashboard", "--death-timeout", TIMEOUT_SECONDS)
    return process("distributed.cli.dask_worker", where, *words)


def test_output_survives_loss_of_a_worker_and_of_the_scheduler(farm_folder):
    """Kill a worker after the first answer, then the scheduler.

    Start the scheduler again with a new worker.
    """
    jobs = read_plan(plan(farm_folder, GAMES)).jobs
    list(run_locally(jobs, str(farm_folder / "here"), LIMITS))
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    results = []
    with scheduler(port) as first, worker(port) as lost, worker(port):
        wait_for_server(port)
        answers = run_on_scheduler(jobs, str(farm_folder / "there"), LIMITS, address)
        results.append(next(answers))
        lost.send_signal(signal.SIGKILL)
        results.append(next(answers))
        first.send_signal(signal.SIGKILL)
        first.wait()
    with scheduler(port), worker(port):
        results += answers
    assert not [item.problems for item in results if item.problems]
    assert digests_by_name(farm_folder / "there") == digests_by_name(farm_folder / "here")


def test_local_scheduler_gives_same_output_as_local_workers(farm_folder):
    jobs = read_plan(plan(farm_folder, GAMES)).jobs
    list(run_locally(jobs, str(farm_folder / "here"), LIMITS))
    results = list(run_on_scheduler(jobs, str(farm_folder / "there"), LIMITS, "local"))
    assert len(results) == len(jobs)
    assert not [entry.problems for entry in results if entry.problems]
    assert digests_by_name(farm_folder / "there") == digests_by_name(farm_folder / "here")
    assert not any(
        item.is_fresh
        for item in run_on_scheduler(jobs, str(farm_folder / "there"), LIMITS, "local")
    )


class Unsteady(http.server.BaseHTTPRequestHandler):
    """A proxy of a store that fails one write in ten and delays another."""

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


def test_store_that_fails_and_is_slow_gets_all_files(farm_folder, monkeypatch):
    """Write to moto's S3 through a proxy that fails one write in ten."""
    port = free_port()
    with process("moto.server", "-p", port, "-H", "127.0.0.1"):
        wait_for_server(port)
        proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Unsteady)
        proxy.map_to_back = port
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        for name, value in {
            "AWS_ACCESS_KEY_ID": "any",
            "AWS_SECRET_ACCESS_KEY": "any",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{proxy.server_address[1]}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_VIRTUAL_HOSTED_STYLE_REQUEST": "false",
        }.items():
            monkeypatch.setenv(name, value)
        connection = http.client.HTTPConnection("127.0.0.1", port)
        signed = "AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/s3/aws4_request"
        connection.request("PUT", "/games", headers={"Authorization": signed})
        assert connection.getresponse().status == 200
        jobs = read_plan(plan(farm_folder, GAMES)).jobs
        list(run_locally(jobs, str(farm_folder / "here"), LIMITS))
        results = list(run_locally(jobs, "s3://games/made", LIMITS))
        assert not [entry.problems for entry in results if entry.problems]
        assert len(Unsteady.puts) > 18
        store = open_store("s3://games/made")
        names = sorted(store.names(""))
        for name, digest in digests_by_name(farm_folder / "here").items():
            assert name in names
            assert sha256(store.get(name)).hexdigest() == digest
        assert len(names) == len(digests_by_name(farm_folder / "here"))
        assert not any(item.is_fresh for item in run_locally(jobs, "s3://games/made", LIMITS))
        proxy.shutdown()
        proxy.server_close()


def test_no_process_is_left_running():
    with process("http.server", free_port(), "--bind", "127.0.0.1"):
        assert len(list(children(os.getpid(), b"http.server"))) == 1
    assert not list(children(os.getpid(), b"distributed.cli"))
