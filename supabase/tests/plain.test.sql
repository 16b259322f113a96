\ir begin.psql
select no_plan();

-- A client without stamps. It writes the same rows as Larder's devices.
create function location() returns jsonb language sql as $$ select tests.row_of('storage_locations', tests.id('f1')::text) $$;
create function stamp(field text) returns timestamptz language sql as $$
  select coalesce(location() -> 'edited' ->> field, location() ->> 'created_at')::timestamptz
$$;
create table tests.seen (stored jsonb);
grant all on seen to public;
create function remember() returns void language sql as $$ delete from tests.seen; insert into tests.seen values (location()) $$;
create function seen(field text) returns text language sql as $$ select stored ->> field from tests.seen $$;

select plain('mira');
select is(reach($$insert into storage_locations (household_id, id, name, created_at, updated_at)
  values (home(), id('f1'), 'Fridge', nov(1), nov(2))$$), 1::bigint, 'an app makes a place');
select is(location() -> 'edited' ->> f, larder.instant(nov(2)), f || ' was written when the app says')
from unnest(array['name', 'isColdStorage', 'isArchived', 'userId', 'householdId']) as f;
select is((location() ->> 'created_at')::timestamptz, nov(1), 'made when it says');
select is((location() ->> 'updated_at')::timestamptz, nov(2), 'updated then');
select is(location() ->> 'user_id', person('mira')::text, 'by who is signed in');
select lives_ok($$insert into storage_locations (household_id, id, name, created_at, updated_at)
  values (home(), id('f2'), 'Later', nov(2), nov(1)), (home(), id('f3'), 'Never', '9998-01-01T00:00:00Z', '9998-01-01T00:00:00Z'),
    (home(), id('f4'), 'Now', null, null)$$, 'an app whose clock is wrong makes more');
select is(row_of('storage_locations', id('f2')::text) ->> 'created_at', row_of('storage_locations', id('f2')::text) ->> 'updated_at',
  'nothing was made after it was written');
select ok((row_of('storage_locations', id('f3')::text) ->> column_name)::timestamptz <= clock_timestamp(), column_name || ' is at most now')
from unnest(array['created_at', 'updated_at']) as column_name;
select ok((row_of('storage_locations', id('f3')::text) -> 'edited') = '{}', 'and so is every stamp');

-- Only the changed columns were written.
select remember();
select is(reach($$update storage_locations set name = 'Cold', updated_at = nov(5) where id = id('f1')$$), 1::bigint, 'an app renames it');
select is(stamp('name'), nov(5), 'the name was written then');
select is(stamp('isArchived'), nov(2), 'nothing else was');
select cmp_ok((location() ->> 'version')::bigint, '>', seen('version')::bigint, 'the version grows');
select remember();
select is(reach($$update storage_locations set name = 'Cold', is_archived = false, updated_at = nov(6) where id = id('f1')$$), 1::bigint,
  'what is written again as it is');
select is(location(), (select stored from seen), 'was not written');
select is(reach($$update storage_locations set name = 'Old', updated_at = nov(4) where id = id('f1')$$), 1::bigint, 'an old write');
select is(location(), (select stored from seen), 'loses');
select is(reach($$update storage_locations set name = 'Old', is_cold_storage = true, updated_at = nov(4) where id = id('f1')$$), 1::bigint,
  'an old write of two columns');
select is(location() ->> 'name', 'Cold', 'loses where another was later');
select is(location() ->> 'is_cold_storage', 'true', 'and stands where none was');
select is((location() ->> 'updated_at')::timestamptz, nov(5), 'the latest time stays');

select is(reach($$update storage_locations set name = 'Future', updated_at = '9998-01-01T00:00:00Z' where id = id('f1')$$), 1::bigint,
  'a clock that is years ahead');
select ok(stamp('name') between statement_timestamp() - interval '1 min' and clock_timestamp(), 'is cut at now');
select is(reach($$update storage_locations set name = 'Now' where id = id('f1')$$), 1::bigint, 'without updated_at');
select ok(stamp('name') between statement_timestamp() - interval '1 min' and clock_timestamp(), 'it is now');
select is(reach($$update storage_locations set name = 'Null', updated_at = null where id = id('f1')$$), 1::bigint, 'without any');
select is(location() ->> 'name', 'Null', 'too');
select larder('jonas');
insert into storage_locations (household_id, id, name, edited) values (home(), id('f6'), 'Soon', jsonb_build_object('name', larder.instant(now() + interval '1 day')));
-- A time from before clocks were checked.
select nobody();
alter table storage_locations disable trigger write_row;
insert into storage_locations (household_id, id, name, edited, updated_at)
values (home(), id('f5'), 'Late', jsonb_build_object('name', '9998-12-31T23:59:59.999Z'), '9998-12-31T23:59:59.999Z');
alter table storage_locations enable trigger write_row;
select plain('mira');
update storage_locations set name = 'Soon after' where id = id('f6');
select is(row_of('storage_locations', id('f6')::text) ->> 'name', 'Soon after', 'a write without a time comes after what it has read');
select is(row_of('storage_locations', id('f6')::text) -> 'edited' ->> 'name', larder.instant(now() + interval '1 day 1 ms'),
  '1 ms after it, where that is ahead');
update storage_locations set name = 'Zero' where id = id('f5');
select is(row_of('storage_locations', id('f5')::text) ->> 'name', 'Zero', 'even after the last instant there is');
update storage_locations set name = 'After' where id = id('f5');
select is(row_of('storage_locations', id('f5')::text) ->> 'name', 'Zero', 'where the greater bytes stand');

-- Columns that it can't change.
select throws_ok($$update storage_locations set user_id = person('jonas') where id = id('f1')$$, '42501',
  'user_id is who is signed in, and stays who made the row', 'an app writes in nobody else''s name');
select throws_ok($$insert into storage_locations (household_id, name, user_id) values (home(), 'Forged', person('jonas'))$$, '42501',
  'user_id is who is signed in, and stays who made the row', 'nor makes anything in it');
select results_eq($$insert into storage_locations (household_id, name, user_id) values (home(), 'Nobody''s', null) returning user_id$$,
  array[person('mira')], 'what it makes for nobody is its user''s');
select plain('jonas');
select is(reach($$update storage_locations set name = 'Cold', user_id = person('jonas') where id = id('f1')$$), 1::bigint, 'another user names themselves');
select is(location() ->> 'user_id', person('mira')::text, 'and who made it stays');
select plain('mira');
select is(reach($$update storage_locations set created_at = nov(0), path = 'x',
  edited = '{"name": "9998-01-01T00:00:00.000Z"}', updated_at = now() where id = id('f1')$$), 1::bigint,
  'an app writes what is not its own');
select is(location() ->> 'user_id', person('mira')::text, 'who made it stays');
select is((location() ->> 'created_at')::timestamptz, nov(1), 'when, too');
select ok(stamp('name') <= clock_timestamp(), 'and stamps are not forged');

-- Unchanged rows written back.
select larder('jonas');
insert into products (household_id, id, title, brand, created_at, extra) values
  (home(), 'p', 'Tea', 'A', nov(1), '{"ratio": 0.1234567890123456789, "list": [1.23456789, null], "householdId": "x"}');
select plain('mira');
create temporary table copy as select * from products where id = 'p';
select larder('jonas');
update products set brand = 'B', barcodes = '["1"]', edited = edited || jsonb_build_object('brand', larder.instant(nov(10)), 'barcodes', larder.instant(nov(10)))
where id = 'p';
select plain('mira');
select is(reach($$insert into products select (jsonb_populate_record(null::products, to_jsonb(copy)
    || jsonb_build_object('title', 'Green tea', 'updated_at', nov(9)))).* from copy
  on conflict (household_id, id) do update set title = excluded.title, brand = excluded.brand, barcodes = excluded.barcodes,
    image_url = excluded.image_url, unit = excluded.unit, pack_size = excluded.pack_size, is_archived = excluded.is_archived,
    best_after_opening_days = excluded.best_after_opening_days, user_id = excluded.user_id, created_at = excluded.created_at,
    updated_at = excluded.updated_at, edited = excluded.edited, extra = excluded.extra, path = excluded.path, version = excluded.version$$),
  1::bigint, 'a whole row is written back that was read before somebody else''s write');
select results_eq($$select title, brand, barcodes from products where id = 'p'$$, $$values ('Green tea', 'B', '["1"]'::jsonb)$$,
  'what it changed is there, and so is what it did not know');
select is(row_of('products', 'p') -> 'extra', '{"ratio": 0.1234567890123456789, "list": [1.23456789, null], "householdId": "x"}',
  'what the format does not know stays digit for digit');
select is(row_of('products', 'p') -> 'edited', jsonb_build_object('title', larder.instant(nov(9)),
  'brand', larder.instant(nov(10)), 'barcodes', larder.instant(nov(10))), 'and nothing else was written');
select is(reach($$update products set brand = null, barcodes = null where id = 'p'$$), 1::bigint, 'an app removes what is optional');
select results_eq($$select brand, barcodes from products where id = 'p'$$, $$values (null::text, null::jsonb)$$, 'it is gone');
select ok(row_of('products', 'p') -> 'edited' ?& array['brand', 'barcodes'], 'since then');
select is(reach($$update products set extra = extra - 'list' || '{"ratio": 2.50, "note": null}' where id = 'p'$$), 1::bigint,
  'an app writes unknown keys');
select is(row_of('products', 'p') -> 'extra', '{"ratio": 2.50, "householdId": "x"}', 'they are as it wrote them; null is none');

-- Two apps that write different columns.
select plain('mira');
update storage_locations set name = 'Larder', updated_at = now() - interval '2 s' where id = id('f2');
select plain('jonas');
update storage_locations set is_cold_storage = true, updated_at = now() - interval '3 s' where id = id('f2');
select results_eq($$select name, is_cold_storage from storage_locations where id = id('f2')$$, $$values ('Larder', true)$$,
  'what two apps wrote in different columns is both there, whoever was first');

-- Numbers.
select results_eq($$insert into shopping_list_entries (household_id, id, name, desired_quantity)
  values (home(), id('1'), 'Flour', 0.1 + 0.20000000000000004) returning desired_quantity$$, array[0.3],
  'binary numbers are rounded');
select results_eq($$update shopping_list_entries set desired_quantity = 2.4999999999999996, updated_at = nov(3) where id = id('1')
  returning desired_quantity$$, array[0.3], 'an old one loses rounded or not');
select results_eq($$update shopping_list_entries set desired_quantity = 2.4999999999999996 where id = id('1')
  returning desired_quantity$$, array[2.5], 'also when they change');
select is((row_of('shopping_list_entries', id('1')::text) ->> 'desired_quantity'), '2.5', 'to the digit');
select results_eq($$insert into receipts (household_id, id, shop_name, amount, items) values (home(), id('2'), 'Corner', 4.999999999999,
    '[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea", "quantity": 0.30000000000000004, "price": 2.4000000000000004,
      "unit": null, "weight": 0.30000000000000004}]') returning amount, items$$,
  $$values (5::numeric, '[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea", "quantity": 0.3, "price": 2.4,
    "weight": 0.30000000000000004}]'::jsonb)$$, 'in receipts'' lines too, and their nulls are none');
select results_eq($$insert into inventory_items (household_id, id, product_ref, expiry_info)
    values (home(), id('3'), '{"productId": "p", "snapshot": {"title": "Tea", "brand": null}}', '{"kind": "useBy", "confidence": 0.8999999999999999, "rawText": null}')
    returning product_ref, expiry_info$$,
  $$values ('{"productId": "p", "snapshot": {"title": "Tea"}}'::jsonb, '{"kind": "useBy", "confidence": 0.9}'::jsonb)$$,
  'and in dates');
select is(reach($$update inventory_items set expiry_info = '{"kind": "useBy", "confidence": 0.9, "rawText": null}' where id = id('3')$$), 1::bigint,
  'what is the same but for nulls');
select ok(not row_of('inventory_items', id('3')::text) -> 'edited' ? 'expiryInfo', 'was not written');

-- Deletes become tombstones, and can be undone.
select plain('mira');
insert into stock_items (household_id, id, name) values (home(), id('4'), 'Milk');
insert into inventory_items (household_id, id, product_ref, status) values (home(), id('5'), '{"productId": "p"}', 'archived');
create table if not exists pg_temp.kinds (kind_table text, row_id text, mark text, dead text, alive text);
insert into kinds values
  ('stock_items', id('4'), 'is_archived', 'true', 'false'), ('inventory_items', id('3'), 'status', 'discarded', 'active'),
  ('inventory_items', id('5'), 'status', 'archived', 'active'),
  ('storage_locations', id('f1'), 'is_archived', 'true', 'false'), ('storage_locations', id('f6'), 'is_archived', 'true', 'false'),
  ('products', 'p', 'is_archived', 'true', 'false'),
  ('shopping_list_entries', id('1'), 'is_deleted', 'true', 'false'), ('receipts', id('2'), 'is_deleted', 'true', 'false');
select is(reach(format('delete from public.%I where id::text = %L', kind_table, row_id)), 0::bigint,
  format('a deletion in %s takes no row away', kind_table)) from kinds;
select is(row_of(kind_table, row_id) ->> mark, dead, format('it makes it %s in %s', dead, kind_table)) from kinds;
select ok((row_of(kind_table, row_id) -> 'edited') ?| array['isArchived', 'isDeleted', 'status'] or dead = 'archived', 'and says when: ' || kind_table)
from kinds;
select is(reach(format('delete from public.%I where id::text = %L', kind_table, row_id)), 0::bigint, 'a second one: ' || kind_table) from kinds;
select lives_ok(format('update public.%I set %I = %L where id::text = %L', kind_table, mark, alive, row_id), 'it is taken back: ' || kind_table)
from kinds;
select ok(row_of(kind_table, row_id) ->> mark in (alive, 'consumed'), 'and is as before: ' || kind_table) from kinds;
select larder('jonas');
select is(reach(format('delete from public.%I where household_id = %L', kind_table, home())), 0::bigint, 'Larder deletes as others do: ' || kind_table)
from (select distinct kind_table from kinds) as t;
select is(row_of(kind_table, row_id) ->> mark, case mark when 'status' then 'discarded' else dead end, 'all are marked: ' || kind_table) from kinds;
insert into quantity_changes (household_id, entity_type, entity_id, id, delta) values (home(), 'StockItem', id('4'), id('c1'), 1);
select throws_ok('delete from quantity_changes', '42501', null, 'no ledger entry goes');

select * from finish();
rollback;
