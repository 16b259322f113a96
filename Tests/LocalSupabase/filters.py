"""Filters and logic trees as SQL conditions."""

from .database import quoted
from .parsing import OPERATORS, TEXT_SEARCH, Filter, Logic


def conditions_sql(statement, name, conditions, table):
    """` where …`, or nothing. `table` is None for what a function returned."""
    if not conditions:
        return ""
    return " where " + " and ".join(condition_sql(statement, name, c, table) for c in conditions)


def condition_sql(statement, name, condition, table):
    if isinstance(condition, Logic):
        parts = (condition_sql(statement, name, part, table) for part in condition.parts)
        negation = "not " if condition.negated else ""
        return f"{negation}({f' {condition.operator} '.join(parts)})"
    return filter_sql(statement, name, condition, table)


def filter_sql(statement, name, condition: Filter, table):
    field = field_sql(statement, name, condition.field, table)
    negation = "not " if condition.negated else ""
    return f"{negation}({field} {comparison_sql(statement, condition)})"


def comparison_sql(statement, condition):
    operator, value = condition.operator, condition.value
    if operator == "is":
        return "is " + value.replace("_", " ")
    if operator == "in":
        return f"= any({statement.bind(array_literal(value))})"
    if operator in TEXT_SEARCH:
        language = (
            f"{statement.bind(condition.modifier)}::regconfig, " if condition.modifier else ""
        )
        return f"@@ {TEXT_SEARCH[operator]}({language}{statement.bind(value)})"
    if operator in ("like", "ilike"):
        value = value.replace("*", "%")
    bound = statement.bind(value)
    return f"{OPERATORS[operator]} " + (
        f"{condition.modifier}({bound})" if condition.modifier else bound
    )


def field_sql(statement, name, field, table):
    column = f"{name}.{quoted(field.name)}"
    if not field.path:
        return column
    if table is None or not table.is_json(field.name):
        column = f"to_jsonb({column})"
    for arrow, step in field.path:
        kind = "int" if isinstance(step, int) else "text"
        column += f" {arrow} {statement.bind(str(step))}::{kind}"
    return f"({column})"


def array_literal(values):
    """The values as PostgreSQL writes an array, so that it infers the type of the elements."""
    escaped = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return "{" + ",".join(f'"{value}"' for value in escaped) + "}"
