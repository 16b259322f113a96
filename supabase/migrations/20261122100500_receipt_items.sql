-- The lines of receipts as rows of their own, for clients that want that. The join is about the
-- receipt's `items`. These rows follow it, and a write to a row is written into `items`.

-- A row as the line it stands for.
create or replace function larder.line(item public.receipt_items) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
      'id', item.id, 'itemName', item.item_name, 'quantity', item.quantity, 'unit', item.unit,
      'itemId', item.item_id, 'price', item.price, 'expiry', item.expiry,
      'location', item.location, 'lot', item.lot))
    || item.extra
$$;

-- Rows follow the receipt.
create or replace function larder.follow_receipt() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  writing text := coalesce(current_setting('larder.writing', true), '');
begin
  if tg_op = 'UPDATE' and new.items is not distinct from old.items
    and new.is_deleted is not distinct from old.is_deleted
  then
    return null;
  end if;
  perform set_config('larder.writing', 'derived', true);
  insert into public.receipt_items as i (
    household_id, receipt_id, id, "position", item_name, quantity, unit, item_id, price, expiry,
    location, lot, extra, is_deleted)
  select distinct on (line ->> 'id') new.household_id, new.id, (line ->> 'id')::uuid, place - 1,
    line ->> 'itemName', (line -> 'quantity')::numeric, line ->> 'unit', (line ->> 'itemId')::uuid,
    (line -> 'price')::numeric, line ->> 'expiry', line ->> 'location', line ->> 'lot',
    line - larder.keys_of('items.'), coalesce(new.is_deleted, false)
  from jsonb_array_elements(coalesce(new.items, '[]')) with ordinality as lines (line, place)
  order by line ->> 'id', place
  on conflict (household_id, receipt_id, id) do update set
    "position" = excluded."position", item_name = excluded.item_name,
    quantity = excluded.quantity, unit = excluded.unit, item_id = excluded.item_id,
    price = excluded.price, expiry = excluded.expiry, location = excluded.location,
    lot = excluded.lot, extra = excluded.extra, is_deleted = excluded.is_deleted;
  update public.receipt_items i set is_deleted = true
  where i.household_id = new.household_id and i.receipt_id = new.id and not i.is_deleted
    and not i.id::text in (
      select line ->> 'id' from jsonb_array_elements(coalesce(new.items, '[]')) as line);
  perform set_config('larder.writing', writing, true);
  return null;
end
$$;

-- The receipt follows a row that somebody wrote. A deleted receipt keeps its lines, whose rows are
-- all marked as deleted meanwhile.
create or replace function larder.follow_line() returns trigger
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
  update public.receipt_items set is_deleted = true
  where household_id = new.household_id and receipt_id = new.receipt_id and id = new.id
    and not is_deleted and exists (
      select from public.receipts r
      where r.household_id = new.household_id and r.id = new.receipt_id and r.is_deleted);
  perform set_config('larder.writing', '', true);
  return null;
end
$$;

create or replace function larder.write_line() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if larder.is_derived() then return new; end if;
  if tg_op = 'UPDATE' and (new.household_id, new.receipt_id, new.id)
    is distinct from (old.household_id, old.receipt_id, old.id)
  then
    raise exception 'the id of a row never changes' using errcode = '23514';
  end if;
  if tg_op = 'UPDATE' then new."position" := old."position"; end if;
  new.quantity := larder.rounded(new.quantity);
  new.price := larder.rounded(new.price);
  return new;
end
$$;

create or replace function larder.bury_line() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A receipt that is really gone takes its lines along.
  if not exists (
    select from public.receipts r where r.household_id = old.household_id and r.id = old.receipt_id)
  then
    return old;
  end if;
  update public.receipt_items set is_deleted = true
  where household_id = old.household_id and receipt_id = old.receipt_id and id = old.id;
  return null;
end
$$;

create or replace trigger follow_receipt after insert or update on public.receipts
  for each row execute function larder.follow_receipt();
create or replace trigger take_turns before insert or update or delete on public.receipt_items
  for each statement execute function larder.take_turns();
create or replace trigger write_line before insert or update on public.receipt_items
  for each row execute function larder.write_line();
create or replace trigger follow_line after insert or update on public.receipt_items
  for each row execute function larder.follow_line();
create or replace trigger bury_line before delete on public.receipt_items
  for each row execute function larder.bury_line();
