-- Larder in a Supabase project: the tables of households, and what joins what is written to them.
--
-- It is one transaction: with 'supabase db push', pasted into the SQL editor, or with 'psql --single-transaction
-- --file'. All of it is made or nothing, and a second run is refused.
--
-- A client tells refusals from each other by their codes:
--
--   LA001  a row is larger than 1 MiB
--   LA002  a path is longer than 1000 bytes
--   LA003  a path goes through more than 64 folders
--   LA004  a name in a path is longer than 255 bytes
--   LA005  a file's object, or `edited`, has more than 1,000 keys
--   LA006  a receipt has more than 10,000 lines
--   LA007  a ledger has more than 100,000 entries
--   LA010  the household's format is not one that this database knows
--   LA020  a time is more than a day ahead of the database's clock
--   LA030  the last member leaves, and has not said that the household's rows are to go
--   LA031  a user belongs to as many households as one may
--   LA032  a row names no household, and its user belongs to none
--   LA033  a row names no household, and its user belongs to several
--   LA034  there is no such invitation that is open
--   LA035  the household is kept for those who left it
--   LA036  a household has as many open invitations as it may have
--   LA037  the row is deleted, and was written again without a word about that
--   LA038  the row has changed since it was read
--   LA039  the ledger entry would change nothing, or takes more than there is

do $$
begin
  if to_regnamespace('larder') is not null then
    raise exception 'this project has the tables of Larder already' using hint = 'Nothing was changed.';
  end if;
end
$$;

create schema if not exists extensions;
create extension if not exists "uuid-ossp" with schema extensions;
do $$
begin
  if to_regprocedure('extensions.uuid_generate_v5(uuid, text)') is null then
    raise exception 'the extension uuid-ossp is in another schema than extensions'
      using hint = 'Move it first: alter extension "uuid-ossp" set schema extensions;';
  end if;
end
$$;

create schema larder;
comment on schema larder is 'What the tables of a Larder household need to converge; not served by the API.';
revoke all on schema larder from public;
grant usage on schema larder to authenticated, service_role;

create sequence larder.version;
comment on sequence larder.version is
  'Counts what changes in any household; drawn under the household''s lock, so in commit order.';

-- Values ----------------------------------------------------------------------------------------------------

-- The values that the format allows, for the constraints of tables, and their written form (FORMAT.md, sections 2
-- and 4).
--
-- Functions that run for every row are in PL/pgSQL, which keeps their plans. SQL functions inside one another would be
-- planned again for each call.

-- The text of an instant, in an order that is the order of instants. The year 0000 is 1 BC. Times
-- before that stay, so that they can be refused.
create function larder.instant(moment timestamptz) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case
    when not isfinite(moment) then 'infinity'
    when moment >= '0001-01-01T00:00:00Z'::timestamptz
    then to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    when moment >= '0001-01-01T00:00:00Z BC'::timestamptz
    then '0000' || to_char(moment at time zone 'UTC', '-MM-DD"T"HH24:MI:SS.MS"Z"')
    else to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z BC"')
  end;
end
$$;

create function larder.moment(instant text) returns timestamptz
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case
    when instant like '0000-%' then ('0001' || substr(instant, 5) || ' BC')::timestamptz
    else instant::timestamptz
  end;
end
$$;

-- 1 ms after the last instant is the last one again; after no time there is none.
create function larder.after(moment timestamptz) returns timestamptz
language plpgsql immutable strict parallel safe set search_path = ''
as $$ begin return least(moment + interval '1 ms', '9998-12-31T23:59:59.999Z'::timestamptz); end $$;

create function larder.now() returns timestamptz
language plpgsql stable set search_path = ''
as $$ begin return date_trunc('milliseconds', statement_timestamp()); end $$;

create function larder.is_day(value text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case
    when value !~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' then false
    else substr(value, 9)::int <= case
      when substr(value, 6, 2) in ('04', '06', '09', '11') then 30
      when substr(value, 6, 2) <> '02' then 31
      when substr(value, 1, 4)::int % 400 = 0 then 29
      when substr(value, 1, 4)::int % 100 = 0 then 28
      when substr(value, 1, 4)::int % 4 = 0 then 29
      else 28
    end
  end;
end
$$;

create function larder.is_instant(value text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$'
    and value < '9999' and larder.is_day(substr(value, 1, 10));
end
$$;

create function larder.is_moment(value timestamptz) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return value >= '0001-01-01T00:00:00Z BC'::timestamptz
    and value < '9999-01-01T00:00:00Z'::timestamptz;
end
$$;

-- Whether the time zone database has a name; who asks has changed it, so it may take a moment.
create function larder.is_zone(name text) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return exists (
    select from pg_catalog.pg_timezone_names z
    where z.name = is_zone.name and z.name !~ '^(posix|right)/|^(posixrules|localtime|Factory)$');
end
$$;

-- At most 15 digits, six of them decimals.
create function larder.is_number(value numeric) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return scale(trim_scale(value)) <= 6
    and abs(value) < 1000000000000000
    and abs(value) < power(10::numeric, 15 - scale(trim_scale(value)));
end
$$;

-- Rounded half to even, at the sixth decimal.
create function larder.rounded(value numeric) returns numeric
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return trim_scale(case
    when abs(value - trunc(value, 6)) = 0.0000005 and trunc(value, 6) * 1000000 % 2 = 0
    then trunc(value, 6)
    else round(value, 6)
  end);
end
$$;

-- Clients read 64 levels; a row is inside an answer, and an entry inside a file.
create function larder.is_flat(value jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$ begin return not jsonb_path_exists(value, 'strict $.**{61 to last}'); end $$;

-- A known unit, or a word of a household's own (FORMAT.md, section 4). In canonical form: other spellings of the
-- known units, which files may have, are refused.
create function larder.is_unit(value text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select value in ('piece', 'gram', 'kilogram', 'milliliter', 'liter', 'pack')
    or value ~ ('^[a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2070-\u2fff\u3004-\ud7ff'
        || '\uf900-\ufdff\ufe10-\ufefe\uff00-\uffef]{1,24}$')
      and value not in (
        'pieces', 'pc', 'pcs', 'g', 'gr', 'grams', 'gramme', 'grammes', 'kg', 'kgs', 'kilo', 'kilos',
        'kilograms', 'kilogramme', 'kilogrammes', 'ml', 'milliliters', 'millilitre', 'millilitres',
        'l', 'ltr', 'liters', 'litre', 'litres', 'packs', 'packet', 'packets', 'package', 'packages',
        'pkg', 'pkgs', 'x', 'cl', 'dl', 'centiliter', 'centiliters', 'centilitre', 'centilitres',
        'deciliter', 'deciliters', 'decilitre', 'decilitres', 'dozen', 'dozens')
$$;

-- The factor from one unit to another; null if they do not convert.
create function larder.factor(unit text, wanted text) returns numeric
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case
    when unit = wanted then 1
    when (unit, wanted) in (('kilogram', 'gram'), ('liter', 'milliliter')) then 1000
    when (unit, wanted) in (('gram', 'kilogram'), ('milliliter', 'liter')) then 0.001
  end;
end
$$;

create function larder.is_uuid(value text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$ begin return value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'; end $$;

-- A text as an id; null where it is none.
create function larder.uuid_of(value text) returns uuid
language plpgsql immutable parallel safe set search_path = ''
as $$ begin return case when larder.is_uuid(value) then value::uuid end; end $$;

-- Whether a value is an object with the times at which a row's fields were written.
create function larder.are_stamps(value jsonb) returns boolean
language plpgsql immutable strict parallel safe set search_path = ''
as $$
begin
  return jsonb_typeof(value) = 'object' and not exists (
    select from jsonb_each(value) as stamp (name, at)
    where jsonb_typeof(at) <> 'string' or not larder.is_instant(at #>> '{}')
  );
end
$$;

-- A list of ids of products, or of the numbers under barcodes.
create function larder.are_references(value jsonb) returns boolean
language plpgsql immutable strict parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    select jsonb_typeof(value) = 'array' and not exists (
      select from jsonb_array_elements(value) as reference
      where jsonb_typeof(reference) <> 'string' or reference = '""'
    ));
end
$$;

-- Whether the members that are there have a type; a text that is a name is not empty.
create function larder.has_texts(value jsonb, variadic names text[]) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    select not exists (
      select from unnest(names) as name where value ? name and jsonb_typeof(value -> name) <> 'string'
    ));
end
$$;

create function larder.is_product_ref(value jsonb) returns boolean
language plpgsql immutable strict parallel safe set search_path = ''
as $$
begin
  return jsonb_typeof(value) = 'object'
    and coalesce(jsonb_typeof(value -> 'productId') = 'string', false)
    and value ->> 'productId' <> ''
    and (not value ? 'snapshot' or (
      jsonb_typeof(value -> 'snapshot') = 'object'
      and larder.has_texts(value -> 'snapshot', 'title', 'brand', 'imageURL')));
end
$$;

create function larder.is_date_info(value jsonb, is_instant boolean) returns boolean
language plpgsql immutable strict parallel safe set search_path = ''
as $$
begin
  return jsonb_typeof(value) = 'object'
    and coalesce(value ->> 'kind' in
      ('expiry', 'opened', 'bestBefore', 'useBy', 'manufactured', 'packaged'), false)
    and larder.has_texts(value, 'kind', 'rawText', 'isoDate')
    and case
      when not value ? 'confidence' then true
      when jsonb_typeof(value -> 'confidence') <> 'number' then false
      else (value -> 'confidence')::numeric between 0 and 1
        and larder.is_number((value -> 'confidence')::numeric)
    end
    and case
      when not value ? 'isoDate' then true
      when is_instant then larder.is_instant(value ->> 'isoDate')
      else larder.is_day(value ->> 'isoDate')
    end;
end
$$;

-- A line is checked in one expression, and usual values need no other function: numbers below a billion, and days
-- that every month has.
create function larder.are_lines(value jsonb) returns boolean
language plpgsql immutable strict parallel safe set search_path = ''
as $$
begin
  return jsonb_typeof(value) = 'array' and not exists (
    select from jsonb_array_elements(value) as line
    where case
      when jsonb_typeof(line) <> 'object' then true
      when coalesce(jsonb_typeof(line -> 'id'), '') <> 'string'
        or coalesce(jsonb_typeof(line -> 'itemName'), '') <> 'string'
        or coalesce(jsonb_typeof(line -> 'quantity'), '') <> 'number'
        or coalesce(jsonb_typeof(line -> 'unit'), 'string') <> 'string'
        or coalesce(jsonb_typeof(line -> 'itemId'), 'string') <> 'string'
        or coalesce(jsonb_typeof(line -> 'price'), 'number') <> 'number'
        or coalesce(jsonb_typeof(line -> 'expiry'), 'string') <> 'string'
        or coalesce(jsonb_typeof(line -> 'location'), 'string') <> 'string'
        or coalesce(jsonb_typeof(line -> 'lot'), 'string') <> 'string' then true
      else line ->> 'itemName' = ''
        or line ->> 'id' !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
        or line ->> 'itemId' !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
        or not larder.is_unit(line ->> 'unit')
        or (line -> 'quantity')::numeric < 0
        or not (abs((line -> 'quantity')::numeric) < 1000000000
            and scale((line -> 'quantity')::numeric) <= 6
          or larder.is_number((line -> 'quantity')::numeric))
        or not (abs((line -> 'price')::numeric) < 1000000000
            and scale((line -> 'price')::numeric) <= 6
          or larder.is_number((line -> 'price')::numeric))
        or not (line ->> 'expiry' ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$'
          or larder.is_day(line ->> 'expiry'))
    end);
end
$$;

-- What a constraint says in place of its name and, under a trigger, the whole row.
create function larder.refuse(rule text) returns boolean
language plpgsql stable set search_path = ''
as $$ begin raise exception '%', rule using errcode = '23514'; end $$;

-- Canonical bytes -------------------------------------------------------------------------------------------

-- The keys that come first in an object of a known shape, in their order.
create function larder.keys_of(shape text) returns text[]
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case shape
    when 'productRef' then array['productId', 'snapshot']
    when 'productRef.snapshot' then array['title', 'brand', 'imageURL']
    when 'quantity' then array['value', 'unit']
    when 'expiryInfo' then array['kind', 'rawText', 'confidence', 'isoDate']
    when 'openedInfo' then array['kind', 'rawText', 'confidence', 'isoDate']
    when 'items.' then
      array['id', 'itemName', 'quantity', 'unit', 'itemId', 'price', 'expiry', 'location', 'lot']
    when 'change' then array[
      'id', 'at', 'delta', 'set', 'undoes', 'unit', 'why', 'by', 'request', 'receipt', 'note', 'total']
    else '{}'
  end;
end
$$;

create function larder.compact(value jsonb, shape text default '') returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  case jsonb_typeof(value)
    when 'object' then
      return coalesce((
        select '{ ' || string_agg(
          to_json(key)::text || ': ' || larder.compact(member, shape || '.' || key), ', '
          order by coalesce(array_position(larder.keys_of(shape), key), 100), key collate "C") || ' }'
        from jsonb_each(value) as members (key, member)
        where jsonb_typeof(member) <> 'null'), '{}');
    when 'array' then
      return '[' || coalesce((
        select string_agg(larder.compact(element), ', ' order by place)
        from jsonb_array_elements(value) with ordinality as elements (element, place)), '') || ']';
    when 'string' then return to_json(value #>> '{}')::text;
    when 'number' then return trim_scale((value #>> '{}')::numeric)::text;
    else return value::text;
  end case;
end
$$;

-- A value as it is written as a member of the file's object (depth 1), or deeper.
create function larder.canonical(value jsonb, shape text, depth integer default 1)
returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  inner_indent constant text := E'\n' || repeat('  ', depth + 1);
  outer_indent constant text := E'\n' || repeat('  ', depth);
begin
  case jsonb_typeof(value)
    when 'object' then
      return coalesce((
        select '{' || string_agg(
          inner_indent || to_json(key)::text || ': '
            || larder.canonical(member, shape || '.' || key, depth + 1), ','
          order by coalesce(array_position(larder.keys_of(shape), key), 100), key collate "C")
          || outer_indent || '}'
        from jsonb_each(value) as members (key, member)
        where jsonb_typeof(member) <> 'null'), '{}');
    when 'array' then
      return coalesce((
        select '[' || string_agg(
          inner_indent || larder.compact(element, shape || '.'), ',' order by place)
          || outer_indent || ']'
        from jsonb_array_elements(value) with ordinality as elements (element, place)), '[]');
    else return larder.compact(value);
  end case;
end
$$;
comment on function larder.canonical(jsonb, text, integer) is
  'The canonical bytes of a value (FORMAT.md, section 4), which decide where times are equal.';

-- Tables ----------------------------------------------------------------------------------------------------

-- A table for each kind of the format, named as its fields are (FORMAT.md, section 3).
--
-- What is not in the format: `household_id`, the household that a row belongs to; `version`, which grows with every
-- change; `path`, where the device that made it keeps the file; `extra`, the keys that the format does not know.
-- `edited` has the format's own names. No reference between rows is enforced, as none is in the files: what it names
-- may still be on its way.
--
-- A constraint says its rule in words. Indexes by version and update are for pages of a household. "is not null" is
-- true for every row, and follows from any comparison; without it, plans made while a table was small would use these
-- indexes to look up a row by its id. The last constraint of each table is there because a single row that nobody can
-- read would prevent reading all others.

create table public.households (
  household_id uuid not null,
  -- A household that names no id gets one, as all other rows do.
  id uuid not null default gen_random_uuid(),
  name text not null,
  time_zone text default 'UTC',
  currency text,
  expiring_within_days integer default 14,
  format integer default 1,
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  path text,
  version bigint not null default 0,
  user_id uuid not null default auth.uid(),
  primary key (household_id, id),
  constraint households_id check (
    (id = household_id) is not false or larder.refuse('households: id is the same as household_id')),
  constraint households_name check ((name <> '') is not false or larder.refuse('households: name is not empty')),
  constraint households_time_zone check (
    (time_zone ~ '^[A-Za-z0-9/_+-]{1,64}$') is not false
    or larder.refuse('households: time_zone is a name of the time zone database, such as Europe/London')),
  constraint households_currency check (
    (currency ~ '^[A-Z]{3}$') is not false
    or larder.refuse('households: currency is three capital letters, such as EUR')),
  constraint households_expiring_within_days check (
    (expiring_within_days between 0 and 36500) is not false
    or larder.refuse('households: expiring_within_days is 0 to 36500')),
  constraint households_format check (
    (format >= 1) is not false or larder.refuse('households: format is 1 or above')),
  constraint households_bookkeeping check (
    (larder.is_moment(created_at) and larder.are_stamps(edited) and jsonb_typeof(extra) = 'object'
      and not extra ?| array['id', 'createdAt', 'updatedAt', 'edited']) is not false
    or larder.refuse('households: created_at is in the years 0000 to 9998, edited an object of instants, '
      'extra an object without id, createdAt, updatedAt and edited')),
  constraint households_flat check (
    (larder.is_flat(edited) and larder.is_flat(extra)) is not false
    or larder.refuse('households: objects and lists are nested at most 60 levels deep'))
);
create unique index households_by_id on public.households (id);
create index households_by_version
  on public.households (household_id, version) where version is not null;
create index households_by_update
  on public.households (household_id, updated_at) where updated_at is not null;
comment on table public.households is 'The household itself.';
comment on column public.households.household_id is 'The household it belongs to.';
comment on column public.households.name is 'What the household is called.';
comment on column public.households.time_zone is
  'Where days begin and end: a name of the time zone database, such as Europe/London.';
comment on column public.households.currency is 'The usual currency of receipts (ISO 4217).';
comment on column public.households.expiring_within_days is 'How many days ahead a batch counts as expiring.';
comment on column public.households.format is 'The version of the format.';
comment on column public.households.user_id is 'Who made the household here; never changes.';

create table public.stock_items (
  household_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text not null,
  aliases jsonb,
  category text,
  unit text default 'piece',
  quantity_in_stock numeric,
  quantity_full_stock numeric default 0,
  quantity_minimum numeric,
  keeps_days integer,
  storage_location_id text,
  products jsonb,
  note text,
  is_archived boolean default false,
  user_id uuid default auth.uid(),
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  page_from timestamptz(3),
  path text,
  version bigint not null default 0,
  primary key (household_id, id),
  constraint stock_items_name check ((name <> '') is not false or larder.refuse('stock_items: name is not empty')),
  constraint stock_items_aliases check (
    (larder.are_references(aliases)) is not false
    or larder.refuse('stock_items: aliases is a list of texts, none of them empty')),
  constraint stock_items_category check (
    (category <> '') is not false or larder.refuse('stock_items: category is not empty; null is none')),
  constraint stock_items_unit check (
    (larder.is_unit(unit)) is not false
    or larder.refuse('stock_items: unit is piece, gram, kilogram, milliliter, liter, pack, or a word of '
      'your own in lower-case letters, such as tin; kg, l, x, dozen and the like are written as one of '
      'these')),
  constraint stock_items_quantity_full_stock check (
    (quantity_full_stock >= 0 and larder.is_number(quantity_full_stock)) is not false
    or larder.refuse('stock_items: quantity_full_stock is 0 or above, with at most 15 digits, six of them '
      'decimals')),
  constraint stock_items_quantity_minimum check (
    (quantity_minimum >= 0 and larder.is_number(quantity_minimum)) is not false
    or larder.refuse('stock_items: quantity_minimum is 0 or above, with at most 15 digits, six of them '
      'decimals')),
  constraint stock_items_keeps_days check (
    (keeps_days between 0 and 36500) is not false or larder.refuse('stock_items: keeps_days is 0 to 36500')),
  constraint stock_items_products check (
    (larder.are_references(products)) is not false
    or larder.refuse('stock_items: products is a list of ids, none of them empty')),
  constraint stock_items_page_from check (
    (larder.is_moment(page_from)) is not false
    or larder.refuse('stock_items: page_from is in the years 0000 to 9998')),
  constraint stock_items_bookkeeping check (
    (larder.is_moment(created_at) and larder.are_stamps(edited) and jsonb_typeof(extra) = 'object'
      and not extra ?| array['id', 'createdAt', 'updatedAt', 'edited']) is not false
    or larder.refuse('stock_items: created_at is in the years 0000 to 9998, edited an object of instants, '
      'extra an object without id, createdAt, updatedAt and edited')),
  constraint stock_items_flat check (
    (larder.is_flat(aliases) and larder.is_flat(edited) and larder.is_flat(extra)
      and larder.is_flat(products)) is not false
    or larder.refuse('stock_items: objects and lists are nested at most 60 levels deep'))
);
create index stock_items_by_version
  on public.stock_items (household_id, version) where version is not null;
create index stock_items_by_update
  on public.stock_items (household_id, updated_at) where updated_at is not null;
comment on table public.stock_items is 'Something we keep, and how much of it we want.';
comment on column public.stock_items.name is 'What the item is called.';
comment on column public.stock_items.aliases is 'What receipts and people call it besides its name.';
comment on column public.stock_items.category is 'The group it is listed under.';
comment on column public.stock_items.unit is 'What the quantities are counted in.';
comment on column public.stock_items.quantity_in_stock is
  'What there is, loose and in active batches. Follows from the ledgers; a number written here by a '
  'client without ledgers is a count of all there is.';
comment on column public.stock_items.quantity_full_stock is
  'How much there should be; 0 where nothing in particular is wanted.';
comment on column public.stock_items.quantity_minimum is
  'Below this there is too little; without one, below half of what there should be.';
comment on column public.stock_items.keeps_days is 'How many days it keeps where nobody said until when.';
comment on column public.stock_items.storage_location_id is
  'The id of the place where it is put where nobody said another.';
comment on column public.stock_items.products is 'Ids of the products that count as this item.';
comment on column public.stock_items.note is 'Anything else.';
comment on column public.stock_items.page_from is
  'When the ledger''s page began: entries before it are left out. Never goes back.';
comment on column public.stock_items.version is
  'Grows with every change in the household, in the order of commits. A whole row that is written back names the '
  'one that it was read at: what it changed since then is written, all else stays.';

create table public.inventory_items (
  household_id uuid not null,
  id uuid not null default gen_random_uuid(),
  product_ref jsonb not null,
  product_id text,
  quantity jsonb default '{"unit": "piece"}',
  quantity_value numeric,
  status text not null default 'active',
  storage_location_id text default '',
  lot_or_batch_code text,
  expiry_info jsonb,
  expiry_day text collate "C",
  opened_info jsonb,
  notes text,
  consumed_at timestamptz(3),
  user_id uuid default auth.uid(),
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  page_from timestamptz(3),
  path text,
  version bigint not null default 0,
  primary key (household_id, id),
  constraint inventory_items_product_ref check (
    (larder.is_product_ref(product_ref)) is not false
    or larder.refuse('inventory_items: product_ref is {"productId": "…"}, and may have a snapshot of '
      'title, brand and imageURL, which are texts')),
  constraint inventory_items_quantity check (
    (jsonb_typeof(quantity) = 'object'
      and (not quantity ? 'unit' or coalesce(larder.is_unit(quantity ->> 'unit'), false))) is not false
    or larder.refuse('inventory_items: quantity is {"unit": "…"}; its unit is piece, gram, kilogram, '
      'milliliter, liter, pack, or a word of your own in lower-case letters, such as tin; kg, l, x, dozen '
      'and the like are written as one of these')),
  constraint inventory_items_status check (
    (status in ('active', 'consumed', 'discarded', 'archived')) is not false
    or larder.refuse('inventory_items: status is active, consumed, discarded or archived')),
  constraint inventory_items_lot_or_batch_code check (
    (lot_or_batch_code <> '') is not false
    or larder.refuse('inventory_items: lot_or_batch_code is not empty; null is none')),
  constraint inventory_items_expiry_info check (
    (larder.is_date_info(expiry_info, false)) is not false
    or larder.refuse('inventory_items: expiry_info has a kind (expiry, opened, bestBefore, useBy, '
      'manufactured, packaged), and may have rawText, a confidence from 0 to 1, and isoDate, a day such '
      'as 2026-12-31')),
  constraint inventory_items_opened_info check (
    (larder.is_date_info(opened_info, true)) is not false
    or larder.refuse('inventory_items: opened_info has a kind (expiry, opened, bestBefore, useBy, '
      'manufactured, packaged), and may have rawText, a confidence from 0 to 1, and isoDate, an instant '
      'such as 2026-12-31T08:00:00.000Z')),
  constraint inventory_items_page_from check (
    (larder.is_moment(page_from)) is not false
    or larder.refuse('inventory_items: page_from is in the years 0000 to 9998')),
  constraint inventory_items_bookkeeping check (
    (larder.is_moment(created_at) and larder.are_stamps(edited) and jsonb_typeof(extra) = 'object'
      and not extra ?| array['id', 'createdAt', 'updatedAt', 'edited']) is not false
    or larder.refuse('inventory_items: created_at is in the years 0000 to 9998, edited an object of '
      'instants, extra an object without id, createdAt, updatedAt and edited')),
  constraint inventory_items_flat check (
    (larder.is_flat(edited) and larder.is_flat(expiry_info) and larder.is_flat(extra)
      and larder.is_flat(opened_info) and larder.is_flat(product_ref) and larder.is_flat(quantity)) is not false
    or larder.refuse('inventory_items: objects and lists are nested at most 60 levels deep'))
);
create index inventory_items_by_version
  on public.inventory_items (household_id, version) where version is not null;
create index inventory_items_by_update
  on public.inventory_items (household_id, updated_at) where updated_at is not null;
create index inventory_items_by_product
  on public.inventory_items (household_id, product_id) where product_id is not null;
create index inventory_items_by_expiry
  on public.inventory_items (household_id, expiry_day) where status = 'active';
comment on table public.inventory_items is 'A batch of an item, with a date or in a place.';
comment on column public.inventory_items.product_ref is
  'What the batch is of: productId, and a snapshot of title, brand and imageURL.';
comment on column public.inventory_items.product_id is
  'The product''s id, or the item''s own. Follows from product_ref.';
comment on column public.inventory_items.quantity is 'Its unit, without the number.';
comment on column public.inventory_items.quantity_value is
  'How much is left. Follows from the ledger; a number written here by a client without ledgers is a '
  'count of this batch alone.';
comment on column public.inventory_items.status is
  'active, discarded or archived; consumed shows while an active batch is at zero or below.';
comment on column public.inventory_items.storage_location_id is 'The place''s id; empty where nobody said.';
comment on column public.inventory_items.lot_or_batch_code is 'The code printed on the package.';
comment on column public.inventory_items.expiry_info is
  'Until when it keeps: kind, rawText, confidence, and the day as isoDate.';
comment on column public.inventory_items.expiry_day is 'The day of expiry_info, which it follows.';
comment on column public.inventory_items.opened_info is
  'When it was opened: kind, rawText, confidence, and the instant as isoDate.';
comment on column public.inventory_items.notes is 'Anything else.';
comment on column public.inventory_items.consumed_at is 'When it was used up, while it is.';
comment on column public.inventory_items.page_from is
  'When the ledger''s page began: entries before it are left out. Never goes back.';
comment on column public.inventory_items.version is
  'Grows with every change in the household, in the order of commits. A whole row that is written back names the '
  'one that it was read at: what it changed since then is written, all else stays.';

create table public.storage_locations (
  household_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text not null,
  is_cold_storage boolean default false,
  is_archived boolean default false,
  user_id uuid default auth.uid(),
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  path text,
  version bigint not null default 0,
  primary key (household_id, id),
  constraint storage_locations_name check (
    (name <> '') is not false or larder.refuse('storage_locations: name is not empty')),
  constraint storage_locations_bookkeeping check (
    (larder.is_moment(created_at) and larder.are_stamps(edited) and jsonb_typeof(extra) = 'object'
      and not extra ?| array['id', 'createdAt', 'updatedAt', 'edited']) is not false
    or larder.refuse('storage_locations: created_at is in the years 0000 to 9998, edited an object of '
      'instants, extra an object without id, createdAt, updatedAt and edited')),
  constraint storage_locations_flat check (
    (larder.is_flat(edited) and larder.is_flat(extra)) is not false
    or larder.refuse('storage_locations: objects and lists are nested at most 60 levels deep'))
);
create index storage_locations_by_version
  on public.storage_locations (household_id, version) where version is not null;
create index storage_locations_by_update
  on public.storage_locations (household_id, updated_at) where updated_at is not null;
comment on table public.storage_locations is 'A place where things are kept.';
comment on column public.storage_locations.name is 'What the place is called.';
comment on column public.storage_locations.is_cold_storage is 'True for a fridge or freezer.';

create table public.products (
  household_id uuid not null,
  id text not null default gen_random_uuid()::text,
  title text not null,
  brand text,
  image_url text,
  barcodes jsonb,
  unit text,
  pack_size numeric,
  best_after_opening_days integer,
  is_archived boolean default false,
  user_id uuid default auth.uid(),
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  path text,
  version bigint not null default 0,
  primary key (household_id, id),
  constraint products_id check ((id <> '') is not false or larder.refuse('products: id is not empty')),
  constraint products_title check ((title <> '') is not false or larder.refuse('products: title is not empty')),
  constraint products_barcodes check (
    (larder.are_references(barcodes)) is not false
    or larder.refuse('products: barcodes is a list of texts, none of them empty')),
  constraint products_unit check (
    (larder.is_unit(unit)) is not false
    or larder.refuse('products: unit is piece, gram, kilogram, milliliter, liter, pack, or a word of your '
      'own in lower-case letters, such as tin; kg, l, x, dozen and the like are written as one of these')),
  constraint products_pack_size check (
    (pack_size >= 0 and larder.is_number(pack_size)) is not false
    or larder.refuse('products: pack_size is 0 or above, with at most 15 digits, six of them decimals')),
  constraint products_best_after_opening_days check (
    (best_after_opening_days between 0 and 36500) is not false
    or larder.refuse('products: best_after_opening_days is 0 to 36500')),
  constraint products_bookkeeping check (
    (larder.is_moment(created_at) and larder.are_stamps(edited) and jsonb_typeof(extra) = 'object'
      and not extra ?| array['id', 'createdAt', 'updatedAt', 'edited']) is not false
    or larder.refuse('products: created_at is in the years 0000 to 9998, edited an object of instants, '
      'extra an object without id, createdAt, updatedAt and edited')),
  constraint products_flat check (
    (larder.is_flat(barcodes) and larder.is_flat(edited) and larder.is_flat(extra)) is not false
    or larder.refuse('products: objects and lists are nested at most 60 levels deep'))
);
create index products_by_version
  on public.products (household_id, version) where version is not null;
create index products_by_update
  on public.products (household_id, updated_at) where updated_at is not null;
comment on table public.products is 'A catalogue entry; the inventory never writes one.';
comment on column public.products.title is 'The product''s title.';
comment on column public.products.brand is 'The product''s brand.';
comment on column public.products.image_url is 'A picture of the product.';
comment on column public.products.barcodes is 'The numbers under its barcodes.';
comment on column public.products.unit is 'What the pack''s size is counted in.';
comment on column public.products.pack_size is 'How much one pack holds.';
comment on column public.products.best_after_opening_days is 'How many days it keeps once it is open.';

create table public.shopping_list_entries (
  household_id uuid not null,
  id uuid not null default gen_random_uuid(),
  item_id uuid,
  name text,
  desired_quantity numeric default 1,
  unit text default 'piece',
  note text,
  is_completed boolean default false,
  is_deleted boolean default false,
  user_id uuid default auth.uid(),
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  path text,
  version bigint not null default 0,
  primary key (household_id, id),
  constraint shopping_list_entries_names_something check (
    (item_id is not null or name is not null) is not false
    or larder.refuse('shopping_list_entries: item_id or name says what to buy')),
  constraint shopping_list_entries_name check (
    (name <> '') is not false or larder.refuse('shopping_list_entries: name is not empty')),
  constraint shopping_list_entries_desired_quantity check (
    (desired_quantity >= 0 and larder.is_number(desired_quantity)) is not false
    or larder.refuse('shopping_list_entries: desired_quantity is 0 or above, with at most 15 digits, six '
      'of them decimals')),
  constraint shopping_list_entries_unit check (
    (larder.is_unit(unit)) is not false
    or larder.refuse('shopping_list_entries: unit is piece, gram, kilogram, milliliter, liter, pack, or a '
      'word of your own in lower-case letters, such as tin; kg, l, x, dozen and the like are written as '
      'one of these')),
  constraint shopping_list_entries_bookkeeping check (
    (larder.is_moment(created_at) and larder.are_stamps(edited) and jsonb_typeof(extra) = 'object'
      and not extra ?| array['id', 'createdAt', 'updatedAt', 'edited']) is not false
    or larder.refuse('shopping_list_entries: created_at is in the years 0000 to 9998, edited an object of '
      'instants, extra an object without id, createdAt, updatedAt and edited')),
  constraint shopping_list_entries_flat check (
    (larder.is_flat(edited) and larder.is_flat(extra)) is not false
    or larder.refuse('shopping_list_entries: objects and lists are nested at most 60 levels deep'))
);
create index shopping_list_entries_by_version
  on public.shopping_list_entries (household_id, version) where version is not null;
create index shopping_list_entries_by_update
  on public.shopping_list_entries (household_id, updated_at) where updated_at is not null;
comment on table public.shopping_list_entries is 'Something to buy.';
comment on column public.shopping_list_entries.item_id is 'The stock item to buy.';
comment on column public.shopping_list_entries.name is 'What to buy, where it is no stock item.';
comment on column public.shopping_list_entries.desired_quantity is 'How much to buy.';
comment on column public.shopping_list_entries.unit is 'What the quantity is counted in.';
comment on column public.shopping_list_entries.note is 'What to look for.';
comment on column public.shopping_list_entries.is_completed is 'True once it is in the basket.';

create table public.receipts (
  household_id uuid not null,
  id uuid not null default gen_random_uuid(),
  shop_name text not null,
  "timestamp" timestamptz(3) default larder.now(),
  amount numeric,
  currency text,
  items jsonb default '[]',
  is_deleted boolean default false,
  user_id uuid default auth.uid(),
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  path text,
  version bigint not null default 0,
  primary key (household_id, id),
  constraint receipts_shop_name check (
    (shop_name <> '') is not false or larder.refuse('receipts: shop_name is not empty')),
  constraint receipts_timestamp check (
    (larder.is_moment("timestamp")) is not false
    or larder.refuse('receipts: timestamp is in the years 0000 to 9998')),
  constraint receipts_amount check (
    (larder.is_number(amount)) is not false
    or larder.refuse('receipts: amount has at most 15 digits, six of them decimals')),
  constraint receipts_currency check (
    (currency ~ '^[A-Z]{3}$') is not false
    or larder.refuse('receipts: currency is three capital letters, such as EUR')),
  constraint receipts_items check (
    (larder.are_lines(items)) is not false
    or larder.refuse('receipts: items is a list of lines; each has an id (a UUID in lower case), an '
      'itemName and a quantity of 0 or above, and may have unit, itemId, price, expiry (a day such as '
      '2026-12-31), location and lot; a unit is piece, gram, kilogram, milliliter, liter, pack, or a word '
      'of your own in lower-case letters, such as tin; kg, l, x, dozen and the like are written as one of '
      'these')),
  constraint receipts_bookkeeping check (
    (larder.is_moment(created_at) and larder.are_stamps(edited) and jsonb_typeof(extra) = 'object'
      and not extra ?| array['id', 'createdAt', 'updatedAt', 'edited']) is not false
    or larder.refuse('receipts: created_at is in the years 0000 to 9998, edited an object of instants, '
      'extra an object without id, createdAt, updatedAt and edited')),
  constraint receipts_flat check (
    (larder.is_flat(edited) and larder.is_flat(extra) and larder.is_flat(items)) is not false
    or larder.refuse('receipts: objects and lists are nested at most 60 levels deep'))
);
create index receipts_by_version
  on public.receipts (household_id, version) where version is not null;
create index receipts_by_update
  on public.receipts (household_id, updated_at) where updated_at is not null;
comment on table public.receipts is 'What was bought, where, when and for how much.';
comment on column public.receipts.shop_name is 'The shop.';
comment on column public.receipts."timestamp" is 'When it was paid.';
comment on column public.receipts.amount is 'The total that was paid.';
comment on column public.receipts.currency is 'The currency of the amount and the prices.';
comment on column public.receipts.items is
  'The lines: id, itemName, quantity, unit, itemId, price, expiry, location, lot.';

create table public.receipt_items (
  household_id uuid not null,
  receipt_id uuid not null,
  id uuid not null default gen_random_uuid(),
  "position" integer,
  item_name text not null,
  quantity numeric not null,
  unit text,
  item_id uuid,
  price numeric,
  expiry text,
  location text,
  lot text,
  extra jsonb not null default '{}',
  is_deleted boolean not null default false,
  version bigint not null default 0,
  primary key (household_id, receipt_id, id),
  foreign key (household_id, receipt_id) references public.receipts (household_id, id)
    on delete cascade,
  constraint receipt_items_item_name check (
    (item_name <> '') is not false or larder.refuse('receipt_items: item_name is not empty')),
  constraint receipt_items_quantity check (
    (quantity >= 0 and larder.is_number(quantity)) is not false
    or larder.refuse('receipt_items: quantity is 0 or above, with at most 15 digits, six of them decimals')),
  constraint receipt_items_unit check (
    (larder.is_unit(unit)) is not false
    or larder.refuse('receipt_items: unit is piece, gram, kilogram, milliliter, liter, pack, or a word of '
      'your own in lower-case letters, such as tin; kg, l, x, dozen and the like are written as one of '
      'these')),
  constraint receipt_items_price check (
    (larder.is_number(price)) is not false
    or larder.refuse('receipt_items: price has at most 15 digits, six of them decimals')),
  constraint receipt_items_expiry check (
    (larder.is_day(expiry)) is not false or larder.refuse('receipt_items: expiry is a day such as 2026-12-31')),
  constraint receipt_items_extra check (
    (jsonb_typeof(extra) = 'object' and not extra ?| larder.keys_of('items.')) is not false
    or larder.refuse('receipt_items: extra is an object without the keys of a receipt''s line')),
  constraint receipt_items_flat check (
    (larder.is_flat(extra)) is not false
    or larder.refuse('receipt_items: objects and lists are nested at most 60 levels deep'))
);
comment on table public.receipt_items is
  'The lines of receipts, for clients that want rows: receipts.items has the same, and follows.';
comment on column public.receipt_items.receipt_id is 'The receipt.';
comment on column public.receipt_items."position" is 'Where the line stands, from 0.';
comment on column public.receipt_items.item_name is 'What the line says.';
comment on column public.receipt_items.quantity is 'How much was bought.';
comment on column public.receipt_items.unit is
  'What the quantity is counted in; the item''s unit if left out.';
comment on column public.receipt_items.item_id is 'The stock item that the quantity went to.';
comment on column public.receipt_items.price is 'The line''s total.';
comment on column public.receipt_items.expiry is 'Until when it keeps.';
comment on column public.receipt_items.location is 'The id of the place it went to.';
comment on column public.receipt_items.lot is 'The code printed on the package.';
comment on column public.receipt_items.is_deleted is 'True once the line, or its receipt, is deleted.';
comment on column public.receipt_items.version is 'Grows with every change of the line.';

create table public.quantity_changes (
  household_id uuid not null,
  entity_type text not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  at timestamptz(3) not null default larder.now(),
  delta numeric,
  "set" numeric,
  total numeric,
  undoes uuid,
  unit text,
  why text not null default 'edit',
  by text not null default 'edit',
  request text,
  receipt uuid,
  note text,
  extra jsonb not null default '{}',
  version bigint not null default 0,
  primary key (household_id, entity_type, entity_id, id),
  constraint quantity_changes_entity_type check (
    (entity_type in ('StockItem', 'InventoryItem')) is not false
    or larder.refuse('quantity_changes: entity_type is StockItem or InventoryItem')),
  constraint quantity_changes_at check (
    (larder.is_moment(at)) is not false or larder.refuse('quantity_changes: at is in the years 0000 to 9998')),
  constraint quantity_changes_event check (
    (num_nonnulls(delta, "set", undoes) = 1) is not false
    or larder.refuse('quantity_changes: exactly one of delta, set and undoes is there')),
  constraint quantity_changes_delta check (
    (larder.is_number(delta)) is not false
    or larder.refuse('quantity_changes: delta has at most 15 digits, six of them decimals')),
  constraint quantity_changes_set check (
    (larder.is_number("set")) is not false
    or larder.refuse('quantity_changes: set has at most 15 digits, six of them decimals')),
  constraint quantity_changes_total check (
    (larder.is_number(total)) is not false
    or larder.refuse('quantity_changes: total has at most 15 digits, six of them decimals')),
  constraint quantity_changes_unit check (
    (unit is null or larder.is_unit(unit) and undoes is null) is not false
    or larder.refuse('quantity_changes: unit is piece, gram, kilogram, milliliter, liter, pack, or a word '
      'of your own in lower-case letters, such as tin; kg, l, x, dozen and the like are written as one of '
      'these; beside undoes there is none')),
  constraint quantity_changes_why check (
    (why in ('add', 'receipt', 'consume', 'count', 'spoil', 'move', 'undo', 'edit')) is not false
    or larder.refuse('quantity_changes: why is add, receipt, consume, count, spoil, move, undo or edit')),
  constraint quantity_changes_request check (
    (request <> '') is not false or larder.refuse('quantity_changes: request is not empty; null is none')),
  constraint quantity_changes_extra check (
    (jsonb_typeof(extra) = 'object' and not extra ?| larder.keys_of('change')) is not false
    or larder.refuse('quantity_changes: extra is an object without the keys of a ledger entry')),
  constraint quantity_changes_flat check (
    (larder.is_flat(extra)) is not false
    or larder.refuse('quantity_changes: objects and lists are nested at most 60 levels deep'))
);
create index quantity_changes_by_version
  on public.quantity_changes (household_id, version) where version is not null;
create index quantity_changes_by_time
  on public.quantity_changes (household_id, entity_type, entity_id, at) where at is not null;
create index quantity_changes_counts
  on public.quantity_changes (household_id, entity_type, entity_id, at, id) where "set" is not null;
create index quantity_changes_undone
  on public.quantity_changes (household_id, entity_type, entity_id, undoes) where undoes is not null;
create index quantity_changes_by_request
  on public.quantity_changes (household_id, request) where request is not null;
comment on table public.quantity_changes is
  'The ledgers: what came and went. Entries are added, never changed; the quantities follow. Where two '
  'were made under one id, the one that happened first stands, here as in every file.';
comment on column public.quantity_changes.entity_type is 'StockItem or InventoryItem.';
comment on column public.quantity_changes.entity_id is 'Whose ledger this is in.';
comment on column public.quantity_changes.id is
  'The entry''s id. One with a request gets the id that follows from the request and the item.';
comment on column public.quantity_changes.at is
  'When it happened; left out, now. What is before the item''s last count has no effect, and is refused.';
comment on column public.quantity_changes.delta is
  'How much came or, below zero, went; never more than there is.';
comment on column public.quantity_changes."set" is
  'How much there was: a count. Of an item it is what lay loose, and with a total beside it all there was.';
comment on column public.quantity_changes.total is
  'Beside the set of an item: all there was then, loose and in batches. It holds whatever arrives later.';
comment on column public.quantity_changes.undoes is 'The entry with delta or set that this one takes back.';
comment on column public.quantity_changes.unit is
  'What it is counted in; piece where empty. It converts to the unit of the item.';
comment on column public.quantity_changes.why is 'What happened.';
comment on column public.quantity_changes.by is 'The device that wrote it.';
comment on column public.quantity_changes.request is
  'The request it serves, which counts once. The entries of one request are sent together. Only where two of '
  'Larder''s devices served it before they met, and took different things, each of them counts.';
comment on column public.quantity_changes.receipt is 'The receipt it comes from.';
comment on column public.quantity_changes.note is 'Anything else.';

do $$
declare
  told record;
begin
  for told in
    select c.oid::regclass as kind_table, a.attname, w.words
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid
    join (values
      ('household_id', 'The household it belongs to; left out, the user''s only one.'),
      ('id', 'Its id; one thing has the same id here and in every file.'),
      ('user_id', 'Who made it: left out, who is signed in. Nobody writes another user here, and it never changes; '
        'only Larder''s own devices bring what others made elsewhere, and never empty it.'),
      ('is_archived', 'True once it is deleted; false brings it back.'),
      ('is_deleted', 'True once it is closed or deleted; false brings it back.'),
      ('created_at', 'When it was made.'),
      ('updated_at', 'The latest time in the row. A program without stamps may say here when it wrote, and leaves it '
        'out where that is now. Who sends back the time that it read writes now too.'),
      ('edited', 'When fields were written that were not written at created_at, by the format''s names.'),
      ('extra', 'Keys that the format does not know.'),
      ('path', 'Where the first device keeps the file; others may have it elsewhere.'),
      ('version', 'Grows with every change of the row, in the order of commits.')
    ) as w (attname, words) using (attname)
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname in (
        'households', 'stock_items', 'inventory_items', 'storage_locations', 'products', 'shopping_list_entries',
        'receipts', 'receipt_items', 'quantity_changes')
      and col_description(c.oid, a.attnum) is null
  loop
    execute format('comment on column %s.%I is %L', told.kind_table, told.attname, told.words);
  end loop;
end
$$;

create table public.household_members (
  household_id uuid not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  joined_at timestamptz(3) not null default now(),
  primary key (household_id, user_id)
);
create index household_members_of_user
  on public.household_members (user_id, household_id);
comment on table public.household_members is 'Who belongs to which household.';
comment on column public.household_members.household_id is 'The household.';
comment on column public.household_members.user_id is 'The signed-in user.';
comment on column public.household_members.joined_at is 'Since when.';

create table public.household_invites (
  id uuid primary key default gen_random_uuid(),
  household_id uuid not null,
  code_hash bytea not null unique,
  created_by uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  accepted_by uuid references auth.users (id) on delete set null,
  accepted_at timestamptz(3)
);
create index household_invites_of_household on public.household_invites (household_id);
create index household_invites_by_maker on public.household_invites (created_by);
create index household_invites_by_guest on public.household_invites (accepted_by);
comment on table public.household_invites is
  'Invitations into a household; each is good for one person and ends by itself.';
comment on column public.household_invites.id is 'The invitation.';
comment on column public.household_invites.household_id is 'The household it lets somebody into.';
comment on column public.household_invites.code_hash is
  'SHA-256 of the code, which only the one who made it has seen.';
comment on column public.household_invites.created_by is 'The member who made it.';
comment on column public.household_invites.created_at is 'When it was made.';
comment on column public.household_invites.expires_at is 'Until when it is good.';
comment on column public.household_invites.accepted_by is
  'Who came by it; empty while it is open, and once their account is gone.';
comment on column public.household_invites.accepted_at is 'When they came.';

create table larder.former_members (
  household_id uuid not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  left_at timestamptz(3) not null default now(),
  primary key (household_id, user_id)
);
create index former_members_of_user on larder.former_members (user_id, left_at);
comment on table larder.former_members is
  'Who left which household by themselves, and may found it again once nobody belongs to it.';
revoke all on larder.former_members from public, anon, authenticated;

-- Documents -------------------------------------------------------------------------------------------------

-- A document is a row as its file has it, without ledger and quantities: fields by the format's names, `createdAt`,
-- `edited`, and the keys that the format does not know.

-- The columns of a kind's registers, with the format's names.
create function larder.fields(kind text) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case kind
    when 'Household' then '{
      "format": "format", "name": "name", "time_zone": "timeZone", "currency": "currency",
      "expiring_within_days": "expiringWithinDays"}'::jsonb
    when 'StockItem' then '{
      "name": "name", "aliases": "aliases", "category": "category", "unit": "unit",
      "quantity_full_stock": "quantityFullStock", "quantity_minimum": "quantityMinimum",
      "keeps_days": "keepsDays", "storage_location_id": "storageLocationId",
      "products": "products", "note": "note",
      "is_archived": "isArchived", "user_id": "userId"}'::jsonb
    when 'InventoryItem' then '{
      "product_ref": "productRef", "quantity": "quantity", "status": "status",
      "storage_location_id": "storageLocationId", "lot_or_batch_code": "lotOrBatchCode",
      "expiry_info": "expiryInfo", "opened_info": "openedInfo", "notes": "notes",
      "user_id": "userId"}'::jsonb
    when 'StorageLocation' then '{
      "name": "name", "is_cold_storage": "isColdStorage", "is_archived": "isArchived",
      "user_id": "userId"}'::jsonb
    when 'Product' then '{
      "title": "title", "brand": "brand", "image_url": "imageURL", "barcodes": "barcodes",
      "unit": "unit", "pack_size": "packSize",
      "best_after_opening_days": "bestAfterOpeningDays", "is_archived": "isArchived",
      "user_id": "userId"}'::jsonb
    when 'ShoppingListEntry' then '{
      "item_id": "itemId", "name": "name", "desired_quantity": "desiredQuantity",
      "unit": "unit", "note": "note", "is_completed": "isCompleted",
      "is_deleted": "isDeleted", "user_id": "userId"}'::jsonb
    when 'Receipt' then '{
      "shop_name": "shopName", "timestamp": "timestamp", "amount": "amount",
      "currency": "currency", "items": "items", "is_deleted": "isDeleted",
      "user_id": "userId"}'::jsonb
  end;
end
$$;

-- Fields that mean something only together are joined as one, under one name.
create function larder.cell(kind text, field text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case
    when kind = 'StockItem' and field in ('quantityFullStock', 'quantityMinimum', 'unit')
      then 'quantityFullStock'
    when kind = 'Product' and field in ('packSize', 'unit') then 'packSize'
    when kind = 'ShoppingListEntry' and field in ('desiredQuantity', 'unit')
      then 'desiredQuantity'
    when kind = 'ShoppingListEntry' and field in ('itemId', 'name') then 'itemId'
    when kind = 'Receipt' and field in ('amount', 'currency') then 'amount'
    else field
  end;
end
$$;

create function larder.tombstone(kind text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case
    when kind in ('StockItem', 'StorageLocation', 'Product') then 'isArchived'
    when kind in ('ShoppingListEntry', 'Receipt') then 'isDeleted'
    when kind = 'InventoryItem' then 'status'
  end;
end
$$;

-- The shape of a field that a table of the kind describes; in all other objects, keys are in the
-- order of bytes.
create function larder.shape(kind text, field text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case
    when kind = 'InventoryItem' and field in ('productRef', 'quantity', 'expiryInfo', 'openedInfo')
      or kind = 'Receipt' and field = 'items'
    then field else ''
  end;
end
$$;

-- Keys that are no registers, which `edited` may not name.
create function larder.bookkeeping(kind text) returns text[]
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return array['id', 'createdAt', 'updatedAt', 'edited'] || case kind
    when 'StockItem' then array['quantityInStock', 'changes', 'pageFrom']
    when 'InventoryItem' then array['consumedAt', 'changes', 'pageFrom']
    else '{}'
  end;
end
$$;

-- Batches and places also name their household in the file. If it is not the row's, `extra` has it;
-- null there means that the file names none. All other nulls mean nothing.
create function larder.document(kind text, stored jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    select jsonb_strip_nulls(
        case
          when kind in ('InventoryItem', 'StorageLocation')
          then jsonb_build_object('householdId', stored -> 'household_id')
          else '{}'
        end
        || (stored -> 'extra')
        || (
          select jsonb_object_agg(field.name, case
              when field.name = 'timestamp'
              then to_jsonb(larder.instant((stored ->> 'timestamp')::timestamptz))
              when kind = 'InventoryItem' and field.name = 'status' and stored ->> 'status' = 'consumed'
              then '"active"'
              when kind = 'InventoryItem' and field.name = 'quantity'
              then coalesce(nullif(stored -> 'quantity', 'null'), '{}') - 'value'
              else stored -> field.key
            end)
          from jsonb_each_text(larder.fields(kind)) as field (key, name)))
      || jsonb_build_object(
        'createdAt', larder.instant((stored ->> 'created_at')::timestamptz),
        'edited', stored -> 'edited'));
end
$$;

create function larder.registers(document jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$ begin return document - array['createdAt', 'edited']; end $$;

-- The columns that a document gives.
create function larder.columns(kind text, household uuid, document jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    select (
        select jsonb_object_agg(field.key, case field.name
            when 'timestamp' then to_jsonb(larder.moment(document ->> 'timestamp'))
            else document -> field.name
          end)
        from jsonb_each_text(larder.fields(kind)) as field (key, name)
      )
      || jsonb_build_object(
        'extra', larder.registers(document) - array(
            select name from jsonb_each_text(larder.fields(kind)) as field (key, name))
          - case
            when kind in ('InventoryItem', 'StorageLocation') then array['householdId'] else '{}'
          end
          || case
            when kind not in ('InventoryItem', 'StorageLocation') then '{}'
            when document ->> 'householdId' = household::text then '{}'
            else jsonb_build_object('householdId', document -> 'householdId')
          end,
        'edited', document -> 'edited',
        'created_at', larder.moment(document ->> 'createdAt')));
end
$$;

-- The time when a register was written; null for one that never was.
create function larder.stamp(document jsonb, field text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return coalesce(
    document -> 'edited' ->> field, case when document ? field then document ->> 'createdAt' end);
end
$$;

create function larder.updated_at(document jsonb) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    select greatest(document ->> 'createdAt' collate "C", (
      select max(at collate "C") from jsonb_each_text(document -> 'edited') as stamp (name, at))));
end
$$;

-- A document from registers and their stamps; `edited` names those not written at its creation.
create function larder.with_stamps(registers jsonb, stamps jsonb, created_at text)
returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    select registers || jsonb_build_object(
      'createdAt', created_at,
      'edited', coalesce((
        select jsonb_object_agg(name, at) from jsonb_each(stamps) as stamp (name, at)
        where jsonb_typeof(at) = 'string' and (at #>> '{}' <> created_at or not registers ? name)
      ), '{}')));
end
$$;

-- A document as a join leaves it, without keys that are no registers and without needless stamps.
create function larder.alone(kind text, document jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    select larder.with_stamps(
      larder.registers(document) - larder.bookkeeping(kind), (
        select jsonb_object_agg(name, larder.stamp(document, name))
        from jsonb_object_keys(larder.registers(document) || (document -> 'edited')) as name
        where not name = any (larder.bookkeeping(kind))),
      document ->> 'createdAt'));
end
$$;

-- Whether a stamped row is such a document already, as one of Larder's always is.
create function larder.is_alone(stored jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  created_at constant text := larder.instant((stored ->> 'created_at')::timestamptz);
begin
  -- Rather too many keys than too few: the long way comes to the same.
  return not stored -> 'edited' ?| array[
      'id', 'createdAt', 'updatedAt', 'edited', 'changes', 'pageFrom', 'quantityInStock',
      'consumedAt']
    and not exists (
      select from jsonb_each_text(stored -> 'edited') as stamp where stamp.value = created_at)
    and not exists (
      select from jsonb_each(stored) as member
      where jsonb_typeof(member.value) in ('object', 'array')
        and member.value <> jsonb_strip_nulls(member.value));
end
$$;

create function larder.is_deleted(kind text, made jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return coalesce(case kind
    when 'InventoryItem' then made ->> 'status' in ('discarded', 'archived')
    when 'Household' then false
    else coalesce(made ->> 'is_archived', made ->> 'is_deleted') = 'true'
  end, false);
end
$$;

-- The join --------------------------------------------------------------------------------------------------

-- One version from two: what FORMAT.md calls the join (section 8), for whoever writes a row.

-- Whether a value is a list of lines with ids of their own.
create function larder.are_apart(lines jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case when jsonb_typeof(lines) = 'array' then (
      select coalesce(bool_and(jsonb_typeof(line) = 'object' and jsonb_typeof(line -> 'id') = 'string'), true)
        is true and count(*) = count(distinct line ->> 'id' collate "C")
      from jsonb_array_elements(lines) as line)
    else false end;
end
$$;

-- When somebody wrote members of a line.
create function larder.line_marks(line jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case when jsonb_typeof(line -> 'edited') = 'object' then coalesce((
      select jsonb_object_agg(key, value) from jsonb_each(line -> 'edited')
      where jsonb_typeof(value) = 'string'), '{}')
    else '{}' end;
end
$$;

-- One line from two with one id: of each member the value that somebody wrote later; the quantity goes with its unit.
create function larder.joined_line(ours jsonb, theirs jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
declare
  our_marks constant jsonb := larder.line_marks(ours);
  their_marks constant jsonb := larder.line_marks(theirs);
  marks constant jsonb := coalesce((
    select jsonb_object_agg(name, at) from (
      select key as name, max(value collate "C") as at
      from (select * from jsonb_each_text(our_marks) union all select * from jsonb_each_text(their_marks)) as mark
      group by key) as latest), '{}');
begin
  if ours = theirs then return ours; end if;
  return (
    with members as (
      select true as is_ours, key as name, value from jsonb_each(ours)
      union all select false, key, value from jsonb_each(theirs)
    ), cells as (
      select case name when 'unit' then 'quantity' else name end as cell,
        coalesce(jsonb_object_agg(name, value) filter (where is_ours), '{}') as our_values,
        coalesce(jsonb_object_agg(name, value) filter (where not is_ours), '{}') as their_values
      from members where name <> 'edited' and jsonb_typeof(value) <> 'null' group by 1
    ), marked as (
      select *,
        greatest(our_marks ->> cell collate "C", case cell when 'quantity' then our_marks ->> 'unit' end, '') as our_mark,
        greatest(their_marks ->> cell collate "C", case cell when 'quantity' then their_marks ->> 'unit' end, '')
          as their_mark
      from cells
    ), winners as (
      select case
          when our_mark <> their_mark then case when our_mark > their_mark then our_values else their_values end
          when case when our_values = '{}' then '' else larder.compact(our_values, 'items.') end collate "C"
            >= case when their_values = '{}' then '' else larder.compact(their_values, 'items.') end then our_values
          else their_values end as kept
      from marked
    )
    select coalesce(jsonb_object_agg(member.key, member.value), '{}')
      || case when marks = '{}' then '{}' else jsonb_build_object('edited', marks) end
    from winners, jsonb_each(kept) as member);
end
$$;

-- The lines of two receipts that were saved of one basket; null if one of the values is no list of lines.
create function larder.joined_lines(ours jsonb, theirs jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if ours = theirs then return ours; end if;
  if not (larder.are_apart(ours) and larder.are_apart(theirs)) then return null; end if;
  return (
    with lines as (
      select case when t.line is null then o.line when o.line is null then t.line
        else larder.joined_line(o.line, t.line) end as line
      from (select line from jsonb_array_elements(ours) as line) as o
        full join (select line from jsonb_array_elements(theirs) as line) as t
          on o.line ->> 'id' = t.line ->> 'id'
    )
    select coalesce(jsonb_agg(line order by
        case when jsonb_typeof(line -> 'itemName') = 'string' then line ->> 'itemName' else '' end collate "C",
        line ->> 'id' collate "C"), '[]')
    from lines);
end
$$;

-- Whether the first of two cells with equal stamps wins: first the deleted one, then the one with
-- the greater bytes, then the one with the later stamps of its members in the order of their names.
-- Lines that can be told apart come before all else of a receipt's.
create function larder.wins_tie(
  kind text, cell text, ours jsonb, theirs jsonb, our_stamps jsonb, their_stamps jsonb)
returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  our_rank integer := 0;
  their_rank integer := 0;
  our_bytes text;
  their_bytes text;
  name text;
  member_count integer;
begin
  if ours = theirs and our_stamps = their_stamps then return true; end if;
  if cell = larder.tombstone(kind) then
    our_rank := larder.tombstone_rank(ours -> cell);
    their_rank := larder.tombstone_rank(theirs -> cell);
    if our_rank <> their_rank then return our_rank > their_rank; end if;
  end if;
  if kind = 'Receipt' and cell = 'items'
    and larder.are_apart(ours -> cell) <> larder.are_apart(theirs -> cell)
  then
    return larder.are_apart(ours -> cell);
  end if;
  if larder.is_group(kind, cell) then
    our_bytes := case when ours = '{}' then '' else larder.canonical(ours, '') end;
    their_bytes := case when theirs = '{}' then '' else larder.canonical(theirs, '') end;
  else
    our_bytes := coalesce(larder.canonical(ours -> cell, larder.shape(kind, cell)), '');
    their_bytes := coalesce(larder.canonical(theirs -> cell, larder.shape(kind, cell)), '');
  end if;
  if our_bytes <> their_bytes then return our_bytes collate "C" > their_bytes collate "C"; end if;
  for name in
    select key from jsonb_object_keys(our_stamps || their_stamps) as key order by key collate "C"
  loop
    if our_stamps ->> name is distinct from their_stamps ->> name then
      return coalesce(our_stamps ->> name, '') collate "C" > coalesce(their_stamps ->> name, '');
    end if;
  end loop;
  return true;
end
$$;

create function larder.is_group(kind text, cell text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return (kind, cell) in (
    ('StockItem', 'quantityFullStock'), ('Product', 'packSize'),
    ('ShoppingListEntry', 'desiredQuantity'), ('ShoppingListEntry', 'itemId'),
    ('Receipt', 'amount'));
end
$$;

create function larder.tombstone_rank(value jsonb) returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case
    when value = '"archived"' then 2
    when value in ('"discarded"', 'true') then 1
    else 0
  end;
end
$$;

create function larder.joined(kind text, ours jsonb, theirs jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    with names as (
      select jsonb_object_keys(larder.registers(ours)) as name
      union select jsonb_object_keys(larder.registers(theirs))
      union select jsonb_object_keys(ours -> 'edited')
      union select jsonb_object_keys(theirs -> 'edited')
      except select unnest(larder.bookkeeping(kind))
    ), registers as (
      select name, larder.cell(kind, name) as cell,
        ours -> name as our_value, larder.stamp(ours, name) as our_stamp,
        theirs -> name as their_value, larder.stamp(theirs, name) as their_stamp
      from names
    ), cells as (
      select cell,
        max(our_stamp collate "C") as our_stamp, max(their_stamp collate "C") as their_stamp,
        coalesce(jsonb_object_agg(name, our_value) filter (where our_value is not null), '{}')
          as our_values,
        coalesce(jsonb_object_agg(name, their_value) filter (where their_value is not null), '{}')
          as their_values,
        coalesce(jsonb_object_agg(name, our_stamp) filter (where our_stamp is not null), '{}')
          as our_stamps,
        coalesce(jsonb_object_agg(name, their_stamp) filter (where their_stamp is not null), '{}')
          as their_stamps
      from registers group by cell
    ), winners as (
      select our_values, their_values, our_stamps, their_stamps, case
          when their_stamp is null then true
          when our_stamp is null then false
          when our_stamp <> their_stamp then our_stamp > their_stamp
          else larder.wins_tie(kind, cell, our_values, their_values, our_stamps, their_stamps)
        end as is_ours,
        case when kind = 'Receipt' and cell = 'items' and our_stamp = their_stamp
          then larder.joined_lines(our_values -> 'items', their_values -> 'items') end as lines
      from cells
    ), result as (
      select coalesce(jsonb_object_agg(value.key, value.value), '{}') as registers
      from winners, jsonb_each(
        case when lines is not null then jsonb_build_object('items', lines)
          when is_ours then our_values else their_values end) as value
    ), stamps as (
      select coalesce(jsonb_object_agg(stamp.key, stamp.value), '{}') as stamps
      from winners, jsonb_each(case when is_ours then our_stamps else their_stamps end) as stamp
    )
    select larder.with_stamps(
      registers, stamps,
      least(ours ->> 'createdAt' collate "C", theirs ->> 'createdAt' collate "C"))
    from result, stamps);
end
$$;
comment on function larder.joined(text, jsonb, jsonb) is
  'One document from two of the same entity; order and repetition do not matter.';

-- Writers without stamps ------------------------------------------------------------------------------------

-- With a header, Larder says that it stamps what it writes. All other clients write plain columns.
create function larder.knows_stamps() returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return case coalesce(current_setting('larder.writing', true), '')
    when '' then coalesce(
      nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-larder-client', '') <> ''
    else current_setting('larder.writing', true) = 'stamped'
  end;
end
$$;

-- `larder.writing` tells the triggers about their own writes. 'derived': values that follow from
-- other rows, stored as they are; 'plain': a write without stamps; 'stamped': one with stamps.
create function larder.is_derived() returns boolean
language plpgsql stable set search_path = ''
as $$ begin return coalesce(current_setting('larder.writing', true), '') = 'derived'; end $$;

-- The numbers of plain clients are often binary. Under keys that the format does not know, any
-- number is allowed.
create function larder.tidied_members(value jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    select case when jsonb_typeof(value) = 'object' then value || coalesce((
        select jsonb_object_agg(name, larder.rounded((value -> name)::numeric))
        from unnest(array['confidence', 'quantity', 'price']) as name
        where jsonb_typeof(value -> name) = 'number'), '{}')
      else value
    end);
end
$$;

create function larder.tidied(kind text, registers jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    select coalesce(jsonb_object_agg(member.name, case
        when field.name is null then value
        when jsonb_typeof(value) = 'number' then to_jsonb(larder.rounded((value #>> '{}')::numeric))
        when member.name in ('expiryInfo', 'openedInfo') then larder.tidied_members(value)
        when member.name = 'items' and jsonb_typeof(value) = 'array' then (
          select coalesce(jsonb_agg(larder.tidied_members(line) order by place), '[]')
          from jsonb_array_elements(value) with ordinality as lines (line, place))
        else value
      end), '{}')
    from jsonb_each(registers) as member (name, value)
    left join jsonb_each_text(larder.fields(kind)) as field (key, name) using (name));
end
$$;

-- The meaning of a plain write: the fields that it changed are written at its time; all others stay
-- as stored. Fields that were written later stay, a group as a whole: otherwise its unchanged
-- members would get the later time.
create function larder.plain_edit(kind text, known jsonb, written jsonb, at text)
returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    with edit as (
      select (larder.tidied(kind, larder.registers(written)) - 'userId')
        || jsonb_strip_nulls(jsonb_build_object('userId', known -> 'userId')) as registers
    ), names as (
      select name, larder.cell(kind, name) as cell, larder.stamp(known, name) as stamp
      from edit, jsonb_object_keys(larder.registers(known) || (known -> 'edited') || registers) as name
    ), latest as (
      select cell, max(stamp collate "C") as stamp from names group by cell
    ), changed as (
      select name, coalesce(latest.stamp > plain_edit.at, false) as is_late
      from edit, names join latest using (cell)
      where known -> name is distinct from registers -> name
    ), sorted as (
      select coalesce(array_agg(name) filter (where is_late), '{}') as late,
        coalesce(jsonb_object_agg(name, plain_edit.at) filter (where not is_late), '{}') as stamps
      from changed
    )
    select (registers - late)
      || coalesce((
        select jsonb_object_agg(name, known -> name) from unnest(late) as name where known ? name), '{}')
      || jsonb_build_object(
        'createdAt', known -> 'createdAt', 'edited', (known -> 'edited') || stamps)
    from edit, sorted);
end
$$;

-- The meaning of a row that a plain client created: all its fields are written at that time.
create function larder.plain_creation(
  kind text, written jsonb, created_at text, at text) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    select larder.with_stamps(
      registers, (select coalesce(jsonb_object_agg(name, at), '{}')
        from jsonb_object_keys(registers) as name), created_at)
    from (
      select larder.tidied(kind, larder.registers(larder.document(kind, written))) as registers) as made);
end
$$;

-- A row names its writer, or who made it before. Larder's own devices bring what others made elsewhere, who may not
-- belong to the household any more; but what somebody made is nobody's never.
create function larder.check_user(is_plain boolean, written uuid, stored uuid) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if auth.uid() is null then return; end if;
  if is_plain and written is distinct from stored and written <> auth.uid() then
    raise exception 'user_id is who is signed in, and stays who made the row' using errcode = '42501',
      hint = 'Leave it out.';
  elsif not is_plain and written is null and larder.is_client() then
    raise exception 'user_id is who made the row, and is not empty' using errcode = '23514',
      hint = 'Leave it out where that is who is signed in.';
  end if;
end
$$;

-- Earlier versions ------------------------------------------------------------------------------------------

-- Programs without stamps often write a whole row back that they have read. What such a row means is what differs
-- from the version that it was read at. So that this can be told, the versions that a row has had are kept, each with
-- the columns that the next one changed. Of a value only the digest is kept: nobody needs more to see that it is old.

create table larder.past (
  household_id uuid not null,
  kind text not null,
  row_id uuid not null,
  version bigint not null,
  updated_at timestamptz(3),
  told jsonb not null,
  primary key (household_id, kind, row_id, version)
);
comment on table larder.past is
  'The versions that rows have had, with digests of what the next one changed; about 1000 of a row. Where one is '
  'missing, a row that was read at it is refused.';
revoke all on larder.past from public, anon, authenticated;

create function larder.most_versions() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 1000 $$;

-- The id of a product may be long.
create function larder.row_key(made jsonb) returns uuid
language plpgsql immutable parallel safe set search_path = ''
as $$ begin return md5(concat_ws('/', made ->> 'receipt_id', made ->> 'id'))::uuid; end $$;

create function larder.own_columns() returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select array[
    'household_id', 'id', 'receipt_id', 'position', 'user_id', 'created_at', 'updated_at', 'edited', 'extra', 'path',
    'version', 'page_from', 'consumed_at', 'product_id', 'expiry_day']
$$;

-- What a row says: its columns but those that the database keeps itself, and the keys in `extra`.
create function larder.told(made jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
#variable_conflict use_column
begin
  return coalesce((
    select jsonb_object_agg(key, value)
    from (
      select key, case key when 'timestamp' then to_jsonb(larder.instant((value #>> '{}')::timestamptz)) else value end
      from jsonb_each(made - larder.own_columns())
      union all select 'extra.' || key, value
      from jsonb_each(case jsonb_typeof(made -> 'extra') when 'object' then made -> 'extra' else '{}' end)
    ) as columns (key, value)
    where value <> 'null'), '{}');
end
$$;

create function larder.digest(value jsonb) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return md5(case jsonb_typeof(value)
    when 'number' then trim_scale((value #>> '{}')::numeric)::text
    else coalesce(jsonb_strip_nulls(value), 'null')::text end);
end
$$;

-- Keeps the version that a row had before.
create function larder.remember() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  ours jsonb := to_jsonb(old);
  theirs jsonb := to_jsonb(new);
  own_id constant uuid := larder.row_key(ours);
  updated_at constant timestamptz := ours ->> 'updated_at';
begin
  if larder.is_derived() and tg_argv[0] = 'StockItem' then
    -- Of a thousand items at once, nothing else is looked at.
    ours := jsonb_build_object('quantity_in_stock', ours -> 'quantity_in_stock');
    theirs := '{}';
  else
    ours := larder.told(ours);
    theirs := larder.told(theirs);
    ours := ours || (select coalesce(jsonb_object_agg(key, null), '{}') from jsonb_object_keys(theirs - array(
      select jsonb_object_keys(ours))) as key);
  end if;
  insert into larder.past
  values (old.household_id, tg_argv[0], own_id, old.version, updated_at, (
    select coalesce(jsonb_object_agg(c.key, larder.digest(c.value)), '{}') from jsonb_each(ours) as c
    where nullif(c.value, 'null') is distinct from theirs -> c.key))
  on conflict do nothing;
  -- Now and then is often enough.
  if hashint8(old.version) % 16 = 0 then
    delete from larder.past p
    where p.household_id = old.household_id and p.kind = tg_argv[0] and p.row_id = own_id
      and p.version <= (
        select q.version from larder.past q
        where q.household_id = old.household_id and q.kind = tg_argv[0] and q.row_id = own_id
        order by q.version desc offset larder.most_versions() limit 1);
  end if;
  return null;
end
$$;
comment on function larder.remember() is 'Keeps the versions that rows have had.';

-- Notes of the row that is written that the statement names the version ('version'), or else the id or another column
-- that only whole rows have ('row'); and what was noted.
create function larder.note() returns trigger
language plpgsql set search_path = ''
as $$
begin
  perform set_config('larder.named', tg_argv[0], true);
  return new;
end
$$;

create function larder.named(version bigint) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  noted constant text := coalesce(current_setting('larder.named', true), '');
begin
  perform set_config('larder.named', '', true);
  -- Among rows some of which have a version, those without have none.
  return case when noted = 'version' and coalesce(version, 0) = 0 then 'row' else noted end;
end
$$;

-- A written row with its values as they would be stored.
create function larder.shaped(kind text, written jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if kind = 'ReceiptItem' then
    return written;
  end if;
  return written
    || larder.columns(kind, (written ->> 'household_id')::uuid,
      larder.tidied(kind, larder.registers(larder.document(kind, written))))
    || case kind
      when 'StockItem' then jsonb_build_object(
        'quantity_in_stock', larder.counted(written -> 'quantity_in_stock', 'quantity_in_stock'))
      when 'InventoryItem' then jsonb_build_object(
        'status', written -> 'status', 'quantity_value', case
          when written #> '{quantity,value}' is null
          then larder.counted(written -> 'quantity_value', 'quantity_value')
          else larder.counted(written #> '{quantity,value}', 'quantity.value') end)
      else '{}'
    end;
end
$$;

-- A written row that has one of its columns, by the name in `told`, from the stored row.
create function larder.with_stored(written jsonb, stored jsonb, name text) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  key constant text := substr(name, length('extra.') + 1);
begin
  return written || case
    when name like 'extra.%' then jsonb_build_object('extra', (written -> 'extra') - key || case
      when stored -> 'extra' ? key then jsonb_build_object(key, stored #> array['extra', key]) else '{}' end)
    when name = 'quantity_value' then jsonb_build_object('quantity_value', stored -> 'quantity_value')
      || case when written #> '{quantity,value}' is null then '{}'
        else jsonb_build_object('quantity', (written -> 'quantity') - 'value') end
    when name = 'quantity' and written #> '{quantity,value}' is not null
    then jsonb_build_object('quantity',
      coalesce(nullif(stored -> 'quantity', 'null'), '{}')
        || jsonb_build_object('value', written #> '{quantity,value}'))
    else jsonb_build_object(name, stored -> name)
  end;
end
$$;

create function larder.refuse_old(kind_table text, made jsonb, names text[]) returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if names = '{}' then return; end if;
  raise exception '% %: what was written since the row was read would be taken back: %',
    kind_table, left(made ->> 'id', 100), array_to_string(names, ', ')
    using errcode = 'LA038', hint = 'Update (PATCH) only the columns that you change, without id, household_id and '
      'created_at. Or read the row again, and write it with the version that it has.';
end
$$;

-- The meaning of a row that names the version it was read at: a column that is as it was then stays as it is now.
-- A list or an object that both have changed is refused: it would take back a part.
create function larder.merged(kind text, kind_table text, written jsonb, stored jsonb) returns jsonb
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  household constant uuid := stored ->> 'household_id';
  own_id constant uuid := larder.row_key(stored);
  base constant bigint := written ->> 'version';
  ours jsonb;
  theirs jsonb;
  as_read jsonb;
  name text;
  clashes text[] := '{}';
begin
  if base = (stored ->> 'version')::bigint then return written; end if;
  if not exists (
    select from larder.past p
    where p.household_id = household and p.kind = merged.kind and p.row_id = own_id and p.version = base)
  then
    raise exception '% %: the row has had no version %', kind_table, left(stored ->> 'id', 100), base
      using errcode = 'LA038', hint = 'Read the row again, and write it with the version that it has. Or update '
        '(PATCH) only the columns that you change, without version, id, household_id and created_at.';
  end if;
  select jsonb_object_agg(c.key, c.value order by p.version desc) into as_read
  from larder.past p, jsonb_each_text(p.told) as c
  where p.household_id = household and p.kind = merged.kind and p.row_id = own_id and p.version >= base;
  ours := larder.told(larder.shaped(kind, written));
  theirs := larder.told(stored);
  for name in select key from jsonb_object_keys(as_read) as key order by key loop
    continue when ours -> name is not distinct from theirs -> name;
    if larder.digest(ours -> name) = as_read ->> name then
      written := larder.with_stored(written, stored, name);
    elsif jsonb_typeof(ours -> name) in ('array', 'object') or jsonb_typeof(theirs -> name) in ('array', 'object') then
      clashes := clashes || name;
    end if;
  end loop;
  perform larder.refuse_old(kind_table, stored, clashes);
  return written;
end
$$;

-- The columns in which a row without a version may take back what somebody wrote: they get a value that they have had
-- before, or none, which is also what PostgREST makes of a key that other rows of a request have. Of a list or an
-- object, and of what has had more versions than are kept, nobody can tell.
create function larder.taken_back(kind text, made jsonb, stored jsonb) returns text[]
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  household constant uuid := stored ->> 'household_id';
  own_id constant uuid := larder.row_key(stored);
  ours constant jsonb := larder.told(made);
  theirs constant jsonb := larder.told(stored);
  names constant text[] := array(
    select name from jsonb_object_keys(ours || theirs) as name
    where ours -> name is distinct from theirs -> name
      -- These change nothing.
      and not (name = 'status' and ours ->> name = 'active' and theirs ->> name = 'consumed')
      and not (name = 'status' and ours ->> name = 'consumed' and theirs ->> name = 'active'
        and ours -> 'quantity_value' <> theirs -> 'quantity_value')
      and not (name in ('quantity_in_stock', 'quantity_value') and ours -> name is null)
    order by name);
  is_forgotten boolean;
begin
  if names = '{}' then return names; end if;
  is_forgotten := larder.most_versions() <= (
    select count(*) from larder.past p
    where p.household_id = household and p.kind = taken_back.kind and p.row_id = own_id);
  return array(
    select name from unnest(names) as name
    where ours -> name is null or exists (
      select from larder.past p
      where p.household_id = household and p.kind = taken_back.kind and p.row_id = own_id
        and p.told ? name
        and (is_forgotten or p.told ->> name = larder.digest(ours -> name)
          or jsonb_typeof(ours -> name) in ('array', 'object')
          or jsonb_typeof(theirs -> name) in ('array', 'object'))));
end
$$;

-- Whether a time is one that the row has had as its latest: then it is what somebody read there, and not when they
-- wrote.
create function larder.was_read(kind text, stored jsonb, at timestamptz) returns boolean
language plpgsql stable set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  return exists (
    select from larder.past p
    where p.household_id = (stored ->> 'household_id')::uuid and p.kind = was_read.kind
      and p.row_id = larder.row_key(stored) and p.updated_at = at);
end
$$;

-- Ledgers ---------------------------------------------------------------------------------------------------

-- The quantities that follow from ledgers (FORMAT.md, section 7). Entries before `page_from` are no longer part of a
-- ledger, except derived ones. Their rows stay, and are left out.
--
-- Functions that run for each row look things up by keys alone. Their plans are made once a session, maybe while a
-- table is empty and reading all of it looks cheap. So that is switched off there. And they are planned once, for all
-- values: where a plan is made for each array, planning takes longer than all else.

-- Whether another device may write an entry again under its id, which is then of version 5.
create function larder.is_derived_id(id uuid) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return substr(id::text, 15, 1) = '5';
end
$$;

-- The later of the page in the row and the stored one; a client without stamps opens no page.
create function larder.page(kind text, is_plain boolean, written jsonb, stored jsonb)
returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case when kind in ('StockItem', 'InventoryItem') then jsonb_build_object('page_from',
    greatest(
      (stored ->> 'page_from')::timestamptz,
      case when not is_plain then (written ->> 'page_from')::timestamptz end))
    else '{}' end;
end
$$;

-- An entry as its file has it.
create function larder.change(entry public.quantity_changes) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
      'id', entry.id, 'at', larder.instant(entry.at), 'delta', entry.delta, 'set', entry."set",
      'undoes', entry.undoes, 'unit', nullif(entry.unit, 'piece'), 'why', entry.why,
      'by', entry.by, 'request', entry.request, 'receipt', entry.receipt, 'note', entry.note,
      'total', entry.total))
    || entry.extra
$$;

create table larder.sums (
  household_id uuid not null,
  entity_type text not null,
  entity_id uuid not null,
  unit text not null,
  page_from timestamptz(3),
  entries integer not null,
  version bigint not null,
  exact numeric not null,
  start_at timestamptz(3),
  beyond numeric,
  primary key (household_id, entity_type, entity_id)
);
comment on table larder.sums is
  'The sums of long ledgers, so that an addition or a use is added to them. A missing one is worked out from the '
  'ledger; so it may be deleted, and is where entries are taken away with triggers off.';
revoke all on larder.sums from public, anon, authenticated;

-- What a ledger gives, exactly, and the count from which it goes; `beyond` is what that count of all there was
-- says beyond its own number. With `gone` it reads as if there were a last set at that time, of 0 or of what it gave
-- then, if that is less; and with `from_nothing` always 0, so that it is what came and went since. With `until` it is
-- what it gave at a time, before what came and went then and after the counts of then; what is undone by now does not
-- count.
create function larder.summed(
  household uuid, kind text, entity uuid, unit text, page timestamptz, gone timestamptz, until timestamptz,
  from_nothing boolean default false,
  out exact numeric, out start_at timestamptz, out beyond numeric)
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  select c.at, c."set" * larder.factor(coalesce(c.unit, 'piece'), summed.unit),
    (c.total - c."set") * larder.factor(coalesce(c.unit, 'piece'), summed.unit)
  into start_at, exact, beyond
  from public.quantity_changes c
  where c.household_id = household and c.entity_type = kind and c.entity_id = entity and c."set" is not null
    and (until is null or c.at <= until)
    and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5')
    and larder.factor(coalesce(c.unit, 'piece'), summed.unit) is not null
    and (c.at = page is true or not exists (
      select from public.quantity_changes u
      where u.household_id = household and u.entity_type = kind and u.entity_id = entity
        and u.undoes = c.id))
  order by c.at desc, c.id desc limit 1;
  if gone >= coalesce(start_at, '-infinity') and (until is null or gone <= until) then
    start_at := gone;
    exact := case when from_nothing then 0 else least(0, (
      select larder.rounded(s.exact)
      from larder.summed(household, kind, entity, unit, page, null, gone) as s)) end;
    beyond := null;
  end if;
  -- All additions and uses that are not undone.
  exact := coalesce(exact, 0) + coalesce((
    select sum(same.total * larder.factor(same.unit, summed.unit))
    from (
      select coalesce(c.unit, 'piece') as unit, sum(c.delta) filter (where c.at = page is true or not c.id in (
          select u.undoes from public.quantity_changes u
          where u.household_id = household and u.entity_type = kind and u.entity_id = entity
            and u.undoes is not null)) as total
      from public.quantity_changes c
      where c.household_id = household and c.entity_type = kind and c.entity_id = entity
        and c.delta is not null and c.at >= coalesce(summed.start_at, '-infinity')
        and (until is null or c.at < until)
        and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5')
      group by 1) as same), 0);
end
$$;

-- When the last entry of a ledger happened. A maximum would be looked for among all of them, by a plan made while
-- there were few.
create function larder.last_entry(household uuid, kind text, entity uuid) returns timestamptz
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select c.at from public.quantity_changes c
    where c.household_id = household and c.entity_type = kind and c.entity_id = entity and c.at >= '-infinity'
    order by c.at desc limit 1);
end
$$;

-- The sum of the entries that count, as it is kept.
create function larder.added_up(
  household uuid, kind text, entity uuid, unit text, page timestamptz) returns larder.sums
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  made larder.sums;
begin
  select household, kind, entity, added_up.unit, page, count(*), max(c.version) into
    made.household_id, made.entity_type, made.entity_id, made.unit, made.page_from, made.entries, made.version
  from public.quantity_changes c
  where c.household_id = household and c.entity_type = kind and c.entity_id = entity
    and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5');
  select s.exact, s.start_at, s.beyond into made.exact, made.start_at, made.beyond
  from larder.summed(household, kind, entity, unit, page, null, null) as s;
  return made;
end
$$;

-- The same, which is kept where the ledger is long.
create function larder.kept(
  household uuid, kind text, entity uuid, unit text, page timestamptz) returns larder.sums
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  known larder.sums;
begin
  select * into known from larder.sums s
  where s.household_id = household and s.entity_type = kind and s.entity_id = entity;
  if known.unit is distinct from unit or known.page_from is distinct from page then
    known := larder.added_up(household, kind, entity, unit, page);
    if known.entries > 100 then
      delete from larder.sums s
      where s.household_id = household and s.entity_type = kind and s.entity_id = entity;
      insert into larder.sums select known.*;
    end if;
  end if;
  return known;
end
$$;

-- When the first of the entries came after which nothing is left, up to the last one.
create function larder.emptied(
  household uuid, kind text, entity uuid, unit text, page timestamptz, start_at timestamptz) returns timestamptz
language plpgsql stable set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    with counting as (
      select c.at, c.id, c."set", coalesce(c."set", c.delta) * larder.factor(coalesce(c.unit, 'piece'), emptied.unit) as number
      from public.quantity_changes c
      where c.household_id = household and c.entity_type = kind and c.entity_id = entity and c.undoes is null
        and c.at >= coalesce(emptied.start_at, '-infinity')
        and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5')
        and larder.factor(coalesce(c.unit, 'piece'), emptied.unit) is not null
        and (c.at = page is true or not exists (
          select from public.quantity_changes u
          where u.household_id = household and u.entity_type = kind and u.entity_id = entity
            and u.undoes = c.id))
    ), ordered as (
      select at, row_number() over sums as place, sum(number) over sums as total
      from counting
      where "set" is null or id = (select max(id::text)::uuid from counting as other where other."set" is not null)
      window sums as (order by at, "set" is null, id)
    )
    -- Half of the sixth decimal is rounded to zero.
    select min(at) from ordered
    where place > coalesce((select max(place) from ordered where total > 0.0000005), 0));
end
$$;

-- The sum of the entries that count, in a unit, and, if it is zero or below, since when.
create function larder.quantity(
  household uuid, kind text, entity uuid, unit text, page timestamptz, out total numeric, out emptied timestamptz,
  out latest timestamptz)
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  known larder.sums;
begin
  total := 0;
  latest := greatest(page, larder.last_entry(household, kind, entity));
  if latest is null then return; end if;
  known := larder.kept(household, kind, entity, unit, page);
  total := larder.rounded(known.exact);
  if kind = 'InventoryItem' and total <= 0 then
    emptied := larder.emptied(household, kind, entity, unit, page, known.start_at);
  end if;
end
$$;

-- Keeps sums as entries come. What is more than an addition or a use has them worked out anew.
create function larder.add_up() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  grown record;
  known larder.sums;
begin
  for grown in
    select w.household_id, w.entity_type, w.entity_id, count(*) as entries, max(w.version) as version,
      bool_and(w.delta is not null) as is_plain
    from written w group by 1, 2, 3
  loop
    select * into known from larder.sums s
    where s.household_id = grown.household_id and s.entity_type = grown.entity_type
      and s.entity_id = grown.entity_id;
    -- A statement that wrote others again as well has had it worked out with these.
    continue when known.version >= grown.version;
    if known.unit is null then
      if exists (
        select from public.quantity_changes c
        where c.household_id = grown.household_id and c.entity_type = grown.entity_type
          and c.entity_id = grown.entity_id
        offset 100000)
      then
        known := larder.added_up(grown.household_id, grown.entity_type, grown.entity_id, 'piece', case grown.entity_type
          when 'StockItem' then (
            select i.page_from from public.stock_items i
            where i.household_id = grown.household_id and i.id = grown.entity_id)
          else (
            select i.page_from from public.inventory_items i
            where i.household_id = grown.household_id and i.id = grown.entity_id)
          end);
      end if;
    elsif grown.is_plain and not exists (
      select from written w join public.quantity_changes u on u.household_id = w.household_id
        and u.entity_type = w.entity_type and u.entity_id = w.entity_id and u.undoes = w.id
      where w.household_id = grown.household_id and w.entity_type = grown.entity_type
        and w.entity_id = grown.entity_id)
    then
      update larder.sums s set
        entries = s.entries + added.entries, exact = s.exact + added.total, version = grown.version
      from (
        select count(*) as entries, coalesce(sum(w.delta * larder.factor(coalesce(w.unit, 'piece'), known.unit))
            filter (where w.at >= coalesce(known.start_at, '-infinity')), 0) as total
        from written w
        where w.household_id = grown.household_id and w.entity_type = grown.entity_type
          and w.entity_id = grown.entity_id
          and (known.page_from is null or w.at >= known.page_from or larder.is_derived_id(w.id))) as added
      where s.household_id = grown.household_id and s.entity_type = grown.entity_type
        and s.entity_id = grown.entity_id
      returning s.* into known;
    else
      delete from larder.sums s
      where s.household_id = grown.household_id and s.entity_type = grown.entity_type
        and s.entity_id = grown.entity_id;
      known.entries := known.entries + grown.entries;
    end if;
    if known.entries > 100000 and not larder.is_derived() then
      raise exception 'a ledger has more than 100000 entries'
        using errcode = 'LA007', hint = 'Count what there is: that begins a new page.';
    end if;
  end loop;
  return null;
end
$$;

create function larder.add_up_anew() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  delete from larder.sums s using written w
  join replaced r using (household_id, entity_type, entity_id, id)
  where w.version <> r.version and s.household_id = w.household_id and s.entity_type = w.entity_type
    and s.entity_id = w.entity_id;
  return null;
end
$$;

-- Totals ----------------------------------------------------------------------------------------------------

-- An item's total: its own ledger and its batches (FORMAT.md, section 7). A count of all there is holds whatever
-- arrives later, in the ledger of the item or of any of its batches.

create table larder.claims (
  household_id uuid not null,
  product uuid not null,
  item_id uuid not null,
  primary key (household_id, product, item_id)
);
comment on table larder.claims is
  'Which items name which products, by the MD5 of the product''s id, which may be long.';
revoke all on larder.claims from public, anon, authenticated;

-- The item that a product's batches belong to: the one with the product's id, else the one with the smallest id
-- that names it; without some items, as if they were not there.
create function larder.owner(household uuid, product text, without uuid[] default '{}') returns uuid
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  return coalesce(
    (select i.id from public.stock_items i
      where i.household_id = household and i.id = larder.uuid_of(product) and i.id <> all (without)),
    (select c.item_id from larder.claims c
      where c.household_id = household and c.product = md5(owner.product)::uuid and c.item_id <> all (without)
      order by c.item_id limit 1));
end
$$;

-- What a batch adds to the total of its item, in its own unit: what it gives, less what it gave when all was
-- counted. `gone` is when it ceased to be active, `own` what its ledger gives while it is.
create function larder.share(
  household uuid, batch uuid, unit text, page timestamptz, own numeric, gone timestamptz, since timestamptz)
returns numeric
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  known larder.sums;
begin
  if gone is not null then
    own := (
      select larder.rounded(s.exact)
      from larder.summed(household, 'InventoryItem', batch, unit, page, gone, null) as s);
  else
    select * into known from larder.sums s
    where s.household_id = household and s.entity_type = 'InventoryItem' and s.entity_id = batch;
  end if;
  if since is null then return own; end if;
  if known.unit = unit and known.page_from is not distinct from page
    and coalesce(greatest(known.start_at, page), since) <= since
  then
    -- It was not counted since. Of a long ledger only what came and went since is read.
    return own - (
      select larder.rounded(known.exact - s.exact)
      from larder.summed(household, 'InventoryItem', batch, unit, page, since, null, true) as s);
  end if;
  return own - (
    select larder.rounded(s.exact)
    from larder.summed(household, 'InventoryItem', batch, unit, page, gone, greatest(since, page)) as s);
end
$$;

-- What the batches of an item add to its total, in its unit, since it was counted or, without such a count, in all;
-- what the active ones hold; and the latest time of all its batches, including those that no longer count.
create function larder.batched(
  household uuid, item uuid, products jsonb, unit text, since timestamptz,
  out total numeric, out held numeric, out latest timestamptz)
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  own text[] := array[item::text];
  product text;
  claimant uuid;
begin
  -- Each is looked up by its keys, whatever a plan for all of them would be.
  for product in select named.product from jsonb_array_elements_text(products) as named (product) loop
    claimant := larder.owner(household, product);
    if claimant is null or claimant >= item and claimant is distinct from larder.uuid_of(product) then
      own := own || product;
    end if;
  end loop;
  select coalesce(sum(same.total * larder.factor(same.unit, batched.unit)), 0),
    coalesce(sum(same.held * larder.factor(same.unit, batched.unit)), 0), max(same.latest)
  into total, held, latest
  from (
    select coalesce(b.quantity ->> 'unit', 'piece') as unit, max(b.updated_at) as latest,
      sum(b.quantity_value) filter (where ceased.at is null) as held,
      -- The ledger is read only of a batch that was there then and has changed since.
      sum(case
        when since is null and ceased.at is null then b.quantity_value
        when b.updated_at < since then 0
        when ceased.at > since is not true and not exists (
          select from public.quantity_changes c
          where c.household_id = household and c.entity_type = 'InventoryItem' and c.entity_id = b.id
            and c.at >= coalesce(since, ceased.at))
        then case when since is null then least(0, b.quantity_value) else 0 end
        when ceased.at is null and coalesce(b.page_from, since) <= since and not exists (
          select from public.quantity_changes c
          where c.household_id = household and c.entity_type = 'InventoryItem' and c.entity_id = b.id
            and c.at <= since)
        then b.quantity_value
        else larder.share(
          household, b.id, coalesce(b.quantity ->> 'unit', 'piece'), b.page_from, b.quantity_value, ceased.at, since)
      end) as total
    from (select distinct name as product from unnest(own) as name) as named
    join public.inventory_items b on b.household_id = household and b.product_id = named.product
    cross join lateral (
      select case when b.status not in ('active', 'consumed')
        then coalesce(larder.moment(b.edited ->> 'status'), b.created_at) end as at
      -- It is found once for each.
      offset 0) as ceased
    where coalesce(b.extra ->> 'householdId', household::text) = household::text
    group by 1) as same;
end
$$;

-- The total of an item, and the latest time of its ledger and its batches.
create function larder.stocked(
  household uuid, item uuid, products jsonb, unit text, page timestamptz, out total numeric, out latest timestamptz)
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  own larder.sums;
  batches record;
begin
  latest := greatest(page, larder.last_entry(household, 'StockItem', item));
  if latest is not null then own := larder.kept(household, 'StockItem', item, unit, page); end if;
  select * into batches from larder.batched(
    household, item, products, unit, case when own.beyond is not null then own.start_at end);
  total := larder.rounded(coalesce(larder.rounded(own.exact), 0) + coalesce(own.beyond, 0) + batches.total);
  latest := greatest(latest, batches.latest);
end
$$;

-- Updates the totals of items, and of those that have the batches of products.
create function larder.follow_stock(households uuid[], items uuid[], products text[])
returns void
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  followed constant uuid[] := items || array(
    select larder.owner(one.household, named.product)
    from unnest(households) as one (household), unnest(products) as named (product));
begin
  update public.stock_items s set
    quantity_in_stock = now.total,
    updated_at = greatest(s.updated_at, now.latest),
    -- Whoever has read the row has read another one.
    version = nextval('larder.version')
  from unnest(households) as one (household), (select distinct id from unnest(followed) as id) as followed_item,
    public.stock_items t, larder.stocked(
      t.household_id, t.id, coalesce(t.products, '[]'), coalesce(t.unit, 'piece'), t.page_from) as now
  where t.household_id = one.household and t.id = followed_item.id
    and s.household_id = t.household_id and s.id = t.id
    and (s.quantity_in_stock is distinct from now.total or s.updated_at < now.latest);
end
$$;

-- Updates the quantities of changed entities, and of the items that have them.
create function larder.follow_ledgers() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  if larder.is_derived() then return null; end if;
  perform set_config('larder.writing', 'derived', true);
  update public.inventory_items b set
    quantity_value = q.total,
    status = case
      when b.status not in ('active', 'consumed') then b.status
      when q.total > 0 then 'active' else 'consumed' end,
    consumed_at = case
      when b.status in ('active', 'consumed') and q.total <= 0
      then coalesce(q.emptied, b.created_at) end,
    updated_at = greatest(b.updated_at, q.latest),
    version = case
      when (b.quantity_value, b.updated_at) is distinct from (q.total, greatest(b.updated_at, q.latest))
      then nextval('larder.version') else b.version end
  from (select distinct household_id, entity_id from written where entity_type = 'InventoryItem') w,
    lateral (
      select coalesce(i.quantity ->> 'unit', 'piece') as unit, i.page_from
      from public.inventory_items i
      where i.household_id = w.household_id and i.id = w.entity_id) as i,
    larder.quantity(w.household_id, 'InventoryItem', w.entity_id, i.unit, i.page_from) as q
  where b.household_id = w.household_id and b.id = w.entity_id;
  perform larder.follow_stock(
    array(select distinct household_id from written),
    array(select distinct entity_id from written where entity_type = 'StockItem'),
    array(
      select distinct b.product_id from public.inventory_items b
      join written w on w.entity_type = 'InventoryItem'
        and b.household_id = w.household_id and b.id = w.entity_id));
  perform set_config('larder.writing', '', true);
  if tg_op = 'INSERT' and not larder.knows_stamps() then
    perform larder.check_effect(array(select row (w.*)::public.quantity_changes from written w));
  end if;
  return null;
end
$$;

-- A batch that another program gives to another item takes along what was in it when either of them was counted: a
-- count of all there is knows nothing of what comes to the item, or goes, with a batch.
--
-- Adds to the ledger of an item, as often as is said, what a batch gave when all of the item was counted.
create function larder.move_share(batch public.inventory_items, item uuid, times integer) returns void
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  unit constant text := coalesce(batch.quantity ->> 'unit', 'piece');
  owner public.stock_items;
  gone constant timestamptz := case when batch.status not in ('active', 'consumed')
    then coalesce(larder.moment(batch.edited ->> 'status'), batch.created_at) end;
  own larder.sums;
  share numeric;
begin
  select * into owner from public.stock_items i where i.household_id = batch.household_id and i.id = item;
  if not found then return; end if;
  own := larder.kept(owner.household_id, 'StockItem', item, coalesce(owner.unit, 'piece'), owner.page_from);
  if own.beyond is null then return; end if;
  share := times * (
    select larder.rounded(larder.rounded(s.exact) * larder.factor(unit, own.unit))
    from larder.summed(
      batch.household_id, 'InventoryItem', batch.id, unit, batch.page_from, gone,
      greatest(own.start_at, batch.page_from)) as s);
  if coalesce(share, 0) = 0 then return; end if;
  insert into public.quantity_changes
    (household_id, entity_type, entity_id, at, delta, unit, why, version)
  values (
    owner.household_id, 'StockItem', item, greatest(larder.now(), larder.after(owner.updated_at)), share, own.unit,
    'move', nextval('larder.version'));
end
$$;

-- Batches that were added, got another product, or no longer count.
create function larder.follow_batches() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  is_plain constant boolean := not larder.knows_stamps();
begin
  if larder.is_derived() then return null; end if;
  perform set_config('larder.writing', 'derived', true);
  if tg_op = 'INSERT' then
    perform larder.follow_stock(
      array(select distinct household_id from written), '{}',
      array(select distinct product_id from written));
  else
    -- Larder's own devices say themselves what goes along.
    perform larder.move_share(row (w.*)::public.inventory_items, moved.item, moved.times)
    from written w
    join replaced r using (household_id, id)
    cross join lateral (values
        (larder.owner(household_id, r.product_id), -1), (larder.owner(household_id, w.product_id), 1)
      ) as moved (item, times)
    where is_plain and w.product_id <> r.product_id
      and larder.owner(household_id, r.product_id) is distinct from larder.owner(household_id, w.product_id);
    perform larder.follow_stock(
      array(select distinct household_id from written), '{}',
      array(select product_id from written union select product_id from replaced));
  end if;
  perform set_config('larder.writing', '', true);
  return null;
end
$$;

-- Items that name products, or no longer do, may take batches from others.
create function larder.follow_claims() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  changed uuid[];
  claimed text[];
begin
  if larder.is_derived() then return null; end if;
  if tg_op = 'INSERT' then
    changed := array(select id from written);
    claimed := array(
      select id::text from written
      union select jsonb_array_elements_text(products) from written);
  else
    changed := array(
      select w.id from written w join replaced r using (household_id, id)
      where w.products is distinct from r.products);
    if changed = '{}' then return null; end if;
    claimed := array(
      select jsonb_array_elements_text(w.products) from written w where w.id = any (changed)
      union select jsonb_array_elements_text(r.products) from replaced r where r.id = any (changed));
    delete from larder.claims c using replaced r, jsonb_array_elements_text(coalesce(r.products, '[]')) as named (product)
    where r.id = any (changed) and c.household_id = r.household_id and c.product = md5(named.product)::uuid
      and c.item_id = r.id;
  end if;
  insert into larder.claims (household_id, product, item_id)
  select w.household_id, md5(named.product)::uuid, w.id
  from written w, jsonb_array_elements_text(coalesce(w.products, '[]')) as named (product)
  where w.id = any (changed)
  on conflict do nothing;
  claimed := array(
    select named.product from unnest(claimed) as named (product)
    where (
      select true from (select distinct household_id from written) as w, public.inventory_items b
      where b.household_id = w.household_id and b.product_id = named.product limit 1));
  if claimed <> '{}' then
    perform set_config('larder.writing', 'derived', true);
    -- Those that changed, those that had the batches before, and those that have them now.
    perform larder.follow_stock(
      array(select distinct household_id from written),
      changed || array(
        select larder.owner(w.household_id, named.product, changed)
        from (select distinct household_id from written) as w, unnest(claimed) as named (product)),
      claimed);
    perform set_config('larder.writing', '', true);
  end if;
  return null;
end
$$;

-- Numbers that somebody wrote -------------------------------------------------------------------------------

-- A number that somebody wrote as what there is.
create function larder.counted(written jsonb, named text) returns numeric
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  number numeric;
begin
  if coalesce(jsonb_typeof(written), 'null') = 'null' then return null; end if;
  begin
    number := (written #>> '{}')::numeric;
  exception when invalid_text_representation or numeric_value_out_of_range then
    number := 'NaN';
  end;
  if number < 'Infinity' and number > '-Infinity' then number := larder.rounded(number); end if;
  if not coalesce(larder.is_number(number), false) then
    raise exception '%: what there is, is a number with at most 15 digits, six of them decimals', named
      using errcode = '23514';
  end if;
  return number;
end
$$;

-- When all there is was counted last of the item that has a product's batches; null without such a count.
create function larder.last_count(household uuid, product text) returns timestamptz
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  -- It is found once, not for every item of the household.
  owner constant uuid := case when product is not null then larder.owner(household, product) end;
begin
  if owner is null then return null; end if;
  return (
    select q.start_at
    from public.stock_items i, larder.kept(
      i.household_id, 'StockItem', i.id, coalesce(i.unit, 'piece'), i.page_from) as q
    where i.household_id = household and i.id = owner and q.beyond is not null);
end
$$;

-- A number that somebody wrote, as the ledger entry that adopting a file makes of it; `total` is all there is, where
-- the number is what lies loose of it.
create function larder.count(
  household uuid, kind text, entity uuid, at text, number numeric, unit text, total numeric default null)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  writing text := coalesce(current_setting('larder.writing', true), '');
begin
  if number is null then return; end if;
  perform set_config('larder.writing', 'derived', true);
  insert into public.quantity_changes
    (household_id, entity_type, entity_id, id, at, "set", unit, total, version)
  values (
    household, kind, entity,
    extensions.uuid_generate_v5('6c617264-6572-5000-8000-666f726d6174',
      concat_ws('/', 'edit', entity, at, trim_scale(number), unit)),
    larder.moment(at), number, unit, total, nextval('larder.version'))
  on conflict do nothing;
  perform set_config('larder.writing', writing, true);
end
$$;

-- If the entries that count do not convert to a unit, the sum would leave them out.
create function larder.refuse_unit(
  household uuid, kind text, entity uuid, wanted_unit text, known_unit text, stored jsonb)
returns void
language plpgsql stable set search_path = ''
as $$
begin
  if stored is not null and wanted_unit <> coalesce(known_unit, 'piece') and larder.is_unit(wanted_unit)
    and exists (
      select from public.quantity_changes c
      where c.household_id = household and c.entity_type = kind and c.entity_id = entity
        and c.undoes is null
        and (c.at >= coalesce((stored ->> 'page_from')::timestamptz, '-infinity')
          or larder.is_derived_id(c.id))
        and larder.factor(coalesce(c.unit, 'piece'), wanted_unit) is null
        and (c.at = (stored ->> 'page_from')::timestamptz is true or not exists (
          select from public.quantity_changes u
          where u.household_id = household and u.entity_type = kind and u.entity_id = entity
            and u.undoes = c.id)))
  then
    raise exception 'unit: what is counted already does not convert to the new one'
      using errcode = '23514', hint = 'Only gram and kilogram, and milliliter and liter, convert; make a new item.';
  end if;
end
$$;

-- A number in `quantity_in_stock` is a count of all there is.
create function larder.item_quantity(
  household uuid, item jsonb, is_plain boolean, plain jsonb, stored jsonb, at text,
  latest timestamptz)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  item_id constant uuid := item ->> 'id';
  unit constant text := coalesce(item ->> 'unit', 'piece');
  products constant jsonb := coalesce(nullif(item -> 'products', 'null'), '[]');
  written numeric;
  now record;
begin
  if is_plain then
    perform larder.refuse_unit(household, 'StockItem', item_id, unit, stored ->> 'unit', stored);
    if plain -> 'quantity_in_stock' is distinct from stored -> 'quantity_in_stock' then
      written := larder.counted(plain -> 'quantity_in_stock', 'quantity_in_stock');
      if written is distinct from (stored ->> 'quantity_in_stock')::numeric then
        perform larder.count(
          household, 'StockItem', item_id, at, larder.rounded(written - batches.held), unit, written)
        from larder.batched(household, item_id, products, unit, null) as batches;
      end if;
    end if;
  end if;
  select * into now
  from larder.stocked(household, item_id, products, unit, (item ->> 'page_from')::timestamptz);
  return jsonb_build_object(
    'quantity_in_stock', now.total, 'updated_at', greatest(latest, now.latest));
end
$$;

create function larder.batch_quantity(
  household uuid, batch jsonb, is_plain boolean, plain jsonb, stored jsonb, at text,
  latest timestamptz)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  batch_id constant uuid := batch ->> 'id';
  unit constant text := coalesce(batch #>> '{quantity,unit}', 'piece');
  page constant timestamptz := batch ->> 'page_from';
  is_active constant boolean := batch ->> 'status' in ('active', 'consumed');
  -- The format has the number inside.
  named constant text := case when plain #> '{quantity,value}' is null then 'quantity_value' else 'quantity.value' end;
  written numeric;
  own record;
begin
  if is_plain then
    perform larder.refuse_unit(
      household, 'InventoryItem', batch_id, unit, stored #>> '{quantity,unit}', stored);
    written := larder.counted(coalesce(plain #> '{quantity,value}', plain -> 'quantity_value'), named);
    if written is distinct from (stored ->> 'quantity_value')::numeric then
      perform larder.count(household, 'InventoryItem', batch_id, at, written, unit);
    elsif plain ->> 'status' = 'consumed' and stored ->> 'status' <> 'consumed'
      and (select total from larder.quantity(household, 'InventoryItem', batch_id, unit, page)) > 0
    then
      perform larder.count(household, 'InventoryItem', batch_id, at, 0, unit);
    end if;
  end if;
  select * into own from larder.quantity(household, 'InventoryItem', batch_id, unit, page);
  return jsonb_build_object(
    'product_id', batch #> '{product_ref,productId}',
    'expiry_day', batch #> '{expiry_info,isoDate}',
    'quantity', coalesce(nullif(batch -> 'quantity', 'null') - 'value', '{}'),
    'quantity_value', own.total,
    'status', case
      when not is_active then batch ->> 'status'
      when own.total > 0 then 'active' else 'consumed' end,
    'consumed_at', case
      when is_active and own.total <= 0
      then coalesce(own.emptied, (batch ->> 'created_at')::timestamptz) end,
    'updated_at', greatest(latest, own.latest));
end
$$;

-- Returns a row with the values that follow from its ledger and its stamps. A quantity that a plain
-- client wrote is counted first; `plain` is the row as that client wrote it.
create function larder.complete(
  kind text, written jsonb, is_plain boolean, plain jsonb, stored jsonb, at text)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  household constant uuid := written ->> 'household_id';
  latest constant timestamptz := greatest(
    (written ->> 'created_at')::timestamptz, (
      select larder.moment(max(stamp.value collate "C"))
      from jsonb_each_text(written -> 'edited') as stamp));
begin
  if kind = 'StockItem' then
    return written || larder.item_quantity(household, written, is_plain, plain, stored, at, latest);
  elsif kind = 'InventoryItem' then
    return written || larder.batch_quantity(household, written, is_plain, plain, stored, at, latest);
  end if;
  return written || jsonb_build_object('updated_at', latest);
end
$$;

-- The shopping list -----------------------------------------------------------------------------------------

-- An item that comes below its minimum, or to zero or below, is put on the shopping list, whatever the cause: two
-- devices that each used one, or a client that does not know ledgers (docs/adoption.md, sections 13 and 15).

-- 2 if nothing is there, 1 if there is less than the minimum (docs/adoption.md, section 13).
create function larder.lack(total numeric, minimum numeric) returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case when coalesce(total, 0) <= 0 then 2 when total < minimum then 1 else 0 end;
end
$$;

-- What the shopping list asks for of an item without a full stock (docs/adoption.md, section 13): what was bought
-- last, otherwise the most that was ever recorded, in whole packs; a count of all there is says the most that was
-- recorded.
create function larder.usual_purchase(item public.stock_items) returns numeric
language plpgsql stable set search_path = ''
as $$
declare
  wanted_unit constant text := coalesce(item.unit, 'piece');
  products constant jsonb := coalesce(nullif(item.products, 'null'), '[]');
  usual numeric;
  step numeric;
begin
  with holders (kind, id, page) as (
    select 'StockItem', item.id, item.page_from
    union all
    -- As in larder.batched.
    select 'InventoryItem', b.id, b.page_from
    from public.inventory_items b
    where b.household_id = item.household_id and b.status <> 'discarded'
      and b.product_id = any (item.id::text || array(select jsonb_array_elements_text(products)))
      and coalesce(b.extra ->> 'householdId', item.household_id::text) = item.household_id::text
      and (b.product_id = item.id::text or not exists (
        select from public.stock_items s
        where s.household_id = item.household_id
          and (s.id = larder.uuid_of(b.product_id)
            or (s.id < item.id and s.products ? b.product_id))))
  ), entries as (
    select c.at, c.id, c.why, c.receipt, c.delta is not null as is_delta,
      coalesce(c.total, c.delta, c."set")
        * larder.factor(coalesce(c.unit, 'piece'), wanted_unit) as number
    from holders h
    join public.quantity_changes c
      on c.household_id = item.household_id and c.entity_type = h.kind and c.entity_id = h.id
    where c.undoes is null and larder.factor(coalesce(c.unit, 'piece'), wanted_unit) is not null
      and (h.page is null or c.at >= h.page or larder.is_derived_id(c.id))
      and (c.at = h.page is true or not exists (
        select from public.quantity_changes u
        where u.household_id = c.household_id and u.entity_type = c.entity_type
          and u.entity_id = c.entity_id and u.undoes = c.id))
  ), arrival as (
    select * from entries where is_delta and number > 0 and why in ('add', 'receipt')
    order by at desc, id desc limit 1
  ), bought as (
    select larder.rounded(case
      when a.why = 'receipt' and a.receipt is not null then (
        select sum(e.number) from entries e
        where e.is_delta and e.why = 'receipt' and e.receipt = a.receipt)
      else a.number end) as number
    from arrival a
  )
  select coalesce(
    (select number from bought where number > 0),
    (select larder.rounded(max(number)) from entries having larder.rounded(max(number)) > 0), 1)
  into usual;
  select larder.rounded(p.pack_size * larder.factor(coalesce(p.unit, 'piece'), wanted_unit))
  into step
  from jsonb_array_elements_text(products) with ordinality as named (id, place)
  join public.products p on p.household_id = item.household_id and p.id = named.id
  where larder.rounded(p.pack_size * larder.factor(coalesce(p.unit, 'piece'), wanted_unit)) > 0
  order by named.place limit 1;
  if step is null and wanted_unit in ('gram', 'kilogram', 'milliliter', 'liter') then
    return usual;
  end if;
  step := coalesce(step, 1);
  return trim_scale(step * (div(usual, step) + case when mod(usual, step) > 0 then 1 else 0 end));
end
$$;

-- The entry is written at the latest time of the item and its batches and joined, as every device
-- does.
create function larder.want(item public.stock_items, lack integer) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  entry_id constant uuid := extensions.uuid_generate_v5(
    '6c617264-6572-5000-8000-666f726d6174', 'entry/' || item.id::text);
  at constant text := larder.instant(item.updated_at);
  wanted_unit constant text := coalesce(item.unit, 'piece');
  minimum constant numeric := coalesce(item.quantity_minimum, 0);
  wished constant numeric := greatest(item.quantity_full_stock, minimum);
  wanted constant numeric := case
    when lack = 2 then case when wished > 0 then wished else larder.usual_purchase(item) end
    when wished > minimum then larder.rounded(wished - minimum)
    else minimum
  end;
  entry public.shopping_list_entries;
  factor numeric;
  writing constant text := coalesce(current_setting('larder.writing', true), '');
  stamps jsonb := '{}';
begin
  select * into entry from public.shopping_list_entries e
  where e.household_id = item.household_id and e.id = entry_id;
  factor := larder.factor(coalesce(entry.unit, 'piece'), wanted_unit);
  perform set_config('larder.writing', 'stamped', true);
  if entry.id is null then
    insert into public.shopping_list_entries
      (household_id, id, item_id, desired_quantity, unit, user_id, created_at)
    values (
      item.household_id, entry_id, item.id, wanted, wanted_unit, item.user_id, item.updated_at);
  -- Without a factor the units do not convert: an open entry is on the list, and stays as it is.
  elsif entry.is_deleted or not coalesce(entry.is_completed, false) and factor is not null
    and not (lack = 1 and larder.rounded(coalesce(entry.desired_quantity, 1) * factor) >= wanted)
  then
    if (entry.desired_quantity, entry.unit) is distinct from (wanted, wanted_unit) then
      stamps := jsonb_build_object('desiredQuantity', at, 'unit', at);
    end if;
    if entry.is_deleted then
      stamps := stamps || jsonb_build_object('isDeleted', at) || case
        when entry.is_completed is distinct from false
        then jsonb_build_object('isCompleted', at) else '{}' end;
    end if;
    if stamps <> '{}' then
      update public.shopping_list_entries e set
        desired_quantity = wanted, unit = wanted_unit, is_deleted = false,
        is_completed = case when entry.is_deleted then false else e.is_completed end,
        edited = e.edited || stamps
      where e.household_id = item.household_id and e.id = entry_id;
    end if;
  end if;
  perform set_config('larder.writing', writing, true);
end
$$;

create function larder.want_what_ran_out() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  item public.stock_items;
begin
  for item in
    select w.* from written w
    join replaced r on r.household_id = w.household_id and r.id = w.id
    where larder.lack(w.quantity_in_stock, w.quantity_minimum)
        > larder.lack(r.quantity_in_stock, r.quantity_minimum)
      and not coalesce(w.is_archived, false)
    order by w.household_id, w.id
  loop
    perform larder.want(item, larder.lack(item.quantity_in_stock, item.quantity_minimum));
  end loop;
  return null;
end
$$;
comment on function larder.want_what_ran_out() is
  'Puts items that came below their minimum, or to zero or below, on the shopping list.';

-- A client that does not know ledgers writes an item all at once. Larder sends the item's ledger
-- later, and the shopping entry by itself.
create function larder.want_what_is_new() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  item public.stock_items;
begin
  if larder.is_derived() or larder.knows_stamps() then return null; end if;
  for item in
    select w.* from written w
    where larder.lack(w.quantity_in_stock, w.quantity_minimum) > 0
      and not coalesce(w.is_archived, false)
      and greatest(w.quantity_full_stock, w.quantity_minimum) > 0
      and not exists (
        select from public.shopping_list_entries e
        where e.household_id = w.household_id and e.id = extensions.uuid_generate_v5(
          '6c617264-6572-5000-8000-666f726d6174', 'entry/' || w.id::text))
    order by w.household_id, w.id
  loop
    perform larder.want(item, larder.lack(item.quantity_in_stock, item.quantity_minimum));
  end loop;
  return null;
end
$$;
comment on function larder.want_what_is_new() is
  'Puts new items on the shopping list of which too little is there, and something is wanted.';

-- Limits ----------------------------------------------------------------------------------------------------

-- What no row may exceed, so that nobody's row keeps the others from reading theirs. What no file may have more of
-- (FORMAT.md, section 9), no row gets: nobody could take it. What is stored already and exceeds a bound stays, may be
-- marked as deleted, and does not grow.

-- The newest version of the format that these tables hold.
create function larder.known_format() returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$ begin return 1; end $$;

-- The size of a row is the size of its JSON in an answer. A row that is too large already may not
-- grow, except by the stamp of a change.
create function larder.check_size(made jsonb, stored jsonb) returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  size constant integer := octet_length(made::text);
begin
  if size > 1048576 and size > coalesce(octet_length(stored::text), 0) + 256 then
    raise exception 'a row is larger than 1 MiB: % bytes', size
      using errcode = 'LA001', hint = 'Make it smaller, or several of it.';
  end if;
end
$$;

create function larder.check_path(path text) returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  names constant text[] := string_to_array(path, '/');
begin
  if octet_length(path) > 1000 then
    raise exception 'a path is longer than 1000 bytes: % bytes', octet_length(path)
      using errcode = 'LA002', hint = 'Move the file to a place with a shorter path.';
  elsif cardinality(names) > 65 then
    raise exception 'a path goes through more than 64 folders: %', cardinality(names) - 1
      using errcode = 'LA003', hint = 'Move the file into fewer folders.';
  elsif exists (select from unnest(names) as name where octet_length(name) > 255) then
    raise exception 'a name in a path is longer than 255 bytes: %', (
        select max(octet_length(name)) from unnest(names) as name)
      using errcode = 'LA004', hint = 'Rename the file, or the folder.';
  end if;
end
$$;

create function larder.check_format(format integer, stored_format integer) returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if format > greatest(coalesce(stored_format, 0), larder.known_format()) then
    raise exception 'these tables know format %, not %', larder.known_format(), format
      using errcode = 'LA010', hint = 'Run the project''s newest migrations first.';
  end if;
end
$$;

-- The new times in a row that are more than a day ahead. Later writers would have to use times as
-- late, or their writes would be lost.
create function larder.check_times(times jsonb, known jsonb) returns void
language plpgsql stable set search_path = ''
as $$
declare
  ahead record;
begin
  select name, at into ahead from jsonb_each_text(times) as time (name, at)
  where larder.is_instant(at) and at collate "C" > larder.instant(larder.now() + interval '1 day')
    and at is distinct from known ->> name
  order by name limit 1;
  if found then
    raise exception 'a time is more than a day ahead of the database''s clock: % of %', ahead.at, ahead.name
      using errcode = 'LA020',
        detail = 'The clock says ' || larder.instant(larder.now()) || '.',
        hint = 'Set the clock of the device that wrote it, then write it again.';
  end if;
end
$$;

-- The keys that the file of a row has, with those that Larder writes itself; a file without a page has no key for it.
create function larder.key_count(kind text, made jsonb) returns bigint
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return (select count(*) from jsonb_object_keys(made -> 'extra'))
    + (select count(*) from jsonb_object_keys(larder.fields(kind)) as name
      where made -> name is distinct from 'null')
    + cardinality(larder.bookkeeping(kind))
    + (kind in ('InventoryItem', 'StorageLocation') and not made -> 'extra' ? 'householdId')::integer
    - (coalesce(made -> 'page_from', '0') = 'null')::integer;
end
$$;

-- Its name makes it run after write_row, so it sees the joined row.
create function larder.check_counts() returns trigger
language plpgsql set search_path = ''
as $$
declare
  kind constant text := tg_argv[0];
  is_new constant boolean := tg_op = 'INSERT';
  found bigint;
begin
  if new.extra <> '{}' and (is_new or new.extra <> old.extra) then
    found := larder.key_count(kind, to_jsonb(new));
    if found > 1000 and (is_new or found > larder.key_count(kind, to_jsonb(old))) then
      raise exception 'a row has more than 1000 keys: %', found
        using errcode = 'LA005', hint = 'Keep fewer keys in extra.';
    end if;
  end if;
  if is_new or new.edited <> old.edited then
    found := (select count(*) from jsonb_object_keys(new.edited));
    if found > 1000 and (is_new or found > (select count(*) from jsonb_object_keys(old.edited))) then
      raise exception 'edited has more than 1000 keys: %', found
        using errcode = 'LA005', hint = 'Keep fewer keys in extra.';
    end if;
  end if;
  return new;
end
$$;

create function larder.check_lines() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if jsonb_array_length(new.items) > 10000
    and (tg_op = 'INSERT' or jsonb_array_length(new.items) > coalesce(jsonb_array_length(old.items), 0))
  then
    raise exception 'a receipt has more than 10000 lines: %', jsonb_array_length(new.items)
      using errcode = 'LA006', hint = 'Make several receipts of it.';
  end if;
  return new;
end
$$;

-- Who belongs to a household --------------------------------------------------------------------------------

-- The households of the signed-in user. A policy that read the table of members itself would
-- call that table's policy, which reads the table of members.
create function larder.my_households() returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  return (
    select coalesce(array_agg(household_id), '{}')
    from public.household_members
    where user_id = (select auth.uid()));
end
$$;
comment on function larder.my_households() is 'The households that the signed-in user belongs to.';

-- The user who creates a household is a member within the same statement. A function that reads the
-- statement's own snapshot would not see that.
create function larder.is_mine(household uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$ begin return household = any (larder.my_households()); end $$;

-- The same, including a household that the current statement creates. It is declared stable because
-- it is called once for a reading; the function that it calls reads anew each time.
create function larder.households_there() returns uuid[]
language plpgsql volatile security definer set search_path = ''
as $$ begin return larder.my_households(); end $$;

create function larder.my_households_now() returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$ begin return larder.households_there(); end $$;

-- Clients that know of one user and no households: what they write without `household_id` belongs to the
-- user's only household.
--
--   LA032  a row names no household, and its user belongs to none
--   LA033  a row names no household, and its user belongs to several
create function larder.only_household() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  households constant uuid[] := larder.my_households();
begin
  -- A service belongs to none, and is told which column is missing.
  if auth.uid() is null then return null; end if;
  if cardinality(households) = 0 then
    raise exception 'you belong to no household yet, and the row names none' using errcode = 'LA032',
      hint = 'Add a row to households, or accept an invitation.';
  elsif cardinality(households) > 1 then
    raise exception 'you belong to % households, and the row names none', cardinality(households)
      using errcode = 'LA033', hint = 'Say which one in household_id.';
  end if;
  return households[1];
end
$$;

-- Whether policies apply to the writer; they don't to a service and to the owner of the project.
create function larder.is_user() returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return auth.uid() is not null or coalesce(current_setting('role', true), '') = 'authenticated';
end
$$;

-- Whether the writer is a client, and not one of our triggers.
create function larder.is_client() returns boolean
language plpgsql stable set search_path = ''
as $$ begin return coalesce(current_setting('larder.writing', true), '') = ''; end $$;

-- Who is no member gets one answer, whatever there is: for rows, invitations and households.
create function larder.require_membership(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if auth.uid() is null or not exists (
    select from public.household_members m
    where m.household_id = require_membership.household and m.user_id = auth.uid())
  then
    raise exception 'this household is not one of yours' using errcode = '42501',
      hint = 'Ask one of its members for an invitation, and accept it.';
  end if;
end
$$;

-- Turns -----------------------------------------------------------------------------------------------------

-- A write takes turns with the writes of its household, and with nobody else's, whoever writes.
--
-- The lock is taken before the first row is: by the trigger, where a row is added (upserts do that first), and while
-- rows are looked for that are to change. One who held a row and then waited for the household would have to be told
-- from one who has the household and waits for that row. A service is above policies, so its updates do just that:
-- where two wait for each other, PostgreSQL ends one of them (40P01), and it tries again.
--
-- Nothing is locked, and no row is worked at, before it is known that the user belongs to the household and that the
-- row is no larger than rows may be. What depends on who belongs to it is decided under its lock. Locks are taken in
-- one order: accounts, then turns, then households. So nobody waits for somebody who waits for them.

-- One writer at a time in a household, from before its first version number to its commit. So versions become
-- visible in their order, and a reader that has seen one has seen all before it.
create function larder.lock_household(household uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(household::text, 1818325093));
end
$$;

-- Whether the household is locked, and the writer belongs to it until the transaction ends.
create function larder.has_entered(household uuid) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return coalesce(current_setting('larder.entered', true) = concat_ws(' ', auth.uid(), household), false);
end
$$;

-- Locks the household for the rest of the transaction, if the writer belongs to it.
create function larder.enter(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- A row without a household is refused by its column.
  if household is null or larder.has_entered(household) then return; end if;
  if larder.is_user() then perform larder.require_membership(household); end if;
  perform larder.lock_household(household);
  -- They may have been removed while this waited.
  if larder.is_user() then perform larder.require_membership(household); end if;
  perform set_config('larder.entered', concat_ws(' ', auth.uid(), household), true);
end
$$;

-- For the rows that are to change; the policy has asked before whether the household is the user's.
create function larder.is_locked(household uuid) returns boolean
language plpgsql volatile security definer cost 10000 set search_path = ''
as $$
begin
  perform larder.lock_household(household);
  return exists (
    select from public.household_members m
    where m.household_id = is_locked.household and m.user_id = auth.uid());
end
$$;

-- A request may write several households, in any order of its rows. So whoever may do that takes turns before the first
-- row with the others of these households who may, in one order. Who belongs to one household waits for none of them, and
-- nobody comes to more than a hundred by themselves.
create function larder.take_turns(households uuid[]) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  if cardinality(households) not between 2 and larder.most_households() then return; end if;
  perform pg_advisory_xact_lock(turn.key) from (
    select distinct hashtextextended(household::text, 1818325095) as key
    from unnest(households) as household order by key) as turn;
end
$$;

create function larder.take_turns() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  households uuid[];
begin
  if auth.uid() is null or not larder.is_client() or current_setting('larder.turns', true) = auth.uid()::text then
    return null;
  end if;
  households := larder.my_households();
  -- Who founds a household holds their account, and accounts come first.
  if tg_table_name = 'households' and cardinality(households) > 1 then perform larder.hold_account(auth.uid()); end if;
  perform larder.take_turns(households);
  perform set_config('larder.turns', auth.uid()::text, true);
  return null;
end
$$;

-- Keeps an account from being deleted until the transaction ends.
create function larder.hold_account(account uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$ begin perform from auth.users u where u.id = account for key share; end $$;

-- Households that nobody belongs to -------------------------------------------------------------------------

-- Nobody reads the rows of a household without members. So they go with the last member who leaves or whose account is
-- deleted, and its id is free: whoever has its files founds it again with them. A stranger who knows the id founds a
-- household with nothing in it.
--
-- An id is no proof: of one that the project has never seen, whoever founds it first has it. But one that was here is
-- kept for those who left it by themselves: they had its files.

create function larder.is_erasing() returns boolean
language plpgsql stable set search_path = ''
as $$ begin return coalesce(current_setting('larder.writing', true), '') = 'erasing'; end $$;

create function larder.clear(household uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  writing constant text := coalesce(current_setting('larder.writing', true), '');
  kind_table text;
begin
  perform larder.lock_household(household);
  perform set_config('larder.writing', 'erasing', true);
  foreach kind_table in array array[
    'public.receipt_items', 'public.quantity_changes', 'public.stock_items', 'public.inventory_items',
    'public.storage_locations', 'public.products', 'public.shopping_list_entries', 'public.receipts',
    'public.households', 'public.household_invites', 'public.household_members', 'larder.sums', 'larder.claims',
    'larder.past']
  loop
    execute format('delete from %s where household_id = $1', kind_table) using household;
  end loop;
  perform set_config('larder.writing', writing, true);
end
$$;

-- Deletes everything of a household, and its memberships. The owner of a project calls it for a household that a
-- stranger created. Then the household's own people create it again with their files.
create function larder.erase(household uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  perform larder.clear(household);
  delete from larder.former_members where household_id = household;
end
$$;
comment on function larder.erase(uuid) is
  'Deletes all rows of a household, its members and who it is kept for: for the owner of the project.';

-- How many households somebody may belong to.
create function larder.most_households() returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$ begin return 100; end $$;

-- A user keeps as many reservations as the allowed memberships, the latest ones. So nobody can fill
-- the project by joining and leaving.
create function larder.keep_for(household uuid, member uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into larder.former_members (household_id, user_id) values (household, member)
  on conflict (household_id, user_id) do update set left_at = excluded.left_at;
  delete from larder.former_members f
  where f.user_id = member and f.household_id in (
    select o.household_id from larder.former_members o where o.user_id = member
    order by o.left_at desc, o.household_id offset larder.most_households());
end
$$;

-- Makes the user a member, under the household's lock.
create function larder.let_in(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if household = any (larder.my_households()) then return; end if;
  -- One at a time of one user's.
  perform pg_advisory_xact_lock(hashtextextended(auth.uid()::text, 1818325094));
  if (select count(*) from public.household_members where user_id = auth.uid())
    >= larder.most_households()
  then
    raise exception 'you belong to % households, and to no more', larder.most_households()
      using errcode = 'LA031', hint = 'Leave one of them first.';
  end if;
  insert into public.household_members (household_id, user_id) values (household, auth.uid());
end
$$;

-- Whether a household is there, or is kept, for others only. Which of the two is nobody's business.
create function larder.is_others(household uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return exists (select from public.household_members m where m.household_id = household)
    or exists (select from larder.former_members f where f.household_id = household)
      and not exists (
        select from larder.former_members f
        where f.household_id = household and f.user_id = auth.uid());
end
$$;

-- The user who creates a household becomes its member. Rows that are left of a household without
-- members are deleted first.
create function larder.found_household(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if auth.uid() is null then
    perform larder.enter(household);
    return;
  end if;
  if household = any (larder.my_households()) or larder.is_others(household) then
    perform larder.enter(household);
    return;
  end if;
  perform larder.hold_account(auth.uid());
  perform larder.lock_household(household);
  if larder.is_others(household) then
    perform larder.require_membership(household);
    return;
  end if;
  perform larder.clear(household);
  perform larder.let_in(household);
end
$$;

-- A member who was removed by somebody else can't create the household again, whatever they did
-- before.
create function larder.let_go(household uuid, member uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from public.household_members where household_id = household and user_id = member;
  delete from larder.former_members where household_id = household and user_id = member;
end
$$;

-- Whoever goes, in whatever way, takes their open invitations along.
create function larder.follow_accounts() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  household uuid;
begin
  delete from public.household_invites i using gone g
  where i.household_id = g.household_id and i.created_by = g.user_id and i.accepted_at is null;
  perform larder.take_turns(array(
    select g.household_id from gone g
    where not exists (select from auth.users u where u.id = g.user_id)));
  for household in
    select g.household_id from gone g
    where not exists (select from auth.users u where u.id = g.user_id)
    group by g.household_id order by hashtextextended(g.household_id::text, 1818325093)
  loop
    perform larder.lock_household(household);
    if not exists (select from public.household_members m where m.household_id = household) then
      perform larder.clear(household);
    end if;
  end loop;
  return null;
end
$$;

-- Rows ------------------------------------------------------------------------------------------------------

-- What another program writes is taken with an effect, or refused with words; nothing of it is dropped in silence.

-- The columns that clients do not write.
create function larder.derived_columns() returns text[]
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return array[
    'version', 'path', 'updated_at', 'quantity_in_stock', 'quantity_value', 'consumed_at',
    'product_id', 'expiry_day'];
end
$$;

-- Whether there is a row of a kind; a session keeps the plans for this.
create function larder.is_there(kind text, household uuid, row_id text) returns boolean
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
begin
  case kind
    when 'Household' then
      return exists (
        select from public.households t where t.household_id = household and t.id = row_id::uuid);
    when 'StockItem' then
      return exists (
        select from public.stock_items t where t.household_id = household and t.id = row_id::uuid);
    when 'InventoryItem' then
      return exists (
        select from public.inventory_items t where t.household_id = household and t.id = row_id::uuid);
    when 'StorageLocation' then
      return exists (
        select from public.storage_locations t where t.household_id = household and t.id = row_id::uuid);
    when 'Product' then
      return exists (
        select from public.products t where t.household_id = household and t.id = row_id);
    when 'ShoppingListEntry' then
      return exists (
        select from public.shopping_list_entries t where t.household_id = household and t.id = row_id::uuid);
    when 'Receipt' then
      return exists (
        select from public.receipts t where t.household_id = household and t.id = row_id::uuid);
  end case;
end
$$;

-- Nothing is locked or worked at before the user is known to belong to the household. A client without stamps
-- writes in its user's name, and is told what it wrote in vain.
create function larder.write_row() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  kind constant text := tg_argv[0];
  is_plain constant boolean := not larder.knows_stamps();
  written jsonb;
  stored jsonb;
  known jsonb;
  document jsonb;
  named text;
  at text;
  next timestamptz := larder.now();
begin
  if tg_op = 'INSERT' then
    if kind = 'Household' then
      new.household_id := new.id;
    elsif new.household_id is null then
      new.household_id := larder.only_household();
    end if;
    -- Of any but a large row it is enough to know the size when it is complete.
    if pg_column_size(new) > 262144 then
      if kind <> 'Household' and larder.is_user() then perform larder.require_membership(new.household_id); end if;
      if not larder.is_there(kind, new.household_id, new.id::text) then
        perform larder.check_size(to_jsonb(new), null);
      end if;
    end if;
    if kind = 'Household' then
      perform larder.found_household(new.id);
    else
      perform larder.enter(new.household_id);
    end if;
  else
    if new.household_id <> old.household_id or new.id <> old.id then
      raise exception 'id and household_id of a row never change' using errcode = '23514';
    end if;
    perform larder.enter(new.household_id);
  end if;
  if new.extra <> '{}' and new.extra ?| (larder.bookkeeping(kind) || array(
      select name from jsonb_each_text(larder.fields(kind)) as field (key, name)))
  then
    raise exception 'extra holds a key that the format knows' using errcode = '23514',
      hint = 'Write it to the column of that name.';
  end if;
  if tg_op = 'INSERT' then
    -- The update that this insert becomes joins it.
    if larder.is_there(kind, new.household_id, new.id::text) then
      if is_plain then
        perform set_config('larder.posted',
          case when larder.is_deleted(kind, to_jsonb(new)) then '' else kind || '/' || new.id::text end, true);
      end if;
      return new;
    end if;
    if kind <> 'Household' then
      if is_plain then new.user_id := coalesce(new.user_id, auth.uid()); end if;
      perform larder.check_user(is_plain, new.user_id, null);
    end if;
    written := to_jsonb(new);
    written := written || larder.page(kind, is_plain, written, null);
    if is_plain then
      if kind = 'InventoryItem' then
        next := greatest(
          next, larder.after(larder.last_count(new.household_id, written #>> '{product_ref,productId}')));
      end if;
      at := larder.instant(case when new.updated_at < larder.now() then new.updated_at else next end);
      document := larder.plain_creation(
        kind, written, larder.instant(least(new.created_at, new.updated_at, larder.now())), at);
    elsif not larder.is_alone(written) then
      document := larder.alone(kind, larder.document(kind, written));
    end if;
    if document is not null then
      written := written || larder.columns(kind, new.household_id, document);
    end if;
    written := larder.complete(kind, written, is_plain, to_jsonb(new), null, at)
      || jsonb_build_object('version', nextval('larder.version'));
    new := jsonb_populate_record(new, written);
    if new.path is not null then perform larder.check_path(new.path); end if;
  else
    named := larder.named(new.version);
    written := to_jsonb(new);
    stored := to_jsonb(old);
    perform larder.check_size(written, stored);
    written := written || larder.page(kind, is_plain, written, stored);
    if not is_plain and written - larder.derived_columns() = stored - larder.derived_columns() then
      return old;
    end if;
    -- The owner of the project may have made it for nobody.
    if is_plain or old.user_id is not null then perform larder.check_user(is_plain, new.user_id, old.user_id); end if;
    known := larder.document(kind, stored);
    if is_plain then
      if named = 'version' then written := larder.merged(kind, tg_table_name, written, stored); end if;
      if current_setting('larder.posted', true) = kind || '/' || new.id::text then
        perform set_config('larder.posted', '', true);
        if larder.is_deleted(kind, stored) and larder.is_deleted(kind, written) then
          raise exception 'the row is deleted, and was written again without a word about that'
            using errcode = 'LA037', hint = case kind
              when 'InventoryItem' then 'Update (PATCH) its status to active, which brings it back.'
              when 'ShoppingListEntry' then 'Update (PATCH) is_deleted to false, which brings it back; or take a new id.'
              when 'Receipt' then 'Update (PATCH) is_deleted to false, which brings it back.'
              else 'Update (PATCH) is_archived to false, which brings it back.'
            end;
        end if;
      end if;
      next := greatest(next, larder.after(old.updated_at));
      if kind = 'InventoryItem' then
        next := greatest(
          next, larder.after(larder.last_count(new.household_id, written #>> '{product_ref,productId}')));
      end if;
      at := larder.instant(next);
      if new.updated_at <> old.updated_at and new.updated_at < larder.now()
        and not larder.was_read(kind, stored, new.updated_at)
      then
        at := larder.instant(new.updated_at);
      end if;
      document := larder.plain_edit(kind, known, larder.document(kind, written), at);
      if named = 'row' then
        perform larder.refuse_old(tg_table_name, stored, larder.taken_back(kind, larder.shaped(kind, written)
          || larder.columns(kind, new.household_id, document)
          || case when written ->> 'status' = 'consumed' then '{"status": "consumed"}' else '{}'::jsonb end, stored));
      end if;
    else
      document := larder.document(kind, written);
    end if;
    document := larder.joined(kind, known, document);
    written := larder.complete(
        kind, written || larder.columns(kind, new.household_id, document), is_plain, written, stored,
        at)
      || jsonb_build_object('path', coalesce(old.path, new.path));
    new := jsonb_populate_record(new, written);
    if old.path is null and new.path is not null then perform larder.check_path(new.path); end if;
    new.updated_at := greatest(new.updated_at, old.updated_at);
    new.version := case
      when document = known and written -> 'page_from' is not distinct from stored -> 'page_from'
        and larder.told(written) = larder.told(stored)
      then old.version else nextval('larder.version') end;
    if kind = 'Household' then new.user_id := old.user_id; end if;
  end if;

  perform larder.check_size(written, stored);
  if kind = 'Household' then
    perform larder.check_format((written ->> 'format')::integer, (stored ->> 'format')::integer);
    -- A device has its own time zone database, and takes a name that it does not know for UTC.
    if is_plain and written -> 'time_zone' is distinct from stored -> 'time_zone'
      and not larder.is_zone(coalesce(written ->> 'time_zone', 'UTC'))
    then
      raise exception 'households: time_zone is a name of the time zone database, such as Europe/London'
        using errcode = '23514';
    end if;
  end if;
  if not is_plain and larder.is_client()
    and new.updated_at > larder.now() + interval '1 day'
  then
    perform larder.check_times(
      new.edited || jsonb_strip_nulls(jsonb_build_object(
        'createdAt', larder.instant(new.created_at),
        'pageFrom', larder.instant((written ->> 'page_from')::timestamptz))),
      (stored -> 'edited') || jsonb_build_object(
        'createdAt', larder.instant((stored ->> 'created_at')::timestamptz),
        'pageFrom', larder.instant((stored ->> 'page_from')::timestamptz)));
  end if;
  return new;
end
$$;
comment on function larder.write_row() is
  'Joins what is written with what is stored, so that no writer takes anything from another.';

-- A deleted row stays as a tombstone, which travels; restoring it is an update.
create function larder.bury() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  kind constant text := tg_argv[0];
begin
  if larder.is_erasing() then return old; end if;
  if kind = 'Household' then
    raise exception 'a household is left, not deleted'
      using errcode = '42501', hint = 'Call leave; the others keep it.';
  end if;
  perform set_config('larder.writing', 'plain', true);
  execute format(
    'update public.%I set %s where household_id = $1 and id = $2', tg_table_name,
    case larder.tombstone(kind)
      when 'isArchived' then 'is_archived = true'
      when 'isDeleted' then 'is_deleted = true'
      else 'status = case when status = ''archived'' then status else ''discarded'' end'
    end) using old.household_id, old.id;
  perform set_config('larder.writing', '', true);
  return null;
end
$$;
comment on function larder.bury() is 'Turns a deletion into the mark of one.';

-- Ledger entries --------------------------------------------------------------------------------------------

-- docs/adoption.md, section 19: so a request counts once in the ledger of an item, whoever serves it.
create function larder.request_id(entry public.quantity_changes) returns uuid
language plpgsql immutable set search_path = ''
as $$
begin
  return extensions.uuid_generate_v5('6c617264-6572-5000-8000-666f726d6174',
    concat_ws('/', 'request', entry.request, entry.entity_id));
end
$$;

-- Refuses an entry of a device for a request that was served, under another id than devices give it: it would count
-- again. One under that id is what a device did before it had heard of the other.
create function larder.check_request(entry public.quantity_changes) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  if entry.request is not null and entry.id <> larder.request_id(entry) and exists (
    select from public.quantity_changes c
    where c.household_id = entry.household_id and c.request = entry.request
      and (c.entity_type, c.entity_id, c.id) is distinct from (entry.entity_type, entry.entity_id, entry.id))
  then
    raise exception 'quantity_changes: this request is served already, and counts once' using errcode = '23505',
      hint = 'The id of an entry follows from its request and item; another change has another request.';
  end if;
end
$$;

-- The entry of a client without stamps, as it is written down.
create function larder.plain_change(entry public.quantity_changes)
returns public.quantity_changes
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  unit text;
  product text;
  is_known boolean;
begin
  entry.delta := larder.counted(to_jsonb(entry.delta), 'quantity_changes: delta');
  entry."set" := larder.counted(to_jsonb(entry."set"), 'quantity_changes: set');
  entry.total := larder.counted(to_jsonb(entry.total), 'quantity_changes: total');
  entry.unit := case when entry.undoes is null then coalesce(entry.unit, 'piece') else entry.unit end;
  if entry.request <> '' then
    entry.id := larder.request_id(entry);
  end if;
  if entry.entity_type = 'StockItem' then
    select true, coalesce(i.unit, 'piece') into is_known, unit from public.stock_items i
    where i.household_id = entry.household_id and i.id = entry.entity_id;
  elsif entry.entity_type = 'InventoryItem' then
    select true, coalesce(i.quantity ->> 'unit', 'piece'), i.product_id into is_known, unit, product
    from public.inventory_items i
    where i.household_id = entry.household_id and i.id = entry.entity_id;
  else
    -- Its constraint has the words.
    return entry;
  end if;
  if is_known is null then
    raise exception 'quantity_changes: entity_id is no % of the household', entry.entity_type
      using errcode = '23514', hint = 'Add the item first; entity_type is InventoryItem for a batch.';
  end if;
  if entry.undoes is null then
    if larder.is_unit(entry.unit) and larder.factor(entry.unit, unit) is null then
      raise exception 'quantity_changes: unit does not convert to that of the item' using errcode = '23514',
        hint = 'Write the item''s own unit, or gram for kilogram, milliliter for liter and the other way round.';
    elsif entry.delta = 0 then
      raise exception 'quantity_changes: delta is not 0, which would change nothing' using errcode = '23514';
    end if;
  end if;
  -- Now is later than all that is written there already, as on every device (FORMAT.md, section 6).
  if entry.at >= larder.now() then
    entry.at := greatest(
      larder.now(),
      larder.after(larder.last_entry(entry.household_id, entry.entity_type, entry.entity_id)),
      larder.after(larder.last_count(entry.household_id, product)));
  end if;
  return entry;
end
$$;

-- Refuses what a client without stamps added in vain. A second one with a request that was served, and a
-- second undo, are no error if the first has the same id: then nothing was added.
create function larder.check_effect(added public.quantity_changes[]) returns void
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  entry public.quantity_changes;
  -- Of the ledger that the loop is at: its last count that was there before.
  ledger text;
  counted_at timestamptz;
  counted_id uuid;
begin
  if exists (
    select c.entity_type, c.entity_id, c.id
    from (select distinct a.household_id, a.request from unnest(added) as a where a.request is not null) as served
    cross join lateral (
      select * from public.quantity_changes c
      where c.household_id = served.household_id and c.request = served.request
      offset 0) as c
    except select a.entity_type, a.entity_id, a.id from unnest(added) as a)
  then
    raise exception 'quantity_changes: this request is served already, and counts once'
      using errcode = '23505', hint = 'Send the entries of one request together, or name another request.';
  end if;
  for entry in
    select * from unnest(added) as a order by a.household_id, a.entity_type, a.entity_id, a.version
  loop
    if ledger is distinct from concat_ws('/', entry.household_id, entry.entity_type, entry.entity_id) then
      ledger := concat_ws('/', entry.household_id, entry.entity_type, entry.entity_id);
      -- The first of those that were added has the smallest version of them.
      select c.at, c.id into counted_at, counted_id from public.quantity_changes c
      where c.household_id = entry.household_id and c.entity_type = entry.entity_type
        and c.entity_id = entry.entity_id and c."set" is not null and c.version < entry.version
        and not exists (
          select from public.quantity_changes u
          where u.household_id = c.household_id and u.entity_type = c.entity_type
            and u.entity_id = c.entity_id and u.undoes = c.id)
      order by c.at desc, c.id desc limit 1;
    end if;
    if entry.undoes is not null then
      if not exists (
        select from public.quantity_changes c
        where c.household_id = entry.household_id and c.entity_type = entry.entity_type
          and c.entity_id = entry.entity_id and c.id = entry.undoes and c.undoes is null)
      then
        raise exception 'quantity_changes: undoes is no count, addition or use of this item'
          using errcode = 'LA039', hint = 'Undo an entry with delta or set; to redo one, write it anew.';
      elsif exists (
        select from public.quantity_changes c
        where c.household_id = entry.household_id and c.entity_type = entry.entity_type
          and c.entity_id = entry.entity_id and c.undoes = entry.undoes and c.id <> entry.id)
      then
        raise exception 'quantity_changes: that entry is undone already' using errcode = 'LA039',
          hint = 'Nothing is left to do.';
      end if;
    elsif counted_at > entry.at
      or counted_at = entry.at and entry."set" is not null and counted_id > entry.id
    then
      raise exception 'quantity_changes: somebody has counted the item since, at a later time'
        using errcode = 'LA039', hint = 'The count has it already. If not, leave at out, which is now.';
    elsif entry.delta < 0 and exists (
      select from public.stock_items i
      where entry.entity_type = 'StockItem' and i.household_id = entry.household_id
        and i.id = entry.entity_id and i.quantity_in_stock < 0
      union all select from public.inventory_items i
      where entry.entity_type = 'InventoryItem' and i.household_id = entry.household_id
        and i.id = entry.entity_id and i.quantity_value < 0)
    then
      raise exception 'quantity_changes: delta takes more than there is' using errcode = 'LA039',
        hint = 'Take no more than there is, or say with set how much is left.';
    end if;
  end loop;
end
$$;

create function larder.write_change() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  ours text;
  theirs text;
begin
  if larder.is_derived() then return new; end if;
  if tg_op = 'INSERT' and new.household_id is null then
    new.household_id := larder.only_household();
  end if;
  if larder.is_user() and not larder.has_entered(new.household_id) then
    perform larder.require_membership(new.household_id);
  end if;
  perform larder.check_size(to_jsonb(new), case when tg_op = 'UPDATE' then to_jsonb(old) end);
  perform larder.enter(new.household_id);
  if tg_op = 'UPDATE' then
    if (new.household_id, new.entity_type, new.entity_id, new.id)
      is distinct from (old.household_id, old.entity_type, old.entity_id, old.id)
    then
      raise exception 'quantity_changes: household_id, entity_type, entity_id and id of an entry never change'
        using errcode = '23514';
    end if;
    if not larder.knows_stamps() then
      if (new.delta, new."set", new.undoes, coalesce(new.unit, 'piece'), new.note, new.receipt, new.total)
        is distinct from
          (old.delta, old."set", old.undoes, coalesce(old.unit, 'piece'), old.note, old.receipt, old.total)
      then
        raise exception 'quantity_changes: an entry is never changed, and there is another one under this id'
          using errcode = '23505', hint = 'Undo it by an entry with undoes, and add another one.';
      elsif old.undoes is null and exists (
        select from public.quantity_changes u
        where u.household_id = old.household_id and u.entity_type = old.entity_type
          and u.entity_id = old.entity_id and u.undoes = old.id)
      then
        raise exception 'quantity_changes: the entry of this id is undone' using errcode = 'LA037',
          hint = 'Add another one, under a new id and without its request.';
      end if;
      return old;
    end if;
    -- Entries stay as they are. Of two that differ under one id the earlier one stands if the id is
    -- derived, then the one with the smaller bytes; else the later one, then the one with the greater.
    ours := concat(larder.instant(old.at), larder.compact(larder.change(old), 'change'));
    theirs := concat(larder.instant(new.at), larder.compact(larder.change(new), 'change'));
    if ours = theirs
      or (ours collate "C" < theirs collate "C") = larder.is_derived_id(old.id)
    then
      return old;
    end if;
    if new.at > greatest(old.at, larder.now() + interval '1 day') then
      perform larder.check_times(jsonb_build_object('at', larder.instant(new.at)), null);
    end if;
  elsif not larder.knows_stamps() then
    new := larder.plain_change(new);
  else
    if larder.is_client() then perform larder.check_request(new); end if;
    -- One that is there already is answered as it is.
    if new.at > larder.now() + interval '1 day' and not exists (
      select from public.quantity_changes c
      where c.household_id = new.household_id and c.entity_type = new.entity_type
        and c.entity_id = new.entity_id and c.id = new.id)
    then
      perform larder.check_times(jsonb_build_object('at', larder.instant(new.at)), null);
    end if;
  end if;
  if new.undoes is null then new.unit := coalesce(new.unit, 'piece'); end if;
  new.version := nextval('larder.version');
  return new;
end
$$;
comment on function larder.write_change() is
  'Keeps ledger entries as they were written, and numbers them in the order of commits.';

create function larder.keep_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if larder.is_erasing() then return old; end if;
  raise exception 'quantity_changes: a ledger entry stays, and is taken back by another one'
    using errcode = '42501', hint = 'Add an entry that names it in undoes.';
end
$$;
comment on function larder.keep_change() is 'A ledger entry is taken back by another one.';

-- The lines of receipts -------------------------------------------------------------------------------------

-- They are rows of their own, for clients that want that. The join is about the receipt's `items`. These rows follow
-- it, and a write to a row is written into `items`.

-- A row as the line it stands for.
create function larder.line(item public.receipt_items) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
      'id', item.id, 'itemName', item.item_name, 'quantity', item.quantity, 'unit', item.unit,
      'itemId', item.item_id, 'price', item.price, 'expiry', item.expiry,
      'location', item.location, 'lot', item.lot))
    || item.extra
$$;

create function larder.follow_lines(receipts public.receipts[]) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.receipt_items as i (
    household_id, receipt_id, id, "position", item_name, quantity, unit, item_id, price, expiry,
    location, lot, extra, is_deleted, version)
  select distinct on (r.household_id, r.id, line ->> 'id') r.household_id, r.id,
    (line ->> 'id')::uuid, place - 1, line ->> 'itemName', (line -> 'quantity')::numeric,
    line ->> 'unit', (line ->> 'itemId')::uuid, (line -> 'price')::numeric, line ->> 'expiry',
    line ->> 'location', line ->> 'lot', line - larder.keys_of('items.'),
    coalesce(r.is_deleted, false), nextval('larder.version')
  from unnest(receipts) as r,
    jsonb_array_elements(coalesce(r.items, '[]')) with ordinality as lines (line, place)
  order by r.household_id, r.id, line ->> 'id', place
  on conflict (household_id, receipt_id, id) do update set
    "position" = excluded."position", item_name = excluded.item_name,
    quantity = excluded.quantity, unit = excluded.unit, item_id = excluded.item_id,
    price = excluded.price, expiry = excluded.expiry, location = excluded.location,
    lot = excluded.lot, extra = excluded.extra, is_deleted = excluded.is_deleted,
    version = excluded.version
  where (
      i."position", i.item_name, i.quantity, i.unit, i.item_id, i.price, i.expiry, i.location, i.lot,
      i.extra, i.is_deleted)
    is distinct from (
      excluded."position", excluded.item_name, excluded.quantity, excluded.unit, excluded.item_id,
      excluded.price, excluded.expiry, excluded.location, excluded.lot, excluded.extra,
      excluded.is_deleted);
  update public.receipt_items i set is_deleted = true, version = nextval('larder.version')
  from unnest(receipts) as r
  where i.household_id = r.household_id and i.receipt_id = r.id and not i.is_deleted
    and not coalesce(r.items, '[]') @> jsonb_build_array(jsonb_build_object('id', i.id));
end
$$;

-- Rows follow the receipts of a statement all at once, and only rows that differ are written.
create function larder.follow_receipts() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  writing constant text := coalesce(current_setting('larder.writing', true), '');
begin
  perform set_config('larder.writing', 'derived', true);
  if tg_op = 'INSERT' then
    perform larder.follow_lines(array(
      select row (w.*)::public.receipts from written w where w.items <> '[]'));
  else
    perform larder.follow_lines(array(
      select row (w.*)::public.receipts from written w
      join replaced r on r.household_id = w.household_id and r.id = w.id
      where w.items is distinct from r.items or w.is_deleted is distinct from r.is_deleted));
  end if;
  perform set_config('larder.writing', writing, true);
  return null;
end
$$;
comment on function larder.follow_receipts() is 'Keeps the rows of receipts'' lines as the receipts have them.';

create function larder.write_line() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  stored constant jsonb := case when tg_op = 'UPDATE' then to_jsonb(old) end;
  named text;
begin
  if larder.is_derived() then return new; end if;
  if tg_op = 'INSERT' and new.household_id is null then
    new.household_id := larder.only_household();
  end if;
  if larder.is_user() then perform larder.require_membership(new.household_id); end if;
  perform larder.check_size(to_jsonb(new), stored);
  perform larder.enter(new.household_id);
  if tg_op = 'UPDATE' and (new.household_id, new.receipt_id, new.id)
    is distinct from (old.household_id, old.receipt_id, old.id)
  then
    raise exception 'receipt_items: household_id, receipt_id and id of a line never change' using errcode = '23514';
  end if;
  if new.household_id is not null and not exists (
    select from public.receipts r where r.household_id = new.household_id and r.id = new.receipt_id)
  then
    raise exception 'receipt_items: receipt_id is no receipt of the household' using errcode = '23503',
      hint = 'Add the receipt first.';
  end if;
  new.quantity := larder.rounded(new.quantity);
  new.price := larder.rounded(new.price);
  if tg_op = 'INSERT' then
    -- The update that this insert becomes needs the version that was written.
    if not exists (
      select from public.receipt_items i
      where i.household_id = new.household_id and i.receipt_id = new.receipt_id and i.id = new.id)
    then
      new.version := nextval('larder.version');
    end if;
    return new;
  end if;
  named := larder.named(new.version);
  if named = 'version' then
    new := jsonb_populate_record(new, larder.merged('ReceiptItem', tg_table_name, to_jsonb(new), stored));
  elsif named = 'row' then
    perform larder.refuse_old(tg_table_name, stored, larder.taken_back('ReceiptItem', to_jsonb(new), stored));
  end if;
  if named <> '' and old.is_deleted and new.is_deleted and larder.told(to_jsonb(new)) <> larder.told(stored) then
    raise exception 'the line is deleted, and was written again without a word about that' using errcode = 'LA037',
      hint = 'Update (PATCH) is_deleted to false, which brings it back.';
  end if;
  new."position" := old."position";
  new.version := case
    when larder.told(to_jsonb(new)) = larder.told(stored) then old.version else nextval('larder.version') end;
  return new;
end
$$;

-- The receipt follows a row that somebody wrote. A deleted receipt keeps its lines, whose rows are
-- all marked as deleted meanwhile.
create function larder.follow_line() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  line jsonb;
  lines jsonb;
begin
  if larder.is_derived() then return null; end if;
  line := larder.line(new);
  select coalesce(items, '[]') into lines from public.receipts
  where household_id = new.household_id and id = new.receipt_id;
  if new.is_deleted and not (tg_op = 'UPDATE' and old.is_deleted) then
    select coalesce(jsonb_agg(element order by place), '[]') into lines
    from jsonb_array_elements(lines) with ordinality as elements (element, place)
    where element ->> 'id' <> new.id::text;
  elsif exists (select from jsonb_array_elements(lines) as l where l ->> 'id' = new.id::text) then
    select jsonb_agg(
      case when element ->> 'id' = new.id::text then line else element end order by place)
    into lines from jsonb_array_elements(lines) with ordinality as elements (element, place);
  elsif not new.is_deleted then
    lines := lines || line;
  end if;
  perform set_config('larder.writing', 'plain', true);
  update public.receipts set items = lines
  where household_id = new.household_id and id = new.receipt_id and items is distinct from lines;
  perform set_config('larder.writing', 'derived', true);
  update public.receipt_items set is_deleted = true, version = nextval('larder.version')
  where household_id = new.household_id and receipt_id = new.receipt_id and id = new.id
    and not is_deleted and exists (
      select from public.receipts r
      where r.household_id = new.household_id and r.id = new.receipt_id and r.is_deleted);
  perform set_config('larder.writing', '', true);
  return null;
end
$$;

create function larder.bury_line() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A receipt that is really gone takes its lines along.
  if larder.is_erasing() or not exists (
    select from public.receipts r where r.household_id = old.household_id and r.id = old.receipt_id)
  then
    return old;
  end if;
  update public.receipt_items set is_deleted = true
  where household_id = old.household_id and receipt_id = old.receipt_id and id = old.id;
  return null;
end
$$;

-- Coming and going ------------------------------------------------------------------------------------------

create function larder.most_invites() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 100 $$;

create function public.create_invite(household uuid, valid_hours integer default 72)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  digits constant text := '23456789abcdefghjkmnpqrstuvwxyz';
  -- 244 bits of chance; 31 letters of each byte below 248, so that all are alike likely.
  chance bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  code text := '';
  expires timestamptz(3);
begin
  perform larder.require_membership(household);
  if valid_hours is null or valid_hours not between 1 and 720 then
    raise exception 'an invitation is good for 1 to 720 hours' using errcode = '22023',
      hint = 'Say for how many in valid_hours.';
  end if;
  perform larder.hold_account(auth.uid());
  perform larder.lock_household(household);
  perform larder.require_membership(household);
  delete from public.household_invites i
  where i.household_id = household and i.expires_at < now() - interval '30 days';
  if larder.most_invites() <= (
    select count(*) from public.household_invites i
    where i.household_id = household and i.accepted_at is null and i.expires_at > now())
  then
    raise exception 'the household has % open invitations, and may have no more', larder.most_invites()
      using errcode = 'LA036', hint = 'Revoke those that nobody needs.';
  end if;
  for place in 0 .. length(chance) - 1 loop
    -- Bytes 6 and 8 of a UUID are not all chance.
    continue when place % 16 in (6, 8) or get_byte(chance, place) >= 248 or length(code) = 20;
    code := code || substr(digits, get_byte(chance, place) % 31 + 1, 1);
  end loop;
  expires := now() + make_interval(hours => valid_hours);
  insert into public.household_invites (household_id, code_hash, created_by, expires_at)
  values (household, sha256(convert_to(code, 'UTF8')), auth.uid(), expires);
  return jsonb_build_object(
    'code', code, 'expires_at', to_char(expires at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end
$$;
comment on function public.create_invite(uuid, integer) is
  'Makes an invitation into a household of the user; its code is good once, for 1 to 720 hours.';

-- The household that a code lets the user into; null if it is good for nothing. Nobody comes by the
-- invitation of somebody who does not belong to the household.
create function larder.invited_into(hash bytea) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return (
    select i.household_id from public.household_invites i
    where i.code_hash = hash and i.expires_at >= now() and case
      when i.accepted_at is not null then i.accepted_by = auth.uid()
      else exists (
        select from public.household_members m
        where m.household_id = i.household_id and m.user_id = i.created_by)
      end);
end
$$;

create function public.accept_invite(code text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  hash bytea;
  household uuid;
  is_open boolean;
  household_name text;
begin
  if auth.uid() is null then
    raise exception 'sign in first' using errcode = '42501';
  end if;
  -- People type what was read to them.
  hash := case when length(code) <= 200
    then sha256(convert_to(lower(regexp_replace(code, '[^0-9A-Za-z]', '', 'g')), 'UTF8')) end;
  household := larder.invited_into(hash);
  if household is not null then
    perform larder.hold_account(auth.uid());
    perform larder.lock_household(household);
    household := larder.invited_into(hash);
  end if;
  if household is null then
    raise exception 'there is no such invitation, or it is not good any more'
      using errcode = 'P0001', hint = 'Ask for a new one: an invitation is good once, for some days.';
  end if;
  select i.accepted_at is null into is_open from public.household_invites i where i.code_hash = hash;
  -- An answer that got lost is asked for again; who has left since needs a new invitation.
  if is_open then
    perform larder.let_in(household);
    update public.household_invites set accepted_by = auth.uid(), accepted_at = now()
    where code_hash = hash;
  else
    perform larder.require_membership(household);
  end if;
  select h.name into household_name from public.households h where h.id = household;
  return jsonb_build_object('household_id', household, 'name', household_name);
end
$$;
comment on function public.accept_invite(text) is
  'Takes the user into the household that a code invites into; says which.';

create function public.invites(household uuid)
returns table (
  id uuid, state text, created_by uuid, created_by_email text, created_at timestamptz,
  expires_at timestamptz, accepted_by uuid, accepted_by_email text, accepted_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform larder.require_membership(household);
  return query
    select i.id,
      case when i.accepted_at is not null then 'accepted'
        when i.expires_at < now() then 'expired' else 'open' end,
      i.created_by, maker.email::text, i.created_at::timestamptz, i.expires_at::timestamptz,
      i.accepted_by, guest.email::text, i.accepted_at::timestamptz
    from public.household_invites i
    left join auth.users maker on maker.id = i.created_by
    left join auth.users guest on guest.id = i.accepted_by
    where i.household_id = household
    order by i.created_at, i.id;
end
$$;
comment on function public.invites(uuid) is
  'The invitations into a household of the user: open, accepted, or expired for less than 30 days.';

create function public.revoke_invite(invite uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  household constant uuid := (select i.household_id from public.household_invites i where i.id = invite);
begin
  -- Of invitations into other households nobody is told whether there are any.
  if household = any (larder.my_households()) then
    perform larder.lock_household(household);
    perform larder.require_membership(household);
    delete from public.household_invites i where i.id = invite and i.accepted_at is null;
    if found then return; end if;
  end if;
  raise exception 'there is no such invitation that is open' using errcode = 'LA034',
    hint = 'Somebody has come by it, or revoked it. Who came by it is removed as a member.';
end
$$;
comment on function public.revoke_invite(uuid) is
  'Makes an open invitation into a household of the user good for nobody.';

create function public.members(household uuid)
returns table (user_id uuid, email text, joined_at timestamptz, is_you boolean)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform larder.require_membership(household);
  return query
    select m.user_id, u.email::text, m.joined_at::timestamptz, m.user_id = auth.uid()
    from public.household_members m join auth.users u on u.id = m.user_id
    where m.household_id = household
    order by m.joined_at, m.user_id;
end
$$;
comment on function public.members(uuid) is
  'Who belongs to a household of the user, and since when, in the order in which they came.';

create function public.leave(household uuid, delete_rows boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform larder.require_membership(household);
  perform larder.hold_account(auth.uid());
  perform larder.lock_household(household);
  perform larder.require_membership(household);
  if exists (
    select from public.household_members m where m.household_id = household and m.user_id <> auth.uid())
  then
    perform larder.let_go(household, auth.uid());
  elsif coalesce(delete_rows, false) then
    perform larder.clear(household);
  else
    raise exception 'you are the last member: with you, all that the project has of the household goes'
      using errcode = 'LA030',
        hint = 'Call leave with delete_rows, or invite somebody who keeps it. Files on devices stay.';
  end if;
  perform larder.keep_for(household, auth.uid());
end
$$;
comment on function public.leave(uuid, boolean) is
  'Takes the user out of a household; where they are the last, its rows are deleted, if delete_rows says so.';

create function public.leave(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$ begin perform public.leave(household, false); end $$;
comment on function public.leave(uuid) is
  'Takes the user out of a household that has other members; nothing of it is readable to them from then on.';

create function public.remove_member(household uuid, member uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  came timestamptz;
begin
  perform larder.require_membership(household);
  perform larder.hold_account(member);
  perform larder.lock_household(household);
  perform larder.require_membership(household);
  if member = auth.uid() then
    raise exception 'who goes by themselves leaves' using errcode = '22023', hint = 'Call leave.';
  end if;
  select m.joined_at into came from public.household_members m
  where m.household_id = household and m.user_id = member;
  -- Whoever it was is gone; the same request again is no mistake.
  if not found then return; end if;
  if came < (
    select m.joined_at from public.household_members m
    where m.household_id = household and m.user_id = auth.uid())
  then
    raise exception 'nobody removes a member who was there before them' using errcode = '42501',
      hint = 'Ask somebody who has belonged to the household for longer.';
  end if;
  -- Whoever is removed may have been told of any code.
  delete from public.household_invites i where i.household_id = household and i.accepted_at is null;
  perform larder.let_go(household, member);
end
$$;
comment on function public.remove_member(uuid, uuid) is
  'Takes somebody out of a household of the user who did not come before the user, and revokes all its open '
  'invitations, of which they may know the codes.';

create function public.delete_account(delete_rows boolean default false) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if auth.uid() is null then
    raise exception 'sign in first' using errcode = '42501';
  end if;
  -- From here on they come into no household, and found none.
  perform from auth.users u where u.id = auth.uid() for update;
  perform larder.take_turns(larder.my_households());
  perform larder.lock_household(m.household_id) from (
    select household_id from public.household_members where user_id = auth.uid()
    order by hashtextextended(household_id::text, 1818325093)) as m;
  if not coalesce(delete_rows, false) and exists (
    select from public.household_members mine
    where mine.user_id = auth.uid() and not exists (
      select from public.household_members other
      where other.household_id = mine.household_id and other.user_id <> auth.uid()))
  then
    raise exception 'you are the last member of a household: with you, all that the project has of it goes'
      using errcode = 'LA030',
        hint = 'Call delete_account with delete_rows, or invite somebody who keeps it. '
          'Files on devices stay.';
  end if;
  delete from auth.users where id = auth.uid();
end
$$;
comment on function public.delete_account(boolean) is
  'Deletes the user''s account; households of which they are the last member go as well, if delete_rows says so.';

-- What the database has -------------------------------------------------------------------------------------

-- How far the tables of a household ever came, for a client that may be ahead of them: a database that was restored
-- from a backup has forgotten rows that the client was told of.

-- A column that is worked out only for who asks for it (`select=id,name,newest` of households):
--   {"origin": "…", "versions": {"stock_items": 812, "receipts": 0, …}}
-- `versions` has the newest version of each table. Rows never go and versions only grow; so one below what
-- a client has read of that table says that the table has lost something. `origin` is another one after
-- a restoring of which PostgreSQL knows (to a point in time, or from a dump), even where new rows have come
-- to the old numbers since. In either case, and where a household was deleted and founded again, the client
-- compares everything anew.
create function public.newest(household public.households) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  own constant uuid := household.id;
begin
  -- A service, and whoever works in the database itself, asks for all of them.
  if coalesce(auth.role(), 'service_role') <> 'service_role'
    and not own = any (larder.my_households_now())
  then
    return null;
  end if;
  -- The comparison says that there is a version, so that the index by versions has all that is asked for.
  return jsonb_build_object(
    'origin', larder.origin(),
    'versions', jsonb_build_object(
      'households', (select coalesce(max(version), 0) from public.households where household_id = own and version >= 0),
      'stock_items', (select coalesce(max(version), 0) from public.stock_items where household_id = own and version >= 0),
      'inventory_items',
        (select coalesce(max(version), 0) from public.inventory_items where household_id = own and version >= 0),
      'storage_locations',
        (select coalesce(max(version), 0) from public.storage_locations where household_id = own and version >= 0),
      'products', (select coalesce(max(version), 0) from public.products where household_id = own and version >= 0),
      'shopping_list_entries',
        (select coalesce(max(version), 0) from public.shopping_list_entries where household_id = own and version >= 0),
      'receipts', (select coalesce(max(version), 0) from public.receipts where household_id = own and version >= 0),
      'quantity_changes',
        (select coalesce(max(version), 0) from public.quantity_changes where household_id = own and version >= 0)));
end
$$;
comment on function public.newest(public.households) is
  'The newest version of each table of a household, and which history of the database has them.';

-- Which history of the database this is: the cluster, its timeline, which a restored cluster leaves, and
-- the tables themselves, which a restored dump makes anew. Where it can't be told, it is always the same.
create function larder.origin() returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return md5(concat_ws('/',
    (select system_identifier from pg_control_system()),
    (select timeline_id from pg_control_checkpoint()),
    'public.households'::regclass::oid, 'public.quantity_changes'::regclass::oid));
exception when insufficient_privilege then
  return md5(concat_ws('/', 'public.households'::regclass::oid, 'public.quantity_changes'::regclass::oid));
end
$$;

-- A page of all rows that a client has not read, whole as the tables have them:
--   {"newest": {"origin": "…", "versions": {"stock_items": 812, …}}, "since": {"stock_items": 812, …},
--    "rows": {"stock_items": [{…}, …], …}, "older": ["…"], "more": false}
-- `since` is what to ask with next, and `more` says whether to ask at once. `newest` is as in the household's
-- row. `older` has the ids of those items and batches here that have ledger entries from before; who did not
-- know of one reads its ledger as well. Who does not belong to the household gets null.
--
-- Versions become visible in their order, so nothing comes to a place that was read. A ledger comes after what
-- it belongs to, and is written before it; so whoever has read all pages has the ledgers of all. A page ends
-- where it has as many rows, or as many bytes, as it may have, but never between rows of one version.
create function public.news(household uuid, since jsonb default '{}', most integer default 2000)
returns json
language plpgsql stable set search_path = ''
as $$
declare
  bytes_left integer := 4194304;
  taken integer := 0;
  ledgers_read constant bigint := coalesce((since ->> 'quantity_changes')::bigint, 0);
  newest jsonb;
  reached jsonb := coalesce(since, '{}');
  kind_table text;
  last bigint;
  one record;
  lines json[];
  names text[] := '{}';
  parts json[] := '{}';
  older text[] := '{}';
  more boolean := false;
begin
  most := least(greatest(coalesce(most, 2000), 1), 10000);
  select public.newest(h) into newest from public.households h where h.household_id = news.household;
  if newest is null then return null; end if;
  foreach kind_table in array array[
    'households', 'stock_items', 'inventory_items', 'storage_locations', 'products', 'shopping_list_entries',
    'receipts', 'quantity_changes']
  loop
    last := coalesce((since ->> kind_table)::bigint, 0);
    continue when last >= (newest -> 'versions' ->> kind_table)::bigint;
    lines := '{}';
    for one in execute format(
      'select t.version, row_to_json(t) as line, t.id::text, %L as ledger from public.%I t '
        'where t.household_id = $1 and t.version > $2 order by t.version fetch first ($3) rows with ties',
      case kind_table when 'stock_items' then 'StockItem' when 'inventory_items' then 'InventoryItem' end, kind_table)
      using household, last, greatest(most - taken, 0)
    loop
      bytes_left := bytes_left - octet_length(one.line::text);
      exit when bytes_left < 0 and one.version > last and taken > 0;
      lines := lines || one.line;
      last := one.version;
      taken := taken + 1;
      continue when one.ledger is null or ledgers_read = 0;
      if exists (
        select from public.quantity_changes c
        where c.household_id = news.household and c.entity_type = one.ledger and c.entity_id = one.id::uuid
          and c.version <= ledgers_read)
      then
        older := older || one.id;
      end if;
    end loop;
    if cardinality(lines) > 0 then
      names := names || kind_table;
      parts := parts || array_to_json(lines);
      reached := reached || jsonb_build_object(kind_table, last);
    end if;
    more := last < (newest -> 'versions' ->> kind_table)::bigint;
    exit when more;
  end loop;
  return json_build_object('newest', newest, 'since', reached,
    'rows', (select coalesce(json_object_agg(p.name, p.part), '{}') from unnest(names, parts) as p (name, part)),
    'older', older, 'more', more);
end
$$;
comment on function public.news(uuid, jsonb, integer) is
  'What is new in a household since the versions of its tables that were read, in pages.';

-- The permissions for all functions, after all of them exist; and the number of the last migration.
create function public.larder_schema() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return jsonb_build_object('number', '20261128140900', 'missing', array(
    select 'the function uuid_generate_v5 of the extension uuid-ossp in the schema extensions'
    where to_regprocedure('extensions.uuid_generate_v5(uuid, text)') is null
    union all
    select case
      when c.oid is null then format('the table %s', needed.kind_table)
      when not c.relrowsecurity then format('row level security of the table %s', needed.kind_table)
      else format('the trigger %s of the table %s', named.trigger, needed.kind_table) end
    from (values
      ('households', '{take_turns,note_row,note_version,write_row,write_row_counts,remember,bury}'::text[]),
      ('stock_items', '{take_turns,note_row,note_version,write_row,write_row_counts,remember,bury,follow_inserted,'
        'follow_updated,want_what_is_new,want_what_ran_out}'),
      ('inventory_items', '{take_turns,note_row,note_version,write_row,write_row_counts,remember,bury,'
        'follow_inserted,follow_updated}'),
      ('storage_locations', '{take_turns,note_row,note_version,write_row,write_row_counts,remember,bury}'),
      ('products', '{take_turns,note_row,note_version,write_row,write_row_counts,remember,bury}'),
      ('shopping_list_entries', '{take_turns,note_row,note_version,write_row,write_row_counts,remember,bury}'),
      ('receipts', '{take_turns,note_row,note_version,write_row,write_row_counts,write_row_lines,remember,bury,'
        'follow_inserted,follow_updated}'),
      ('receipt_items', '{take_turns,note_row,note_version,write_line,remember,follow_line,bury_line}'),
      ('quantity_changes', '{take_turns,write_change,keep_change,add_up_inserted,add_up_updated,follow_inserted,'
        'follow_updated}'),
      ('household_members', '{follow_accounts}'),
      ('household_invites', '{null}')) as needed (kind_table, triggers)
    cross join unnest(needed.triggers) with ordinality as named (trigger, place)
    left join pg_catalog.pg_class c on c.oid = to_regclass(format('public.%I', needed.kind_table))
    where (c.relrowsecurity is not true and named.place = 1)
      or c.relrowsecurity and named.trigger is not null and not exists (
        select from pg_catalog.pg_trigger t
        where t.tgrelid = c.oid and t.tgname = named.trigger and t.tgenabled in ('O', 'A'))));
end
$$;
comment on function public.larder_schema() is
  'The number of the last migration that has run, and what of it is missing: {"number": "…", "missing": ["…"]}.';

-- Triggers --------------------------------------------------------------------------------------------------

-- Triggers of one event run in the order of their names: sums come before what follows from them.
do $$
declare
  kept record;
begin
  for kept in
    select * from (values
      ('households', 'Household'), ('stock_items', 'StockItem'), ('inventory_items', 'InventoryItem'),
      ('storage_locations', 'StorageLocation'), ('products', 'Product'),
      ('shopping_list_entries', 'ShoppingListEntry'), ('receipts', 'Receipt')) as t (kind_table, kind)
  loop
    -- Derived writes need neither, and say the version themselves.
    execute format('create trigger write_row before insert or update on public.%I for each row '
      'when (coalesce(current_setting(''larder.writing'', true), '''') <> ''derived'') '
      'execute function larder.write_row(%L)', kept.kind_table, kept.kind);
    execute format('create trigger write_row_counts before insert or update on public.%I for each row '
      'when (coalesce(current_setting(''larder.writing'', true), '''') <> ''derived'') '
      'execute function larder.check_counts(%L)', kept.kind_table, kept.kind);
    execute format('create trigger bury before delete on public.%I '
      'for each row execute function larder.bury(%L)', kept.kind_table, kept.kind);
  end loop;
  for kept in
    select * from (values
      ('households', 'Household'), ('stock_items', 'StockItem'), ('inventory_items', 'InventoryItem'),
      ('storage_locations', 'StorageLocation'), ('products', 'Product'),
      ('shopping_list_entries', 'ShoppingListEntry'), ('receipts', 'Receipt'),
      ('receipt_items', 'ReceiptItem')) as t (kind_table, kind)
  loop
    execute format('create trigger note_row before update of household_id, id%s on public.%I for each row '
      'when (coalesce(current_setting(''larder.writing'', true), '''') <> ''derived'') '
      'execute function larder.note(''row'')',
      case kept.kind when 'ReceiptItem' then ', receipt_id' else ', created_at' end, kept.kind_table);
    execute format('create trigger note_version before update of version on public.%I for each row '
      'when (coalesce(current_setting(''larder.writing'', true), '''') <> ''derived'') '
      'execute function larder.note(''version'')', kept.kind_table);
    execute format('create trigger remember after update on public.%I for each row '
      'when (old.version is distinct from new.version) execute function larder.remember(%L)',
      kept.kind_table, kept.kind);
  end loop;
end
$$;

do $$
declare
  entity_table text;
begin
  foreach entity_table in array array[
    'households', 'stock_items', 'inventory_items', 'storage_locations', 'products', 'shopping_list_entries',
    'receipts', 'receipt_items', 'quantity_changes']
  loop
    execute format('create trigger take_turns before insert or update or delete on public.%I '
      'for each statement execute function larder.take_turns()', entity_table);
  end loop;
end
$$;

create trigger follow_inserted after insert on public.stock_items
  referencing new table as written
  for each statement execute function larder.follow_claims();
create trigger follow_updated after update on public.stock_items
  referencing old table as replaced new table as written
  for each statement execute function larder.follow_claims();
create trigger want_what_is_new after insert on public.stock_items
  referencing new table as written
  for each statement execute function larder.want_what_is_new();
create trigger want_what_ran_out after update on public.stock_items
  referencing old table as replaced new table as written
  for each statement execute function larder.want_what_ran_out();

create trigger follow_inserted after insert on public.inventory_items
  referencing new table as written
  for each statement execute function larder.follow_batches();
create trigger follow_updated after update on public.inventory_items
  referencing old table as replaced new table as written
  for each statement execute function larder.follow_batches();

create trigger write_change before insert or update on public.quantity_changes
  for each row execute function larder.write_change();
create trigger keep_change before delete on public.quantity_changes
  for each row execute function larder.keep_change();
create trigger add_up_inserted after insert on public.quantity_changes
  referencing new table as written
  for each statement execute function larder.add_up();
create trigger add_up_updated after update on public.quantity_changes
  referencing old table as replaced new table as written
  for each statement execute function larder.add_up_anew();
create trigger follow_inserted after insert on public.quantity_changes
  referencing new table as written
  for each statement execute function larder.follow_ledgers();
create trigger follow_updated after update on public.quantity_changes
  referencing new table as written
  for each statement execute function larder.follow_ledgers();

create trigger write_row_lines before insert or update of items on public.receipts
  for each row execute function larder.check_lines();
create trigger follow_inserted after insert on public.receipts
  referencing new table as written
  for each statement execute function larder.follow_receipts();
create trigger follow_updated after update on public.receipts
  referencing old table as replaced new table as written
  for each statement execute function larder.follow_receipts();
-- Derived writes need neither.
create trigger write_line before insert or update on public.receipt_items
  for each row when (coalesce(current_setting('larder.writing', true), '') <> 'derived')
  execute function larder.write_line();
create trigger follow_line after insert or update on public.receipt_items
  for each row when (coalesce(current_setting('larder.writing', true), '') <> 'derived')
  execute function larder.follow_line();
create trigger bury_line before delete on public.receipt_items
  for each row execute function larder.bury_line();

create trigger follow_accounts after delete on public.household_members
  referencing old table as gone for each statement execute function larder.follow_accounts();

-- Rights ----------------------------------------------------------------------------------------------------

-- Members may do everything in their household, others nothing.
--
-- The call that says which households are the user's is in the policy itself, not in a subquery. So the planner knows
-- the households, and how many rows they have. Otherwise it would expect few rows for a page, and read all rows to
-- sort them.
do $$
declare
  entity_table text;
  mine text;
  added text;
begin
  foreach entity_table in array array[
    'households', 'stock_items', 'inventory_items', 'storage_locations', 'products', 'shopping_list_entries',
    'receipts', 'receipt_items', 'quantity_changes']
  loop
    execute format('alter table public.%I enable row level security', entity_table);
    execute format('revoke all on public.%I from anon, authenticated, public', entity_table);
    execute format('grant select, insert, update, delete on public.%I to authenticated, service_role', entity_table);
    if entity_table = 'households' then
      mine := 'household_id = any (larder.my_households_now())';
      added := 'larder.is_mine(household_id)';
    else
      mine := 'household_id = any (larder.my_households())';
      added := 'household_id = any ((select larder.my_households())::uuid[])';
    end if;
    execute format('create policy members_read on public.%I for select to authenticated using (%s)',
      entity_table, mine);
    execute format('create policy members_add on public.%I for insert to authenticated with check (%s)',
      entity_table, added || case entity_table when 'households' then ' and user_id = (select auth.uid())' else '' end);
    execute format('create policy members_change on public.%I for update to authenticated '
      'using (%s and larder.is_locked(household_id)) with check (%s)', entity_table, mine, added);
    execute format('create policy members_delete on public.%I for delete to authenticated '
      'using (%s and larder.is_locked(household_id))', entity_table, mine);
  end loop;
end
$$;

alter table public.household_members enable row level security;
alter table public.household_invites enable row level security;
revoke all on public.household_members, public.household_invites from anon, authenticated, public;
grant select on public.household_members to authenticated, service_role;
-- Clients do not need the hashes of codes.
grant select (id, household_id, created_by, created_at, expires_at, accepted_by, accepted_at)
  on public.household_invites to authenticated, service_role;
create policy members_read on public.household_members for select to authenticated
  using (household_id = any (larder.my_households()));
create policy members_read on public.household_invites for select to authenticated
  using (household_id = any (larder.my_households()));

revoke all on function
  public.create_invite(uuid, integer), public.accept_invite(text), public.invites(uuid), public.revoke_invite(uuid),
  public.members(uuid), public.leave(uuid), public.leave(uuid, boolean), public.remove_member(uuid, uuid),
  public.delete_account(boolean), public.newest(public.households),
  public.news(uuid, jsonb, integer), public.larder_schema()
  from public, anon;
grant execute on function
  public.create_invite(uuid, integer), public.accept_invite(text), public.invites(uuid), public.revoke_invite(uuid),
  public.members(uuid), public.leave(uuid), public.leave(uuid, boolean), public.remove_member(uuid, uuid),
  public.delete_account(boolean), public.newest(public.households),
  public.news(uuid, jsonb, integer), public.larder_schema()
  to authenticated, service_role;

revoke all on all functions in schema larder from public, anon, authenticated;
-- Policies, defaults and constraints call functions with the rights of the user who writes.
do $$
declare
  called record;
begin
  for called in
    select oid::regprocedure as name from pg_proc
    where pronamespace = 'larder'::regnamespace
      and (provolatile = 'i'
        or proname in ('my_households', 'my_households_now', 'is_mine', 'is_locked', 'now', 'refuse'))
  loop
    execute format('grant execute on function %s to authenticated, service_role', called.name);
  end loop;
end
$$;

-- Realtime --------------------------------------------------------------------------------------------------

-- A project tells what is written to these tables to whoever may read it, while they listen. No row is deleted but with
-- its household; listeners are told the ids of such rows without being asked who they are.
do $$
begin
  if exists (select from pg_publication where pubname = 'supabase_realtime' and not puballtables) then
    alter publication supabase_realtime add table
      public.households, public.stock_items, public.inventory_items, public.storage_locations, public.products,
      public.shopping_list_entries, public.receipts, public.receipt_items, public.quantity_changes;
  end if;
end
$$;
