"""The SQL of each kind of request: one statement that gives one row.

The row is: number of rows, total before the window (or null), inserted rows (or null), Location's
columns (or null), the response settings, and the body.
"""

from dataclasses import dataclass

from .database import Statement, quoted
from .filters import conditions_sql, field_sql
from .schema import Function, Table

SOURCE = quoted("source")

BODIES = {
    "array": "coalesce(json_agg(answered), '[]')::text",
    "array stripped": "coalesce(json_strip_nulls(json_agg(answered)), '[]')::text",
    "object": "coalesce(json_agg(answered) -> 0, 'null')::text",
    "object stripped": "coalesce(json_strip_nulls(json_agg(answered)) -> 0, 'null')::text",
    "scalar": "coalesce(json_agg(answered.scalar) -> 0, 'null')::text",
    "scalars": "coalesce(json_agg(answered.scalar), '[]')::text",
    "csv": """
        (select coalesce(string_agg(key, ','), '') from json_object_keys(
          (select row_to_json(one_row) from answered_rows as one_row limit 1)) as key)
        || E'\n' || coalesce(string_agg(trim(both '()' from answered::text), E'\n'), '')""",
    "none": "''",
}


@dataclass
class Answer:
    """What the one row said."""

    count: int
    total: int | None
    inserted: int | None
    location: bytes | None
    status: bytes | None
    headers: bytes | None
    body: bytes

    @classmethod
    def of(cls, row):
        numbers = [None if value is None else int(value) for value in row[:3]]
        return cls(*numbers, *row[3:])


def answering(statement, source, selection, shape, total="null", location="null"):
    """Completes a statement: `source` is a common table, `selection` reads what is answered."""
    statement.text = (
        f"with {SOURCE} as ({source}), answered_rows as ({selection}) "
        f"select count(*), {total}, "
        f"nullif(current_setting('local.inserted', true), ''), {location}, "
        "nullif(current_setting('response.status', true), ''), "
        "nullif(current_setting('response.headers', true), ''), "
        f"{BODIES[shape]} from answered_rows as answered"
    )
    return statement


def read(table: Table, query, window, shape, counts) -> Statement:
    statement = Statement()
    name = quoted("public", table.name)
    where = conditions_sql(statement, name, query.conditions, table)
    source = (
        f"select {selection_sql(statement, name, query.select, table)} from {name}{where}"
        + order_sql(statement, name, query.order, table)
        + window_sql(window)
    )
    total = f"(select count(*) from {name}{where})" if counts else "null"
    return answering(statement, source, f"select * from {SOURCE}", shape, total)


def planned_count(table: Table, query) -> Statement:
    statement = Statement()
    name = quoted("public", table.name)
    where = conditions_sql(statement, name, query.conditions, table)
    statement.text = f"explain (format json) select 1 from {name}{where}"
    return statement


def insert(table: Table, query, payload, preferences, shape) -> Statement:
    statement = Statement()
    columns = query.columns if query.columns is not None else payload.keys
    table.require(columns)
    names = ", ".join(quoted(column) for column in columns)
    into = quoted("public", table.name) + (f" ({names})" if columns else "")
    body = payload_sql(statement, table, columns, payload, preferences)
    conflict = query.on_conflict or table.key
    resolution = preferences.resolution if conflict else None
    merges = resolution == "merge-duplicates" and columns
    counting = f" where {count_inserted(+1)}" if merges else ""
    source = (
        f"insert into {into} select {names} from {body}{counting}"
        + (conflict_sql(conflict, columns if merges else []) if resolution else "")
        + returning_sql(table, query, preferences)
    )
    location = location_sql(statement, table) if preferences.returns == "headers-only" else "null"
    return mutating(statement, table, query, source, shape, location)


def update(table: Table, query, payload, preferences, shape) -> Statement:
    statement = Statement()
    columns = query.columns if query.columns is not None else payload.keys
    table.require(columns)
    name = quoted("public", table.name)
    if not columns:
        source = f"select * from {name} where false"
        return mutating(statement, table, query, source, shape)
    body = payload_sql(statement, table, columns, payload, preferences)
    changes = ", ".join(f"{quoted(column)} = {quoted('body', column)}" for column in columns)
    source = (
        f"update {name} set {changes} from {body}"
        + conditions_sql(statement, name, query.conditions, table)
        + returning_sql(table, query, preferences)
    )
    return mutating(statement, table, query, source, shape)


def delete(table: Table, query, preferences, shape) -> Statement:
    statement = Statement()
    name = quoted("public", table.name)
    source = (
        f"delete from {name}"
        + conditions_sql(statement, name, query.conditions, table)
        + returning_sql(table, query, preferences)
    )
    return mutating(statement, table, query, source, shape)


def call(function: Function, query, arguments, window, shape, counts) -> Statement:
    """`arguments` is a JSON object's text and its keys."""
    statement = Statement()
    given = [function.parameters[key] for key in arguments.keys]
    passed = ", ".join(
        f"{'variadic ' if p.variadic else ''}{quoted(p.name)} := {quoted('body', p.name)}"
        for p in given
    )
    invoked = f"{quoted('public', function.name)}({passed})"
    called = (
        f"{invoked} as call" if function.returns_rows else f"(select {invoked} as scalar) as call"
    )
    body = ""
    if given:
        typed = ", ".join(f"{quoted(p.name)} {p.type}" for p in given)
        body = f"json_to_record({statement.bind(arguments.text)}::json) as body({typed}), lateral "
    source = f"select call.* from {body}{called}"
    where = conditions_sql(statement, SOURCE, query.conditions, None)
    selected = selection_sql(statement, SOURCE, query.select, None)
    selection = (
        f"select {selected} from {SOURCE}{where}"
        + order_sql(statement, SOURCE, query.order, None)
        + window_sql(window)
    )
    total = f"(select count(*) from {SOURCE}{where})" if counts else "null"
    return answering(statement, source, selection, shape, total)


# Parts


def mutating(statement, table, query, source, shape, location="null"):
    if shape == "none":
        return answering(statement, source, f"select from {SOURCE}", shape, location=location)
    selection = (
        f"select {selection_sql(statement, SOURCE, query.select, table)} from {SOURCE}"
        + order_sql(statement, SOURCE, query.order, table)
    )
    return answering(statement, source, selection, shape, location=location)


def payload_sql(statement, table, columns, payload, preferences):
    """The body as rows named "body"; PostgreSQL itself reads the JSON, so numbers stay exact."""
    if not columns and payload.is_object:
        return "(values (1)) as body"
    kind = "jsonb" if preferences.missing_is_default and columns else "json"
    text = f"{statement.bind(payload.text)}::{kind}"
    if not columns:
        return f"json_array_elements({text}) as body"
    if kind == "jsonb":
        text = with_defaults(statement, table, columns, text, payload.is_object)
    rows = "record" if payload.is_object else "recordset"
    typed = ", ".join(f"{quoted(column)} {table.columns[column].type}" for column in columns)
    return f"{kind}_to_{rows}({text}) as body({typed})"


def with_defaults(statement, table, columns, text, is_object):
    defaults = ", ".join(
        f"{statement.bind(column)}::text, {table.columns[column].default}"
        for column in columns
        if table.columns[column].default
    )
    if is_object:
        return f"jsonb_build_object({defaults}) || {text}"
    return (
        f"(select jsonb_agg(jsonb_build_object({defaults}) || element) "
        f"from jsonb_array_elements({text}) as element)"
    )


def conflict_sql(conflict, columns):
    target = ", ".join(quoted(column) for column in conflict)
    if not columns:
        return f" on conflict ({target}) do nothing"
    changes = ", ".join(f"{quoted(column)} = excluded.{quoted(column)}" for column in columns)
    return f" on conflict ({target}) do update set {changes} where {count_inserted(-1)}"


def count_inserted(step):
    """A condition that is true, and counts: up for a row of the body, down for one that was there.

    It asks for no right to read the table, as a look at what was returned would."""
    counted = "coalesce(nullif(current_setting('local.inserted', true), '')::int, 0)"
    return f"set_config('local.inserted', ({counted} + {step})::text, true) is not null"


def returning_sql(table, query, preferences):
    """Only what is asked for: returning nothing needs no right to read."""
    name = quoted("public", table.name)
    if preferences.returns == "headers-only" and table.key:
        wanted = table.key
    elif preferences.returns != "representation":
        return " returning 1"
    else:
        wanted = [item.field.name for item in [*query.select, *query.order]]
    if "*" in wanted:
        return f" returning {name}.*"
    return " returning " + ", ".join(f"{name}.{quoted(column)}" for column in dict.fromkeys(wanted))


def location_sql(statement, table):
    if not table.key:
        return "null"
    return (
        f"(select json_object_agg(pair.key, pair.value) from (select row_to_json(r) as row "
        f"from {SOURCE} as r limit 1) one, json_each_text(one.row) as pair)"
    )


def selection_sql(statement, name, select, table):
    return ", ".join(selected_sql(statement, name, item, table) for item in select)


def selected_sql(statement, name, item, table):
    if item.field.name == "*":
        return f"{name}.*"
    sql = field_sql(statement, name, item.field, table)
    if item.cast:
        sql = f"cast({sql} as {item.cast})"
    keys = [step for _, step in item.field.path if isinstance(step, str)]
    alias = item.alias or (keys[-1] if keys else item.field.name)
    return f"{sql} as {quoted(alias)}"


def order_sql(statement, name, order, table):
    if not order:
        return ""
    terms = (f"{field_sql(statement, name, term.field, table)} {term.direction}" for term in order)
    return " order by " + ", ".join(terms)


def window_sql(window):
    limit, offset = window
    return (f" limit {int(limit)}" if limit is not None else "") + (
        f" offset {int(offset)}" if offset else ""
    )
