-- What no file may have more of (FORMAT.md, section 9), no row gets: nobody could take it.
--
--   LA005  a file's object, or `edited`, has more than 1,000 keys
--   LA006  a receipt has more than 10,000 lines
--   LA007  a ledger has more than 100,000 entries
-- What is stored already and has more stays, and does not grow.

-- The keys that the file of a row has, with those that Larder writes itself.
create or replace function larder.key_count(kind text, made jsonb) returns bigint
language sql immutable parallel safe set search_path = ''
as $$
  select (select count(*) from jsonb_object_keys(made -> 'extra'))
    + (select count(*) from jsonb_object_keys(larder.fields(kind)) as name
      where made -> name is distinct from 'null')
    + cardinality(larder.bookkeeping(kind))
    + (kind in ('InventoryItem', 'StorageLocation') and not made -> 'extra' ? 'householdId')::integer
$$;

-- Its name makes it run after write_row, so it sees the joined row.
create or replace function larder.check_counts() returns trigger
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

create or replace function larder.check_lines() returns trigger
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

-- It runs once for each ledger that a statement adds to, not for each entry.
create or replace function larder.check_ledgers() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
begin
  if exists (
    select from (select distinct household_id, entity_type, entity_id from written) as grown
    where 100000 < (
      select count(*) from (
        select from public.quantity_changes c
        where (c.household_id, c.entity_type, c.entity_id)
          = (grown.household_id, grown.entity_type, grown.entity_id)
        limit 100001) as entry))
  then
    raise exception 'a ledger has more than 100000 entries'
      using errcode = 'LA007', hint = 'Archive the item, and go on with a new one.';
  end if;
  return null;
end
$$;

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
    execute format(
      'create or replace trigger write_row_counts before insert or update on public.%I '
        'for each row execute function larder.check_counts(%L)', kept.kind_table, kept.kind);
  end loop;
end
$$;
create or replace trigger write_row_lines before insert or update of items on public.receipts
  for each row execute function larder.check_lines();
create or replace trigger check_ledgers after insert on public.quantity_changes
  referencing new table as written
  for each statement execute function larder.check_ledgers();
