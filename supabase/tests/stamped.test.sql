\ir begin.psql
select no_plan();

-- A write as Larder sends it: a row with its stamps, upserted; the answer is the winner.
select larder('mira');
select results_eq($$insert into storage_locations (household_id, id, name, created_at, edited, extra, path, version, updated_at)
    values (home(), id('f1'), 'Fridge', nov(1), jsonb_build_object('name', larder.instant(nov(2))),
      '{"colour": "white"}', 'locations/fridge.json', 7, nov(29))
    returning name, created_at, updated_at, edited, extra, path, user_id, is_archived$$,
  $$values ('Fridge', nov(1)::timestamptz(3), nov(2)::timestamptz(3),
    jsonb_build_object('name', larder.instant(nov(2))), '{"colour": "white"}'::jsonb,
    'locations/fridge.json', person('mira'), false)$$,
  'what is sent first is stored as it is; its latest time follows from the stamps');
select nobody();
create function location() returns jsonb language sql as $$ select tests.row_of('storage_locations', tests.id('f1')::text) $$;
create function number_now() returns bigint language sql as $$ select (location() ->> 'version')::bigint $$;
-- Upserts that location: a name, other changes, stamps as days of November, and the creation time.
create function send(called text, days text default '{}', also text default '{}', created integer default 1,
  file text default 'locations/other.json')
returns jsonb language plpgsql as $$
declare
  answer public.storage_locations;
begin
  insert into public.storage_locations as l (household_id, id, name, is_cold_storage, is_archived, created_at,
    edited, extra, path, user_id)
  values (tests.home(), tests.id('f1'), called, (also::jsonb ->> 'is_cold_storage')::boolean,
    coalesce((also::jsonb ->> 'is_archived')::boolean, false), tests.nov(created),
    (select coalesce(jsonb_object_agg(key, larder.instant(tests.nov(value::integer))), '{}')
      from jsonb_each_text(days::jsonb)),
    also::jsonb - 'is_cold_storage' - 'is_archived', file, tests.person('mira'))
  on conflict (household_id, id) do update set name = excluded.name,
    is_cold_storage = excluded.is_cold_storage, is_archived = excluded.is_archived,
    created_at = excluded.created_at, edited = excluded.edited, extra = excluded.extra,
    path = excluded.path, user_id = excluded.user_id
  returning * into strict answer;
  return to_jsonb(answer);
end
$$;
create table tests.seen (version bigint);
grant select on seen to public;
insert into seen values (number_now());
select larder('jonas');
select is(send('Fridge', '{"name": 2}', '{"colour": "white", "is_cold_storage": false}') - 'version', location() - 'version',
  'the answer is the row');
select is(send('Fridge', '{"name": 2}', '{"colour": "white", "is_cold_storage": false}') ->> 'name', 'Fridge',
  'sent again, it is answered again');
select nobody();
select is(number_now(), (select version from seen), 'and keeps its version, for nothing changed');
select larder('jonas');
select is(send('Box', '{"name": 1}', '{"colour": "white", "is_cold_storage": false}') ->> 'name', 'Fridge',
  'an older name loses, and its writer gets the winner back');
select is(number_now(), (select version from seen), 'which changes nothing');
select is(send('Cold', '{"name": 3}') -> 'extra', '{"colour": "white"}', 'a later name wins, a key that its writer does not know stays');
select cmp_ok(number_now(), '>', (select version from seen), 'and the version grows');
select is(location() ->> 'path', 'locations/fridge.json', 'the path stays where the first device has it');
select is((location() ->> 'updated_at')::timestamptz, nov(3), 'the latest time follows');
select is(send('Cold', '{"name": 3, "colour": 4}') -> 'extra', '{}', 'a key that was removed is gone');
select is(location() -> 'edited' ->> 'colour', larder.instant(nov(4)), 'when is remembered');
select is(send('Cold', '{"name": 3}', '{"colour": "blue"}') -> 'extra', '{}', 'an older one does not come back');
select is(send('Cold', '{"name": 3, "colour": 5}', '{"colour": "blue", "zone": {"a": 1}}') -> 'extra',
  '{"zone": {"a": 1}, "colour": "blue"}', 'a later one does');
select is(send('cold', '{"name": 3}') ->> 'name', 'cold', 'at one time the greater bytes win');
select is(send('Cold', '{"name": 3}') ->> 'name', 'cold', 'whoever comes last');
select is(send('Cold', '{"name": 2}', '{"is_archived": true}') -> 'is_archived', 'true', 'a tombstone wins at one time');
select is(send('Cold', '{"name": 2}', '{}') -> 'is_archived', 'true', 'and is not taken back by that time');
select is(send('Cold', '{"name": 2, "isArchived": 6}') -> 'is_archived', 'false', 'but later');
select is((send('Older', '{"name": 2}', '{}', 0) ->> 'created_at')::timestamptz, nov(0), 'the earlier creation stands');
select is(location() -> 'edited' ->> 'userId', larder.instant(nov(1)),
  'and what had been written at the later one says so');
select is((send('Later', '{"name": 2}', '{}', 9) ->> 'created_at')::timestamptz, nov(0), 'a later creation does not');
select is(send('Later', '{"name": 2}', '{"householdId": null}', 9) -> 'extra' -> 'householdId', null,
  'a file that names no household changes none, for it never wrote one');
select is(send('Later', '{"name": 2, "householdId": 12}', '{"householdId": "00000000-0000-7000-8000-0000000000bb"}')
    -> 'extra' ->> 'householdId', elsewhere()::text, 'one that names another household says so');
select is(send('Later', '{"name": 2}') -> 'extra' ->> 'householdId', elsewhere()::text, 'and that stays');
select is(send('Later', '{"name": 2, "householdId": 13}') -> 'extra' ->> 'householdId', null,
  'until it is this household''s again');
select is(send('Later', '{"name": 2, "householdId": 14}', '{"householdId": null}') -> 'extra' ? 'householdId', true,
  'removed, it is remembered as none');
select is(location() -> 'extra' -> 'householdId', 'null', 'by a null');
select is(send('Later', '{"name": 2, "householdId": 13}') -> 'extra' -> 'householdId', 'null', 'which an older one does not fill');
select is(send('Later', '{"name": 2, "quantityInStock": 15, "id": 15, "createdAt": 15}') -> 'edited' ?| array['id', 'createdAt'],
  false, 'stamps of what is no field are dropped');
select is((send('Later', '{"name": 2}', '{"deep": {"a": null, "b": [null, {"c": null}]}}', 1) -> 'extra' -> 'deep'),
  '{"b": [null, {}]}', 'null members are absent at any depth, null elements stay');
select is(reach($$update storage_locations set name = 'Cold', edited = '{}', version = 0, path = 'x', updated_at = now(),
  created_at = nov(0) where id = id('f1')$$), 1::bigint, 'an update that loses');
select is(location() ->> 'name', 'cold', 'changes nothing,');
select is(location() ->> 'path', 'locations/fridge.json', 'not where the file is,');
select is((location() ->> 'updated_at')::timestamptz, nov(15), 'not when,');
select cmp_ok(number_now(), '>', 0::bigint, 'and not the version');

-- For each kind and each field: an older write never wins, a later one always does.
select nobody();
create table tests.fields (kind_table text, named text, first text, other text, field text, days text);
insert into fields values
  ('stock_items', 'name', 'Milk', 'Oat milk', 'name', 'name'), ('stock_items', 'category', 'Dairy', null, 'category', 'category'),
  ('stock_items', 'unit', 'liter', 'milliliter', 'unit', 'unit'),
  ('stock_items', 'quantity_full_stock', '2', '3.5', 'quantityFullStock', 'unit'),
  ('stock_items', 'quantity_minimum', '2', '3.5', 'quantityMinimum', 'unit'),
  ('stock_items', 'aliases', '["a"]', '["b", "a"]', 'aliases', 'aliases'), ('stock_items', 'keeps_days', '3', null, 'keepsDays', 'keepsDays'),
  ('stock_items', 'storage_location_id', 'place', null, 'storageLocationId', 'storageLocationId'),
  ('stock_items', 'note', 'blue', null, 'note', 'note'),
  ('stock_items', 'products', '["a"]', '["b", "a"]', 'products', 'products'),
  ('stock_items', 'is_archived', 'false', 'true', 'isArchived', 'isArchived'),
  ('stock_items', 'user_id', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', 'userId', 'userId'),
  ('inventory_items', 'product_ref', '{"productId": "a"}', '{"productId": "b"}', 'productRef', 'productRef'),
  ('inventory_items', 'quantity', '{"unit": "liter"}', '{"unit": "gram"}', 'quantity', 'quantity'),
  ('inventory_items', 'storage_location_id', '', 'x', 'storageLocationId', 'storageLocationId'),
  ('inventory_items', 'lot_or_batch_code', 'L1', null, 'lotOrBatchCode', 'lotOrBatchCode'),
  ('inventory_items', 'expiry_info', '{"kind": "useBy", "isoDate": "2026-12-01"}', null, 'expiryInfo', 'expiryInfo'),
  ('inventory_items', 'opened_info', null, '{"kind": "opened"}', 'openedInfo', 'openedInfo'),
  ('inventory_items', 'notes', 'a', 'b', 'notes', 'notes'),
  ('storage_locations', 'is_cold_storage', 'true', 'false', 'isColdStorage', 'isColdStorage'),
  ('products', 'title', 'Tea', 'Mate', 'title', 'title'), ('products', 'brand', null, 'B', 'brand', 'brand'),
  ('products', 'image_url', 'u', 'v', 'imageURL', 'imageURL'), ('products', 'barcodes', '["1"]', null, 'barcodes', 'barcodes'),
  ('products', 'unit', 'gram', 'pack', 'unit', 'packSize'), ('products', 'pack_size', '500', '1', 'packSize', 'packSize'),
  ('products', 'best_after_opening_days', '3', null, 'bestAfterOpeningDays', 'bestAfterOpeningDays'),
  ('shopping_list_entries', 'item_id', '00000000-0000-7000-8000-000000000001', null, 'itemId', 'name'),
  ('shopping_list_entries', 'name', null, 'Bread', 'name', 'name'),
  ('shopping_list_entries', 'desired_quantity', '1', '2', 'desiredQuantity', 'unit'),
  ('shopping_list_entries', 'unit', 'piece', 'pack', 'unit', 'unit'),
  ('shopping_list_entries', 'note', 'a', '', 'note', 'note'),
  ('shopping_list_entries', 'is_completed', 'true', 'false', 'isCompleted', 'isCompleted'),
  ('receipts', 'shop_name', 'Corner', 'Market', 'shopName', 'shopName'),
  ('receipts', 'timestamp', '2026-11-01T08:00:00+00:00', '2026-11-02T08:00:00.5+00:00', 'timestamp', 'timestamp'),
  ('receipts', 'amount', '5', '6.25', 'amount', 'amount'), ('receipts', 'currency', 'EUR', 'CHF', 'currency', 'amount'),
  ('receipts', 'items', '[]', '[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea", "quantity": 1}]', 'items', 'items'),
  ('receipts', 'is_deleted', 'true', 'false', 'isDeleted', 'isDeleted');
-- A row with the columns of one version (if `first`) or the other, all written on one day.
create function write_version(table_name text, is_other boolean, day integer) returns void language plpgsql as $$
declare
  names text;
begin
  select string_agg(quote_ident(named), ', ') into names from tests.fields where kind_table = table_name;
  execute format('insert into public.%I (household_id, id, %s, created_at, edited) select %L, %L, %s, %L, %L '
    'on conflict (household_id, id) do update set (%2$s, edited) = row(%8$s, excluded.edited)', table_name,
    names || case table_name when 'storage_locations' then ', name' else '' end, tests.home(), tests.id('2'),
    (select string_agg(format('%L::%s', case when is_other then other else first end, (
        select data_type from information_schema.columns c where c.table_schema = 'public'
        and c.table_name = f.kind_table and c.column_name = f.named)), ', ')
      from tests.fields f where kind_table = table_name) || case table_name when 'storage_locations' then ', ''F''' else '' end,
    tests.nov(1), (select jsonb_object_agg(field, larder.instant(tests.nov(day))) from tests.fields where kind_table = table_name),
    (select string_agg('excluded.' || quote_ident(named), ', ') from tests.fields where kind_table = table_name)
      || case table_name when 'storage_locations' then ', excluded.name' else '' end);
end
$$;
create function differing(table_name text, is_other boolean) returns setof text language sql as $$
  select named || ': ' || coalesce(r.stored ->> named, 'nothing')
  from tests.fields, (select tests.row_of(table_name, tests.id('2')::text)) as r (stored)
  where kind_table = table_name
    and case when jsonb_typeof(r.stored -> named) in ('object', 'array')
      then r.stored -> named is distinct from (case when is_other then other else first end)::jsonb
      when named = 'timestamp'
      then (r.stored ->> named)::timestamptz is distinct from (case when is_other then other else first end)::timestamptz
      else r.stored ->> named is distinct from case when is_other then other else first end end
$$;
grant select on fields to public;
select larder('mira');
do $$ begin perform tests.write_version(t, false, 5) from (select distinct kind_table as t from tests.fields) as x; end $$;
select is_empty(format('select differing(%L, false)', t), 'every field is stored: ' || t)
from (select distinct kind_table as t from fields) as x;
do $$ begin perform tests.write_version(t, true, 4) from (select distinct kind_table as t from tests.fields) as x; end $$;
select is_empty(format('select differing(%L, false)', t), 'no older one wins: ' || t)
from (select distinct kind_table as t from fields) as x;
do $$ begin perform tests.write_version(t, true, 6) from (select distinct kind_table as t from tests.fields) as x; end $$;
select is_empty(format('select differing(%L, true)', t), 'every later one does: ' || t)
from (select distinct kind_table as t from fields) as x;
do $$ begin perform tests.write_version(t, false, 7) from (select distinct kind_table as t from tests.fields) as x; end $$;
select is_empty(format('select differing(%L, false)', t), 'and again, nothing of the one before is left: ' || t)
from (select distinct kind_table as t from fields) as x;
select is((row_of(t, id('2')::text) ->> 'updated_at')::timestamptz, nov(7), 'the latest time is the last write''s: ' || t)
from (select distinct kind_table as t from fields) as x;

-- Who made a row.
select larder('mira');
select throws_ok(format('insert into %I (household_id, user_id, %s) values (%L, null, %s)', kind_table, named, home(), sample), '23514',
  'user_id is who made the row, and is not empty', 'a row of nobody does not come: ' || kind_table)
from (values ('stock_items', 'name', '''A'''), ('inventory_items', 'product_ref', '''{"productId": "a"}'''), ('storage_locations', 'name', '''A'''),
  ('products', 'id, title', '''a'', ''A'''), ('shopping_list_entries', 'name', '''A'''), ('receipts', 'shop_name', '''A''')) as t (kind_table, named, sample);
select throws_ok($$update storage_locations set user_id = null, edited = jsonb_build_object('userId', larder.instant(nov(28))) where id = id('f1')$$, '23514',
  'user_id is who made the row, and is not empty', 'nor does one become nobody''s');
select throws_ok($$insert into storage_locations (household_id, id, name, user_id) values (home(), id('f1'), 'Cold', null)
  on conflict (household_id, id) do update set name = excluded.name, user_id = excluded.user_id$$, '23514', null, 'by an upsert neither');
select is(location() ->> 'user_id', person('mira')::text, 'who made it stays');
select results_eq($$insert into storage_locations (household_id, name) values (home(), 'A') returning user_id$$, $$values (person('mira'))$$,
  'left out, it is who is signed in');
select results_eq(format($$insert into storage_locations (household_id, name, user_id) values (home(), 'A', %L) returning user_id$$, maker),
  format('values (%L::uuid)', maker), 'a device brings what others made: ' || maker)
from (values (id('99')), (person('vera'))) as t (maker);

-- Versions.
select nobody();
delete from seen;
insert into seen select last_value from larder.version;
select larder('jonas');
insert into products (household_id, id, title)
select home(), 'p' || n, 'Product ' || n from generate_series(1, 20) as n
on conflict (household_id, id) do update set title = excluded.title;
select is((select count(distinct version) from products where version > (select version from seen) and id like 'p%'),
  20::bigint, 'every row that changes gets a version of its own, greater than all before');
select nobody();
delete from seen;
insert into seen select max(version) from products where id like 'p%';
select larder('jonas');
insert into products (household_id, id, title, edited)
select home(), 'p' || n, case when n = 7 then 'Mate' else 'Product ' || n end,
  case when n = 7 then jsonb_build_object('title', larder.instant(now() + interval '1 h')) else '{}' end
from generate_series(1, 20) as n
on conflict (household_id, id) do update set title = excluded.title, edited = excluded.edited;
select results_eq($$select id from products where version > (select version from seen)$$, array['p7'],
  'only what changed is news');
select throws_ok($$insert into products (household_id, id, title) values (home(), 'q', 'a'), (home(), 'q', 'b')
  on conflict (household_id, id) do update set title = excluded.title$$, '21000', null,
  'one id twice in a request is refused');

select * from finish();
rollback;
