"""The part of `game.yaml` that is about boards, as one model: what the pipeline hands to the loader."""

from pydantic import Field

from generator.board.reading import BoardSpecs
from generator.board.spec import BoardSpec, MatchingSpec, MoveSpec, RemovalSpec, ScoreSpec


class BoardSection(BoardSpec):
    """How tiles match, what counts, how things are removed and moved. Each field is a key of `game.yaml`."""

    matching: MatchingSpec = MatchingSpec()
    scoring: dict[str, ScoreSpec] = Field(default_factory=dict)
    removing: dict[str, RemovalSpec] = Field(default_factory=dict)
    moving: dict[str, MoveSpec] = Field(default_factory=dict)

    @property
    def specs(self) -> BoardSpecs:
        """The same as plain values."""
        return BoardSpecs(self.matching, self.scoring, self.removing, self.moving)
