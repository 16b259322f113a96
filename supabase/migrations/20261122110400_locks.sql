-- A write takes turns with the writes of its household, and with nobody else's, whoever writes.
--
-- The lock is taken before the first row is: by the trigger, where a row is added (upserts do that first),
-- and while rows are looked for that are to change. One who held a row and then waited for the household
-- would have to be told from one who has the household and waits for that row. A service is above
-- policies, so its updates do just that: where two wait for each other, PostgreSQL ends one of them
-- (40P01), and it tries again. The same holds for a request that writes several households.

do $$
declare
  entity_table text;
begin
  foreach entity_table in array array[
    'households', 'stock_items', 'inventory_items', 'storage_locations', 'products',
    'shopping_list_entries', 'receipts', 'receipt_items', 'quantity_changes']
  loop
    execute format('drop trigger if exists take_turns on public.%I', entity_table);
  end loop;
end
$$;
drop function if exists larder.take_turns();

create or replace function larder.lock_household(household uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(household::text, 1818325093));
end
$$;

-- True once the household is locked for the transaction; policies call it for the rows that are to
-- change.
create or replace function larder.is_locked(household uuid) returns boolean
language plpgsql volatile security definer cost 10000 set search_path = ''
as $$
begin
  perform larder.lock_household(household);
  return true;
end
$$;

do $$
declare
  entity_table text;
  mine text;
begin
  foreach entity_table in array array[
    'households', 'stock_items', 'inventory_items', 'storage_locations', 'products',
    'shopping_list_entries', 'receipts', 'receipt_items', 'quantity_changes']
  loop
    mine := format('household_id = any (larder.%I()) and larder.is_locked(household_id)',
      case entity_table when 'households' then 'my_households_now' else 'my_households' end);
    execute format('alter policy members_change on public.%I using (%s)', entity_table, mine);
    execute format('alter policy members_delete on public.%I using (%s)', entity_table, mine);
  end loop;
end
$$;
