-- Households, who belongs to them, and the lock that keeps their versions in order.
--
-- Every migration may run twice: it makes what is missing and replaces what it defines.

create schema if not exists extensions;
create extension if not exists "uuid-ossp" with schema extensions;

create schema if not exists larder;
comment on schema larder is
  'What the tables of a Larder household need to converge; not served by the API.';
revoke all on schema larder from public;
grant usage on schema larder to authenticated, service_role;

create sequence if not exists larder.version;
comment on sequence larder.version is
  'Counts what changes in any household; drawn under the household''s lock, so in commit order.';

create table if not exists public.household_members (
  household_id uuid not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  joined_at timestamptz(3) not null default now(),
  primary key (household_id, user_id)
);
create index if not exists household_members_of_user
  on public.household_members (user_id, household_id);
comment on table public.household_members is 'Who belongs to which household.';
comment on column public.household_members.household_id is 'The household.';
comment on column public.household_members.user_id is 'The signed-in user.';
comment on column public.household_members.joined_at is 'Since when.';

create table if not exists public.household_invites (
  id uuid primary key default gen_random_uuid(),
  household_id uuid not null,
  code_hash bytea not null unique,
  created_by uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  accepted_by uuid references auth.users (id) on delete set null,
  accepted_at timestamptz(3)
);
create index if not exists household_invites_of_household
  on public.household_invites (household_id);
comment on table public.household_invites is
  'Invitations into a household; each is good for one person and ends by itself.';
comment on column public.household_invites.id is 'The invitation.';
comment on column public.household_invites.household_id is 'The household it lets somebody into.';
comment on column public.household_invites.code_hash is
  'SHA-256 of the code, which only the one who made it has seen.';
comment on column public.household_invites.created_by is 'The member who made it.';
comment on column public.household_invites.created_at is 'When it was made.';
comment on column public.household_invites.expires_at is 'Until when it is good.';
comment on column public.household_invites.accepted_by is 'Who came by it; empty while it is open, and once their account is gone.';
comment on column public.household_invites.accepted_at is 'When they came.';

-- The households of the signed-in user. A policy that read the table of members itself would
-- call that table's policy, which reads the table of members.
create or replace function larder.my_households() returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select coalesce(array_agg(household_id), '{}')
  from public.household_members
  where user_id = (select auth.uid())
$$;
comment on function larder.my_households() is 'The households that the signed-in user belongs to.';

-- One writer at a time in a household, from before its first version number to its commit. So
-- versions become visible in their order, and a reader that has seen one has seen all before it. A
-- service, which may write in every household, waits for each of them.
create or replace function larder.lock_household(household uuid) returns void
language sql volatile set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended(household::text, 1818325093)) $$;

create or replace function larder.take_turns() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  household uuid;
begin
  if auth.uid() is null then
    perform pg_advisory_xact_lock(1818325093);
    return null;
  end if;
  perform pg_advisory_xact_lock_shared(1818325093);
  for household in
    select household_id from public.household_members where user_id = auth.uid()
    order by hashtextextended(household_id::text, 1818325093)
  loop
    perform larder.lock_household(household);
  end loop;
  return null;
end
$$;
comment on function larder.take_turns() is
  'Locks the user''s households, in one order, until the transaction ends.';

-- Sharing ----------------------------------------------------------------------------------------

create or replace function larder.require_membership(household uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if auth.uid() is null or household is null or not household = any (larder.my_households()) then
    raise exception 'this household is not one of yours' using errcode = '42501';
  end if;
end
$$;

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
    raise exception 'an invitation is good for 1 to 720 hours' using errcode = '22023';
  end if;
  for place in 0 .. length(chance) - 1 loop
    -- Bytes 6 and 8 of a UUID are not all chance.
    continue when place % 16 in (6, 8) or get_byte(chance, place) >= 248 or length(code) = 20;
    code := code || substr(digits, get_byte(chance, place) % 31 + 1, 1);
  end loop;
  expires := now() + make_interval(hours => valid_hours);
  delete from public.household_invites where expires_at < now() - interval '30 days';
  insert into public.household_invites (household_id, code_hash, created_by, expires_at)
  values (household, sha256(convert_to(code, 'UTF8')), auth.uid(), expires);
  return jsonb_build_object(
    'code', code, 'expires_at', to_char(expires at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end
$$;
comment on function public.create_invite(uuid, integer) is
  'Makes an invitation into a household of the user; its code is good once, for 1 to 720 hours.';

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
    insert into public.household_members (household_id, user_id)
    values (invite.household_id, auth.uid()) on conflict do nothing;
    update public.household_invites set accepted_by = auth.uid(), accepted_at = now()
    where id = invite.id;
  else
    perform larder.require_membership(invite.household_id);
  end if;
  select name into household_name from public.households where id = invite.household_id;
  return jsonb_build_object('household_id', invite.household_id, 'name', household_name);
end
$$;
comment on function public.accept_invite(text) is
  'Takes the user into the household that a code invites into; says which.';

create or replace function public.leave(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform larder.require_membership(household);
  perform larder.lock_household(household);
  delete from public.household_members where household_id = household and user_id = auth.uid();
  -- Who leaves takes no key along.
  delete from public.household_invites
  where household_id = household and created_by = auth.uid() and accepted_at is null;
end
$$;
comment on function public.leave(uuid) is
  'Takes the user out of a household; nothing of it is readable to them from then on.';
