\ir begin.psql
select no_plan();

-- An entry of an item's or a batch's ledger, as Larder sends it.
create function entry(entity uuid, entry_id text, at timestamptz, what text, number numeric default null,
  counted_in text default null, kind text default 'StockItem', undone text default null)
returns text language plpgsql as $$
begin
  execute format('insert into public.quantity_changes (household_id, entity_type, entity_id, id, at, %I, unit, why) '
    'values ($1, $2, $3, $4, $5, %s, $6, $7)', what, case what when 'undoes' then '$9' else '$8' end)
  using tests.home(), kind, entity, tests.id(entry_id), at, counted_in, case what when 'set' then 'count' else 'add' end,
    number, tests.id(undone);
  return null;
end
$$;
create function item(ending text) returns jsonb language sql as $$ select tests.row_of('stock_items', tests.id(ending)::text) $$;
create function batch(ending text) returns jsonb language sql as $$ select tests.row_of('inventory_items', tests.id(ending)::text) $$;
create function stock(ending text) returns text language sql as $$ select item(ending) ->> 'quantity_in_stock' $$;
create function left_of(ending text) returns text language sql as $$ select batch(ending) ->> 'quantity_value' $$;
-- Returns a ledger as texts: at, number, unit, why.
create function ledger(ending text) returns setof text language sql as $$
  select concat_ws(' ', larder.instant(at), case when delta is null then 'set' end, coalesce(delta, "set"), undoes, unit, why)
  from public.quantity_changes where entity_id = tests.id(ending) order by at, "set" is null, id
$$;

-- Loose stock.
select larder('mira');
insert into stock_items (household_id, id, name, unit, created_at) values (home(), id('1'), 'Oat milk', 'piece', nov(1)),
  (home(), id('2'), 'Saffron', 'kilogram', nov(1));
select is(stock('1'), '0', 'an item without entries has none');
select entry(id('1'), 'b0', nov(1), 'delta', 9);
select is(stock('1'), '9', 'what came counts');
select entry(id('1'), 'b1', nov(2), 'delta', 2), entry(id('1'), 'b2', nov(2), 'set', 7), entry(id('1'), 'b3', nov(2), 'set', 4),
  entry(id('1'), 'b4', nov(2), 'delta', -1);
select is(stock('1'), '5', 'of two counts at one instant the greater id stands, and both come before what came or went');
select cmp_ok((item('1') ->> 'updated_at')::timestamptz, '>=', nov(2), 'an entry touches its item');
select entry(id('1'), 'b5', nov(3), 'delta', -3);
select is(stock('1'), '2', 'what went counts');
select entry(id('1'), 'b6', nov(4), 'undoes', undone => 'b5');
select is(stock('1'), '5', 'what is taken back does not');
select entry(id('1'), 'b7', nov(4, 9), 'undoes', undone => 'b6');
select is(stock('1'), '5', 'taking back what took back has no effect');
select entry(id('1'), 'b8', nov(5), 'undoes', undone => 'b3');
select is(stock('1'), '8', 'a count may be taken back: the one before stands');
select entry(id('1'), 'b9', nov(5), 'undoes', undone => 'f9');
select is(stock('1'), '8', 'what takes back an entry that is still on its way has no effect');
select entry(id('1'), 'f9', nov(5, 7), 'delta', 100);
select is(stock('1'), '8', 'until that comes');
select entry(id('1'), 'a1', nov(1, 23), 'set', 50);
select is(stock('1'), '8', 'a count that comes late, but was before the last one, changes nothing');
select entry(id('1'), 'a2', nov(2, 7), 'delta', 50);
select is(stock('1'), '8', 'nor does what came before it');
select entry(id('1'), 'a3', nov(6), 'delta', -10);
select is(stock('1'), '-2', 'there may be less than nothing');

select entry(id('2'), 'b1', nov(1), 'set', 1, 'kilogram'), entry(id('2'), 'b2', nov(2), 'delta', 0.0005, 'gram'),
  entry(id('2'), 'b3', nov(3), 'delta', 5);
select is(stock('2'), '1', 'half a millionth is rounded to the even one, and what does not convert is left out');
select entry(id('2'), 'b4', nov(4), 'delta', 0.0005, 'gram');
select is(stock('2'), '1.000001', 'a sum is exact until it is rounded');
select entry(id('2'), 'b5', nov(5), 'delta', 0.001, 'gram'), entry(id('2'), 'b6', nov(5), 'delta', 0.0005, 'gram');
select is(stock('2'), '1.000002', '1.0000025 is rounded to the even 1.000002');
select entry(id('2'), 'b7', nov(6), 'set', 7, 'pack');
select is(stock('2'), '1.000002', 'nor does a count start anew that does not convert');
select entry(id('2'), 'b8', nov(7), 'set', 999999999999999, 'kilogram'), entry(id('2'), 'b9', nov(8), 'delta', 999999999999999, 'kilogram'),
  entry(id('2'), 'ba', nov(8), 'delta', 0.000001, 'kilogram');
select is(stock('2'), '1999999999999998.000001', 'a sum may have more digits than a number');
select throws_ok($$select entry(id('1'), 'e1', nov(9), 'undoes', 1, 'piece', undone => 'b1')$$, '23514', null, 'what takes back has no unit');
select is((select unit from quantity_changes where id = id('b6') and entity_id = id('1')), null, 'and gets none');
select is((select unit from quantity_changes where id = id('b5') and entity_id = id('1')), 'piece', 'where none is written it is pieces');
select entry(id('3'), 'b1', nov(1), 'delta', 3);
insert into stock_items (household_id, id, name) values (home(), id('3'), 'Rice');
select is(stock('3'), '3', 'a ledger may come before its item');

-- Entries are never changed or removed.
create temporary table kept as select * from quantity_changes;
select is(reach($$update quantity_changes set delta = 77, note = 'x', at = at - interval '1 h' where delta is not null$$) > 0, true,
  'Larder writes entries again that differ, and are earlier');
select throws_ok('delete from quantity_changes', '42501', 'quantity_changes: a ledger entry stays, and is taken back by another one', 'or removes them');
select plain('jonas');
select throws_ok('update quantity_changes set ' || change, '23505', 'quantity_changes: an entry is never changed, and there is another one under this id',
  'an app is told that it can''t change an entry: ' || change)
from unnest(array['note = ''x'', at = nov(0)', 'delta = delta + 1']) as change;
select ok(reach($$update quantity_changes set at = nov(0) where id = id('b1')$$) > 0, 'an entry that it sends again at another time');
select throws_ok('delete from quantity_changes', '42501', 'quantity_changes: a ledger entry stays, and is taken back by another one', 'or remove one');
select set_eq('select * from quantity_changes', 'select * from kept', 'all stay as they were, versions too');
select larder('jonas');
create temporary table answer as select * from quantity_changes with no data;
with again as (insert into quantity_changes select * from kept
  on conflict (household_id, entity_type, entity_id, id) do update set at = excluded.at, delta = excluded.delta, "set" = excluded."set",
    undoes = excluded.undoes, unit = excluded.unit, why = excluded.why, by = excluded.by, request = excluded.request,
    receipt = excluded.receipt, note = excluded.note, extra = excluded.extra returning *)
insert into answer select * from again;
select set_eq('select * from answer', 'select * from kept', 'sent once more, they are answered as they are');

select nobody();
-- Of two different entries with one derived id, the earlier is kept, then the one with smaller bytes, in any order.
-- With any other id it is the other one.
create function twice(one jsonb, other jsonb, entry_id uuid default '5b4efdf1-0135-550c-8f91-0596df197a57') returns text language plpgsql as $$
declare
  entity uuid := gen_random_uuid();
  sent jsonb;
begin
  foreach sent in array array[one, other, one] loop
    insert into public.quantity_changes select * from jsonb_populate_record(null::public.quantity_changes,
      '{"entity_type": "StockItem", "at": "2026-11-01T08:00:00Z", "why": "add", "by": "phone", "unit": "piece", "extra": {}, "version": 0}'
      || jsonb_build_object('household_id', tests.home(), 'entity_id', entity, 'id', entry_id) || sent)
    on conflict (household_id, entity_type, entity_id, id) do update set at = excluded.at, delta = excluded.delta, "set" = excluded."set",
      undoes = excluded.undoes, unit = excluded.unit, why = excluded.why, by = excluded.by, note = excluded.note, extra = excluded.extra;
  end loop;
  return (select coalesce(note, larder.compact(larder.change(c), 'change')) from public.quantity_changes c where entity_id = entity);
end
$$;
select larder('jonas');
create temporary table pairs (winner jsonb, loser jsonb, promise text);
insert into pairs values
  ('{"delta": 9, "at": "2026-11-01T08:00:00.001Z", "note": "w"}', '{"delta": 1, "at": "2026-11-01T08:00:00.002Z"}', 'the earlier entry stands'),
  ('{"delta": 1, "note": "w"}', '{"delta": 2}', 'at one instant the one with the smaller bytes'),
  ('{"delta": 10, "note": "w"}', '{"delta": 9}', 'of bytes, not of numbers'),
  ('{"delta": 5, "note": "w"}', '{"set": 1, "note": "x"}', 'delta before set'),
  ('{"delta": 1, "unit": "gram", "note": "w"}', '{"delta": 1, "note": "x"}', 'a unit before none, whose bytes go on with why'),
  ('{"delta": 1, "note": "w", "extra": {"a": 1}}', '{"delta": 1, "note": "w2"}', 'unknown keys come last'),
  ('{"delta": 1, "by": "A", "note": "w"}', '{"delta": 1, "by": "a"}', 'capitals are smaller');
select is(twice(winner, loser), 'w', promise) from pairs;
select is(twice(loser, winner), 'w', promise || ', in whatever order they come') from pairs;
select isnt(twice(winner, loser, id('d1')), 'w', 'not so: ' || promise) from pairs;
select isnt(twice(loser, winner, id('d1')), 'w', 'not so: ' || promise || ', in whatever order they come') from pairs;
insert into stock_items (household_id, id, name) values (home(), id('4'), 'Peas');
select entry(id('4'), 'd2', nov(2), 'delta', 5);
update quantity_changes set delta = 3, at = nov(3) where id = id('d2');
select is(stock('4'), '3', 'the quantity follows the one that stands');

-- Entries written by an app.
select plain('jonas');
select results_eq($$insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta)
    values (home(), 'StockItem', id('4'), id('d3'), '9998-01-01T00:00:00Z', 0.30000000000000004)
    returning at <= clock_timestamp(), delta, unit, why$$, $$values (true, 0.3, 'piece', 'edit')$$,
  'an app may add entries: not in the future, and rounded');
select is(stock('4'), '3.3', 'they count');

-- Numbers written by an app are counts.
select results_eq($$insert into stock_items (household_id, id, name, unit, quantity_in_stock, created_at, updated_at)
    values (home(), '0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c', 'Oat milk', 'liter', 2.50, nov(1), nov(20, 18)) returning quantity_in_stock$$,
  array[2.5], 'an app makes an item with a number');
select results_eq($$select id, at, "set", unit, why, by from quantity_changes where entity_id = '0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c'$$,
  $$values ('dafb2f0e-3b5b-5829-a6c2-ac02a3313e0a'::uuid, nov(20, 18)::timestamptz(3), 2.5, 'liter', 'edit', 'edit')$$,
  'it is a count under the id that the format names');
select results_eq($$insert into stock_items (household_id, id, name, quantity_in_stock, updated_at)
    values (home(), '0193a4b2-0000-7000-8000-0000000000c1', 'Debt', -1, nov(20, 18)) returning quantity_in_stock$$, array[-1::numeric], 'below zero too');
select is((select id from quantity_changes where entity_id = '0193a4b2-0000-7000-8000-0000000000c1'), 'd4317257-1147-51c9-9e5a-136b609db158'::uuid,
  'under the id that the format names');
select plain('mira');
insert into stock_items (household_id, id, name, quantity_in_stock, created_at, updated_at) values (home(), id('5'), 'Eggs', 6, nov(1), nov(1));
select plain('jonas');
update stock_items set quantity_in_stock = 4, updated_at = nov(3) where id = id('5');
select set_eq($$select ledger('5')$$, array['2026-11-01T08:00:00.000Z set 6 piece edit', '2026-11-03T08:00:00.000Z set 4 piece edit'],
  'a number that is written over another is a count of then');
select is(item('5') -> 'edited' ? 'quantityInStock', false, 'and no field');
update stock_items set name = 'Fresh eggs', quantity_in_stock = 4.0000000001, updated_at = nov(4) where id = id('5');
select is((select count(*) from quantity_changes where entity_id = id('5')), 2::bigint, 'one that is there already is none');
update stock_items set quantity_in_stock = 10, updated_at = nov(2) where id = id('5');
select is(stock('5'), '4', 'an old one loses to the later count');
select is((select count(*) from quantity_changes where entity_id = id('5')), 3::bigint, 'but is in the ledger');
select larder('mira');
select entry(id('5'), 'e1', nov(5), 'delta', -1);
select plain('jonas');
update stock_items set quantity_in_stock = 4, name = 'Eggs', updated_at = nov(4, 12) where id = id('5');
select is(stock('5'), '3', 'what was taken after a number was read is not given back by writing that number then');
update stock_items set quantity_in_stock = null where id = id('5');
select is(stock('5'), '3', 'no number is no count');
update stock_items set quantity_in_stock = 12 where id = id('5');
select is(stock('5'), '12', 'without a time it is now');
select results_eq($$update stock_items set quantity_in_stock = 0 where id = id('5') returning quantity_in_stock$$, array[0::numeric], 'down to zero');
select is((select count(*) from quantity_changes where entity_id = id('5') and "set" = 0), 1::bigint, 'which is a count as well');
select larder('mira');
update stock_items set quantity_in_stock = 99 where id = id('5');
select is(stock('5'), '0', 'Larder''s numbers are none: it sends entries');
insert into stock_items (household_id, id, name, quantity_in_stock) values (home(), id('6'), 'Salt', 99);
select is(stock('6'), '0', 'in new rows too');

-- Units.
select plain('jonas');
insert into stock_items (household_id, id, name, unit, quantity_in_stock, updated_at) values (home(), id('7'), 'Flour', 'kilogram', 2, nov(1));
select results_eq($$update stock_items set unit = 'gram' where id = id('7') returning quantity_in_stock$$, array[2000::numeric],
  'a unit may change to one that the ledger converts to');
select throws_ok($$update stock_items set unit = 'piece' where id = id('7')$$, '23514', null, 'not to one that it does not');
select throws_ok($$update stock_items set unit = null where id = id('7')$$, '23514', null, 'nor to none, which is pieces');
select lives_ok($$update stock_items set unit = 'pack', updated_at = now() - interval '1 year' where id = id('7')$$, 'an old one loses');
select is(item('7') ->> 'unit', 'gram', 'and refuses nothing');
select lives_ok($$update stock_items set unit = 'kilogram', quantity_in_stock = 3 where id = id('7')$$, 'a number beside a unit');
select is(stock('7'), '3', 'is in that unit');
select lives_ok($$update stock_items set unit = 'pack' where id = id('6')$$, 'where nothing is counted any unit is good');
select larder('mira');
select lives_ok($$update stock_items set unit = 'piece', edited = edited || jsonb_build_object('unit', larder.instant(now() + interval '1 h'))
  where id = id('7')$$, 'Larder has checked units itself: what two devices wrote is joined');
select is(stock('7'), '0', 'and what does not convert is left out');

-- Batches.
select larder('mira');
insert into inventory_items (household_id, id, product_ref, quantity, created_at) values (home(), id('f3'),
  jsonb_build_object('productId', id('8')), '{"unit": "piece", "value": 7}', nov(1));
select results_eq($$select status, quantity_value, consumed_at, quantity from inventory_items where id = id('f3')$$,
  $$values ('consumed', 0::numeric, nov(1)::timestamptz(3), '{"unit": "piece"}'::jsonb)$$, 'a batch without entries is consumed since it was made');
select entry(id('f3'), 'b1', nov(1, 9), 'delta', 2, kind => 'InventoryItem');
select results_eq($$select status, quantity_value, consumed_at from inventory_items where id = id('f3')$$,
  $$values ('active', 2::numeric, null::timestamptz(3))$$, 'one above zero is active');
select entry(id('f3'), 'b2', nov(2), 'delta', -2, kind => 'InventoryItem'), entry(id('f3'), 'b3', nov(3), 'delta', -1, kind => 'InventoryItem');
select results_eq($$select status, quantity_value, consumed_at, updated_at >= nov(3) from inventory_items where id = id('f3')$$,
  $$values ('consumed', -1::numeric, nov(2)::timestamptz(3), true)$$, 'consumed since the first entry after which it was never above zero');
select entry(id('f3'), 'b4', nov(4), 'set', 0, kind => 'InventoryItem');
select is((batch('f3') ->> 'consumed_at')::timestamptz, nov(4), 'a count starts anew');
select entry(id('f3'), 'b5', nov(5), 'delta', 1, kind => 'InventoryItem'), entry(id('f3'), 'b6', nov(6), 'delta', -1, kind => 'InventoryItem'),
  entry(id('f3'), 'b7', nov(7), 'delta', -1, 'gram', kind => 'InventoryItem');
select is((batch('f3') ->> 'consumed_at')::timestamptz, nov(6), 'what came in between ends it; what does not convert is left out');
select entry(id('f3'), 'b8', nov(8), 'undoes', kind => 'InventoryItem', undone => 'b6');
select results_eq($$select status, quantity_value from inventory_items where id = id('f3')$$, $$values ('active', 1::numeric)$$, 'taken back, it is there again');
select lives_ok($$update inventory_items set status = 'discarded', edited = jsonb_build_object('status', larder.instant(nov(9))) where id = id('f3')$$,
  'a batch is thrown away');
select results_eq($$select status, consumed_at from inventory_items where id = id('f3')$$, $$values ('discarded', null::timestamptz(3))$$, 'which shows');
select entry(id('f3'), 'b9', nov(10), 'set', 0, kind => 'InventoryItem');
select results_eq($$select status, consumed_at from inventory_items where id = id('f3')$$, $$values ('discarded', null::timestamptz(3))$$, 'whatever is left');
select lives_ok($$update inventory_items set status = 'consumed', edited = jsonb_build_object('status', larder.instant(nov(11))) where id = id('f3')$$, 'brought back');
select results_eq($$select status, consumed_at from inventory_items where id = id('f3')$$, $$values ('consumed', nov(10)::timestamptz(3))$$, 'it is consumed since then');

select plain('jonas');
select results_eq($$insert into inventory_items (household_id, id, product_ref, quantity, updated_at, created_at)
    values (home(), id('f4'), '{"productId": "p"}', '{"value": 1.5000000001, "unit": "liter"}', nov(2), nov(2)) returning quantity_value, quantity, status$$,
  $$values (1.5, '{"unit": "liter"}'::jsonb, 'active')$$, 'an app writes the number inside, as the format has it');
select set_eq($$select ledger('f4')$$, array['2026-11-02T08:00:00.000Z set 1.5 liter edit'], 'it is a count');
update inventory_items set notes = 'open', updated_at = nov(3) where id = id('f4');
select is((select count(*) from quantity_changes where entity_id = id('f4')), 1::bigint, 'what leaves the number alone is none');
update inventory_items set quantity_value = 1, updated_at = nov(4) where id = id('f4');
select is(left_of('f4'), '1', 'a number in the column is one too');
update inventory_items set quantity = '{"value": 0.25, "unit": "liter"}', updated_at = nov(5) where id = id('f4');
select is(left_of('f4'), '0.25', 'or inside again');
update inventory_items set quantity = '{"value": 250, "unit": "milliliter"}', updated_at = nov(6) where id = id('f4');
select is(left_of('f4'), '250', 'in another unit, which it converts to');
select throws_ok($$update inventory_items set quantity = '{"unit": "gram"}' where id = id('f4')$$, '23514', null, 'not in one that it does not');
update inventory_items set status = 'consumed', updated_at = nov(7) where id = id('f4');
select results_eq($$select status, quantity_value, consumed_at from inventory_items where id = id('f4')$$,
  $$values ('consumed', 0::numeric, nov(7)::timestamptz(3))$$, 'consumed while there is some is a count of none');
select is(batch('f4') -> 'edited' ? 'status', false, 'and no other status');
update inventory_items set status = 'active' where id = id('f4');
select is(batch('f4') ->> 'status', 'consumed', 'active while there is none stays consumed');
update inventory_items set status = 'consumed' where id = id('f4');
select is((select count(*) from quantity_changes where entity_id = id('f4')), 5::bigint, 'consumed once more is no count');
update inventory_items set quantity_value = 100, status = 'active' where id = id('f4');
select results_eq($$select status, quantity_value from inventory_items where id = id('f4')$$, $$values ('active', 100::numeric)$$, 'a number brings it back');
update inventory_items set quantity_value = 50, status = 'consumed' where id = id('f4');
select is(left_of('f4'), '50', 'a number beside consumed is what is left, as in a file');
update inventory_items set status = 'discarded' where id = id('f4');
select is(left_of('f4'), '50', 'thrown away, what was left is remembered');
update inventory_items set status = 'active' where id = id('f4');
select is(left_of('f4'), '50', 'and comes back');

-- Pages.
select larder('mira');
insert into stock_items (household_id, id, name, unit, created_at) values (home(), id('f0'), 'Rye', 'piece', nov(1));
select entry(id('f0'), 'f1', nov(1), 'delta', 9), entry(id('f0'), 'f2', nov(5), 'set', 4), entry(id('f0'), 'f3', nov(6), 'delta', -1);
update stock_items set page_from = nov(5) where id = id('f0');
select is(stock('f0'), '3', 'a page begins with its count');
select entry(id('f0'), 'f4', nov(7), 'undoes', undone => 'f2');
select is(stock('f0'), '3', 'which nothing takes back');
select entry(id('f0'), 'f5', nov(8), 'undoes', undone => 'f3');
select is(stock('f0'), '4', 'as it does what came after');
select entry(id('f0'), 'f6', nov(4), 'set', 80), entry(id('f0'), 'f7', nov(4), 'delta', 80);
select is(stock('f0'), '4', 'what comes late from before it is left out');
select cmp_ok((item('f0') ->> 'updated_at')::timestamptz, '=', nov(8), 'and touches nothing');
update stock_items set page_from = nov(2) where id = id('f0');
select is((item('f0') ->> 'page_from')::timestamptz, nov(5), 'a page never goes back');
update stock_items set page_from = nov(9) where id = id('f0');
select is(stock('f0'), '0', 'without its count it has nothing');
select is((item('f0') ->> 'updated_at')::timestamptz, nov(9), 'but its time');
select plain('jonas');
update stock_items set page_from = nov(20), quantity_in_stock = 6 where id = id('f0');
select results_eq($$select (item('f0') ->> 'page_from')::timestamptz, stock('f0')$$, $$values (nov(9), '6')$$, 'an app counts and opens none');
select larder('mira');
select entry(id('f0'), 'f8', nov(10), 'delta', 1);
select is((select count(*) from quantity_changes where entity_id = id('f0') and delta = 1 and at = nov(10)), 1::bigint, 'an entry is there');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta) values (home(), 'StockItem', id('f0'), id('f8'), nov(9), 2)
  on conflict (household_id, entity_type, entity_id, id) do update set at = excluded.at, delta = excluded.delta;
select is((select delta from quantity_changes where entity_id = id('f0') and id = id('f8')), 1::numeric, 'the later of two under one id stands');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta) values (home(), 'StockItem', id('f0'), id('f8'), nov(11), 2)
  on conflict (household_id, entity_type, entity_id, id) do update set at = excluded.at, delta = excluded.delta;
select is((select delta from quantity_changes where entity_id = id('f0') and id = id('f8')), 2::numeric, 'whichever comes first');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta) values
  (home(), 'StockItem', id('f0'), '5b4efdf1-0135-550c-8f91-0596df197a57', nov(12), 5);
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta) values
  (home(), 'StockItem', id('f0'), '5b4efdf1-0135-550c-8f91-0596df197a57', nov(3), 7)
  on conflict (household_id, entity_type, entity_id, id) do update set at = excluded.at, delta = excluded.delta;
select is((select delta from quantity_changes where id = '5b4efdf1-0135-550c-8f91-0596df197a57' and entity_id = id('f0')), 7::numeric, 'of a derived one the earlier, before the page too');

select * from finish();
rollback;
