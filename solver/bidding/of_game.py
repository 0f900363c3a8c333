"""What bidding needs to know of a game, with defaults that do for any; a game that differs has `of_NAME` beside this.

`bidding_of` finds the module by the game's name. Nothing else in the rooms that bid asks which game it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.bidding.passing import Nothing
from solver.bidding.stakes import Stakes
from solver.deals.halving import Round
from solver.games import GAMES, Game
from solver.games.match import Match
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import UnsupportedError

if TYPE_CHECKING:
    from solver.bidding.bid_answer import Answer
    from solver.bidding.passing import Passed, Passing
    from solver.worlds.knowledge import Knowledge
    from solver.worlds.sample import Worlds

__all__ = ["FEW", "BiddingOf", "Feature", "Light", "bidding_class", "bidding_of", "games_with_features", "stakes_of"]

#: Up to so many worlds all of them are taken where the plan is told.
FEW = 20_000

AnyGame = TypeVar("AnyGame", bound=Game)
Hand = frozenset[Card]


@dataclass(frozen=True)
class Feature:
    """A number that a player reads off the cards.

    Parameters
    ----------
    name
        In tables and for `by`.
    words
        What it counts.
    count
        Function of (game, hand).
    least
        How a rule says that there are at least ``{n}``; empty where no rule uses it.
    step
        Width of a bin in tables, and what thresholds of rules are multiples of.
    within
        A feature that this one is a part of, said with "including".
    """

    name: str
    words: str
    count: Callable[[Any, Hand], int]
    least: str = ""
    step: int = 1
    within: str = ""

    def said(self, n: int) -> str:
        """``"at least n"`` in words."""
        return self.least.format(n=n)


@dataclass(frozen=True)
class Light:
    """How one hand of many is estimated: talons, rounds of halving, worlds for passing, nodes a search (0: all)."""

    talons: int | None = None
    rounds: tuple[Round, ...] = ()
    passed: int | None = None
    limit: int = 0


class Talon(NamedTuple):
    """A talon that stands for all that are alike."""

    cards: frozenset[Card]
    weight: int


class Counts(NamedTuple):
    """What the best passes reach.

    Parameters
    ----------
    made
        ``int64[rungs]``: worlds in which the best pass takes so many points.
    best
        For each rung a pass that does; None where no pass ever does.
    worlds
        How many there are.
    searches
        Searches made, of passes x worlds.
    """

    made: NDArray[np.int64]
    best: tuple[Contract | None, ...]
    worlds: int
    searches: int


class BiddingOf(Generic[AnyGame]):
    """A game as bidding sees it."""

    #: Rounds of halving for one decision: plans that go in, worlds, and nodes a search where it need not be finished.
    schedule: ClassVar[tuple[Round, ...]] = (Round(1000, 8), Round(40, 32), Round(10, 240))
    #: The same for each talon; the worlds of the last are read.
    before: ClassVar[tuple[Round, ...]] = (Round(1000, 4), Round(24, 8), Round(6, 32))
    #: Deals that a worker takes at once: few where a search is long.
    chunk: ClassVar[int] = 1
    #: Where the plan is told: up to so many worlds are all taken, so many are drawn otherwise; nodes a search.
    few: ClassVar[int] = FEW
    worlds: ClassVar[int] = 100
    limit: ClassVar[int] = 2_000_000
    #: Worlds in which passing is judged.
    passed: ClassVar[int] = 200
    #: How a hand of a study of many is estimated; as for one decision when None.
    light: ClassVar[Light | None] = None
    #: Features of a hand as dealt, those of tables unless others are named, and the bids of tables.
    features: ClassVar[tuple[Feature, ...]] = ()
    by: ClassVar[tuple[str, ...]] = ()
    tabled: ClassVar[tuple[int, ...]] = ()
    #: Whether thresholds are the same for every talon, so that bids can be estimated before it is seen.
    before_talon: ClassVar[bool] = False
    #: Whether bids are tiers of one settlement, so that a score follows without a bid and one picks or passes.
    tiered: ClassVar[bool] = False
    #: The game's word for a plan, and for a rung of its ladder in pictures.
    plan_word: ClassVar[str] = "plan"
    rung_word: ClassVar[str] = "bid"

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    # ------------------------------------------------------------------ what may be asked

    def check_table(self) -> None:
        """Refuse options with which no bid is estimated."""

    def check_study(self) -> None:
        """Refuse options with which no study of hands is made."""

    def check_duel(self) -> None:
        """Refuse options with which no two ways to play are compared."""

    def check_target(self, target: int) -> None:
        """Refuse what is no bid, where the rules of the contract do not."""

    @property
    def estimated(self) -> bool:
        """Whether bids are estimated: a threshold may differ between the worlds that a talon brings."""
        return self.before_talon or not self.game.talon_size

    @property
    def ranked(self) -> bool:
        """Whether plans are ranked."""
        return self.estimated and self.game.seats != 2

    @property
    def forced(self) -> int | None:
        """The place whose seat must play, or open, when nobody has bid, so that it has nothing to decide."""
        return None

    # ------------------------------------------------------------------ bids and scores

    def bids(self) -> Sequence[int]:
        """Every bid, rising."""
        return [rung.bid for rung in self.game.ladder(self.game.contract("by 0"))]

    def usual_bid(self, agreed: Contract | None) -> int:
        """The bid asked about when none is named."""
        return self.game.ladder(agreed or self.game.contract(None))[0].bid

    def stakes(self, contract: Contract, hand: Hand, only: Sequence[int] | None) -> Stakes:
        """As `stakes_of`."""
        ladder = self.game.ladder(contract)
        return Stakes(self.game, tuple(r.bid for r in ladder), None, tuple(range(len(ladder))), (-1,) * len(ladder),
                      settling=self)  # fmt: skip

    def worth(self, contract: Contract, rungs: int) -> NDArray[np.float64] | None:
        """Declarer's score by rungs reached, with a partner and alone; None where a score needs a bid."""
        return None

    def allowed(self, plans: Sequence[Contract], bids: Sequence[int]) -> NDArray[np.bool_] | None:
        """Whether a plan may be played at a bid, ``[plans, bids]``; None where each may."""
        return None

    @property
    def other_column(self) -> str:
        """Column of the chance by the other reading of a contract's check, where stakes have one."""
        return "p_other"

    def told_bids(self, plan: Contract) -> list[int] | None:
        """Bids that go with a plan that is told; None for all of interest."""
        return None

    def cap(self, hand: Hand) -> int | None:
        """Highest bid that the rules allow a hand before the talon, where they set one."""
        return None

    def labels(self, contract: Contract) -> dict[int, str]:
        """Names of bids that are more than their number."""
        return {rung.bid: rung.label for rung in self.game.ladder(contract)} if self.tiered else {}

    def plans(self, hand: Hand, contract: Contract) -> Iterator[Contract]:
        """Plans for all bids of interest."""
        return self.game.plans(hand, contract)

    # ------------------------------------------------------------------ every plan in every world

    def check_exact(self) -> None:
        """Refuse a game whose plans cannot be counted over all worlds before the talon."""
        raise UnsupportedError(f"{self.game.name}: no exact curve is offered, as its plans are not all counted")

    def talon_classes(self, hand: Hand, count: int, *, seed: int) -> tuple[list[Talon], list[int]]:
        """Talons in random order, those that are alike once, and for each drawn the number of its class."""
        self.check_exact()
        return [], []

    def best_plans(self, known: Knowledge, needs: Sequence[int], *, worlds: int, seed: int) -> Counts:
        """Count, for each number of points, the worlds in which the best plan takes them, double dummy."""
        self.check_exact()
        return Counts(np.zeros(0, np.int64), (), 0, 0)

    # ------------------------------------------------------------------ passing, and a match

    def check_passing(self) -> None:
        """Refuse options whose scores no model of passing knows."""

    def passing(self) -> Passing:
        """The model of passing that is used unless another is named."""
        return Nothing()

    def match_from(self, totals: str) -> Match:
        """A match with these totals."""
        raise UnsupportedError(f"totals: {_no_match()}")

    def check_match(self, match: Match) -> None:
        """Refuse a match that does not change what a score is worth."""
        raise UnsupportedError(f"match: {_no_match()}")

    def ends_in_match(self, match: Match, seat: int, stakes: Stakes) -> dict[int, tuple[float, float]]:
        """Change of a seat's total when it makes each bid, and when it fails."""
        self.check_match(match)
        return {}

    def passed_in_match(self, match: Match, seat: int, passed: Passed) -> Passed:
        """What passing brings as changes of the seat's total."""
        self.check_match(match)
        return passed

    # ------------------------------------------------------------------ words

    def question(self, answer: Answer) -> str:
        """What `bid` was asked."""
        game, seat, position = self.game, answer.known.seat, answer.start
        if position is None:
            which = f" for each {game.talon_label}" * answer.clustered
            return f"at least so many {game.unit} by the side of seat {seat}, the best plan{which} for each bid"
        side = position.side
        who = f"seat {min(side)} against the rest" if len(side) == 1 else f"seats {' '.join(map(str, sorted(side)))}"
        return f"at least so many {game.unit} by {who}, seat {position.leader} leads"

    def notes(self, answer: Answer, summary: Mapping[str, float]) -> Iterator[str]:
        """What `bid` assumed, and what its numbers mean in this game."""
        if "expected_tricks" in summary:
            yield f"expected tricks {summary['expected_tricks']:.4g}"

    def plan_columns(self, hand: Hand, plan: Contract) -> dict[str, Any]:
        """Further columns of a plan in tables."""
        return {}

    def plan_notes(self, contract: Contract) -> Iterator[str]:
        """What a list of plans says beside them."""
        return iter(())

    def ranking_notes(self, contract: Contract, never: Contract | None, worlds: Worlds, limit: int) -> Iterator[str]:
        """What else the declarer of this contract may do; `never` is the best plan where none makes it in any world."""
        return iter(())

    # ------------------------------------------------------------------ studies of hands

    def heard(self, place: int) -> str:
        """Calls of so many seats before a hand of a study."""
        return ""

    @property
    def asked(self) -> str:
        """What a study of hands asks."""
        return "how high to bid before passing is better"

    def verb(self, bid: int) -> str:
        """What a rule of thumb says to do."""
        return f"bid {bid}"

    def groupings(self, places: tuple[int, ...]) -> list[tuple[tuple[int, ...], ...]]:
        """Ways to part the places that may have rules of their own; none where the estimate does not depend on it."""
        return []

    def place_words(self, group: Sequence[int]) -> str:
        """The game's own words for places at the table, where it has any."""
        return ""


# ---------------------------------------------------------------------- counting cards


def of_ranks(ranks: str) -> Callable[[Any, Hand], int]:
    """Count cards of some ranks."""
    return lambda game, hand: sum(c.rank in ranks for c in hand)


def by_suit(game: Game, hand: Hand) -> list[list[Card]]:
    """Cards of each printed suit."""
    return [[c for c in hand if c.suit == s] for s in game.deck.suits]


def longest(game: Game, hand: Hand) -> int:
    """Cards of the longest suit."""
    return max(len(own) for own in by_suit(game, hand))


def card_points(game: Any, hand: Hand) -> int:
    """Points of the cards."""
    return sum(int(game.points(c)) for c in hand)


LONGEST = Feature("longest", "cards of the longest suit", longest, "a suit of {n} or more cards")
VOIDS = Feature("voids", "suits without a card", lambda game, hand: sum(not own for own in by_suit(game, hand)),
                "{n} or more void suits")  # fmt: skip


# ---------------------------------------------------------------------- finding it


@cache
def bidding_class(name: str) -> type[BiddingOf[Any]]:
    """The class of a game's name: `OF` of its module, the plain one where the game has none."""
    where = f"solver.bidding.of_{name}"
    if find_spec(where) is None:
        return BiddingOf
    found: type[BiddingOf[Any]] = import_module(where).OF
    return found


def bidding_of(game: Game) -> BiddingOf[Any]:
    """What bidding needs to know of a game."""
    return bidding_class(game.name)(game)


def stakes_of(game: Game, contract: Contract, hand: frozenset[Card], *, only: Sequence[int] | None = None) -> Stakes:
    """Thresholds for a hand.

    Parameters
    ----------
    game
        With its options.
    contract
        What is settled, for games whose ladder depends on it.
    hand
        All cards that the declarer has, as far as it has seen them. In Thousand bids go as far as these and the best
        talon can bring.
    only
        These bids, and no others; all of interest when None.
    """
    return bidding_of(game).stakes(contract, hand, only)


def _no_match() -> str:
    """Which games have matches that change what a score is worth."""
    names = [name for name in GAMES if bidding_class(name).check_match is not BiddingOf.check_match]
    return f"only a match of {', '.join(names)} changes what a score is worth"


def games_with_features() -> list[str]:
    """Games whose hands are described, so that they can be studied."""
    return [name for name in GAMES if bidding_class(name).features]
