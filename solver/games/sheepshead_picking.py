"""Rules by which the other seats of Sheepshead pick, plan and play a deal that nobody picked; each can be replaced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Protocol

from solver.games.sheepshead import Sheepshead
from solver.games.sheepshead_plans import barred, fail_cards, jack_to_call
from solver.games.sheepshead_score import TRUMPS, power
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import UnsupportedError
from solver.model.play import Move, Position

__all__ = ["Ducking", "PickRule", "PickerPlan", "PlayRule", "ShortSuit", "TrumpRule"]


class PickRule(Protocol):
    """When a seat picks."""

    @property
    def words(self) -> str:
        """The rule in a few words, after "seats behind pick with"."""

    def picks(self, game: Sheepshead, hand: frozenset[Card], place: int) -> bool:
        """Whether a seat picks with a hand as dealt.

        Parameters
        ----------
        game, hand
            The cards, with the options in force.
        place
            How many seats have spoken: 0 for the eldest, seats - 1 for the dealer.
        """


class PickerPlan(Protocol):
    """What a picker calls and buries."""

    @property
    def words(self) -> str:
        """The rule in a few words, after "the picker"."""

    def plan(self, game: Sheepshead, eight: frozenset[Card], contract: Contract) -> Contract:
        """Complete a contract that has the picker, whose cards with the blind are `eight`."""


class PlayRule(Protocol):
    """Which card a seat plays when nobody picked."""

    @property
    def words(self) -> str:
        """The rule in a few words."""

    def move(self, position: Position) -> Move:
        """A legal move of the seat on turn, judged by what that seat may see."""


@dataclass(frozen=True)
class TrumpRule:
    """Pick with enough trump power: a queen counts 3, a jack 2, any other diamond 1.

    Both numbers are for hands of six cards and grow in proportion. With the defaults the first to speak picks with a
    quarter of all hands, and in one deal of fifteen nobody does.

    Parameters
    ----------
    power
        Least power.
    trumps
        Least number of trumps.
    dealer
        How much less power the last to speak needs, who knows that all others passed.
    """

    power: int = 7
    trumps: int = 3
    dealer: int = 1

    @property
    def words(self) -> str:
        """The rule in a few words."""
        return (
            f"{self.trumps} trumps and trump power {self.power} or more (Q 3, J 2, other diamond 1; the dealer "
            f"{self.power - self.dealer}; of six cards, other hands in proportion)"
        )

    def picks(self, game: Sheepshead, hand: frozenset[Card], place: int) -> bool:
        """Whether a seat picks with a hand as dealt."""
        size = game.hand_size
        need = self.power - self.dealer * (place == game.seats - 1)
        return 6 * sum(c in TRUMPS for c in hand) >= self.trumps * size and 6 * power(hand)[0] >= need * size


@dataclass(frozen=True)
class ShortSuit:
    """Call the ace of the shortest fail suit that may be called; bury many points and empty suits.

    Parameters
    ----------
    void
        Points that emptying a fail suit other than the called one counts for in the bury.
    """

    void: int = 10

    @property
    def words(self) -> str:
        """The rule in a few words."""
        return (
            "calls the ace of its shortest fail suit that may be called, else a ten, else an ace with its least card "
            f"under, else plays alone, and buries fail cards, most points, {self.void} for each suit emptied"
        )

    def plan(self, game: Sheepshead, eight: frozenset[Card], contract: Contract) -> Contract:
        """Complete a contract that has the picker, whose cards with the blind are `eight`."""
        for asked in self._calls(game, eight, contract):
            found = self._bury(game, eight, asked)
            if found is not None:
                return found
        raise UnsupportedError(f"no legal plan was found for {game.deck.write(eight)}")

    @staticmethod
    def _calls(game: Sheepshead, eight: frozenset[Card], contract: Contract) -> Iterator[Contract]:
        """Calls to try, the best first."""
        o = game.options

        def short(card: Card) -> tuple[int, int]:
            own = fail_cards(eight, card.suit)
            return len(own), sum(game.points(c) for c in own)

        if o.partner == "called":
            missing = [Card("A" + s) for s in "CSH" if "A" + s not in eight]
            for ace in sorted(game.ordinary_calls(eight), key=short):
                yield replace(contract, called=(ace,))
            if not missing and o.call_ten and not (o.called_ten_wins and o.partner_leads_any):  # the search's limits
                for ten in sorted((Card("T" + s) for s in "CSH" if "T" + s not in eight), key=short):
                    yield replace(contract, called=(ten,))
            least = sorted(game.deck.sort(eight), key=lambda c: (c in TRUMPS, game.points(c)))
            for ace in sorted(missing, key=short):
                for under in least:
                    yield replace(contract, called=(ace,), under=under)
            yield replace(contract, kind="alone")
        elif o.jd_call_up and "JD" in eight:
            jack = jack_to_call(eight)
            yield replace(contract, kind="alone") if jack is None else replace(contract, called=(jack,))
        else:
            yield contract

    def _bury(self, game: Sheepshead, eight: frozenset[Card], contract: Contract) -> Contract | None:
        """The best legal bury; None when there is none."""
        suits = [s for s in "CSH" if fail_cards(eight, s) and not any(c.suit == s for c in contract.called)]

        def worth(put: tuple[Card, ...]) -> tuple[int, int]:
            kept = eight - {*put, contract.under}
            emptied = sum(not fail_cards(kept, s) for s in suits)
            return -sum(c in TRUMPS for c in put), sum(game.points(c) for c in put) + self.void * emptied

        cards = [c for c in game.deck.sort(eight) if c != contract.under]
        for put in sorted(combinations(cards, game.talon_size), key=worth, reverse=True):
            plan = replace(contract, bury=put)
            if barred(eight, plan, game.options, len(eight)) is None:
                return plan
        return None


@dataclass(frozen=True)
class Ducking:
    """Give others points and tricks.

    A seat that need not take the trick as it lies plays its most valuable card that does not; one that must plays its
    least valuable. A leader leads its least valuable card. In a leaster, where a trick is needed to win, the last to
    play takes its first when that brings no more than `most` points.

    Parameters
    ----------
    most
        Points of a first trick that is taken on purpose.
    """

    most: int = 10

    @property
    def words(self) -> str:
        """The rule in a few words."""
        return (
            "each plays its most valuable card that does not take the trick, else its least valuable, and the last to "
            f"play takes its first trick when it holds at most {self.most} points"
        )

    def move(self, position: Position) -> Move:
        """A legal move of the seat on turn."""
        rules, best = position.rules, position.best
        moves = position.legal()

        def strength(move: Move) -> tuple[bool, int]:
            return rules.suit_of[move.card] == position.trump, rules.strength[move.card]

        def value(move: Move) -> int:
            return rules.value_of[move.card]

        if best is None:
            return min(moves, key=lambda m: (value(m), strength(m)))
        over = [m for m in moves if rules.beats(m.card, best[1], position.trump)]
        under = [m for m in moves if m not in over]
        last = len(position.trick) == rules.seats - 1
        lies = sum(rules.value_of[m.card] for m in position.trick)
        if over and last and not position.tricks[position.turn]:
            cheap = min(over, key=lambda m: (value(m), strength(m)))
            if lies + value(cheap) <= self.most:
                return cheap
        if under:
            return max(under, key=lambda m: (value(m), strength(m)))
        return min(over, key=lambda m: (value(m), not last, strength(m)))
