"""What PostgREST's schema cache knows: tables, their columns and keys, and functions."""

import difflib
from dataclasses import dataclass, field

from .errors import ApiError

RELATIONS = """
select c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
  case when a.attidentity <> '' then
      format('nextval(%L)', pg_get_serial_sequence(format('public.%I', c.relname), a.attname))
    when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end,
  coalesce(a.attnum = any(k.conkey), false)
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
where n.nspname = 'public' and c.relkind in ('r', 'v', 'm', 'f', 'p')
order by c.relname, a.attnum
"""

FUNCTIONS = """
select p.proname, p.proargnames, p.proargmodes::text[],
  array(select format_type(t, null)
    from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) t),
  p.pronargdefaults, p.proretset, t.typname = 'void',
  t.typtype = 'c' or t.typname = 'record'
    or coalesce(p.proargmodes::text[] && '{t,b,o}', false),
  p.provolatile = 'v'
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
join pg_type t on t.oid = p.prorettype
where n.nspname = 'public' and p.prokind = 'f'
  and t.typname not in ('trigger', 'event_trigger')
order by p.proname, p.oid
"""


# What holds for a role in each of its requests, though it never logs in.
ROLE_SETTINGS = """
select r.rolname, split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1)
from pg_db_role_setting s join pg_roles r on r.oid = s.setrole, unnest(s.setconfig) as setting
where s.setdatabase = 0
"""


@dataclass
class Column:
    type: str
    default: str | None


@dataclass
class Table:
    name: str
    columns: dict[str, Column] = field(default_factory=dict)
    key: list[str] = field(default_factory=list)

    def is_json(self, column: str) -> bool:
        return column in self.columns and self.columns[column].type in ("json", "jsonb")

    def require(self, columns):
        for column in columns:
            if column not in self.columns:
                raise ApiError(
                    400,
                    "PGRST204",
                    f"Could not find the '{column}' column of '{self.name}' in the schema cache",
                )


@dataclass
class Parameter:
    name: str
    type: str
    required: bool
    variadic: bool


@dataclass
class Function:
    name: str
    parameters: dict[str, Parameter]
    returns_set: bool
    returns_void: bool
    returns_rows: bool
    writes: bool

    def accepts(self, names) -> bool:
        required = {p.name for p in self.parameters.values() if p.required}
        return required <= set(names) <= set(self.parameters)

    @property
    def signature(self):
        listed = ", ".join(f"{p.name} => {p.type}" for p in self.parameters.values())
        return f"public.{self.name}({listed})"


class Schema:
    """The schema "public" at one version."""

    def __init__(self, version, tables, functions, role_settings):
        self.version = version
        self.tables = tables
        self.functions = functions
        self.role_settings = role_settings

    @classmethod
    def unknown(cls):
        return cls(None, {}, {}, {})

    @classmethod
    def read(cls, connection, version):
        tables, functions = {}, {}
        for name, column, kind, default, in_key in connection.execute(RELATIONS):
            table = tables.setdefault(name, Table(name))
            table.columns[column] = Column(kind, default)
            if in_key:
                table.key.append(column)
        for row in connection.execute(FUNCTIONS):
            functions.setdefault(row[0], []).append(function(*row))
        role_settings = {}
        for role, name, value in connection.execute(ROLE_SETTINGS):
            role_settings.setdefault(role, []).append((name, value))
        return cls(version, tables, functions, role_settings)

    def table(self, name: str) -> Table:
        if name not in self.tables:
            raise ApiError(
                404,
                "PGRST205",
                f"Could not find the table 'public.{name}' in the schema cache",
                hint=nearest(name, self.tables, "Perhaps you meant the table"),
            )
        return self.tables[name]

    def function(self, name: str, arguments) -> Function:
        """The function of that name that takes just these arguments."""
        fitting = [f for f in self.functions.get(name, []) if f.accepts(arguments)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            listed = ", ".join(f.signature for f in fitting)
            raise ApiError(
                300,
                "PGRST203",
                f"Could not choose the best candidate function between: {listed}",
                hint="Try renaming the parameters or the function itself in the database so "
                "function overloading can be resolved",
            )
        raise self.no_function(name, sorted(arguments))

    def no_function(self, name, arguments):
        listed = ", ".join(arguments)
        found = f"({listed})" if arguments else " without parameters"
        noun = "parameter" if len(arguments) == 1 else "parameters"
        searched = f" with {noun} {listed}" if arguments else " without parameters"
        return ApiError(
            404,
            "PGRST202",
            f"Could not find the function public.{name}{found} in the schema cache",
            f"Searched for the function public.{name}{searched} or with a single unnamed "
            "json/jsonb parameter, but no matches were found in the schema cache.",
            nearest(name, self.functions, "Perhaps you meant to call the function"),
        )


def function(name, names, modes, types, defaults, returns_set, is_void, returns_rows, writes):
    modes = modes or ["i"] * len(types)
    taken = [
        (names[place] if names else "", types[place], mode)
        for place, mode in enumerate(modes)
        if mode in "ibv"
    ]
    parameters = {
        parameter: Parameter(
            parameter, kind, place < len(taken) - defaults and mode != "v", mode == "v"
        )
        for place, (parameter, kind, mode) in enumerate(taken)
    }
    return Function(name, parameters, returns_set, is_void, returns_rows, writes)


def nearest(name, known, phrase):
    close = difflib.get_close_matches(name, [k for k in known if k != name], 1)
    if not close:
        return None
    quote = "'" if "table" in phrase else ""
    return f"{phrase} {quote}public.{close[0]}{quote}"
