"""PostgREST's little languages in the query string: select, order, filters and logic trees."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl

from .errors import ApiError, bad_range, not_embedded
from .scanner import Field, Scanner, unescaped

RESERVED = {"select", "columns", "on_conflict", "order", "limit", "offset", "and", "or"}
OPERATORS = {
    "eq": "=",
    "gte": ">=",
    "gt": ">",
    "lte": "<=",
    "lt": "<",
    "neq": "<>",
    "like": "like",
    "ilike": "ilike",
    "match": "~",
    "imatch": "~*",
    "cs": "@>",
    "cd": "<@",
    "ov": "&&",
    "sl": "<<",
    "sr": ">>",
    "nxr": "&<",
    "nxl": "&>",
    "adj": "-|-",
    "isdistinct": "is distinct from",
}
QUANTIFIABLE = {"eq", "gte", "gt", "lte", "lt", "like", "ilike", "match", "imatch"}
TEXT_SEARCH = {
    "fts": "to_tsquery",
    "plfts": "plainto_tsquery",
    "phfts": "phraseto_tsquery",
    "wfts": "websearch_to_tsquery",
}
TRUTHS = {"null", "not_null", "true", "false", "unknown"}
AGGREGATES = {"count", "sum", "avg", "max", "min"}

QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(?=[,)]|$)', re.DOTALL)
ARRAY = re.compile(r"\{[^{}]*\}")
PLAIN = re.compile(r"[^,)]*", re.DOTALL)
CAST = re.compile(r"[A-Za-z_][A-Za-z0-9_ ]*")
OPERATOR = re.compile(r"([a-z_]+)(?:\((\w+)\))?\.")


@dataclass(frozen=True)
class Selected:
    field: Field
    alias: str | None
    cast: str | None


@dataclass(frozen=True)
class Ordered:
    field: Field
    direction: str


@dataclass(frozen=True)
class Filter:
    field: Field
    negated: bool
    operator: str
    modifier: str | None
    value: object


@dataclass(frozen=True)
class Logic:
    negated: bool
    operator: str
    parts: tuple


@dataclass
class Query:
    """What a query string asks for."""

    select: list
    conditions: list
    order: list
    limit: int | None
    offset: int
    columns: list | None
    on_conflict: list | None
    arguments: dict

    @property
    def has_window(self):
        return self.limit is not None or self.offset > 0


def parse_query(text: str, argument_names=()) -> Query:
    """The query string's meaning; what `argument_names` lists are a function's arguments."""
    pairs = parse_qsl(text, keep_blank_values=True)
    given = dict(reversed(pairs))
    conditions, arguments = [], {}
    for key, value in pairs:
        if key in argument_names:
            arguments[key] = value
        elif key.removeprefix("not.") in ("and", "or"):
            conditions.append(parse_logic(key, value))
        elif "." in key and key.rpartition(".")[2] in ("and", "or", "order", "limit", "offset"):
            raise not_embedded(key.partition(".")[0])
        elif key not in RESERVED:
            conditions.append(parse_filter(key, value))
    return Query(
        select=parse_select(given.get("select", "*")),
        conditions=conditions,
        order=parse_order(given.get("order", "")),
        limit=parse_count(given.get("limit")),
        offset=parse_count(given.get("offset")) or 0,
        columns=parse_names("columns", given.get("columns")),
        on_conflict=parse_names("on_conflict", given.get("on_conflict")),
        arguments=arguments,
    )


def parse_names(what, text):
    if text is None:
        return None
    scanner = Scanner(f"{what} parameter", text)
    names = scanner.listed(lambda: (scanner.spaces(), scanner.name())[1])
    if not scanner.at_end:
        scanner.fail('expecting "," or end of input')
    return list(dict.fromkeys(names))


def parse_count(text):
    if text is None or not re.fullmatch(r"-?\d{1,18}", text):
        return None
    if int(text) < 0:
        raise bad_range("Limit should be greater than or equal to zero.")
    return int(text)


def parse_select(text):
    scanner = Scanner("select parameter", text or "*")
    selected = scanner.listed(lambda: parse_selected(scanner))
    if not scanner.at_end:
        scanner.fail('expecting letter, digit, "-", "->>", "->", "::", "," or end of input')
    return selected


def parse_selected(scanner):
    scanner.spaces()
    if scanner.take("*"):
        return Selected(Field("*"), None, None)
    spread = scanner.take("...")
    field, alias, cast = scanner.field(), None, None
    if not spread and re.match(r":(?!:)", scanner.text[scanner.place :]):
        scanner.expect(":")
        alias, field = field.name, scanner.field()
    refuse_embedding(scanner, field)
    if scanner.take("::"):
        found = scanner.match(CAST)
        if not found:
            scanner.fail("expecting letter or digit")
        cast = found[0].strip()
    scanner.spaces()
    return Selected(field, alias, cast)


def refuse_embedding(scanner, field):
    """Related tables are not joined here, and Supabase itself allows no aggregates."""
    rest = scanner.text[scanner.place :]
    if rest.startswith("()") and field.name in AGGREGATES or re.match(r"\.(\w+)\(\)", rest):
        raise ApiError(400, "PGRST123", "Use of aggregate functions is not allowed")
    if rest.startswith(("(", "!")):
        raise ApiError(
            400,
            "PGRST200",
            "Could not find a relationship between the table and "
            f"'{field.name}' in the schema cache",
            "This server does not embed related tables.",
        )


def parse_order(text):
    if not text:
        return []
    scanner = Scanner("order", text)
    ordered = scanner.listed(lambda: parse_ordered(scanner))
    if not scanner.at_end:
        scanner.fail('expecting "," or end of input')
    return ordered


def parse_ordered(scanner):
    scanner.spaces()
    field = scanner.field()
    if scanner.text.startswith("(", scanner.place):
        raise not_embedded(field.name)
    words = []
    for first, second in ((".asc", ".desc"), (".nullsfirst", ".nullslast")):
        if scanner.take(first) or scanner.take(second):
            word = first if scanner.text[: scanner.place].endswith(first) else second
            words.append(
                {".nullsfirst": "nulls first", ".nullslast": "nulls last"}.get(word, word[1:])
            )
    if scanner.text.startswith(".", scanner.place):
        scanner.fail('expecting "asc", "desc", "nullsfirst" or "nullslast"')
    return Ordered(field, " ".join(words))


def parse_filter(key, value):
    scanner = Scanner("tree path", key)
    field = scanner.field()
    if scanner.take("."):
        raise not_embedded(field.name)
    if not scanner.at_end:
        scanner.fail('expecting "->", "." or end of input')
    return parse_operation(Scanner("filter", value), field, whole=True)


def parse_logic(key, value):
    negated, operator = key.startswith("not."), key.removeprefix("not.")
    scanner = Scanner("logic tree", value)
    parts = parse_parts(scanner)
    if not scanner.at_end:
        scanner.fail("expecting end of input")
    return Logic(negated, operator, parts)


def parse_parts(scanner):
    scanner.spaces()
    scanner.expect("(")
    parts = tuple(scanner.listed(lambda: parse_part(scanner)))
    scanner.expect(")")
    scanner.spaces()
    return parts


def parse_part(scanner):
    scanner.spaces()
    if tree := scanner.match(re.compile(r"(not\.)?(and|or)(?=\s*\()")):
        return Logic(bool(tree[1]), tree[2], parse_parts(scanner))
    field = scanner.field()
    scanner.expect(".")
    part = parse_operation(scanner, field, whole=False)
    scanner.spaces()
    return part


def parse_operation(scanner, field, whole):
    """`[not.]operator[(modifier)].value`; in a tree the value ends before , or )."""
    negated = scanner.take("not.")
    start = scanner.place
    found = scanner.match(OPERATOR)
    if not found:
        scanner.fail('expecting "not" or operator (eq, gt, ...)')
    operator, modifier = found[1], found[2]
    if operator == "in" and not modifier:
        return Filter(field, negated, "in", None, parse_list(scanner, whole))
    if operator == "is" and not modifier:
        return Filter(field, negated, "is", None, parse_truth(scanner, whole))
    known = (
        operator in TEXT_SEARCH
        or operator in OPERATORS
        and (not modifier or operator in QUANTIFIABLE and modifier in ("any", "all"))
    )
    if not known:
        scanner.place = start
        scanner.fail(f"unknown single value operator {operator}")
    value = scanner.text[scanner.place :] if whole else tree_value(scanner)
    return Filter(field, negated, operator, modifier, value)


def tree_value(scanner):
    if quoted := scanner.match(QUOTED):
        return unescaped(quoted[1])
    if array := scanner.match(ARRAY):
        return array[0]
    return scanner.match(PLAIN)[0]


def parse_list(scanner, whole):
    scanner.spaces()
    scanner.expect("(")
    items = scanner.listed(lambda: list_item(scanner))
    scanner.expect(")")
    if whole:
        scanner.spaces()
        if not scanner.at_end:
            scanner.fail("expecting end of input")
    return [] if items == [""] else items


def list_item(scanner):
    if quoted := scanner.match(QUOTED):
        return unescaped(quoted[1])
    return scanner.match(PLAIN)[0]


def parse_truth(scanner, whole):
    word = (scanner.text[scanner.place :] if whole else scanner.match(PLAIN)[0]).lower()
    if word not in TRUTHS:
        scanner.fail("expecting null or trilean value (unknown, true, false)")
    return word
