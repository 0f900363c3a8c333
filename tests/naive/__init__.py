"""The plain twin: a slow, obviously correct reference for the four games of RULES.md.

Everything here is written from the rules text alone and shares no code with the solver: cards are
strings, hands are frozensets, the search is unpruned minimax.  Agreement between the two is therefore
evidence about both.  `kit`, `sheepshead`, `thousand` and `three_of_spades` hold the rules, `minimax` the
search, `deals` random positions, `replay` a checker for written-out play.
"""
