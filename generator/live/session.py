"""The displayed state of a pack: its last good state, its current problems, and the subscribers to changes."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import Full, Queue
from threading import Event, Lock, RLock, Thread

from generator.core.problems import Kind, Problem
from generator.draw.sides import DesignSide, sides_of
from generator.live.easel import Easel
from generator.live.reading import PackReader, Reading
from generator.live.watching import Stamp, Watcher, stamps
from generator.pack.game import Component, Design, Game
from generator.pack.load import PackForm

# Up to this many sides are rendered before the page hears of a change, which takes a fraction of a
# second.
AT_ONCE = 24
# Unread messages after which a page must reload the state.
WAITING = 1000


@dataclass(frozen=True)
class CardSide:
    """A side of a displayed card, and the key of its picture."""

    side: DesignSide = field(compare=False)
    key: str


@dataclass(frozen=True)
class Card:
    """A displayed design with its problems; `stale` is True if the picture is the last good one."""

    component: Component = field(compare=False)
    design: Design = field(compare=False)
    sides: tuple[CardSide, ...]
    problems: tuple[Problem, ...] = ()
    stale: bool = False

    @property
    def name(self) -> str:
        """The name of the card on the page, `component:design`."""
        return f"{self.component.id}:{self.design.id}"


@dataclass(frozen=True)
class Shown:
    """One state: its number, the game, its cards, and the problems of the pack.

    `pulled` is the result of the last download of tables, or its error.
    """

    number: int = 0
    game: Game | None = None
    cards: Mapping[str, Card] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    pulled: Mapping[str, object] = field(default_factory=dict)
    """What came from elsewhere the last time, or why nothing did."""


@dataclass(frozen=True)
class News:
    """The change from one state to the next."""

    before: Shown
    now: Shown


Subscriber = Queue[News | None]


@dataclass
class Session:
    """One pack being edited, displayed in one variant and language.

    `stamps` are the stamps of the displayed files.
    """

    folder: Path
    wish: PackForm = field(default_factory=PackForm)
    easel: Easel = field(default_factory=Easel)
    stopped: Event = field(default_factory=Event)
    shown: Shown = field(default_factory=Shown)
    stamps: Mapping[str, Stamp] = field(default_factory=dict)
    _reader: PackReader = field(init=False)
    _reading: RLock = field(default_factory=RLock)
    _lock: Lock = field(default_factory=Lock)
    _wanted: int = 0
    _counting: Lock = field(default_factory=Lock)
    _threads: list[Thread] = field(default_factory=list)
    _subscribers: list[Subscriber] = field(default_factory=list)
    _good: dict[str, Card] = field(default_factory=dict)
    _undrawn: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._reader = PackReader(self.folder, self.wish)

    def start(self) -> None:
        """Read the pack, then watch it and render sides in the background until the session stops."""
        self.refresh(stamps(self.folder))
        watcher = Watcher(self.folder, self.refresh, self.stopped)
        self._threads = [
            Thread(target=watcher.watch, args=(self.stamps,), daemon=True),
            Thread(target=self._draw_on, daemon=True),
        ]
        for each in self._threads:
            each.start()

    def stop(self) -> None:
        """End all threads and subscriptions, after the current read or rendering."""
        self.stopped.set()
        for thread in self._threads:
            thread.join()
        with self._reading, self._lock:
            for each in self._subscribers:
                _put(each, None)
            self.easel.close()

    def subscribe(self) -> Subscriber:
        """Return a queue of all news from now on; None ends it."""
        queue: Subscriber = Queue(WAITING)
        with self._lock:
            self._subscribers.append(queue)
        return queue

    def leave(self, queue: Subscriber) -> None:
        """Remove a subscriber."""
        with self._lock:
            self._subscribers.remove(queue)

    def refresh(self, now: Mapping[str, Stamp]) -> None:
        """Read the pack again and publish the result; reads are published in order."""
        with self._reading:
            if self.stopped.is_set():
                return
            reading = self._reader.read(now)
            with self._lock:
                if reading.game is None:
                    self._publish(replace(self.shown, problems=reading.whole))
                else:
                    self._take(reading.game, reading)
                self.stamps = now

    def show_as(self, form: PackForm) -> None:
        """Display the pack in another variant or language, on all pages."""
        with self._reading:
            self.wish, self._reader = form, PackReader(self.folder, form)
            self.refresh(self.stamps)

    def png(self, key: str, scale: int) -> bytes | None:
        """Return a picture; the problems of a side are published when it is first displayed."""
        with self._waiting():
            if key in self._undrawn:
                self._looked_at([key])
            return self.easel.png(key, scale)

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Count a request for a picture while it waits: background rendering pauses for it."""
        with self._counting:
            self._wanted += 1
        try:
            yield
        finally:
            with self._counting:
                self._wanted -= 1

    def tell_pulled(self, came: Mapping[str, object]) -> None:
        """Publish the result of a download if it differs from the last one."""
        with self._lock:
            if came != self.shown.pulled:
                self._publish(replace(self.shown, pulled=came))

    def _take(self, game: Game, reading: Reading) -> None:
        pairs = [(part, design) for part in game.components for design in part.designs]
        sides = [side for part, design in pairs for side in sides_of(part, design)]
        keys = iter(self.easel.show(game, sides, kept=reading.kept))
        cards = {}
        for part, design in pairs:
            own = tuple(CardSide(side, next(keys)) for side in sides_of(part, design))
            cards[f"{part.id}:{design.id}"] = Card(part, design, own, reading.rows.get(design.where, ()))
        cards |= self._dropped(cards, reading)
        self._good = {name: card for name, card in self._good.items() if name in cards}
        self._undrawn = {}
        for name, card in cards.items():
            for side in card.sides:
                self._undrawn.setdefault(side.key, []).append(name)
        new = {key for key in self._undrawn if not self.easel.is_drawn(key)}
        later = new if len(new) > AT_ONCE else ()
        self._settle(cards, [key for key in self._undrawn if key not in later])
        for name, card in cards.items():
            if card.problems and not card.stale:
                cards[name] = self._judged(card)
        blamed = {problem for card in cards.values() for problem in card.problems}
        loose = [problem for each in reading.rows.values() for problem in each if problem not in blamed]
        self._publish(Shown(0, game, cards, tuple(loose), reading.notes, self.shown.pulled))

    def _dropped(self, cards: Mapping[str, Card], reading: Reading) -> dict[str, Card]:
        """Return earlier cards whose rows cannot be read now."""
        return {
            name: replace(card, problems=reading.rows[card.design.where], stale=True)
            for name, card in self.shown.cards.items()
            if name not in cards and card.design.where in reading.rows
        }

    def _settle(self, cards: dict[str, Card], keys: Sequence[str]) -> list[str]:
        """Render some sides, update the problems of their cards, and return the names of those cards."""
        touched: dict[str, None] = {}
        for key in keys:
            self.easel.problems(key)
            touched |= dict.fromkeys(self._undrawn.pop(key, ()))
        for name in touched:
            cards[name] = self._judged(cards[name])
        shown = [side for card in cards.values() if card.stale for side in card.sides]
        self.easel.pin({side.key: side.side for side in shown})
        return list(touched)

    def _judged(self, card: Card) -> Card:
        """Return a card with its problems.

        If a problem is more than overflowing text, the card has its last good picture.
        """
        if card.stale:
            return card
        drawn = [side.key for side in card.sides if side.key not in self._undrawn]
        found = [problem for key in drawn for problem in self.easel.problems(key)]
        if not found and not card.problems:
            if len(drawn) == len(card.sides):
                self._good[card.name] = card
            return card
        problems = tuple(dict.fromkeys((*card.problems, *found)))
        good = self._good.get(card.name)
        if good and (card.problems or any(problem.kind is not Kind.FIT for problem in found)):
            return replace(card, sides=good.sides, problems=problems, stale=True)
        return replace(card, problems=problems)

    def _looked_at(self, keys: Sequence[str]) -> None:
        with self._lock:
            if self.stopped.is_set():
                return
            cards = dict(self.shown.cards)
            before = dict(cards)
            touched = self._settle(cards, [key for key in keys if key in self._undrawn])
            if any(cards[name] != before[name] for name in touched):
                self._publish(replace(self.shown, cards=cards))

    def _draw_on(self) -> None:
        """Render the remaining sides in small batches, while no request waits for a picture."""
        while not self.stopped.wait(0.01):
            while self._undrawn and not self.stopped.is_set():
                if self._wanted:
                    time.sleep(0.005)
                    continue
                self._looked_at([key for key, _ in zip(tuple(self._undrawn), range(4), strict=False)])
                time.sleep(0.001)

    def _publish(self, shown: Shown) -> None:
        before, self.shown = self.shown, replace(shown, number=self.shown.number + 1)
        news = News(before, self.shown)
        for each in self._subscribers:
            _put(each, news)


def _put(queue: Subscriber, news: News | None) -> None:
    """Send news to a subscriber, unless its queue is full: that page reloads the state when it wakes."""
    try:
        queue.put_nowait(news)
    except Full:
        return
