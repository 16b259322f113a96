-- Permissions: members may do everything in their household, others nothing.

-- The user who creates a household is a member within the same statement. A function that reads the
-- statement's own snapshot would not see that.
create or replace function larder.is_mine(household uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$ begin return household = any (larder.my_households()); end $$;

do $$
declare
  entity_table text;
  mine text;
begin
  foreach entity_table in array array[
    'households', 'stock_items', 'inventory_items', 'storage_locations', 'products',
    'shopping_list_entries', 'receipts', 'receipt_items', 'quantity_changes']
  loop
    execute format('alter table public.%I enable row level security', entity_table);
    execute format('revoke all on public.%I from anon, authenticated, public', entity_table);
    execute format(
      'grant select, insert, update, delete on public.%I to authenticated, service_role',
      entity_table);
    mine := case entity_table
      when 'households' then 'larder.is_mine(household_id)'
      else 'household_id = any ((select larder.my_households())::uuid[])'
    end;
    execute format('drop policy if exists members_read on public.%I', entity_table);
    execute format(
      'create policy members_read on public.%I for select to authenticated using (%s)',
      entity_table, mine);
    execute format('drop policy if exists members_add on public.%I', entity_table);
    execute format(
      'create policy members_add on public.%I for insert to authenticated with check (%s)',
      entity_table,
      mine || case entity_table
        when 'households' then ' and user_id = (select auth.uid())' else '' end);
    execute format('drop policy if exists members_change on public.%I', entity_table);
    execute format(
      'create policy members_change on public.%I for update to authenticated '
        'using (%s) with check (%s)', entity_table, mine, mine);
    execute format('drop policy if exists members_delete on public.%I', entity_table);
    execute format(
      'create policy members_delete on public.%I for delete to authenticated using (%s)',
      entity_table, mine);
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

drop policy if exists members_read on public.household_members;
create policy members_read on public.household_members for select to authenticated
  using (household_id = any ((select larder.my_households())::uuid[]));
drop policy if exists members_read on public.household_invites;
create policy members_read on public.household_invites for select to authenticated
  using (household_id = any ((select larder.my_households())::uuid[]));

create or replace function public.larder_schema() returns text
language sql immutable set search_path = ''
as $$ select '20261122100600' $$;
comment on function public.larder_schema() is
  'The last migration that has run, by which a client knows what it may ask for.';

revoke all on function
  public.create_invite(uuid, integer), public.accept_invite(text), public.leave(uuid),
  public.larder_schema()
  from public, anon;
grant execute on function
  public.create_invite(uuid, integer), public.accept_invite(text), public.leave(uuid),
  public.larder_schema()
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
      and (provolatile = 'i' or proname in ('my_households', 'is_mine', 'now'))
  loop
    execute format(
      'grant execute on function %s to authenticated, service_role', called.name);
  end loop;
end
$$;
