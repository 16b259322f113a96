"""Migrations in the Supabase CLI's layout: every *.sql of a folder, once, in the order of names."""

import psycopg


class MigrationError(Exception):
    """A migration that the database refuses; the text says which and why."""


def apply(folder, address: str) -> list:
    """Applies what is new as the role postgres, each in a transaction; returns the names."""
    if not folder.is_dir():
        raise MigrationError(f"there is no folder {folder}")
    applied = []
    with psycopg.connect(address, autocommit=True) as connection:
        known = {
            row[0]
            for row in connection.execute(
                "select version from supabase_migrations.schema_migrations"
            )
        }
        for path in sorted(folder.glob("*.sql")):
            version, _, name = path.stem.partition("_")
            if version not in known:
                apply_one(connection, path, version, name)
                known.add(version)
                applied.append(path.name)
    return applied


def apply_one(connection, path, version, name):
    text = path.read_text()
    try:
        with connection.transaction():
            connection.execute(text)
            connection.execute("reset all")
            connection.execute(
                "insert into supabase_migrations.schema_migrations (version, statements, name) "
                "values (%s, array[%s], %s)",
                (version, text, name),
            )
    except psycopg.Error as error:
        raise MigrationError(f"{path}: {explained(error, text)}") from None


def explained(error, text):
    said = error.diag
    parts = [f"ERROR: {said.message_primary} ({said.sqlstate})"]
    if said.statement_position:
        line = text[: int(said.statement_position) - 1].count("\n") + 1
        parts.insert(0, f"line {line}:")
    for label, more in (
        ("DETAIL", said.message_detail),
        ("HINT", said.message_hint),
        ("CONTEXT", said.context),
    ):
        if more:
            parts.append(f"\n{label}: {more}")
    return " ".join(parts)
