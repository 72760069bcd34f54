"""The displayed state of a pack: its last good state, its current problems, and the subscribers to changes."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from queue import Full, Queue
from threading import Event, Lock, RLock, Thread

from generator.base.errors import (
    InvalidValueError,
    Kind,
    PnpError,
    Problem,
    Reporter,
    Where,
)
from generator.draw.draw import share_text_sizes, sides_of
from generator.live.cards import Card, CardSide
from generator.live.faces import FaceRenderer
from generator.pack.folder import GAME_FILE, PackFolder
from generator.pack.game import Component, Design, Game
from generator.pack.load import PackForm, read_pack
from generator.pack.row_filler import DesignCache
from generator.pipeline.pull import PulledTable, pull
from generator.pipeline.vocabulary import vocabulary

# The modification time in ns, the size and the inode of a file.
Stamp = tuple[int, int, int]

# Shortest pause between two polls: an edit appears at once, at little cost.
MIN_POLL_SECONDS = 0.05
# Time until a changed file is polled again: editors save in several steps.
SETTLE_SECONDS = 0.004
# Largest number of files that are polled.
MAX_FILES = 20_000
IGNORED_FOLDERS = frozenset({"output", "node_modules", "__pycache__"})


def read_stamps(folder: Path) -> dict[str, Stamp]:
    """Return the stamps of all files below a folder by relative name, without hidden and generated files."""
    stamps: dict[str, Stamp] = {}
    pending = [(str(folder), "")]
    while pending:
        place, prefix = pending.pop()
        try:
            entries = list(os.scandir(place))
        except OSError:
            continue
        for entry in entries:
            if (
                entry.name.startswith(".")
                or entry.name in IGNORED_FOLDERS
                or len(stamps) >= MAX_FILES
            ):
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    pending.append((entry.path, f"{prefix}{entry.name}/"))
                else:
                    stat = entry.stat()
                    stamps[prefix + entry.name] = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
            except OSError:
                continue
    return stamps


def watch(
    folder: Path,
    stamps: Mapping[str, Stamp],
    on_change: Callable[[Mapping[str, Stamp]], object],
    stopped: Event,
) -> None:
    """Poll a folder until stopped; call `on_change` with all stamps after each change of `stamps`.

    A folder that is slow to read is polled less often.
    """
    spent = 0.0
    # Four times the time that a poll takes: polls use a fifth of the time at most.
    while not stopped.wait(max(MIN_POLL_SECONDS / 2, 4 * spent)):
        start = time.perf_counter()
        new_stamps = read_stamps(folder)
        spent = time.perf_counter() - start
        if new_stamps != stamps:
            stamps = _wait_until_settled(folder, new_stamps)
            on_change(stamps)


def _wait_until_settled(folder: Path, stamps: Mapping[str, Stamp]) -> Mapping[str, Stamp]:
    """Return the stamps once nothing changes, or after five polls: a file may be written all the time."""
    for _ in range(5):
        time.sleep(SETTLE_SECONDS)
        later = read_stamps(folder)
        if later == stamps:
            break
        stamps = later
    return stamps


@dataclass(frozen=True)
class Reading:
    """The result of reading a pack: the game, if there is one to display, and the problems of the pack and its rows.

    `is_unchanged` is True if no file but the tables changed; unchanged rows are then the same objects
    as before.
    """

    game: Game | None
    pack_problems: tuple[Problem, ...] = ()
    row_problems: Mapping[Where, tuple[Problem, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    is_unchanged: bool = False


@dataclass
class PackReader:
    """Reads one pack in one variant and language."""

    folder: Path
    form: PackForm
    _parsed_rows: dict[str, DesignCache] = field(default_factory=dict)
    _other_stamps: Mapping[str, Stamp] | None = None
    _table_names: frozenset[str] = frozenset()
    _previous: Game | None = None

    def read(self, stamps: Mapping[str, Stamp]) -> Reading:
        """Read the pack; `stamps` are the stamps of its files now."""
        # The stamps of all files but the tables: a change of such a file may concern every row.
        other_stamps = {
            name: stamp for name, stamp in stamps.items() if name not in self._table_names
        }
        is_unchanged = other_stamps == self._other_stamps
        if not is_unchanged:
            self._parsed_rows = {}
        report = Reporter()
        try:
            game = read_pack(
                PackFolder(self.folder, is_draft=True),
                vocabulary(),
                self.form,
                report,
                self._parsed_rows,
            )
            game = share_text_sizes(game) if game else None
        except PnpError as error:
            game = None
            report.add(*error.problems)
        except InvalidValueError as error:
            game = None
            report.add(error.at(None))
        reading = self._reading(game, report, is_unchanged=is_unchanged)
        if reading.game is not None:
            self._table_names = _find_tables(reading.game, self.folder)
            self._other_stamps = {
                name: stamp for name, stamp in stamps.items() if name not in self._table_names
            }
            self._previous = reading.game
        else:
            self._other_stamps = None
        return reading

    def _reading(self, game: Game | None, report: Reporter, *, is_unchanged: bool) -> Reading:
        problems = tuple(dict.fromkeys(report.problems))
        if game is None:
            return Reading(None, problems)
        rows = _find_row_places(game, self._previous)
        pack_problems = tuple(
            problem
            for problem in problems
            if problem.where not in rows and not _is_in_table(problem, rows)
        )
        if pack_problems or _has_lost_rows(game, self._previous, problems):
            return Reading(None, problems)
        problems_by_row: dict[Where, tuple[Problem, ...]] = {}
        for problem in problems:
            if problem.where:
                problems_by_row[problem.where] = (*problems_by_row.get(problem.where, ()), problem)
        return Reading(game, (), problems_by_row, tuple(report.notes), is_unchanged)


def _find_tables(game: Game, folder: Path) -> frozenset[str]:
    """Return the files that hold rows of components, by name in the pack; without the main file."""
    top = PackFolder(folder).where(GAME_FILE).file.removesuffix(GAME_FILE)
    files = {design.where.file for part in game.components for design in part.designs}
    return frozenset(file.removeprefix(top) for file in files) - {GAME_FILE}


def _find_row_places(*games: Game | None) -> frozenset[Where]:
    """Return the places of all rows."""
    return frozenset(
        design.where
        for game in games
        if game
        for part in game.components
        for design in part.designs
    )


def _is_in_table(problem: Problem, rows: frozenset[Where]) -> bool:
    """Return True if a problem is in a table, in or below its first readable row."""
    where = problem.where
    if where is None or where.file.endswith(GAME_FILE):
        return False
    lines = [row.line for row in rows if row.file == where.file]
    return bool(lines) and where.line >= min(lines)


def _has_lost_rows(game: Game, before: Game | None, problems: tuple[Problem, ...]) -> bool:
    """Return True if a component had rows and has none now because its table cannot be read."""
    earlier_parts = {part.id: part for part in before.components} if before else {}
    return bool(problems) and any(
        not part.designs and _designs_of(earlier_parts.get(part.id)) for part in game.components
    )


def _designs_of(component: Component | None) -> tuple[Design, ...]:
    return component.designs if component else ()


# Up to this many sides are rendered before the page is told of a change. They take a fraction of a
# second; more are rendered afterwards, in the background.
MAX_EAGER_SIDES = 24
# Unread messages after which a page must reload the state.
MAX_UNREAD_NEWS = 1000


@dataclass(frozen=True)
class LiveState:
    """One state: its number, the game, its cards, and the problems of the pack.

    `pulled` is the result of the last download of tables, or its error.
    """

    number: int = 0
    game: Game | None = None
    cards: Mapping[str, Card] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    pulled: Mapping[str, object] = field(default_factory=dict)


# A state and the one after it.
News = tuple[LiveState, LiveState]

Subscriber = Queue[News | None]


@dataclass
class Session:
    """One pack being edited, displayed in one variant and language.

    `stamps` are the stamps of the displayed files.
    """

    folder: Path
    form: PackForm = field(default_factory=PackForm)
    renderer: FaceRenderer = field(default_factory=FaceRenderer)
    stopped: Event = field(default_factory=Event)
    state: LiveState = field(default_factory=LiveState)
    stamps: Mapping[str, Stamp] = field(default_factory=dict)
    _reader: PackReader = field(init=False)
    _read_lock: RLock = field(default_factory=RLock)
    _lock: Lock = field(default_factory=Lock)
    _waiting_requests: int = 0
    _count_lock: Lock = field(default_factory=Lock)
    _threads: list[Thread] = field(default_factory=list)
    _subscribers: list[Subscriber] = field(default_factory=list)
    _last_good_cards: dict[str, Card] = field(default_factory=dict)
    _unrendered: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._reader = PackReader(self.folder, self.form)

    def start(self) -> None:
        """Read the pack, then watch it and render sides in the background until the session stops."""
        self.refresh(read_stamps(self.folder))
        watched = (self.folder, self.stamps, self.refresh, self.stopped)
        self._threads = [
            Thread(target=watch, args=watched, daemon=True),
            Thread(target=self._render_remaining, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End all threads and subscriptions, after the current read or rendering."""
        self.stopped.set()
        for thread in self._threads:
            thread.join()
        with self._read_lock, self._lock:
            for subscriber in self._subscribers:
                _send(subscriber, None)
            self.renderer.close()

    def subscribe(self) -> Subscriber:
        """Return a queue of all news from now on; None ends it."""
        queue: Subscriber = Queue(MAX_UNREAD_NEWS)
        with self._lock:
            self._subscribers.append(queue)
        return queue

    def unsubscribe(self, queue: Subscriber) -> None:
        """Remove a subscriber."""
        with self._lock:
            self._subscribers.remove(queue)

    def refresh(self, stamps: Mapping[str, Stamp]) -> None:
        """Read the pack again and publish the result; reads are published in order."""
        with self._read_lock:
            if self.stopped.is_set():
                return
            reading = self._reader.read(stamps)
            with self._lock:
                if reading.game is None:
                    self._publish(replace(self.state, problems=reading.pack_problems))
                else:
                    self._publish_game(reading.game, reading)
                self.stamps = stamps

    def display_form(self, form: PackForm) -> None:
        """Display the pack in another variant or language, on all pages."""
        with self._read_lock:
            self.form = form
            self._reader = PackReader(self.folder, form)
            self.refresh(self.stamps)

    def render_png(self, key: str, scale: int) -> bytes | None:
        """Return a picture; the problems of a side are published when it is first displayed."""
        with self._waiting():
            if key in self._unrendered:
                self._render_sides([key])
            return self.renderer.render_png(key, scale)

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Count a request for a picture while it waits: background rendering pauses for it."""
        with self._count_lock:
            self._waiting_requests += 1
        try:
            yield
        finally:
            with self._count_lock:
                self._waiting_requests -= 1

    def publish_pulled(self, result: Mapping[str, object]) -> None:
        """Publish the result of a download if it differs from the last one."""
        with self._lock:
            if result != self.state.pulled:
                self._publish(replace(self.state, pulled=result))

    def _publish_game(self, game: Game, reading: Reading) -> None:
        """Publish a game that was read as the new state; render its sides first if they are few."""
        pairs = [(part, design) for part in game.components for design in part.designs]
        sides = [side for part, design in pairs for side in sides_of(part, design)]
        keys = iter(self.renderer.take_state(game, sides, is_unchanged=reading.is_unchanged))
        cards = {}
        for part, design in pairs:
            card_sides = tuple(CardSide(side, next(keys)) for side in sides_of(part, design))
            cards[f"{part.id}:{design.id}"] = Card(
                part, design, card_sides, reading.row_problems.get(design.where, ())
            )
        cards |= self._unreadable_cards(cards, reading)
        self._last_good_cards = {
            name: card for name, card in self._last_good_cards.items() if name in cards
        }
        self._unrendered = {}
        for name, card in cards.items():
            for side in card.sides:
                self._unrendered.setdefault(side.key, []).append(name)
        unrendered = {key for key in self._unrendered if not self.renderer.is_rendered(key)}
        deferred = unrendered if len(unrendered) > MAX_EAGER_SIDES else ()
        self._update_problems(cards, [key for key in self._unrendered if key not in deferred])
        for name, card in cards.items():
            if card.problems and not card.stale:
                cards[name] = self._with_problems(card)
        assigned = {problem for card in cards.values() for problem in card.problems}
        unassigned = [
            problem
            for item in reading.row_problems.values()
            for problem in item
            if problem not in assigned
        ]
        self._publish(
            LiveState(0, game, cards, tuple(unassigned), reading.notes, self.state.pulled)
        )

    def _unreadable_cards(self, cards: Mapping[str, Card], reading: Reading) -> dict[str, Card]:
        """Return earlier cards whose rows cannot be read now."""
        return {
            name: replace(card, problems=reading.row_problems[card.design.where], stale=True)
            for name, card in self.state.cards.items()
            if name not in cards and card.design.where in reading.row_problems
        }

    def _update_problems(self, cards: dict[str, Card], keys: Sequence[str]) -> list[str]:
        """Render some sides, update the problems of their cards, and return the names of those cards."""
        touched: dict[str, None] = {}
        for key in keys:
            self.renderer.find_problems(key)
            touched |= dict.fromkeys(self._unrendered.pop(key, ()))
        for name in touched:
            cards[name] = self._with_problems(cards[name])
        stale_sides = [side for card in cards.values() if card.stale for side in card.sides]
        self.renderer.pin({side.key: side.side for side in stale_sides})
        return list(touched)

    def _with_problems(self, card: Card) -> Card:
        """Return a card with its problems.

        Unless all problems are overflowing texts, the card gets its last good picture.
        """
        if card.stale:
            return card
        rendered_keys = [side.key for side in card.sides if side.key not in self._unrendered]
        new_problems = [
            problem for key in rendered_keys for problem in self.renderer.find_problems(key)
        ]
        if not new_problems and not card.problems:
            if len(rendered_keys) == len(card.sides):
                self._last_good_cards[card.name] = card
            return card
        problems = tuple(dict.fromkeys((*card.problems, *new_problems)))
        good = self._last_good_cards.get(card.name)
        if good and (
            card.problems or any(problem.kind is not Kind.FIT for problem in new_problems)
        ):
            return replace(card, sides=good.sides, problems=problems, stale=True)
        return replace(card, problems=problems)

    def _render_sides(self, keys: Sequence[str]) -> None:
        with self._lock:
            if self.stopped.is_set():
                return
            cards = dict(self.state.cards)
            before = dict(cards)
            touched = self._update_problems(cards, [key for key in keys if key in self._unrendered])
            if any(cards[name] != before[name] for name in touched):
                self._publish(replace(self.state, cards=cards))

    def _render_remaining(self) -> None:
        """Render the remaining sides in small batches, while no request waits for a picture."""
        while not self.stopped.wait(0.01):
            while self._unrendered and not self.stopped.is_set():
                if self._waiting_requests:
                    time.sleep(0.005)
                    continue
                # A request waits for one batch at most.
                self._render_sides(
                    [key for key, _ in zip(tuple(self._unrendered), range(4), strict=False)]
                )
                time.sleep(0.001)

    def _publish(self, state: LiveState) -> None:
        before = self.state
        self.state = replace(state, number=before.number + 1)
        for subscriber in self._subscribers:
            _send(subscriber, (before, self.state))


def _send(queue: Subscriber, news: News | None) -> None:
    """Send news to a subscriber, unless its queue is full; its page then reloads the state when it reads on."""
    try:
        queue.put_nowait(news)
    except Full:
        return


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
    proxy: bool = False
    _digests: dict[str, str] = field(default_factory=dict)

    def start(self) -> None:
        """Start a thread that downloads until the session stops."""
        if self.seconds:
            Thread(target=self._pull_repeatedly, daemon=True).start()

    def pull(self) -> None:
        """Download once and publish the result or the error."""
        try:
            tables = pull(self.session.folder, near=self.near, proxy=self.proxy, check=self._check)
        except (PnpError, InvalidValueError) as error:
            self.session.publish_pulled({"error": str(error)})
            return
        for table in tables:
            self._digests[table.file] = sha256(table.data).hexdigest()
            if not table.is_as_before:
                self.session.publish_pulled(
                    {"file": table.file, "summary": str(table), **table.changes}
                )

    def _check(self, table: PulledTable) -> None:
        path = self.session.folder / table.file
        digest = self._digests.get(table.file)
        if digest and path.is_file() and sha256(path.read_bytes()).hexdigest() != digest:
            found = f"{table.file} was changed locally since the last download and stays unchanged"
            raise PnpError(
                [
                    InvalidValueError(
                        found,
                        "the change in the sheet",
                        "`pnp pull` replaces the local file with the sheet",
                    ).at(None)
                ]
            )

    def _pull_repeatedly(self) -> None:
        while not self.session.stopped.is_set():
            self.pull()
            self.session.stopped.wait(max(self.seconds, MIN_PULL_SECONDS))
