-- Clients that know of one user and no households: what they write without `household_id` belongs to the
-- user's only household.
--
--   LA032  a row names no household, and its user belongs to none
--   LA033  a row names no household, and its user belongs to several

create or replace function larder.only_household() returns uuid
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

do $$
declare
  kind_table text;
begin
  foreach kind_table in array array[
    'stock_items', 'inventory_items', 'storage_locations', 'products', 'shopping_list_entries',
    'receipts', 'receipt_items', 'quantity_changes']
  loop
    execute format('comment on column public.%I.household_id is %L', kind_table,
      'The household it belongs to; left out, the user''s only one.');
  end loop;
  foreach kind_table in array array[
    'households', 'storage_locations', 'products', 'shopping_list_entries', 'receipts',
    'quantity_changes']
  loop
    execute format('comment on column public.%I.version is %L', kind_table,
      'Grows with every change of the row, in the order of commits.');
  end loop;
  foreach kind_table in array array['stock_items', 'inventory_items'] loop
    execute format('comment on column public.%I.version is %L', kind_table,
      'Grows with every change of what somebody wrote here, in the order of commits. Quantities, and what '
      'is told by them, change without it: whoever keeps them asks for quantity_changes by version.');
  end loop;
end
$$;
comment on table public.quantity_changes is
  'The ledgers: what came and went. Entries are added, never changed; the quantities follow. Where two were '
  'made under one id, the one that happened first stands, here as in every file.';
