"""Studies: long work in chunks that survives anything and gives the same numbers wherever it runs.

A study is defined by a file (`solver.studies.definition`), is of a kind (`solver.studies.kinds`) that says what one
unit of it is as a pure function of the definition and the unit's number, and is kept in one DuckDB file
(`solver.studies.store`), chunk by chunk. `solver.studies.runner` does what is still to do, on threads or, with
`solver.studies.cluster`, on a Dask cluster. `status` and `export` of a store need no compiler.
"""
