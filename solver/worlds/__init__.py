"""What a seat knows, and the deals it allows."""
