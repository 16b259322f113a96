-- The permissions for all functions, after all of them exist; and the number of the last migration.

create or replace function public.larder_schema() returns text
language sql immutable set search_path = ''
as $$ select '20261128100900' $$;

revoke all on all functions in schema larder from public, anon, authenticated;
-- Policies, defaults and constraints call functions with the rights of the user who writes.
do $$
declare
  called record;
begin
  for called in
    select oid::regprocedure as name from pg_proc
    where pronamespace = 'larder'::regnamespace
      and (provolatile = 'i' or proname in ('my_households', 'my_households_now', 'is_mine', 'is_locked', 'now', 'refuse'))
  loop
    execute format(
      'grant execute on function %s to authenticated, service_role', called.name);
  end loop;
end
$$;
