-- How far the tables of a household ever came, for a client that may be ahead of them: a database that
-- was restored from a backup has forgotten rows that the client was told of.

-- A column that is worked out only for who asks for it (`select=id,name,newest` of households):
--   {"origin": "…", "versions": {"stock_items": 812, "receipts": 0, …}}
-- `versions` has the newest version of each table. Rows never go and versions only grow; so one below what
-- a client has read of that table says that the table has lost something. `origin` is another one after
-- a restoring of which PostgreSQL knows (to a point in time, or from a dump), even where new rows have come
-- to the old numbers since. In either case, and where a household was deleted and founded again, the client
-- compares everything anew.
create or replace function public.newest(household public.households) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  own constant uuid := household.id;
begin
  -- A service, and whoever works in the database itself, asks for all of them.
  if coalesce(auth.role(), 'service_role') <> 'service_role'
    and not own = any (larder.my_households_now())
  then
    return null;
  end if;
  return jsonb_build_object(
    'origin', larder.origin(),
    'versions', jsonb_build_object(
      'households', (select coalesce(max(version), 0) from public.households where household_id = own),
      'stock_items', (select coalesce(max(version), 0) from public.stock_items where household_id = own),
      'inventory_items',
        (select coalesce(max(version), 0) from public.inventory_items where household_id = own),
      'storage_locations',
        (select coalesce(max(version), 0) from public.storage_locations where household_id = own),
      'products', (select coalesce(max(version), 0) from public.products where household_id = own),
      'shopping_list_entries',
        (select coalesce(max(version), 0) from public.shopping_list_entries where household_id = own),
      'receipts', (select coalesce(max(version), 0) from public.receipts where household_id = own),
      'quantity_changes',
        (select coalesce(max(version), 0) from public.quantity_changes where household_id = own)));
end
$$;
comment on function public.newest(public.households) is
  'The newest version of each table of a household, and which history of the database has them.';

-- Which history of the database this is: the cluster, its timeline, which a restored cluster leaves, and
-- the tables themselves, which a restored dump makes anew. Where it can't be told, it is always the same.
create or replace function larder.origin() returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return md5(concat_ws('/',
    (select system_identifier from pg_control_system()),
    (select timeline_id from pg_control_checkpoint()),
    'public.households'::regclass::oid, 'public.quantity_changes'::regclass::oid));
exception when insufficient_privilege then
  return md5(concat_ws('/', 'public.households'::regclass::oid, 'public.quantity_changes'::regclass::oid));
end
$$;

revoke all on function public.newest(public.households) from public, anon;
grant execute on function public.newest(public.households) to authenticated, service_role;
