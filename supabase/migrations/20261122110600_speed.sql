-- Makes writing 500 receipts of 20 lines in one request fast enough; a hosted project allows 8
-- seconds.

-- Functions of one query call each other for every row and every line. SQL functions would be
-- planned again for each call from inside another one. In PL/pgSQL, a session keeps their plans.
do $$
declare
  slow record;
begin
  for slow in
    select p.prosrc, pg_get_functiondef(p.oid) as definition
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'larder'::regnamespace and l.lanname = 'sql'
      and not exists (select from pg_type t where t.oid = any (p.proargtypes) and t.typtype = 'c')
      and p.prorettype <> 'void'::regtype
  loop
    execute replace(
      regexp_replace(slow.definition, 'LANGUAGE sql', 'LANGUAGE plpgsql'),
      slow.prosrc,
      E'\n#variable_conflict use_column\nbegin return (' || rtrim(slow.prosrc, E' \n;') || E'\n); end\n');
  end loop;
end
$$;

-- As before, but a line is checked in one expression, and usual values need no other function:
-- numbers below a billion, and days that every month has.
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
        or line ->> 'unit' not in ('piece', 'gram', 'kilogram', 'milliliter', 'liter', 'pack')
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
drop function if exists larder.is_line(jsonb);

-- Rows follow the receipts of a statement all at once, and only rows that differ are written.
create or replace function larder.follow_receipts() returns trigger
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

create or replace function larder.follow_lines(receipts public.receipts[]) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.receipt_items as i (
    household_id, receipt_id, id, "position", item_name, quantity, unit, item_id, price, expiry,
    location, lot, extra, is_deleted)
  select distinct on (r.household_id, r.id, line ->> 'id') r.household_id, r.id,
    (line ->> 'id')::uuid, place - 1, line ->> 'itemName', (line -> 'quantity')::numeric,
    line ->> 'unit', (line ->> 'itemId')::uuid, (line -> 'price')::numeric, line ->> 'expiry',
    line ->> 'location', line ->> 'lot', line - larder.keys_of('items.'),
    coalesce(r.is_deleted, false)
  from unnest(receipts) as r,
    jsonb_array_elements(coalesce(r.items, '[]')) with ordinality as lines (line, place)
  order by r.household_id, r.id, line ->> 'id', place
  on conflict (household_id, receipt_id, id) do update set
    "position" = excluded."position", item_name = excluded.item_name,
    quantity = excluded.quantity, unit = excluded.unit, item_id = excluded.item_id,
    price = excluded.price, expiry = excluded.expiry, location = excluded.location,
    lot = excluded.lot, extra = excluded.extra, is_deleted = excluded.is_deleted
  where (
      i."position", i.item_name, i.quantity, i.unit, i.item_id, i.price, i.expiry, i.location, i.lot,
      i.extra, i.is_deleted)
    is distinct from (
      excluded."position", excluded.item_name, excluded.quantity, excluded.unit, excluded.item_id,
      excluded.price, excluded.expiry, excluded.location, excluded.lot, excluded.extra,
      excluded.is_deleted);
  update public.receipt_items i set is_deleted = true
  from unnest(receipts) as r
  where i.household_id = r.household_id and i.receipt_id = r.id and not i.is_deleted
    and not coalesce(r.items, '[]') @> jsonb_build_array(jsonb_build_object('id', i.id));
end
$$;

drop trigger if exists follow_receipt on public.receipts;
drop function if exists larder.follow_receipt();
create or replace trigger follow_inserted after insert on public.receipts
  referencing new table as written
  for each statement execute function larder.follow_receipts();
create or replace trigger follow_updated after update on public.receipts
  referencing old table as replaced new table as written
  for each statement execute function larder.follow_receipts();

-- Derived writes need neither.
create or replace trigger write_line before insert or update on public.receipt_items
  for each row when (coalesce(current_setting('larder.writing', true), '') <> 'derived')
  execute function larder.write_line();
create or replace trigger follow_line after insert or update on public.receipt_items
  for each row when (coalesce(current_setting('larder.writing', true), '') <> 'derived')
  execute function larder.follow_line();
