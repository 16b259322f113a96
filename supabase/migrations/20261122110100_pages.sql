-- Indexes and policies with which a page of a household costs as much as the page has rows, however
-- many rows the household and the project have.

-- "is not null" is true for every row, and follows from any comparison. Without it, plans made
-- while a table was small would use these indexes to look up a row by its id.
do $$
declare
  wanted record;
begin
  for wanted in
    select kind_table || '_by_version' as name, kind_table, 'version' as ordered
    from unnest(array[
      'households', 'stock_items', 'inventory_items', 'storage_locations', 'products',
      'shopping_list_entries', 'receipts', 'quantity_changes']) as kind_table
    union all select kind_table || '_by_update', kind_table, 'updated_at'
    from unnest(array[
      'households', 'stock_items', 'inventory_items', 'storage_locations', 'products',
      'shopping_list_entries', 'receipts']) as kind_table
    union all values ('inventory_items_by_product', 'inventory_items', 'product_id')
  loop
    continue when exists (
      select from pg_indexes i
      where i.schemaname = 'public' and i.indexname = wanted.name and i.indexdef like '%IS NOT NULL%');
    execute format('drop index if exists public.%I', wanted.name);
    execute format('create index %I on public.%I (household_id, %I) where %3$I is not null',
      wanted.name, wanted.kind_table, wanted.ordered);
  end loop;
end
$$;
create index if not exists household_invites_by_maker on public.household_invites (created_by);
create index if not exists household_invites_by_guest on public.household_invites (accepted_by);

-- The same, including a household that the current statement creates. It is declared stable because
-- it is called once for a reading; the function that it calls reads anew each time.
create or replace function larder.households_there() returns uuid[]
language plpgsql volatile security definer set search_path = ''
as $$ begin return larder.my_households(); end $$;
create or replace function larder.my_households_now() returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$ begin return larder.households_there(); end $$;

-- The call is in the policy itself, not in a subquery. So the planner knows the households, and how
-- many rows they have. Otherwise it would expect few rows for a page, and read all rows to sort
-- them.
do $$
declare
  entity_table text;
begin
  foreach entity_table in array array[
    'households', 'stock_items', 'inventory_items', 'storage_locations', 'products',
    'shopping_list_entries', 'receipts', 'receipt_items', 'quantity_changes']
  loop
    execute format('drop policy if exists members_read on public.%I', entity_table);
    execute format(
      'create policy members_read on public.%I for select to authenticated '
        'using (household_id = any (larder.%I()))',
      entity_table,
      case entity_table when 'households' then 'my_households_now' else 'my_households' end);
  end loop;
end
$$;
drop policy if exists members_read on public.household_members;
create policy members_read on public.household_members for select to authenticated
  using (household_id = any (larder.my_households()));
drop policy if exists members_read on public.household_invites;
create policy members_read on public.household_invites for select to authenticated
  using (household_id = any (larder.my_households()));
