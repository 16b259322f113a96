-- What becomes of a household that nobody belongs to.
--
-- Nobody reads the rows of a household without members. So they go with the last member who leaves or
-- whose account is deleted, and its id is free: whoever has its files founds it again with them. A
-- stranger who knows the id founds a household with nothing in it.

create or replace function larder.is_erasing() returns boolean
language sql stable set search_path = ''
as $$ select coalesce(current_setting('larder.writing', true), '') = 'erasing' $$;

-- Deletes everything of a household, and its memberships. The owner of a project calls it for a
-- household that a stranger created. Then the household's own people create it again with their
-- files.
create or replace function larder.erase(household uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  writing constant text := coalesce(current_setting('larder.writing', true), '');
  kind_table text;
begin
  perform larder.lock_household(household);
  perform set_config('larder.writing', 'erasing', true);
  foreach kind_table in array array[
    'receipt_items', 'quantity_changes', 'stock_items', 'inventory_items', 'storage_locations',
    'products', 'shopping_list_entries', 'receipts', 'households', 'household_invites',
    'household_members']
  loop
    execute format('delete from public.%I where household_id = $1', kind_table) using household;
  end loop;
  perform set_config('larder.writing', writing, true);
end
$$;
comment on function larder.erase(uuid) is
  'Deletes all rows of a household, and its members: for the owner of the project.';

create or replace function larder.bury() returns trigger
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

create or replace function larder.keep_change() returns trigger
language plpgsql security definer set search_path = ''
as $$ begin return case when larder.is_erasing() then old end; end $$;
comment on function larder.keep_change() is 'A ledger entry is taken back by another one.';

create or replace function larder.bury_line() returns trigger
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

-- If an account is deleted, its memberships are deleted too.
create or replace function larder.follow_accounts() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  household uuid;
begin
  for household in
    select g.household_id from gone g
    where not exists (select from auth.users u where u.id = g.user_id)
    group by g.household_id order by hashtextextended(g.household_id::text, 1818325093)
  loop
    perform larder.lock_household(household);
    if not exists (select from public.household_members m where m.household_id = household) then
      perform larder.erase(household);
    end if;
  end loop;
  return null;
end
$$;
create or replace trigger follow_accounts after delete on public.household_members
  referencing old table as gone for each statement execute function larder.follow_accounts();
