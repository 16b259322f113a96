\ir begin.psql
select no_plan();

-- A receipt has its lines in `items`. receipt_items has them as rows, with the same content.
create function lines(wanted text default '7') returns setof text language sql as $$
  select concat_ws(' ', "position", right(id::text, 2), item_name, quantity, unit, price, case when is_deleted then 'deleted' end,
    nullif(extra, '{}'))
  from public.receipt_items where receipt_id = tests.id(wanted) and household_id = tests.home() order by is_deleted, "position", id
$$;
create function items(wanted text default '7') returns setof text language sql as $$
  select concat_ws(' ', place - 1, right(line ->> 'id', 2), line ->> 'itemName', line ->> 'quantity', line ->> 'unit', line ->> 'price',
    nullif(line - larder.keys_of('items.'), '{}'))
  from public.receipts r, jsonb_array_elements(items) with ordinality as lines (line, place)
  where r.id = tests.id(wanted) and r.household_id = tests.home() order by place
$$;
create function line(ending text, called text, number numeric, also jsonb default '{}') returns jsonb language sql as $$
  select jsonb_build_object('id', tests.id(ending), 'itemName', called, 'quantity', number) || also
$$;

select larder('mira');
insert into receipts (household_id, id, shop_name, items, created_at) values (home(), id('7'), 'Corner', jsonb_build_array(
  line('e1', 'Tea', 1, '{"price": 2.4, "weight": 5, "expiry": "2026-12-01", "location": "", "lot": "L", "itemId": "00000000-0000-7000-8000-000000000001"}'),
  line('e2', 'Bread', 2, '{"unit": "pack"}')), nov(1));
select results_eq('select lines()', array['0 e1 Tea 1 2.4 {"weight": 5}', '1 e2 Bread 2 pack'], 'a receipt''s lines are there as rows');
select results_eq($$select expiry, location, lot, item_id from receipt_items where id = id('e1')$$,
  $$values ('2026-12-01', '', 'L', id('1'))$$, 'with all that they have');
update receipts set items = jsonb_build_array(line('e2', 'Rolls', 3), line('e3', 'Milk', 1)),
  edited = jsonb_build_object('items', larder.instant(nov(2))) where id = id('7');
select results_eq('select lines()', array['0 e2 Rolls 3', '1 e3 Milk 1', '0 e1 Tea 1 2.4 deleted {"weight": 5}'], 'they follow it');
update receipts set items = '[]', edited = jsonb_build_object('items', larder.instant(nov(1, 12))) where id = id('7');
select results_eq('select lines()', array['0 e2 Rolls 3', '1 e3 Milk 1', '0 e1 Tea 1 2.4 deleted {"weight": 5}'], 'not where it loses');
update receipts set is_deleted = true, edited = edited || jsonb_build_object('isDeleted', larder.instant(nov(3))) where id = id('7');
select is((select count(*) from receipt_items where is_deleted), 3::bigint, 'a deleted receipt''s lines are deleted');
update receipts set is_deleted = false, edited = edited || jsonb_build_object('isDeleted', larder.instant(nov(4))) where id = id('7');
select results_eq('select lines()', array['0 e2 Rolls 3', '1 e3 Milk 1', '0 e1 Tea 1 2.4 deleted {"weight": 5}'], 'and come back with it');
select lives_ok($$insert into receipts (household_id, id, shop_name, items) values (home(), id('8'), 'X', jsonb_build_array(line('e1', 'A', 1), line('e1', 'B', 1)))$$,
  'one id twice in a receipt is a mistake of a file,');
select results_eq($$select lines('8')$$, array['0 e1 A 1'], 'of which a row can be but the first');
select lives_ok($$insert into receipts (household_id, id, shop_name, items) values (home(), id('9'), 'X', null)$$, 'no lines');
select is_empty($$select lines('9')$$, 'are no rows');

-- Rows written by apps.
select plain('jonas');
insert into receipts (household_id, id, shop_name) values (home(), id('a'), 'Market');
insert into receipt_items (household_id, receipt_id, id, "position", item_name, quantity, price, unit) values
  (home(), id('a'), id('e1'), 0, 'Tea', 1, 2.4000000000000004, null), (home(), id('a'), id('e2'), 1, 'Bread', 2, null, 'pack'),
  (home(), id('a'), id('e3'), 2, 'Milk', 0.30000000000000004, null, 'liter');
select results_eq($$select items('a')$$, array['0 e1 Tea 1 2.4', '1 e2 Bread 2 pack', '2 e3 Milk 0.3 liter'], 'rows of one request become lines, in their order');
select results_eq($$select lines('a')$$, $$select items('a')$$, 'and are what they were');
select ok(row_of('receipts', id('a')::text) -> 'edited' ? 'items', 'the receipt''s lines were written then');
update receipt_items set item_name = 'Green tea', extra = '{"weight": 5}' where id = id('e1') and receipt_id = id('a');
select results_eq($$select items('a')$$, array['0 e1 Green tea 1 2.4 {"weight": 5}', '1 e2 Bread 2 pack', '2 e3 Milk 0.3 liter'], 'what is written to a row is in its line');
update receipt_items set is_deleted = true where id = id('e2') and receipt_id = id('a');
select results_eq($$select items('a')$$, array['0 e1 Green tea 1 2.4 {"weight": 5}', '1 e3 Milk 0.3 liter'], 'a row that is marked deleted is no line');
select is(reach($$delete from receipt_items where id = id('e1') and receipt_id = id('a')$$), 0::bigint, 'a row that is deleted');
select results_eq($$select items('a')$$, array['0 e3 Milk 0.3 liter'], 'is none either,');
select results_eq($$select lines('a')$$, array['0 e3 Milk 0.3 liter', '0 e1 Green tea 1 2.4 deleted {"weight": 5}', '1 e2 Bread 2 pack deleted'], 'but a mark');
update receipt_items set is_deleted = false where id = id('e2') and receipt_id = id('a');
select results_eq($$select items('a')$$, array['0 e3 Milk 0.3 liter', '1 e2 Bread 2 pack'], 'which can be taken back');
insert into receipt_items (household_id, receipt_id, id, item_name, quantity) values (home(), id('a'), id('e3'), 'Cream', 1)
  on conflict (household_id, receipt_id, id) do update set item_name = excluded.item_name;
select results_eq($$select items('a')$$, array['0 e3 Cream 0.3 liter', '1 e2 Bread 2 pack'], 'an upsert too is in the line');
update receipt_items set "position" = 5 where id = id('e3') and receipt_id = id('a');
select results_eq($$select lines('a') limit 2$$, $$select items('a')$$, 'where a line stands the receipt says');
select throws_ok($$insert into receipt_items (household_id, receipt_id, id, item_name, quantity) values (home(), id('ff'), id('e1'), 'Tea', 1)$$,
  '23503', null, 'there is no line without its receipt');
select throws_ok(format('update receipt_items set %s where id = id(''e3'') and receipt_id = id(''a'')', change), '23514', null,
  'a line keeps its id and its receipt: ' || change)
from unnest(array['id = id(''ee'')', 'receipt_id = id(''7'')']) as change;
select is((select count(*) from receipt_items where not is_deleted and receipt_id = id('7')), 2::bigint, 'other receipts are as they were');
delete from receipts where id = id('a');
select is((select count(*) from receipt_items where receipt_id = id('a') and not is_deleted), 0::bigint, 'an app deletes the receipt, and its lines are deleted');
select results_eq($$select items('a')$$, array['0 e3 Cream 0.3 liter', '1 e2 Bread 2 pack'], 'which the receipt remembers');
update receipt_items set item_name = 'Sour cream' where id = id('e3') and receipt_id = id('a');
select results_eq($$select items('a')$$, array['0 e3 Sour cream 0.3 liter', '1 e2 Bread 2 pack'], 'also while one is edited');
update receipt_items set is_deleted = false where id = id('e2') and receipt_id = id('a');
insert into receipt_items (household_id, receipt_id, id, item_name, quantity) values (home(), id('a'), id('e4'), 'Salt', 1);
select is((select count(*) from receipt_items where receipt_id = id('a') and not is_deleted), 0::bigint, 'no line comes back without its receipt');
update receipts set is_deleted = false where id = id('a');
select results_eq($$select lines('a') limit 3$$, array['0 e3 Sour cream 0.3 liter', '1 e2 Bread 2 pack', '2 e4 Salt 1'], 'with it all do');
select results_eq($$select lines('a') limit 3$$, $$select items('a')$$, 'on both sides');

-- Two devices.
select larder('mira');
update receipts set items = jsonb_build_array(line('e5', 'Jam', 1)), edited = edited || jsonb_build_object('items', larder.instant(now() + interval '1 h'))
where id = id('a');
select plain('jonas');
insert into receipt_items (household_id, receipt_id, id, item_name, quantity) values (home(), id('a'), id('e6'), 'Honey', 1);
select results_eq($$select items('a')$$, array['0 e5 Jam 1', '1 e6 Honey 1'], 'a row that is written comes after all that the receipt has seen');

select * from finish();
rollback;
