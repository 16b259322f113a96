-- Who may found a household again that nobody belongs to.
--
-- An id is no proof: of one that the project has never seen, whoever founds it first has it. But one that
-- was here is kept for those who left it by themselves: they had its files.
--
--   LA035  the household is kept for those who left it

create table if not exists larder.former_members (
  household_id uuid not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  left_at timestamptz(3) not null default now(),
  primary key (household_id, user_id)
);
create index if not exists former_members_of_user on larder.former_members (user_id, left_at);
comment on table larder.former_members is
  'Who left which household by themselves, and may found it again once nobody belongs to it.';
revoke all on larder.former_members from public, anon, authenticated;

-- Deletes everything of a household, and its memberships, but not those for whom it is reserved.
create or replace function larder.clear(household uuid) returns void
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

create or replace function larder.erase(household uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  perform larder.clear(household);
  delete from larder.former_members where household_id = household;
end
$$;
comment on function larder.erase(uuid) is
  'Deletes all rows of a household, its members and who it is kept for: for the owner of the project.';

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
      perform larder.clear(household);
    end if;
  end loop;
  return null;
end
$$;

create or replace function larder.found_household(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if auth.uid() is null then return; end if;
  perform larder.lock_household(household);
  if exists (select from public.household_members m where m.household_id = household)
    or exists (
      select from public.household_invites i
      where i.household_id = household and i.accepted_at is null and i.expires_at > now())
  then
    return;
  end if;
  if exists (select from larder.former_members f where f.household_id = household)
    and not exists (
      select from larder.former_members f where f.household_id = household and f.user_id = auth.uid())
  then
    raise exception 'this household is kept for those who left it' using errcode = 'LA035',
      hint = 'One of them founds it again and invites the others.';
  end if;
  perform larder.clear(household);
  perform larder.let_in(household);
end
$$;

-- A member who was removed by somebody else can't create the household again, whatever they did
-- before.
create or replace function larder.let_go(household uuid, member uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from public.household_members where household_id = household and user_id = member;
  delete from public.household_invites
  where household_id = household and created_by = member and accepted_at is null;
  delete from larder.former_members where household_id = household and user_id = member;
end
$$;

-- A user keeps as many reservations as the allowed memberships, the latest ones. So nobody can fill
-- the project by joining and leaving.
create or replace function larder.keep_for(household uuid, member uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into larder.former_members (household_id, user_id) values (household, member)
  on conflict (household_id, user_id) do update set left_at = excluded.left_at;
  delete from larder.former_members f
  where f.user_id = member and f.household_id in (
    select o.household_id from larder.former_members o where o.user_id = member
    order by o.left_at desc, o.household_id offset larder.most_households());
end
$$;

create or replace function public.leave(household uuid, delete_rows boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform larder.require_membership(household);
  perform larder.lock_household(household);
  perform larder.require_membership(household);
  if exists (
    select from public.household_members where household_id = household and user_id <> auth.uid())
  then
    perform larder.let_go(household, auth.uid());
  elsif coalesce(delete_rows, false) then
    perform larder.clear(household);
  else
    raise exception 'you are the last member: with you, all that the project has of the household goes'
      using errcode = 'LA030',
        hint = 'Call leave with delete_rows, or invite somebody who keeps it. Files on devices stay.';
  end if;
  perform larder.keep_for(household, auth.uid());
end
$$;

-- A household that names no id gets one, as all other rows do.
alter table public.households alter column id set default gen_random_uuid();
