"""All compiled code. Imports numpy and numba only, nothing else of this package."""
