-- Nothing is locked, and no row is worked at, before it is known that the user belongs to the household and
-- that the row is no larger than rows may be. What depends on who belongs to it is decided under its lock.
--
--   LA036  a household has as many open invitations as it may have
--
-- Locks are taken in one order: accounts, then households. So nobody waits for somebody who waits for them.

-- Keeps an account from being deleted until the transaction ends.
create or replace function larder.hold_account(account uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$ begin perform from auth.users u where u.id = account for key share; end $$;

-- Who is no member gets one answer, whatever there is: for rows, invitations and households.
create or replace function larder.require_membership(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if auth.uid() is null or not exists (
    select from public.household_members m
    where m.household_id = require_membership.household and m.user_id = auth.uid())
  then
    raise exception 'this household is not one of yours' using errcode = '42501',
      hint = 'Ask one of its members for an invitation, and accept it.';
  end if;
end
$$;

-- Whether policies apply to the writer; they don't to a service and to the owner of the project.
create or replace function larder.is_user() returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return auth.uid() is not null or coalesce(current_setting('role', true), '') = 'authenticated';
end
$$;

-- Locks the household for the rest of the transaction, if the writer belongs to it.
create or replace function larder.enter(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  entry constant text := concat_ws(' ', auth.uid(), household);
begin
  -- A row without a household is refused by its column.
  if household is null or current_setting('larder.entered', true) = entry then return; end if;
  if larder.is_user() then perform larder.require_membership(household); end if;
  perform larder.lock_household(household);
  -- They may have been removed while this waited.
  if larder.is_user() then perform larder.require_membership(household); end if;
  perform set_config('larder.entered', entry, true);
end
$$;

-- For the rows that are to change; the policy has asked before whether the household is the user's.
create or replace function larder.is_locked(household uuid) returns boolean
language plpgsql volatile security definer cost 10000 set search_path = ''
as $$
begin
  perform larder.lock_household(household);
  return exists (
    select from public.household_members m
    where m.household_id = is_locked.household and m.user_id = auth.uid());
end
$$;

-- Coming and going -----------------------------------------------------------------------------------

create or replace function larder.most_invites() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 100 $$;

create or replace function public.create_invite(household uuid, valid_hours integer default 72)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  digits constant text := '23456789abcdefghjkmnpqrstuvwxyz';
  -- 244 bits of chance; 31 letters of each byte below 248, so that all are alike likely.
  chance bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  code text := '';
  expires timestamptz(3);
begin
  perform larder.require_membership(household);
  if valid_hours is null or valid_hours not between 1 and 720 then
    raise exception 'an invitation is good for 1 to 720 hours' using errcode = '22023',
      hint = 'Say for how many in valid_hours.';
  end if;
  perform larder.hold_account(auth.uid());
  perform larder.lock_household(household);
  perform larder.require_membership(household);
  delete from public.household_invites i
  where i.household_id = household and i.expires_at < now() - interval '30 days';
  if larder.most_invites() <= (
    select count(*) from public.household_invites i
    where i.household_id = household and i.accepted_at is null and i.expires_at > now())
  then
    raise exception 'the household has % open invitations, and may have no more', larder.most_invites()
      using errcode = 'LA036', hint = 'Revoke those that nobody needs.';
  end if;
  for place in 0 .. length(chance) - 1 loop
    -- Bytes 6 and 8 of a UUID are not all chance.
    continue when place % 16 in (6, 8) or get_byte(chance, place) >= 248 or length(code) = 20;
    code := code || substr(digits, get_byte(chance, place) % 31 + 1, 1);
  end loop;
  expires := now() + make_interval(hours => valid_hours);
  insert into public.household_invites (household_id, code_hash, created_by, expires_at)
  values (household, sha256(convert_to(code, 'UTF8')), auth.uid(), expires);
  return jsonb_build_object(
    'code', code, 'expires_at', to_char(expires at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end
$$;

-- The household that a code lets the user into; null if it is good for nothing. Nobody comes by the
-- invitation of somebody who does not belong to the household.
create or replace function larder.invited_into(hash bytea) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return (
    select i.household_id from public.household_invites i
    where i.code_hash = hash and i.expires_at >= now() and case
      when i.accepted_at is not null then i.accepted_by = auth.uid()
      else exists (
        select from public.household_members m
        where m.household_id = i.household_id and m.user_id = i.created_by)
      end);
end
$$;

create or replace function public.accept_invite(code text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  hash bytea;
  household uuid;
  is_open boolean;
  household_name text;
begin
  if auth.uid() is null then
    raise exception 'sign in first' using errcode = '42501';
  end if;
  -- People type what was read to them.
  hash := case when length(code) <= 200
    then sha256(convert_to(lower(regexp_replace(code, '[^0-9A-Za-z]', '', 'g')), 'UTF8')) end;
  household := larder.invited_into(hash);
  if household is not null then
    perform larder.hold_account(auth.uid());
    perform larder.lock_household(household);
    household := larder.invited_into(hash);
  end if;
  if household is null then
    raise exception 'there is no such invitation, or it is not good any more'
      using errcode = 'P0001', hint = 'Ask for a new one: an invitation is good once, for some days.';
  end if;
  select i.accepted_at is null into is_open from public.household_invites i where i.code_hash = hash;
  -- An answer that got lost is asked for again; who has left since needs a new invitation.
  if is_open then
    perform larder.let_in(household);
    update public.household_invites set accepted_by = auth.uid(), accepted_at = now()
    where code_hash = hash;
  else
    perform larder.require_membership(household);
  end if;
  select h.name into household_name from public.households h where h.id = household;
  return jsonb_build_object('household_id', household, 'name', household_name);
end
$$;

create or replace function public.revoke_invite(invite uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  household constant uuid := (select i.household_id from public.household_invites i where i.id = invite);
begin
  -- Of invitations into other households nobody is told whether there are any.
  if household = any (larder.my_households()) then
    perform larder.lock_household(household);
    perform larder.require_membership(household);
    delete from public.household_invites i where i.id = invite and i.accepted_at is null;
    if found then return; end if;
  end if;
  raise exception 'there is no such invitation that is open' using errcode = 'LA034',
    hint = 'Somebody has come by it, or revoked it. Who came by it is removed as a member.';
end
$$;

create or replace function public.leave(household uuid, delete_rows boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform larder.require_membership(household);
  perform larder.hold_account(auth.uid());
  perform larder.lock_household(household);
  perform larder.require_membership(household);
  if exists (
    select from public.household_members m where m.household_id = household and m.user_id <> auth.uid())
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

create or replace function public.remove_member(household uuid, member uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  came timestamptz;
begin
  perform larder.require_membership(household);
  perform larder.hold_account(member);
  perform larder.lock_household(household);
  perform larder.require_membership(household);
  if member = auth.uid() then
    raise exception 'who goes by themselves leaves' using errcode = '22023', hint = 'Call leave.';
  end if;
  select m.joined_at into came from public.household_members m
  where m.household_id = household and m.user_id = member;
  -- Whoever it was is gone; the same request again is no mistake.
  if not found then return; end if;
  if came < (
    select m.joined_at from public.household_members m
    where m.household_id = household and m.user_id = auth.uid())
  then
    raise exception 'nobody removes a member who was there before them' using errcode = '42501',
      hint = 'Ask somebody who has belonged to the household for longer.';
  end if;
  perform larder.let_go(household, member);
end
$$;

create or replace function public.delete_account(delete_rows boolean default false) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if auth.uid() is null then
    raise exception 'sign in first' using errcode = '42501';
  end if;
  -- From here on they come into no household, and found none.
  perform from auth.users u where u.id = auth.uid() for update;
  perform larder.lock_household(m.household_id) from (
    select household_id from public.household_members where user_id = auth.uid()
    order by hashtextextended(household_id::text, 1818325093)) as m;
  if not coalesce(delete_rows, false) and exists (
    select from public.household_members mine
    where mine.user_id = auth.uid() and not exists (
      select from public.household_members other
      where other.household_id = mine.household_id and other.user_id <> auth.uid()))
  then
    raise exception 'you are the last member of a household: with you, all that the project has of it goes'
      using errcode = 'LA030',
        hint = 'Call delete_account with delete_rows, or invite somebody who keeps it. '
          'Files on devices stay.';
  end if;
  delete from auth.users where id = auth.uid();
end
$$;

-- Whoever goes, in whatever way, takes their open invitations along.
create or replace function larder.follow_accounts() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  household uuid;
begin
  delete from public.household_invites i using gone g
  where i.household_id = g.household_id and i.created_by = g.user_id and i.accepted_at is null;
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

-- A member who was removed by somebody else can't create the household again, whatever they did
-- before.
create or replace function larder.let_go(household uuid, member uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from public.household_members where household_id = household and user_id = member;
  delete from larder.former_members where household_id = household and user_id = member;
end
$$;

-- Invitations that outlived their maker's membership.
delete from public.household_invites i
where i.accepted_at is null and not exists (
  select from public.household_members m
  where m.household_id = i.household_id and m.user_id = i.created_by);

-- Founding ---------------------------------------------------------------------------------------------

-- Whether a household is there, or is kept, for others only. Which of the two is nobody's business.
create or replace function larder.is_others(household uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return exists (select from public.household_members m where m.household_id = household)
    or exists (select from larder.former_members f where f.household_id = household)
      and not exists (
        select from larder.former_members f
        where f.household_id = household and f.user_id = auth.uid());
end
$$;

-- The user who creates a household becomes its member. Rows that are left of a household without
-- members are deleted first.
create or replace function larder.found_household(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if auth.uid() is null then
    perform larder.enter(household);
    return;
  end if;
  if household = any (larder.my_households()) or larder.is_others(household) then
    perform larder.enter(household);
    return;
  end if;
  perform larder.hold_account(auth.uid());
  perform larder.lock_household(household);
  if larder.is_others(household) then
    perform larder.require_membership(household);
    return;
  end if;
  perform larder.clear(household);
  perform larder.let_in(household);
end
$$;
