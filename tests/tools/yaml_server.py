"""Ask a YAML language server about files, as an editor does for an opened folder."""

import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


class YamlServer:
    """A running yaml-language-server; it speaks the Language Server Protocol on its streams."""

    def __init__(self, process: subprocess.Popen, folder: Path, settings: dict) -> None:
        self.process = process
        self.settings = settings
        self.request_count = 0
        root = {"uri": folder.as_uri(), "name": folder.name}
        capable = {
            "workspace": {"configuration": True, "workspaceFolders": True},
            "textDocument": {"publishDiagnostics": {}},
        }
        self._ask(
            "initialize",
            {
                "processId": None,
                "rootUri": root["uri"],
                "workspaceFolders": [root],
                "capabilities": capable,
            },
        )
        self._notify("initialized", {})

    def check(self, paths: Iterable[Path]) -> dict[Path, list[str]]:
        """Return the messages about each file."""
        return {path: self._diagnose(path) for path in paths}

    def _diagnose(self, path: Path) -> list[str]:
        document = {
            "uri": path.as_uri(),
            "languageId": "yaml",
            "version": 1,
            "text": path.read_text("utf-8"),
        }
        self._notify("textDocument/didOpen", {"textDocument": document})
        while True:
            message = self._next()
            if message.get("method") != "textDocument/publishDiagnostics":
                continue
            if message["params"]["uri"] == document["uri"]:
                return [diagnostic["message"] for diagnostic in message["params"]["diagnostics"]]

    def _ask(self, method: str, params: dict) -> dict:
        self.request_count += 1
        number = self.request_count
        self._send({"id": number, "method": method, "params": params})
        while True:
            message = self._next()
            if message.get("id") == number and "method" not in message:
                return message["result"]

    def _notify(self, method: str, params: dict) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _next(self) -> dict:
        """Return the server's next message, after answering it if it is a request."""
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message = json.loads(self.process.stdout.read(length))
        if "id" in message and "method" in message:
            answer = None
            if message["method"] == "workspace/configuration":
                sections = [item.get("section", "") for item in message["params"]["items"]]
                answer = [self.settings.get(section) for section in sections]
            self._send({"id": message["id"], "result": answer})
        return message


@contextmanager
def open_folder(folder: Path, schemas: dict) -> Iterator[YamlServer]:
    """Start the server as an editor does, with the settings `yaml.schemas`."""
    program = shutil.which("yaml-language-server")
    assert program, "npm install --global yaml-language-server"
    # The schema store is a catalogue that the server would download.
    settings = {"yaml": {"schemas": schemas, "schemaStore": {"enable": False}, "validate": True}}
    with subprocess.Popen(
        [program, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            yield YamlServer(process, folder, settings)
        finally:
            process.kill()
