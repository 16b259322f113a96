\ir begin.psql
select no_plan();

select is_empty($$
  select c.relname, a.attname from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and col_description(c.oid, a.attnum) is null
$$, 'every column says what it holds');
select is_empty($$
  select relname from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm')
    and obj_description(oid, 'pg_class') is null
$$, 'every table says what it holds');
select is_empty($$
  select oid::regprocedure from pg_proc
  where pronamespace = 'public'::regnamespace and obj_description(oid, 'pg_proc') is null
$$, 'every function that clients call says what it does');
select bag_eq($$
  select relname::text from pg_class where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'v', 'm', 'f', 'p', 'S')
$$, array['households', 'household_members', 'household_invites', 'stock_items', 'inventory_items',
  'storage_locations', 'products', 'shopping_list_entries', 'receipts', 'receipt_items',
  'quantity_changes'],
  'the API serves these tables, no view and no sequence');
select is_empty($$
  select relname from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity
$$, 'every table has row level security');
select is_empty($$
  select relname from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r'
    and not exists (select from pg_policy where polrelid = c.oid and polcmd = 'r')
$$, 'every table has a policy for reading');
select is_empty($$
  select policyname from pg_policies where schemaname = 'public'
    and (roles <> '{authenticated}' or permissive <> 'PERMISSIVE')
$$, 'every policy is for who is signed in');
select is_empty($$
  select tablename, policyname from pg_policies where schemaname = 'public'
    and cmd in ('INSERT', 'UPDATE') and with_check is null
$$, 'what is written is checked as what is read');
select is_empty($$
  select tablename, privilege_type from pg_tables
  cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES',
    'TRIGGER']) as privilege_type
  where schemaname = 'public'
    and has_table_privilege('anon', format('public.%I', tablename), privilege_type)
$$, 'who is not signed in may do nothing with any table');
select is_empty($$
  select tablename, privilege_type from pg_tables
  cross join unnest(array['TRUNCATE', 'REFERENCES', 'TRIGGER']) as privilege_type
  where schemaname = 'public'
    and has_table_privilege('authenticated', format('public.%I', tablename), privilege_type)
$$, 'who is signed in may not empty a table, refer to it or put a trigger on it');
select is_empty($$
  select tablename, privilege_type from pg_tables
  cross join unnest(array['INSERT', 'UPDATE', 'DELETE']) as privilege_type
  where tablename in ('household_members', 'household_invites') and schemaname = 'public'
    and has_table_privilege('authenticated', format('public.%I', tablename), privilege_type)
$$, 'members and invitations are written by functions alone');
select is_empty($$
  select attname from pg_attribute where attrelid = 'public.household_invites'::regclass
    and attnum > 0 and has_column_privilege('authenticated', attrelid, attnum, 'SELECT')
    and attname like '%hash%'
$$, 'the hashes of codes are for nobody to read');

select is_empty($$
  select oid::regprocedure from pg_proc
  where pronamespace in ('public'::regnamespace, 'larder'::regnamespace)
    and not coalesce(proconfig @> array['search_path=""'], false)
$$, 'every function has an empty search path, definers above all');
select is_empty($$
  select oid::regprocedure from pg_proc
  where pronamespace in ('public'::regnamespace, 'larder'::regnamespace)
    and has_function_privilege('anon', oid, 'EXECUTE')
$$, 'who is not signed in may call no function');
select bag_eq($$
  select proname::text from pg_proc where pronamespace = 'larder'::regnamespace and prosecdef
    and has_function_privilege('authenticated', oid, 'EXECUTE')
$$, array['my_households', 'my_households_now', 'is_mine', 'is_locked'],
  'of what runs as the owner, only what policies ask may be called');
select is_empty($$
  select oid::regprocedure from pg_proc where pronamespace = 'larder'::regnamespace
    and provolatile = 'v' and not proname in ('is_mine', 'is_locked')
    and has_function_privilege('authenticated', oid, 'EXECUTE')
$$, 'what writes or locks may be called by triggers alone');
select is_empty($$
  select oid::regprocedure from pg_proc where pronamespace = 'larder'::regnamespace
    and prosecdef and provolatile = 'i'
$$, 'nothing that constraints call runs as the owner');
select bag_eq($$
  select proname::text from pg_proc where pronamespace = 'public'::regnamespace
    and has_function_privilege('authenticated', oid, 'EXECUTE')
$$, array['create_invite', 'accept_invite', 'leave', 'leave', 'members', 'remove_member', 'invites',
  'revoke_invite', 'delete_account', 'larder_schema', 'newest', 'news'],
  'clients may call these functions');
select ok(not has_schema_privilege('anon', 'larder', 'USAGE'),
  'who is not signed in does not see the inner schema');
select ok(not has_schema_privilege('authenticated', 'larder', 'CREATE'),
  'who is signed in makes nothing in the inner schema');
select ok(not has_sequence_privilege('authenticated', 'larder.version', 'USAGE, UPDATE, SELECT'),
  'versions are drawn by triggers alone');

-- Realtime asks, in the name of who listens, whether they may read a row.
select bag_eq($$select tablename::text from pg_publication_tables where pubname = 'supabase_realtime' and schemaname = 'public'$$,
  array['households', 'stock_items', 'inventory_items', 'storage_locations', 'products', 'shopping_list_entries', 'receipts',
    'receipt_items', 'quantity_changes'], 'what is written to these tables is told to who listens');
insert into stock_items (household_id, id, name) values (home(), id('1'), 'Tea');
insert into inventory_items (household_id, id, product_ref) values (home(), id('2'), '{"productId": "p"}');
insert into storage_locations (household_id, name) values (home(), 'Fridge');
insert into products (household_id, title) values (home(), 'Tea');
insert into shopping_list_entries (household_id, name) values (home(), 'Bread');
insert into receipts (household_id, id, shop_name) values (home(), id('3'), 'Shop');
insert into receipt_items (household_id, receipt_id, item_name, quantity) values (home(), id('3'), 'Tea', 1);
insert into quantity_changes (household_id, entity_type, entity_id, delta) values (home(), 'StockItem', id('1'), 1);
create table told as select format('select from public.%I where household_id = tests.home()', tablename) as statement
from pg_publication_tables where pubname = 'supabase_realtime' and schemaname = 'public';
grant select on told to public;
select larder('jonas');
select is_empty($$select statement from told where reach(statement) = 0$$, 'to members');
select plain('vera');
select is_empty($$select statement from told where reach(statement) > 0$$, 'and to nobody else');
select nobody();

-- What is missing, by name.
select is(larder_schema() -> 'missing', '[]', 'nothing of the schema is missing');
savepoint whole;
alter table products disable row level security;
alter table receipts disable trigger write_row;
drop trigger take_turns on quantity_changes;
drop table shopping_list_entries;
alter schema extensions rename to elsewhere;
set local search_path to tests, public, elsewhere;
select bag_eq($$select jsonb_array_elements_text(larder_schema() -> 'missing')$$, array[
  'the function uuid_generate_v5 of the extension uuid-ossp in the schema extensions', 'the table shopping_list_entries',
  'row level security of the table products', 'the trigger write_row of the table receipts',
  'the trigger take_turns of the table quantity_changes'], 'what is missing is named');
rollback to whole;
select is_empty($$
  select tgrelid::regclass, tgname from pg_trigger
  where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    and not exists (
      select from pg_proc where oid = 'larder_schema'::regproc
        and prosrc ~ format('\(''%s'', ''\{[^)]*\m%s\M', tgrelid::regclass, tgname))
$$, 'every trigger of a table is named where it is missing');

select is_empty($$
  select kind, field from (values
    ('households', 'Household'), ('stock_items', 'StockItem'),
    ('inventory_items', 'InventoryItem'), ('storage_locations', 'StorageLocation'),
    ('products', 'Product'), ('shopping_list_entries', 'ShoppingListEntry'),
    ('receipts', 'Receipt')) as kinds (kind_table, kind),
    jsonb_object_keys(larder.fields(kind)) as field
  where not exists (select from information_schema.columns c
    where c.table_schema = 'public' and c.table_name = kind_table and c.column_name = field)
$$, 'every field of the format has its column');

select * from finish();
rollback;
