-- The values that the format allows, for the constraints of tables, and their written form.
-- FORMAT.md, sections 2 and 3.

-- Functions that run for every row are in PL/pgSQL, which keeps their plans. SQL functions inside
-- one another would be planned again for each call.

-- The text of an instant, in an order that is the order of instants. The year 0000 is 1 BC. Times
-- before that stay, so that they can be refused.
create or replace function larder.instant(moment timestamptz) returns text
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

create or replace function larder.moment(instant text) returns timestamptz
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case
    when instant like '0000-%' then ('0001' || substr(instant, 5) || ' BC')::timestamptz
    else instant::timestamptz
  end;
end
$$;

-- 1 ms after the last instant is the last one again.
create or replace function larder.after(moment timestamptz) returns timestamptz
language sql immutable parallel safe set search_path = ''
as $$ select least(moment + interval '1 ms', '9998-12-31T23:59:59.999Z'::timestamptz) $$;

create or replace function larder.now() returns timestamptz
language sql stable set search_path = ''
as $$ select date_trunc('milliseconds', statement_timestamp()) $$;

create or replace function larder.is_day(value text) returns boolean
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

create or replace function larder.is_instant(value text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$'
    and value < '9999' and larder.is_day(substr(value, 1, 10));
end
$$;

create or replace function larder.is_moment(value timestamptz) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select value >= '0001-01-01T00:00:00Z BC'::timestamptz
    and value < '9999-01-01T00:00:00Z'::timestamptz
$$;

-- At most 15 digits, six of them decimals.
create or replace function larder.is_number(value numeric) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select scale(trim_scale(value)) <= 6
    and abs(value) < 1000000000000000
    and abs(value) < power(10::numeric, 15 - scale(trim_scale(value)))
$$;

-- Clients read 64 levels; a row is inside an answer, and an entry inside a file.
create or replace function larder.is_flat(value jsonb) returns boolean
language sql immutable parallel safe set search_path = ''
as $$ select not jsonb_path_exists(value, 'strict $.**{61 to last}') $$;

create or replace function larder.is_unit(value text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$ select value in ('piece', 'gram', 'kilogram', 'milliliter', 'liter', 'pack') $$;

create or replace function larder.is_uuid(value text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$ select value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' $$;

-- A text as an id; null where it is none.
create or replace function larder.uuid_of(value text) returns uuid
language sql immutable parallel safe set search_path = ''
as $$ select case when larder.is_uuid(value) then value::uuid end $$;

-- Whether a value is an object with the times at which a row's fields were written.
create or replace function larder.are_stamps(value jsonb) returns boolean
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
create or replace function larder.are_references(value jsonb) returns boolean
language sql immutable strict parallel safe set search_path = ''
as $$
  select jsonb_typeof(value) = 'array' and not exists (
    select from jsonb_array_elements(value) as reference
    where jsonb_typeof(reference) <> 'string' or reference = '""'
  )
$$;

-- Whether the members that are there have a type; a text that is a name is not empty.
create or replace function larder.has_texts(value jsonb, variadic names text[]) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select not exists (
    select from unnest(names) as name where value ? name and jsonb_typeof(value -> name) <> 'string'
  )
$$;

create or replace function larder.is_product_ref(value jsonb) returns boolean
language sql immutable strict parallel safe set search_path = ''
as $$
  select jsonb_typeof(value) = 'object'
    and coalesce(jsonb_typeof(value -> 'productId') = 'string', false)
    and value ->> 'productId' <> ''
    and (not value ? 'snapshot' or (
      jsonb_typeof(value -> 'snapshot') = 'object'
      and larder.has_texts(value -> 'snapshot', 'title', 'brand', 'imageURL')))
$$;

create or replace function larder.is_date_info(value jsonb, is_instant boolean) returns boolean
language sql immutable strict parallel safe set search_path = ''
as $$
  select jsonb_typeof(value) = 'object'
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
    end
$$;

create or replace function larder.is_line(value jsonb) returns boolean
language sql immutable strict parallel safe set search_path = ''
as $$
  select jsonb_typeof(value) = 'object'
    and larder.has_texts(
      value, 'id', 'itemName', 'unit', 'itemId', 'expiry', 'location', 'lot')
    and coalesce(larder.is_uuid(value ->> 'id'), false)
    and coalesce(value ->> 'itemName' <> '', false)
    and case
      when coalesce(jsonb_typeof(value -> 'quantity') <> 'number', true) then false
      else (value -> 'quantity')::numeric >= 0 and larder.is_number((value -> 'quantity')::numeric)
    end
    and (not value ? 'unit' or larder.is_unit(value ->> 'unit'))
    and (not value ? 'itemId' or larder.is_uuid(value ->> 'itemId'))
    and (not value ? 'expiry' or larder.is_day(value ->> 'expiry'))
    and case
      when not value ? 'price' then true
      when jsonb_typeof(value -> 'price') <> 'number' then false
      else larder.is_number((value -> 'price')::numeric)
    end
$$;

create or replace function larder.are_lines(value jsonb) returns boolean
language sql immutable strict parallel safe set search_path = ''
as $$
  select jsonb_typeof(value) = 'array' and not exists (
    select from jsonb_array_elements(value) as line where not larder.is_line(line)
  )
$$;

-- Rounded half to even, at the sixth decimal.
create or replace function larder.rounded(value numeric) returns numeric
language sql immutable parallel safe set search_path = ''
as $$
  select trim_scale(case
    when abs(value - trunc(value, 6)) = 0.0000005 and trunc(value, 6) * 1000000 % 2 = 0
    then trunc(value, 6)
    else round(value, 6)
  end)
$$;

-- The factor from one unit to another; null if they do not convert.
create or replace function larder.factor(unit text, wanted text) returns numeric
language sql immutable parallel safe set search_path = ''
as $$
  select case
    when unit = wanted then 1
    when (unit, wanted) in (('kilogram', 'gram'), ('liter', 'milliliter')) then 1000
    when (unit, wanted) in (('gram', 'kilogram'), ('milliliter', 'liter')) then 0.001
  end
$$;

-- Canonical bytes ---------------------------------------------------------------------------------

-- The keys that come first in an object of a known shape, in their order.
create or replace function larder.keys_of(shape text) returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select case shape
    when 'productRef' then array['productId', 'snapshot']
    when 'productRef.snapshot' then array['title', 'brand', 'imageURL']
    when 'quantity' then array['value', 'unit']
    when 'expiryInfo' then array['kind', 'rawText', 'confidence', 'isoDate']
    when 'openedInfo' then array['kind', 'rawText', 'confidence', 'isoDate']
    when 'items.' then
      array['id', 'itemName', 'quantity', 'unit', 'itemId', 'price', 'expiry', 'location', 'lot']
    when 'change' then
      array['id', 'at', 'delta', 'set', 'undoes', 'unit', 'why', 'by', 'request', 'receipt', 'note']
    else '{}'
  end
$$;

create or replace function larder.compact(value jsonb, shape text default '') returns text
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
create or replace function larder.canonical(value jsonb, shape text, depth integer default 1)
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
  'The canonical bytes of a value (FORMAT.md, section 2), which decide where times are equal.';
