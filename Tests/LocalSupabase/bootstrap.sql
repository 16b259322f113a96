-- What a new Supabase project has before its first migration: roles, schemas, the auth functions
-- and the privileges that tables in "public" get by default. Run by the superuser.

create role postgres login createdb createrole replication bypassrls;
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role authenticator login noinherit;
create role supabase_auth_admin login noinherit createrole;

grant anon, authenticated, service_role to authenticator, postgres;
grant pg_read_all_data, pg_signal_backend to postgres;

alter database postgres owner to postgres;
alter database postgres set search_path to "$user", public, extensions;

create schema extensions authorization postgres;
create extension "uuid-ossp" schema extensions;
create extension pgcrypto schema extensions;
grant usage on schema extensions to anon, authenticated, service_role, supabase_auth_admin;
grant all on all functions in schema extensions to postgres;

-- Whoever makes a table in "public", the API's roles may use it: row security is what protects it.
grant usage on schema public to anon, authenticated, service_role;
grant all on schema public to postgres;
do $$
declare creator text;
begin
  foreach creator in array array['postgres', 'supabase_admin'] loop
    execute format('alter default privileges for role %I in schema public
      grant all on tables to postgres, anon, authenticated, service_role', creator);
    execute format('alter default privileges for role %I in schema public
      grant all on functions to postgres, anon, authenticated, service_role', creator);
    execute format('alter default privileges for role %I in schema public
      grant all on sequences to postgres, anon, authenticated, service_role', creator);
  end loop;
end $$;

-- Who is signed in --------------------------------------------------------------------------------

create schema auth authorization supabase_auth_admin;
grant usage on schema auth to anon, authenticated, service_role, postgres;
alter role supabase_auth_admin set search_path to auth;
set role supabase_auth_admin;

create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), ''))::jsonb
$$;
create function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
create function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
$$;
create function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
$$;

create table auth.users (
  instance_id uuid default '00000000-0000-0000-0000-000000000000',
  id uuid primary key default gen_random_uuid(),
  aud varchar(255) default 'authenticated',
  role varchar(255) default 'authenticated',
  email varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz default now(),
  invited_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb default '{"provider": "email", "providers": ["email"]}',
  raw_user_meta_data jsonb default '{}',
  is_super_admin boolean,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  phone text unique,
  phone_confirmed_at timestamptz,
  confirmed_at timestamptz
    generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  banned_until timestamptz,
  is_sso_user boolean not null default false,
  deleted_at timestamptz,
  is_anonymous boolean not null default false
);
create unique index users_email_partial_key on auth.users (email) where is_sso_user = false;

create table auth.identities (
  provider_id text not null,
  user_id uuid not null references auth.users on delete cascade,
  identity_data jsonb not null,
  provider text not null,
  last_sign_in_at timestamptz default now(),
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  email text generated always as (lower(identity_data ->> 'email')) stored,
  id uuid primary key default gen_random_uuid(),
  unique (provider_id, provider)
);

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  aal text default 'aal1',
  not_after timestamptz,
  refreshed_at timestamptz,
  user_agent text
);
create index on auth.sessions (user_id);

create table auth.refresh_tokens (
  id bigint generated always as identity primary key,
  token varchar(255) not null unique,
  user_id varchar(255),
  revoked boolean not null default false,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  parent varchar(255),
  session_id uuid references auth.sessions on delete cascade
);
create index on auth.refresh_tokens (session_id);

grant all on all tables in schema auth to postgres with grant option;
grant all on all sequences in schema auth to postgres with grant option;
reset role;

create publication supabase_realtime;
alter publication supabase_realtime owner to postgres;

-- What this server itself needs -------------------------------------------------------------------

-- Every change of the schema counts up, so that the server reads the catalog anew when it must.
create schema local_supabase;
create table local_supabase.schema_version (version bigint not null);
insert into local_supabase.schema_version values (1);
grant usage on schema local_supabase to authenticator;
grant select on local_supabase.schema_version to authenticator;
create function local_supabase.count_schema_change() returns event_trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update local_supabase.schema_version set version = version + 1;
end $$;
create event trigger schema_changed on ddl_command_end
  execute function local_supabase.count_schema_change();
create event trigger schema_dropped on sql_drop
  execute function local_supabase.count_schema_change();

create schema supabase_migrations authorization postgres;
create table supabase_migrations.schema_migrations (
  version text primary key, statements text[], name text);
alter table supabase_migrations.schema_migrations owner to postgres;
