\ir begin.psql
select no_plan();
create function versions() returns jsonb language sql volatile as $$
  select h.newest -> 'versions' from public.households h where id = tests.home()
$$;
create table tests.seen (what jsonb);
grant all on seen to public;
create function ahead() returns text[] language sql volatile as $$
  select array_agg(key order by key) from tests.seen, jsonb_each_text(what) where value::bigint > (tests.versions() ->> key)::bigint
$$;

select larder('mira');
select bag_eq('select jsonb_object_keys(versions())', array['households', 'stock_items', 'inventory_items', 'storage_locations',
  'products', 'shopping_list_entries', 'receipts', 'quantity_changes'], 'the newest version of each table is told');
select is((select h.newest -> 'versions' ->> 'households' from households h), (select version::text from households), 'in the request for the household''s row');
select is((versions() ->> 'stock_items')::bigint, 0::bigint, 'that of an empty table is 0');
insert into stock_items (household_id, id, name) select home(), id('a' || n), 'Tea' from generate_series(1, 5) as n;
insert into quantity_changes (household_id, entity_type, entity_id, delta) select home(), 'StockItem', id('a' || n), 3 from generate_series(1, 5) as n;
insert into receipts (household_id, shop_name) values (home(), 'Corner');
select is((versions() ->> 'stock_items')::bigint, (select max(version) from stock_items), 'it is the latest of its rows');
select is((versions() ->> 'quantity_changes')::bigint, (select max(version) from quantity_changes), 'of its ledger entries');
insert into seen select versions();
select is(ahead(), null, 'who has read all is not ahead');
select plain('vera');
insert into stock_items (household_id, name) values (elsewhere(), 'Milk');
select plain('mira');
select is((select what from seen), versions(), 'what others write is not counted');
delete from stock_items;
select is(ahead(), null, 'nor does deleting take anything back');

update seen set what = versions();

-- A restore: the rows of the last minutes are gone.
select nobody();
alter table stock_items disable trigger user;
alter table quantity_changes disable trigger user;
delete from stock_items where version > (select min(version) from stock_items where household_id = home());
delete from quantity_changes where version > (select min(version) from quantity_changes where household_id = home());
alter table stock_items enable trigger user;
alter table quantity_changes enable trigger user;
select plain('mira');
select is(ahead(), array['quantity_changes', 'stock_items'], 'who was told of rows that are gone is ahead, and knows of which tables');
select is((select count(distinct h.newest ->> 'origin') from households h), 1::bigint, 'the history has a name');
select nobody();
select is((select newest(h) ->> 'origin' from households h where id = home()), larder.origin(), 'which is the same for all who ask');
create table tests.origin as select larder.origin() as name;
alter table public.quantity_changes rename to old_changes;
create table public.quantity_changes (like public.old_changes);
select isnt(larder.origin(), (select name from tests.origin), 'and another one once tables were made anew');
drop table public.quantity_changes;
alter table public.old_changes rename to quantity_changes;

-- Permissions.
select plain('vera');
select is(newest(row(home(), home(), 'x', null, null, null, null, null, null, null, null, null, 0, null)::households), null,
  'a stranger is told nothing of a household by its id');
select set_config('request.jwt.claims', '{"role": "authenticated"}', true);
select is(newest(row(home(), home(), 'x', null, null, null, null, null, null, null, null, null, 0, null)::households), null,
  'nor is somebody whose token names nobody');
select plain('anon');
select throws_ok('select newest(null::households)', '42501', null, 'who is not signed in may not ask');

select * from finish();
rollback;
