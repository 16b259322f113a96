-- Who belongs to a household: to come, to see, to end.
--
-- A client tells these from other refusals by their codes:
--   LA030  the last member leaves, and has not said that the household's rows are to go
--   LA031  a user belongs to as many households as one may
--   LA034  there is no such invitation that is open

-- Coming ------------------------------------------------------------------------------------------

create or replace function larder.most_households() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 100 $$;

-- Makes the user a member, under the household's lock.
create or replace function larder.let_in(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if household = any (larder.my_households()) then return; end if;
  -- One at a time of one user's.
  perform pg_advisory_xact_lock(hashtextextended(auth.uid()::text, 1818325094));
  if (select count(*) from public.household_members where user_id = auth.uid())
    >= larder.most_households()
  then
    raise exception 'you belong to % households, and to no more', larder.most_households()
      using errcode = 'LA031', hint = 'Leave one of them first.';
  end if;
  insert into public.household_members (household_id, user_id) values (household, auth.uid());
end
$$;

-- The user who creates a household becomes its member. Rows that are left of a household without
-- members and without an open invitation are deleted first.
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
  perform larder.erase(household);
  perform larder.let_in(household);
end
$$;

create or replace function public.accept_invite(code text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  hash bytea;
  invite public.household_invites;
  -- People type what was read to them.
  typed text := lower(regexp_replace(coalesce(code, ''), '[^0-9A-Za-z]', '', 'g'));
  household_name text;
begin
  if auth.uid() is null then
    raise exception 'sign in first' using errcode = '42501';
  end if;
  -- The household's lock comes first, as when somebody leaves; it also keeps out a second one.
  hash := sha256(convert_to(typed, 'UTF8'));
  perform larder.lock_household(household_id) from public.household_invites where code_hash = hash;
  select * into invite from public.household_invites where code_hash = hash;
  if not found or invite.expires_at < now()
    -- It names nobody any more when their account is gone.
    or (invite.accepted_at is not null and invite.accepted_by is distinct from auth.uid())
  then
    raise exception 'there is no such invitation, or it is not good any more'
      using errcode = 'P0001', hint = 'Ask for a new one: an invitation is good once, for some days.';
  end if;
  -- An answer that got lost is asked for again; who has left since needs a new invitation.
  if invite.accepted_at is null then
    perform larder.let_in(invite.household_id);
    update public.household_invites set accepted_by = auth.uid(), accepted_at = now()
    where id = invite.id;
  else
    perform larder.require_membership(invite.household_id);
  end if;
  select name into household_name from public.households where id = invite.household_id;
  return jsonb_build_object('household_id', invite.household_id, 'name', household_name);
end
$$;

-- Going -------------------------------------------------------------------------------------------

-- Removes somebody from a household, and revokes the open invitations that they made.
create or replace function larder.let_go(household uuid, member uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from public.household_members where household_id = household and user_id = member;
  delete from public.household_invites
  where household_id = household and created_by = member and accepted_at is null;
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
    perform larder.erase(household);
  else
    raise exception 'you are the last member: with you, all that the project has of the household goes'
      using errcode = 'LA030',
        hint = 'Call leave with delete_rows, or invite somebody who keeps it. Files on devices stay.';
  end if;
end
$$;
comment on function public.leave(uuid, boolean) is
  'Takes the user out of a household; where they are the last, its rows are deleted, if delete_rows says so.';

create or replace function public.leave(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$ begin perform public.leave(household, false); end $$;
comment on function public.leave(uuid) is
  'Takes the user out of a household that has other members; nothing of it is readable to them from then on.';

create or replace function public.members(household uuid)
returns table (user_id uuid, email text, joined_at timestamptz, is_you boolean)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform larder.require_membership(household);
  return query
    select m.user_id, u.email::text, m.joined_at::timestamptz, m.user_id = auth.uid()
    from public.household_members m join auth.users u on u.id = m.user_id
    where m.household_id = household
    order by m.joined_at, m.user_id;
end
$$;
comment on function public.members(uuid) is
  'Who belongs to a household of the user, and since when, in the order in which they came.';

create or replace function public.remove_member(household uuid, member uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  came timestamptz;
begin
  perform larder.require_membership(household);
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
comment on function public.remove_member(uuid, uuid) is
  'Takes somebody out of a household of the user who did not come before the user.';

create or replace function public.invites(household uuid)
returns table (
  id uuid, state text, created_by uuid, created_by_email text, created_at timestamptz,
  expires_at timestamptz, accepted_by uuid, accepted_by_email text, accepted_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform larder.require_membership(household);
  return query
    select i.id,
      case when i.accepted_at is not null then 'accepted'
        when i.expires_at < now() then 'expired' else 'open' end,
      i.created_by, maker.email::text, i.created_at::timestamptz, i.expires_at::timestamptz,
      i.accepted_by, guest.email::text, i.accepted_at::timestamptz
    from public.household_invites i
    left join auth.users maker on maker.id = i.created_by
    left join auth.users guest on guest.id = i.accepted_by
    where i.household_id = household
    order by i.created_at, i.id;
end
$$;
comment on function public.invites(uuid) is
  'The invitations into a household of the user: open, accepted, or expired for less than 30 days.';

create or replace function public.revoke_invite(invite uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  household constant uuid := (select i.household_id from public.household_invites i where i.id = invite);
begin
  -- Of invitations into other households nobody is told whether there are any.
  if household = any (larder.my_households()) then
    perform larder.lock_household(household);
    delete from public.household_invites i where i.id = invite and i.accepted_at is null;
    if found then return; end if;
  end if;
  raise exception 'there is no such invitation that is open' using errcode = 'LA034',
    hint = 'Somebody has come by it, or revoked it. Who came by it is removed as a member.';
end
$$;
comment on function public.revoke_invite(uuid) is
  'Makes an open invitation into a household of the user good for nobody.';

create or replace function public.delete_account(delete_rows boolean default false) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if auth.uid() is null then
    raise exception 'sign in first' using errcode = '42501';
  end if;
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
comment on function public.delete_account(boolean) is
  'Deletes the user''s account; households of which they are the last member go as well, if delete_rows says so.';

revoke all on function
  public.leave(uuid, boolean), public.members(uuid), public.remove_member(uuid, uuid),
  public.invites(uuid), public.revoke_invite(uuid), public.delete_account(boolean)
  from public, anon;
grant execute on function
  public.leave(uuid, boolean), public.members(uuid), public.remove_member(uuid, uuid),
  public.invites(uuid), public.revoke_invite(uuid), public.delete_account(boolean)
  to authenticated, service_role;
