\ir begin.psql
select no_plan();

-- A client that does not know households writes rows without one.
select plain('mira');
select is(reach(statement), 1::bigint, 'a row without a household is added: ' || statement)
from unnest(array[
  'insert into stock_items (id, name, quantity_in_stock) values (id(''1''), ''Milk'', 2)',
  'insert into inventory_items (id, product_ref, quantity_value) values (id(''2''), jsonb_build_object(''productId'', id(''1'')), 3)',
  'insert into storage_locations (name) values (''Fridge'')', 'insert into products (title) values (''Milk'')',
  'insert into shopping_list_entries (name) values (''Bread'')', 'insert into receipts (id, shop_name) values (id(''7''), ''Corner'')',
  'insert into receipt_items (receipt_id, item_name, quantity) values (id(''7''), ''Tea'', 1)',
  'insert into quantity_changes (entity_type, entity_id, delta) values (''StockItem'', id(''1''), 4)']) as statement;
select is((select household_id from stock_items), home(), 'it is that of the user''s only household');
select is((select quantity_in_stock from stock_items), 9::numeric, 'and what belongs together is in one');
select is((select jsonb_array_length(items) from receipts), 1, 'lines, too');
select is(reach($$insert into stock_items (id, name) values (id('1'), 'Oat milk')
  on conflict (household_id, id) do update set household_id = excluded.household_id, name = excluded.name$$), 1::bigint, 'the same again, by an upsert');
select results_eq('select name, household_id from stock_items', $$values ('Oat milk', home())$$, 'is a change of it');
select is(reach('insert into stock_items (household_id, name) values (null, ''Tea'')'), 1::bigint, 'a household that is null is none');
select is(reach($$update stock_items set name = 'Milk' where id = id('1')$$), 1::bigint, 'a row is changed by its id');
select larder('jonas');
select is(reach('insert into stock_items (name) values (''Rice'')'), 1::bigint, 'another member adds to the same one');

select plain('noor');
select throws_ok('insert into ' || what, 'LA032', 'you belong to no household yet, and the row names none', 'who belongs to none is told so: ' || what)
from unnest(array['stock_items (name) values (''Milk'')', 'receipt_items (receipt_id, item_name, quantity) values (id(''7''), ''Tea'', 1)',
  'quantity_changes (entity_type, entity_id, delta) values (''StockItem'', id(''1''), 4)']) as what;
select lives_ok('insert into households (name, id) values (''Mine'', id(''cc''))', 'until they found one');
select is(reach('insert into stock_items (name) values (''Milk'')'), 1::bigint, 'which is theirs then');
select lives_ok('insert into households (name, id) values (''Cabin'', id(''cd''))', 'with a second one');
select throws_ok('insert into stock_items (name) values (''Milk'')', 'LA033', 'you belong to 2 households, and the row names none', 'they say which');
select is(reach('insert into stock_items (household_id, name) values (id(''cd''), ''Milk'')'), 1::bigint, 'and it is that');
select nobody();
set local role service_role;
select throws_ok('insert into public.stock_items (name) values (''Milk'')', '23502', null, 'a service always says which');


-- A version changes with every value, also with those computed from ledgers: it says what somebody has read.
select nobody();
create function version_of(kind_table text, ending text) returns bigint language sql as $$
  select (tests.row_of(kind_table, tests.id(ending)::text) ->> 'version')::bigint
$$;
create table tests.seen as select version_of('stock_items', '1') as item, version_of('inventory_items', '2') as batch;
grant select on tests.seen to public;
select plain('mira');
insert into quantity_changes (entity_type, entity_id, delta) values ('StockItem', id('1'), -1), ('InventoryItem', id('2'), -3);
select is((select quantity_in_stock from stock_items where id = id('1')), 5::numeric, 'quantities follow the ledgers');
select cmp_ok(version_of('stock_items', '1'), '>', (select item from seen), 'with a new version of the item');
select cmp_ok(version_of('inventory_items', '2'), '>', (select batch from seen), 'and of the batch');
update stock_items set name = 'Cream' where id = id('1');
select cmp_ok(version_of('stock_items', '1'), '>', (select item from seen), 'and with every one that somebody writes');

select * from finish();
rollback;
