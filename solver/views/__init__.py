"""What people look at: diagrams, tables, plots. Only here is anything drawn."""
