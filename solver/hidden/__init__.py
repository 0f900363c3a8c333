"""Games solved with their hidden cards: trees, equilibria, leagues, what a seat secures."""
