"""Positions for other programs: one JSON object a line, read strictly.

``{"id": 1, "game": "thousand", "hands": [["AH", …], …], "leader": 2, "trick": ["KH"], "side": [2], "need": 60}``

=========== ===========================================================================================================
key         meaning
=========== ===========================================================================================================
game        name of the game
hands       cards of seat 0, 1, …, without those on the table
leader      seat that led, or leads, this trick
trick       cards on the table, the first by `leader`; may be absent
trump       suit letter or null; in Sheepshead trumps are fixed; in Skat a suit, ``"grand"`` or ``"null"``
side        seats that collect; absent it is the declarer, or the picker and the holder of the called card
need        asks whether the side takes at least so much from this trick on (``makes``); absent the value is asked
cards       true asks the same for each legal card
id          anything; comes back with the answer
options     house rules of the game, by name
marriages   Thousand: whether marriages may be declared, true when absent
declarer    Thousand: the seat that collects, when `side` is absent
first_lead  Thousand: whether this trick is the first of the deal, false when absent
timing      Thousand: ``"next_trick"`` or ``"immediate"``, when a declared suit becomes trump
declared    Thousand: true when the lead on the table declared its marriage (already scored, so not in the value)
duties      Sheepshead: null, or ``{"called": "AC", "picker": 0, "under": null}``
=========== ===========================================================================================================

Answers are those of `solver.deals.positions.answer`. Keys of others, such as recorded answers, are passed over; a
key that looks like a misspelt one is an error.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import replace
from typing import Any, NamedTuple

from solver.formats.json_text import read_json
from solver.games import GAMES, Game
from solver.games import game as find_game
from solver.model.cards import Card, Deck
from solver.model.checks import excerpt, seat_number, shortened, whole_number
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError, NotationError, TrickwiseError
from solver.model.play import Move, Position

__all__ = ["Question", "load", "read_position"]

_COMMON = ("id", "game", "hands", "leader", "trick", "trump", "side", "need", "cards", "options")
_KNOWN = (*_COMMON, *(key for one in GAMES.values() for key in one.line_keys))
_ANSWERS = ("value", "makes", "made", "nodes")  # recorded answers may stand in the same line
_DUTIES = ("called", "picker", "under")


class Question(NamedTuple):
    """What a line asks: a threshold or the value, and whether for each legal card too."""

    need: int | None
    cards: bool


def load(text: str | bytes) -> dict[str, Any]:
    """Read one line as a JSON object, strictly, see `solver.formats.json_text`.

    Raises
    ------
    NotationError
        When it is anything else.
    """
    value = read_json(text)
    if not isinstance(value, dict):
        raise NotationError(f'a line holds one JSON object like {{"game": …, "hands": …}}, not {_show(value)}')
    return value


def _show(value: object) -> str:
    """A value as JSON has it, for messages."""
    return shortened(json.dumps(value, ensure_ascii=False))


def _seat(key: str, value: object, seats: int) -> int:
    return seat_number(value, seats, key, shown=_show(value))


def _flag(obj: dict[str, Any], key: str, default: bool) -> bool:
    value = obj.get(key, default)
    if not isinstance(value, bool):
        raise NotationError(f"{key} is {_show(value)}: expected true or false")
    return value


def _card(key: str, value: object, deck: Deck) -> Card:
    if not isinstance(value, str):
        raise NotationError(f"{key} is {_show(value)}: expected a card as text, like {_show(deck.cards[0])}")
    try:
        return deck.card(value)
    except NotationError as wrong:
        raise NotationError(f"{key}: {wrong}") from None


def _cards(key: str, value: object, deck: Deck) -> list[Card]:
    if not isinstance(value, list):
        raise NotationError(f"{key} is {_show(value)}: expected a list of cards, like [{_show(deck.cards[0])}]")
    return [_card(f"{key}[{i}]", one, deck) for i, one in enumerate(value)]


def _check_keys(obj: dict[str, Any]) -> None:
    for key in ("game", "hands", "leader"):
        if key not in obj:
            raise NotationError(f"the key {excerpt(key)} is missing")
    for key in obj:
        if key not in _KNOWN and key not in _ANSWERS:
            near = difflib.get_close_matches(key, _KNOWN, 1, 0.8)
            if near:
                raise NotationError(f"unknown key {excerpt(key)}: did you mean {near[0]!r}?")


def _game(obj: dict[str, Any]) -> Game:
    """Return the game with its options; the number of seats follows from the hands."""
    name, hands = obj["game"], obj["hands"]
    given = {} if obj.get("options") is None else obj["options"]
    if not isinstance(name, str):
        raise NotationError(f"game is {_show(name)}: expected its name as text")
    if not isinstance(given, dict):
        raise NotationError(f"options is {_show(given)}: expected an object of names and values")
    if not isinstance(hands, list) or not all(isinstance(h, list) for h in hands):
        raise NotationError(f"hands is {_show(hands)}: expected a list of hands, each a list of cards")
    options: dict[str, Any] = dict(given)
    plain = find_game(name)
    for key, option in plain.line_options.items():
        if key in obj:
            if isinstance(getattr(plain.options, option), bool):
                _flag(obj, key, True)
            if option in options and options[option] != obj[key]:
                raise NotationError(f"{key} is {_show(obj[key])} but the option {option} is {_show(options[option])}")
            options[option] = obj[key]
    if "seats" in plain.option_values():
        options.setdefault("seats", len(hands))
    return find_game(name, **options)


def _hands(obj: dict[str, Any], game: Game) -> tuple[list[list[Card]], list[Card], int]:
    """Read hands, trick and leader, and check that they belong together."""
    if len(obj["hands"]) != game.seats:
        raise NotationError(f"read {len(obj['hands'])} hands: {game.name} has {game.seats} seats here")
    hands = [_cards(f"hands[{s}]", hand, game.deck) for s, hand in enumerate(obj["hands"])]
    trick = [] if obj.get("trick") is None else _cards("trick", obj["trick"], game.deck)
    leader = _seat("leader", obj["leader"], game.seats)
    where: dict[Card, str] = {}
    for name, cards in [*((f"hands[{s}]", h) for s, h in enumerate(hands)), ("trick", trick)]:
        for card in cards:
            if card in where:
                raise NotationError(f"{card} stands twice, in {where[card]} and {name}: the deck has it once")
            where[card] = name
    if len(trick) >= game.seats:
        raise NotationError(f"trick has {len(trick)} cards: with {game.seats} a trick is complete, so leave it out")
    had = [len(hand) for hand in hands]
    for i in range(len(trick)):
        had[(leader + i) % game.seats] += 1
    if len(set(had)) != 1:
        sizes = ", ".join(f"seat {s} {len(h)}" for s, h in enumerate(hands))
        table = f" with {len(trick)} on the table, led by seat {leader}" if trick else ""
        raise NotationError(f"the hands do not fit together ({sizes}{table}): all seats begin a trick with equal hands")
    if not where:
        raise NotationError("the hands are empty: nothing is left to play")
    return hands, trick, leader


def _duties(obj: dict[str, Any], game: Game, whole: list[frozenset[Card]]) -> Contract:
    """Read the called card's duties into a contract; whether it may be so is for the game to say."""
    given = obj.get("duties")
    if given is None:
        return Contract()
    if not isinstance(given, dict) or not {"called", "picker"} <= given.keys() <= set(_DUTIES):
        raise NotationError(f"duties is {_show(given)}: expected null or an object with called, picker and under")
    called = _card("duties.called", given["called"], game.deck)
    picker = _seat("duties.picker", given["picker"], game.seats)
    under = None if given.get("under") is None else _card("duties.under", given["under"], game.deck)
    try:
        contract = game.contract(Contract(declarer=picker, called=(called,), under=under))
        game.check_hands(whole, contract)
    except TrickwiseError as wrong:
        raise type(wrong)(f"duties: {wrong}") from None
    return contract


def _trump(obj: dict[str, Any], game: Game) -> str | None:
    """Effective suit that is trump in this trick."""
    value = obj.get("trump")
    if game.fixed_trumps:
        if value not in (None, *game.fixed_trumps):
            raise NotationError(f"trump is {_show(value)}: the trumps of {game.title} are fixed, leave it out")
        return "T"
    if value is None:
        return None if "trump" in obj else game.contract("").trump  # a house rule may fix it
    suit = game.deck._suit(value) if isinstance(value, str) and len(value) == 1 else None
    if suit is None:
        raise NotationError(f"trump is {_show(value)}: expected one of {' '.join(game.deck.suits)}, or null for none")
    return suit


def _named_game(obj: dict[str, Any], game: Game) -> Contract:
    """Read which contract is played, where a word may stand for a trump suit."""
    value = obj.get("trump")
    if not (isinstance(value, str) and value in (*game.deck.suits, *game.trump_words)):
        suits, words = " ".join(game.deck.suits), ", or ".join(map(repr, game.trump_words))
        raise NotationError(f"trump is {_show(value)}: expected one of {suits}, or {words} for that game")
    return game.contract(f"trump {value}" if value in game.deck.suits else value)


def _side(obj: dict[str, Any], game: Game, contract: Contract, hands: list[frozenset[Card]]) -> frozenset[int]:
    """Seats that collect, given or from the roles."""
    if "declarer" in obj and "declarer" in game.line_keys:
        declarer: int | None = _seat("declarer", obj["declarer"], game.seats)
    else:
        declarer = contract.declarer
    value = obj.get("side")
    if value is None:
        if declarer is None:
            raise NotationError("the key 'side' is missing: list the seats that collect, like [0]")
        holders = {s for s, hand in enumerate(hands) if hand & set(contract.called)}
        if contract.called and not holders:
            raise NotationError(f"the key 'side' is missing: {contract.called[0]} has been played, so name the partner")
        return frozenset({declarer, *holders})
    if not isinstance(value, list) or not value:
        raise NotationError(f"side is {_show(value)}: expected a list of the seats that collect, like [0]")
    return frozenset(_seat(f"side[{i}]", one, game.seats) for i, one in enumerate(value))


def read_position(obj: dict[str, Any]) -> tuple[Any, Position, Question]:
    """Read a line's object.

    Parameters
    ----------
    obj
        From `load`.

    Returns
    -------
    id, Position, Question
        The id as it stands, None when absent.

    Raises
    ------
    NotationError, UnsupportedError, IllegalPlayError
        One clear line: which key, what it holds, what is expected; or the rule that the trick on the table breaks.
    """
    _check_keys(obj)
    game = _game(obj)
    for name, other in GAMES.items():
        for key in other.line_keys:
            if name != game.name and not (obj.get(key) is None or obj[key] is False):
                raise NotationError(f"the key {excerpt(key)} belongs to {name}, not to {game.name}")
    need = obj.get("need")
    if need is not None:
        need = whole_number("need", need, 0, 1000, shown=_show(need))
    hands, trick, leader = _hands(obj, game)
    held = [{*hand} for hand in hands]
    for i, card in enumerate(trick):
        held[(leader + i) % game.seats].add(card)
    whole = [*map(frozenset, held)]
    contract = _duties(obj, game, whole)
    if game.trump_words:
        contract = _named_game(obj, game)
        trump = "T" if any(suit == "T" for suit, _ in game.trick_rules(contract).suits) else None
    else:
        trump = _trump(obj, game)
        contract = replace(contract, trump=trump)  # a house rule may put a card on top of the trumps
    position = Position(
        game.trick_rules(contract),
        tuple(whole),
        leader,
        side=_side(obj, game, contract, whole),
        trump=trump,
        first_lead=_flag(obj, "first_lead", False),
    )
    declared = _flag(obj, "declared", False)
    if declared and not trick:
        raise NotationError("declared is true, but the trick is empty: it says that the lead on the table declared")
    for i, card in enumerate(trick):
        try:
            position = position.play(Move(card, declared and i == 0))
        except IllegalPlayError as wrong:
            raise IllegalPlayError(f"trick[{i}] breaks a rule: {wrong}") from None
    return obj.get("id"), position, Question(need, _flag(obj, "cards", False))
