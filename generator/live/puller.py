"""Repeated download of the tables that a pack names by address."""

from dataclasses import dataclass, field
from hashlib import sha256
from threading import Thread

from generator.app.pulling import Pulled, pull
from generator.core.problems import PnpError, Wrong, error_of
from generator.live.session import Session

# Shortest pause between two downloads: sheet services limit requests.
MIN_PULL_SECONDS = 5.0


@dataclass
class TablePuller:
    """Downloads tables every `seconds` seconds.

    A file that was changed locally since the last download is left unchanged and reported.
    """

    session: Session
    seconds: float
    near: bool = False
    _digests: dict[str, str] = field(default_factory=dict)

    def start(self) -> None:
        """Start a thread that downloads until the session stops."""
        if self.seconds:
            Thread(target=self._pull_repeatedly, daemon=True).start()

    def pull(self) -> None:
        """Download once and publish the result or the error."""
        try:
            tables = pull(self.session.folder, near=self.near, may=self._check)
        except (PnpError, Wrong) as error:
            self.session.publish_pulled({"error": str(error)})
            return
        for table in tables:
            self._digests[table.file] = sha256(table.data).hexdigest()
            if not table.is_as_before:
                self.session.publish_pulled({"file": table.file, "said": str(table), **table.ways})

    def _check(self, table: Pulled) -> None:
        path = self.session.folder / table.file
        digest = self._digests.get(table.file)
        if digest and path.is_file() and sha256(path.read_bytes()).hexdigest() != digest:
            found = f"{table.file} was changed locally since the last download and stays unchanged"
            raise error_of([Wrong(found, "the change in the sheet", "`pnp pull` takes what is in the sheet").at(None)])

    def _pull_repeatedly(self) -> None:
        while not self.session.stopped.is_set():
            self.pull()
            self.session.stopped.wait(max(self.seconds, MIN_PULL_SECONDS))
