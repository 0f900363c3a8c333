"""One seat's view during the play: advice, what a card cost, self-play, what is sure."""
