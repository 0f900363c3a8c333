"""A match of Thousand to 1000 (RULES.md 3.10): barrel, sticks, dump truck, write-offs, streaks without a win.

One deal in this order: scores count, doubled in a golden deal, defence points cut where the option says so; penalties
of the same deal are added; then who is on the barrel is judged, who reaches 1000, 880, or 555; then the barrel is
shared out. On the barrel nothing changes the total but a score that wins or a fall. Partners are one player here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from solver.games.match import Match
from solver.games.thousand_auction import ThousandAuction
from solver.games.thousand_tables import Settlement
from solver.model.cards import Card
from solver.model.contract import Outcome
from solver.model.errors import NotationError

if TYPE_CHECKING:
    from solver.games.thousand import Thousand

__all__ = ["Player", "ThousandMatch"]

TARGET, FALL, PENALTY, DUMP = 1000, 120, 120, 555
#: Every third stick, write-off or deal without a win costs; the third fall costs everything.
THIRD = 3


@dataclass(frozen=True)
class Player:
    """One player, or one pair.

    Parameters
    ----------
    total
        Running score.
    mounted
        Deal in which the barrel was mounted; None off the barrel.
    left
        Deals left on the barrel, 0 for no limit or off it.
    falls, sticks, write_offs, dry
        Falls in this match, sticks and write-offs since the last penalty, deals in a row without a win.
    """

    total: int = 0
    mounted: int | None = None
    left: int = 0
    falls: int = 0
    sticks: int = 0
    write_offs: int = 0
    dry: int = 0


class _Played(NamedTuple):
    """A deal of one player: score, tricks if known, whether it was declarer, gave up, sat out."""

    delta: int
    tricks: int | None
    declared: bool
    gave_up: bool
    sat_out: bool


@dataclass(frozen=True)
class ThousandMatch(Match):
    """A match so far.

    Parameters
    ----------
    players
        State of each player; partners are one.
    last_declarer
        Declarer of the last deal, who wins a tie at the end.
    """

    game: Thousand
    players: tuple[Player, ...] = ()
    last_declarer: int | None = None

    def __post_init__(self) -> None:
        seats = self.game.table_seats
        if not self.scores:
            object.__setattr__(self, "scores", (0,) * seats)
        if not self.players:
            units = seats // 2 if self._pairs else seats
            object.__setattr__(self, "players", tuple(Player(self.scores[u]) for u in range(units)))

    @property
    def _pairs(self) -> bool:
        return self.game.options.table == "four_pairs"

    def _unit(self, seat: int) -> int:
        return seat % 2 if self._pairs else seat

    def _name(self, unit: int) -> str:
        return f"pair {unit}/{unit + 2}" if self._pairs else f"seat {unit}"

    @property
    def dealer(self) -> int:
        """Dealer of the next deal, a seat of the table: the last first, then clockwise."""
        return (self.game.table_seats - 1 + self.deals) % self.game.table_seats

    @property
    def active(self) -> tuple[int, ...]:
        """Seats of the table that play the next deal, in the order of the deal's seats."""
        n = self.game.table_seats
        if self.game.seats == n:
            return tuple(range(n))
        return tuple((self.dealer + i) % n for i in range(1, n))

    @property
    def sitter(self) -> int | None:
        """Seat of the table that sits out the next deal."""
        return None if self.game.seats == self.game.table_seats else self.dealer

    @property
    def golden(self) -> tuple[int, int] | None:
        """Declarer and contract that the option golden_deal forces in the next deal, in the deal's seats."""
        if not self.game.options.golden_deal or self.deals >= self.game.table_seats:
            return None
        return (0 if self.sitter is not None else (self.dealer + 1) % self.game.seats), 120

    def auction(self, hands: tuple[frozenset[Card], ...] | None = None) -> ThousandAuction:
        """Return the auction of the next deal before its first call.

        Raises
        ------
        NotationError
            In a golden deal, which has none.
        """
        if self.golden is not None:
            raise NotationError(f"a golden deal has no auction: seat {self.golden[0]} must play {self.golden[1]}")
        return self.game.auction(dealer=self.game.seats - 1 if self.sitter is not None else self.dealer, hands=hands)

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats with the highest total of a finished match; of equal ones the declarer's, else they share."""
        if not self.over:
            return ()
        best = max(self.scores)
        top = tuple(s for s, v in enumerate(self.scores) if v == best)
        if self.last_declarer in top:
            return tuple(s for s in top if self._unit(s) == self._unit(self.last_declarer))
        return top

    # ------------------------------------------------------------------ one deal

    def add(
        self,
        deltas: Sequence[int] | Outcome,
        tricks: Sequence[int] | None = None,
        *,
        declarer: int | None = None,
        surrender: bool = False,
        sitter: int = 0,
    ) -> ThousandMatch:
        """Return the match after a deal.

        Parameters
        ----------
        deltas
            Score of each seat of the deal, or its outcome (from `Thousand.settle` or `Thousand.surrender`), which
            says all but `sitter`.
        tricks
            Tricks of each seat, for sticks; None when they are not known.
        declarer
            Seat of the deal that declared.
        surrender
            Whether the declarer gave up.
        sitter
            What the dealer who sat out scores.

        Raises
        ------
        NotationError
            For a wrong number of scores, a match that is over, or a rule that needs the declarer when none is named.
        """
        if isinstance(deltas, Settlement):
            declarer, surrender = deltas.declarer, deltas.surrender
        scores, tricks = (deltas.scores, deltas.tricks) if isinstance(deltas, Outcome) else (deltas, tricks)
        seats = self.game.seats
        if len(scores) != seats:
            raise NotationError(f"{len(scores)} scores for {seats} seats that play")
        if tricks is not None and len(tricks) != seats:
            raise NotationError(f"tricks of {len(tricks)} seats for {seats} that play")
        if declarer is not None and not 0 <= declarer < seats:
            raise NotationError(f"declarer {declarer}: expected a seat from 0 to {seats - 1}")
        if surrender and declarer is None:
            raise NotationError("the declarer gave up: name the declarer")
        if sitter and self.sitter is None:
            raise NotationError(f"{sitter} for the seat that sits out: nobody does")
        if self.over:
            raise NotationError("the match is over: no deal can be added")
        played = self._by_unit(scores, None if surrender else tricks, declarer, surrender, sitter)
        log: list[str] = []
        after = [self._one(u, p, log) for u, p in enumerate(played)]
        who = None if declarer is None else self.active[declarer]
        after = self._share(after, who, log)
        totals = tuple(after[self._unit(s)].total for s in range(self.game.table_seats))
        named = tuple(f"deal {self.deals + 1}: {line}" for line in log)
        return replace(
            self, scores=totals, deals=self.deals + 1, log=(*self.log, *named), players=tuple(after), last_declarer=who
        )

    def _by_unit(
        self, deltas: Sequence[int], tricks: Sequence[int] | None, declarer: int | None, surrender: bool, sitter: int
    ) -> list[_Played]:
        """Lay the seats of the deal out by player."""
        out = [_Played(sitter, None, False, False, True)] * len(self.players)
        for seat, at in enumerate(self.active):
            unit = self._unit(at)
            mates = [s for s, a in enumerate(self.active) if self._unit(a) == unit]
            if len({deltas[s] for s in mates}) > 1:
                raise NotationError(f"partners score alike, not {' and '.join(str(deltas[s]) for s in mates)}")
            own = None if tricks is None else sum(tricks[s] for s in mates)
            declared = declarer is not None and declarer in mates
            out[unit] = _Played(deltas[seat], own, declared, declared and surrender, False)
        cut = self.game.options.points_capped_from
        for player, p in zip(self.players, out, strict=True):
            if cut and declarer is None and player.total >= cut and p.delta > 0:
                raise NotationError(f"defence points do not count from {cut} upward: name the declarer")
        return out

    def _one(self, unit: int, played: _Played, log: list[str]) -> Player:
        """One player's deal, other players aside."""
        o, player, who = self.game.options, self.players[unit], self._name(unit)
        delta = played.delta
        if self.golden is not None and not played.sat_out:
            delta *= 2
        if o.points_capped_from and player.total >= o.points_capped_from and not played.declared and delta > 0:
            log.append(f"{who} is at {player.total}: {delta} defence points do not count")
            delta = 0
        player, fine = self._fines(player, played, who, log)
        if player.mounted is not None:
            return self._on_barrel(player, delta, fine, played.sat_out, who, log)
        total = player.total + delta - fine
        if total >= TARGET:
            log.append(f"{who} reaches {total}")
        elif o.barrel and total >= o.barrel:
            left = f"{o.barrel_deals} deals" if o.barrel_deals else "no limit of deals"
            log.append(f"{who} mounts the barrel at {o.barrel}, {left} to score {TARGET - o.barrel}")
            return replace(player, total=o.barrel, mounted=self.deals, left=o.barrel_deals)
        elif o.dump_truck and abs(total) == DUMP:
            log.append(f"{who} reaches exactly {total}: the dump truck takes it to 0")
            total = 0
        return replace(player, total=total)

    def _fines(self, player: Player, played: _Played, who: str, log: list[str]) -> tuple[Player, int]:
        """Count sticks, write-offs and deals without a win: what every third costs."""
        o, fine = self.game.options, 0
        if o.sticks and played.tricks == 0:
            fine += _third(player.sticks + 1, f"{who} takes no trick: stick", log)
            player = replace(player, sticks=(player.sticks + 1) % THIRD)
        if played.gave_up:
            fine += _third(player.write_offs + 1, f"{who} gives up: write-off", log)
            player = replace(player, write_offs=(player.write_offs + 1) % THIRD)
        if o.no_win_streak and not played.sat_out:
            dry = 0 if played.delta > 0 else player.dry + 1
            if dry == THIRD:
                log.append(f"{who} has not won for {THIRD} deals: minus {PENALTY}")
                fine, dry = fine + PENALTY, 0
            player = replace(player, dry=dry)
        return player, fine

    def _on_barrel(self, player: Player, delta: int, fine: int, sat_out: bool, who: str, log: list[str]) -> Player:
        """A deal on the barrel: win, stay, or fall."""
        o = self.game.options
        if fine:
            log.append(f"{who} is on the barrel, where the penalty changes nothing")
        if delta >= TARGET - o.barrel:
            log.append(f"{who} scores {delta} on the barrel: {TARGET}")
            return replace(player, total=TARGET, mounted=None, left=0)
        if sat_out or not o.barrel_deals:
            return player
        if player.left > 1:
            log.append(f"{who} stays on the barrel, deals left: {player.left - 1}")
            return replace(player, left=player.left - 1)
        return self._fall(player, f"{who} has no deal left", log)

    def _fall(self, player: Player, why: str, log: list[str]) -> Player:
        falls = player.falls + 1
        total = 0 if falls == THIRD else self.game.options.barrel - FALL
        third = ", for the third time" if falls == THIRD else ""
        log.append(f"{why} and falls from the barrel{third}: {total}")
        return replace(player, total=total, mounted=None, left=0, falls=falls)

    def _share(self, after: list[Player], declarer: int | None, log: list[str]) -> list[Player]:
        """Who stays when a player mounts and others are on the barrel, or several mount together."""
        on = [u for u, p in enumerate(after) if p.mounted is not None]
        new = [u for u in on if after[u].mounted == self.deals]
        how = self.game.options.barrel_shared
        if not new or len(on) < 2 or how == "coexist":
            return after
        unit = None if declarer is None else self._unit(declarer)
        first = unit if unit in new else new[0]  # of those that mount together the declarer counts first
        if how == "all_fall":
            stay = set()
        elif how == "first_stays":
            stay = set(on) - set(new) or {first}
        else:
            stay = {first}
        words = {
            "all_fall": "the barrel holds one",
            "first_stays": "the barrel is taken",
            "knock_off": f"{self._name(first)} mounts",
        }[how]
        return [
            self._fall(p, f"{words}: {self._name(u)} is knocked off", log) if u in on and u not in stay else p
            for u, p in enumerate(after)
        ]


def _third(count: int, words: str, log: list[str]) -> int:
    """Log a stick or write-off; what it costs."""
    cost = PENALTY if count == THIRD else 0
    log.append(f"{words} {count} of {THIRD}" + (f", minus {cost}" if cost else ""))
    return cost
