-- Units of a household's own (FORMAT.md, section 3).

-- In canonical form: other spellings of the known units, which files may have, are refused here.
create or replace function larder.is_unit(value text) returns boolean
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

-- As before, but for the units.
create or replace function larder.are_lines(value jsonb) returns boolean
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
