"""Notations, one file each: what people and programs write, read tolerantly or strictly, and written in one form."""
