\ir begin.psql
select no_plan();

-- Returns the quantity of an item: the loose stock and its active batches.
create function stock(ending text, household uuid default tests.home()) returns numeric language sql as $$
  select quantity_in_stock from public.stock_items where id = tests.id(ending) and household_id = household
$$;
-- A batch of a product with a quantity, as Larder sends it.
create function batch(ending text, product text, number numeric, counted_in text default 'piece', household uuid default tests.home(),
  also jsonb default '{}') returns text language plpgsql as $$
begin
  insert into public.inventory_items (household_id, id, product_ref, quantity, extra)
  values (household, tests.id(ending), jsonb_build_object('productId', product), jsonb_build_object('unit', counted_in), also);
  insert into public.quantity_changes (household_id, entity_type, entity_id, id, "set", unit)
  values (household, 'InventoryItem', tests.id(ending), tests.id(ending), number, counted_in);
  return null;
end
$$;
-- A write by Larder to a column of a row, later than everything else.
create sequence tests.later;
grant usage on tests.later to public;
create function edit(kind_table text, ending text, named text, field text, value text) returns text language plpgsql as $$
begin
  execute format('update public.%I set %I = %s, edited = edited || jsonb_build_object(%L, larder.instant(%L)) where id = %L and household_id = %L',
    kind_table, named, value, field, now() + interval '1 h' + nextval('tests.later') * interval '1 s', tests.id(ending), tests.home());
  return null;
end
$$;

select larder('mira');
insert into stock_items (household_id, id, name, unit, products) values
  (home(), id('1'), 'Milk', 'liter', '["ean_1"]'), (home(), id('2'), 'Tea', 'piece', null);
insert into quantity_changes (household_id, entity_type, entity_id, id, delta, unit) values (home(), 'StockItem', id('1'), id('e1'), 1, 'liter');
select batch('b1', id('1')::text, 2, 'liter');
select is(stock('1'), 3::numeric, 'a batch of the item itself counts');
select batch('b2', 'ean_1', 500, 'milliliter');
select is(stock('1'), 3.5, 'one of a product that the item names too, converted');
select batch('b3', 'ean_1', 4, 'piece');
select is(stock('1'), 3.5, 'one that does not convert does not');
select batch('b4', 'ean_2', 7, 'liter');
select is(stock('1'), 3.5, 'nor one of another product');
select batch('b5', 'ean_1', -1, 'liter');
select is(stock('1'), 2.5, 'one below zero counts');
select batch('b6', 'ean_1', 10, 'liter', home(), jsonb_build_object('householdId', elsewhere()));
select is(stock('1'), 2.5, 'one whose file is of another household does not');
select batch('b7', 'ean_1', 0.0000, 'liter', home(), '{"householdId": null}');
select batch('b8', 'ean_1', 1, 'liter', home(), '{"householdId": null}');
select is(stock('1'), 3.5, 'one whose file names none does');
select batch('b9', 'ean_1', 0.0005, 'milliliter'), batch('ba', 'ean_1', 0.001, 'milliliter');
select is(stock('1'), 3.500002, 'the sum is rounded once, half to even');
select edit('inventory_items', 'b9', 'status', 'status', '''discarded'''), edit('inventory_items', 'ba', 'status', 'status', '''archived''');
select is(stock('1'), 3.5, 'neither what was thrown away nor what was archived counts');
select edit('inventory_items', 'b8', 'status', 'status', '''archived''');
select is(stock('1'), 2.5, 'at once');
select edit('inventory_items', 'b8', 'status', 'status', '''active''');
select is(stock('1'), 3.5, 'until it is brought back');
select edit('inventory_items', 'b4', 'product_ref', 'productRef', '''{"productId": "ean_1"}''');
select is(stock('1'), 10.5, 'a batch moves to another product');
select edit('inventory_items', 'b4', 'product_ref', 'productRef', quote_literal(jsonb_build_object('productId', id('2'))));
select results_eq($$select stock('1'), stock('2')$$, $$values (3.5, 0::numeric)$$, 'and to another item, whose unit it is not in');
select edit('inventory_items', 'b4', 'quantity', 'quantity', '''{"unit": "piece"}''');
select is(stock('2'), 0::numeric, 'its ledger does not convert either');
insert into quantity_changes (household_id, entity_type, entity_id, id, "set") values (home(), 'InventoryItem', id('b4'), id('e2'), 7);
select is(stock('2'), 7::numeric, 'counted anew it does');
select edit('stock_items', '1', 'unit', 'unit', '''milliliter''');
select is(stock('1'), 3500::numeric, 'the item''s unit changes');
select edit('stock_items', '1', 'unit', 'unit', '''liter''');

-- The items that claim a product.
select edit('stock_items', '2', 'products', 'products', '''["ean_1", "ean_3"]''');
select results_eq($$select stock('1'), stock('2')$$, $$values (3.5, 7::numeric)$$, 'of two that name a product the smaller id has its batches');
insert into stock_items (household_id, id, name, products) values (home(), id('0'), 'Drinks', '["ean_1"]');
select results_eq($$select stock('0'), stock('1'), stock('2')$$, $$values (4::numeric, 3::numeric, 7::numeric)$$, 'also where it comes later');
select edit('stock_items', '0', 'is_archived', 'isArchived', 'true');
select results_eq($$select stock('0'), stock('1')$$, $$values (4::numeric, 3::numeric)$$, 'archived or not');
select edit('stock_items', '0', 'products', 'products', '''[]''');
select results_eq($$select stock('0'), stock('1'), stock('2')$$, $$values (0::numeric, 3.5, 7::numeric)$$, 'what it gives up the next one has');
select edit('stock_items', '1', 'products', 'products', 'null');
select results_eq($$select stock('1'), stock('2')$$, $$values (3::numeric, 11::numeric)$$, 'and so on');
select edit('stock_items', '2', 'products', 'products', quote_literal(jsonb_build_array(id('1'))));
select results_eq($$select stock('1'), stock('2')$$, $$values (3::numeric, 7::numeric)$$, 'an item''s own batches are its own, whoever names it');
select batch('bb', id('a9')::text, 5), edit('stock_items', '2', 'products', 'products', quote_literal(jsonb_build_array(id('a9'))));
select is(stock('2'), 12::numeric, 'an id that no item has is a product like others');
insert into stock_items (household_id, id, name) values (home(), id('a9'), 'Nine');
select results_eq($$select stock('2'), stock('a9')$$, $$values (7::numeric, 5::numeric)$$, 'until there is that item');
select batch('bc', upper(id('a9')::text), 5);
select is(stock('a9'), 5::numeric, 'ids in capitals are other texts');

-- Other households.
select larder('vera');
insert into stock_items (household_id, id, name, products) values (elsewhere(), id('1'), 'Milk', '["ean_1"]');
select batch('b1', 'ean_1', 3, 'piece', elsewhere());
select is(stock('1', elsewhere()), 3::numeric, 'the same ids in another household are its own');
select larder('mira');
select is(stock('1'), 3::numeric, 'and nothing of it counts here');

-- The order does not matter.
insert into quantity_changes (household_id, entity_type, entity_id, id, "set") values (home(), 'InventoryItem', id('c1'), id('e3'), 2);
insert into inventory_items (household_id, id, product_ref) values (home(), id('c1'), jsonb_build_object('productId', id('c0')));
insert into stock_items (household_id, id, name) values (home(), id('c0'), 'Last');
select is(stock('c0'), 2::numeric, 'an item has what came before it');

-- Numbers written by apps.
select plain('jonas');
insert into stock_items (household_id, id, name, products, quantity_in_stock) values (home(), id('d0'), 'Pasta', '["ean_9"]', 1);
insert into inventory_items (household_id, id, product_ref, quantity_value) values (home(), id('d1'), '{"productId": "ean_9"}', 3);
select is(stock('d0'), 4::numeric, 'a batch that an app makes adds to what an app counted before');
update stock_items set quantity_in_stock = 10 where id = id('d0');
select is(stock('d0'), 10::numeric, 'a number of all there is stands');
select is((select "set" from quantity_changes where entity_id = id('d0') order by at desc limit 1), 7::numeric, 'as a count of what lies loose: less the batches');
update stock_items set quantity_in_stock = 1 where id = id('d0');
select is(stock('d0'), 1::numeric, 'a smaller one than the batches hold stands as well');
select is((select "set" from quantity_changes where entity_id = id('d0') order by at desc limit 1), -2::numeric, 'by less than nothing loose');
update inventory_items set quantity_value = 1 where id = id('d1');
select is(stock('d0'), -1::numeric, 'a batch that is counted changes the total');
delete from inventory_items where id = id('d1');
select is(stock('d0'), -2::numeric, 'and so does one that is thrown away');
insert into inventory_items (household_id, id, product_ref, quantity_value)
  select home(), id('d' || n), '{"productId": "ean_9"}', n from generate_series(2, 9) as n;
select is(stock('d0'), 42::numeric, 'many come in one request');
update inventory_items set quantity_value = 0 where product_id = 'ean_9' and status = 'active';
select is(stock('d0'), -2::numeric, 'and go');

-- The quantity changes at a time from which every device makes the same shopping entry (docs/adoption.md, section 13).
select nobody();
create function entry(item text) returns jsonb language sql as $$
  select tests.row_of('shopping_list_entries',
    extensions.uuid_generate_v5('6c617264-6572-5000-8000-666f726d6174', 'entry/' || item)::text)
$$;
create function updated(ending text) returns timestamptz language sql as $$
  select updated_at from public.stock_items where id = tests.id(ending) and household_id = tests.home()
$$;
create function discard(ending text, at timestamptz) returns text language sql as $$
  update public.inventory_items set status = 'discarded',
    edited = edited || jsonb_build_object('status', larder.instant(at)) where id = tests.id(ending) and household_id = tests.home();
  select null::text
$$;
select larder('mira');
insert into stock_items (household_id, id, name, unit, quantity_full_stock, user_id, created_at) values
  (home(), '0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c', 'Oat milk', 'liter', 6, '5b3f0d6e-58a2-4c0e-8a63-0a4b6c1d2e3f', nov(1)),
  (home(), id('ba0'), 'Soap', 'piece', 0, person('mira'), nov(1)), (home(), id('ba9'), 'Salt', 'piece', 0, person('mira'), nov(1));
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta, unit) values
  (home(), 'StockItem', '0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c', id('b1'), nov(1), 1, 'liter');
select is(entry('0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c'), null, 'what is there need not be bought');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta, unit) values
  (home(), 'StockItem', '0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c', id('b2'), nov(3), -1, 'liter');
select is(entry('0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c') - array['version', 'path', 'household_id', 'created_at', 'updated_at'], '{
  "id": "5b4efdf1-0135-550c-8f91-0596df197a57", "item_id": "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c", "name": null, "note": null,
  "desired_quantity": 6, "unit": "liter", "is_completed": false, "is_deleted": false,
  "user_id": "5b3f0d6e-58a2-4c0e-8a63-0a4b6c1d2e3f", "edited": {}, "extra": {}}', 'what ran out gets the entry of FORMAT.md');
select is((entry('0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c') ->> column_name)::timestamptz, nov(3), column_name || ' of it is when that was')
from unnest(array['created_at', 'updated_at']) as column_name;
update shopping_list_entries set is_completed = true, is_deleted = true,
  edited = jsonb_build_object('isCompleted', larder.instant(nov(5)), 'isDeleted', larder.instant(nov(5)))
where id = '5b4efdf1-0135-550c-8f91-0596df197a57';
insert into quantity_changes (household_id, entity_type, entity_id, id, at, "set", unit) values
  (home(), 'StockItem', '0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c', id('b3'), nov(4), 2, 'liter');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, "set", unit) values
  (home(), 'StockItem', '0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c', id('b4'), nov(4, 12), 0, 'liter');
select is(entry('0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c') -> 'is_deleted', 'true', 'what ran out before its entry was closed does not open it');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, "set", unit) values
  (home(), 'StockItem', '0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c', id('b5'), nov(6), 2, 'liter');
update stock_items set quantity_full_stock = 2, edited = edited || jsonb_build_object('quantityFullStock', larder.instant(nov(7)))
where id = '0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c';
insert into quantity_changes (household_id, entity_type, entity_id, id, at, "set", unit) values
  (home(), 'StockItem', '0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c', id('b6'), nov(12), 0, 'liter');
select is(entry('0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c') -> 'edited', jsonb_build_object('desiredQuantity', larder.instant(nov(12)),
  'unit', larder.instant(nov(12)), 'isCompleted', larder.instant(nov(12)), 'isDeleted', larder.instant(nov(12))), 'what runs out after does, then');
select results_eq($$select desired_quantity, unit, is_completed, is_deleted from shopping_list_entries where id = '5b4efdf1-0135-550c-8f91-0596df197a57'$$,
  $$values (2::numeric, 'liter', false, false)$$, 'with what is wanted now');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, "set", unit) values
  (home(), 'StockItem', '0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c', id('b7'), nov(13), 1, 'liter');
update shopping_list_entries set is_completed = true, desired_quantity = 9, edited = edited
  || jsonb_build_object('isCompleted', larder.instant(nov(14)), 'desiredQuantity', larder.instant(nov(14))) where id = '5b4efdf1-0135-550c-8f91-0596df197a57';
insert into quantity_changes (household_id, entity_type, entity_id, id, at, "set", unit) values
  (home(), 'StockItem', '0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c', id('b8'), nov(15), 0, 'liter');
select results_eq($$select desired_quantity, is_completed from shopping_list_entries where id = '5b4efdf1-0135-550c-8f91-0596df197a57'$$,
  $$values (9::numeric, true)$$, 'what is in the basket stays as it is');

-- Zero stock by a discarded batch.
insert into inventory_items (household_id, id, product_ref, created_at) values
  (home(), id('ba1'), jsonb_build_object('productId', id('ba0')), nov(2)), (home(), id('ba2'), jsonb_build_object('productId', id('ba9')), nov(2));
insert into quantity_changes (household_id, entity_type, entity_id, at, delta) values (home(), 'InventoryItem', id('ba1'), nov(2), 1),
  (home(), 'InventoryItem', id('ba2'), nov(2), 1);
select is(updated('ba0'), nov(2), 'an item is as late as its batches');
select discard('ba1', nov(8));
select is(updated('ba0'), nov(8), 'one that ceases to count tells when');
select is((entry(id('ba0')::text) ->> 'created_at')::timestamptz, nov(8), 'and that is when the item ran out');
select is(entry(id('ba0')::text) -> 'desired_quantity', '1', 'of what is not wanted in particular one is bought');
update stock_items set is_archived = true, edited = jsonb_build_object('isArchived', larder.instant(nov(9))) where id = id('ba9');
select discard('ba2', nov(10));
select is(entry(id('ba9')::text), null, 'of what is archived none');
insert into stock_items (household_id, id, name) values (home(), id('bb0'), 'Never had');
select is(entry(id('bb0')::text), null, 'nor of what never was there');
select plain('jonas');
insert into stock_items (household_id, id, name, quantity_in_stock) values (home(), id('bb1'), 'Matches', 3);
update stock_items set quantity_in_stock = 0 where id = id('bb1');
select is(entry(id('bb1')::text) ->> 'item_id', id('bb1')::text, 'an app that uses the last one gets an entry as well');
delete from shopping_list_entries where item_id = id('bb1');
select is(entry(id('bb1')::text) -> 'is_deleted', 'true', 'which it may delete');
update stock_items set name = 'Lighter' where id = id('bb1');
select is(entry(id('bb1')::text) -> 'is_deleted', 'true', 'and it stays so, whatever else it writes');
update stock_items set quantity_in_stock = 1 where id = id('bb1');
update stock_items set quantity_in_stock = -1 where id = id('bb1');
select is(entry(id('bb1')::text) -> 'is_deleted', 'false', 'until it runs out again');

-- Below the minimum.
insert into stock_items (household_id, id, name, quantity_in_stock, quantity_full_stock, quantity_minimum) values
  (home(), id('bc1'), 'Candles', 3, 6, 2), (home(), id('bc2'), 'Wicks', 1, 6, 2), (home(), id('bc3'), 'Wax', 0, 4, null),
  (home(), id('bc4'), 'Twine', 0, 0, null), (home(), id('bc5'), 'Glue', 1, 0, 2);
select results_eq($$select entry(id(ending)::text) ->> 'desired_quantity' from unnest(array['bc1', 'bc2', 'bc3', 'bc4', 'bc5']) as ending$$,
  $$values (null), ('4'), ('4'), (null), ('2')$$, 'what is new, wanted, and there is too little of is bought');
update stock_items set quantity_in_stock = 1 where id = id('bc1');
select is(entry(id('bc1')::text) ->> 'desired_quantity', '4', 'below its minimum an item is bought up to its full stock');
update stock_items set quantity_in_stock = 0 where id = id('bc1');
select is(entry(id('bc1')::text) ->> 'desired_quantity', '6', 'running out raises that');
update stock_items set quantity_in_stock = 1 where id = id('bc1');
select is(entry(id('bc1')::text) ->> 'desired_quantity', '6', 'and a little more does not lower it');
update stock_items set quantity_in_stock = 5 where id = id('bc1');
update shopping_list_entries set desired_quantity = 5 where item_id = id('bc1');
update stock_items set quantity_minimum = 6 where id = id('bc1');
select is(entry(id('bc1')::text) ->> 'desired_quantity', '6', 'a higher minimum puts it on the list, and one that asks for less is raised');
update stock_items set quantity_minimum = 1 where id = id('bc1');
update shopping_list_entries set desired_quantity = 9 where item_id = id('bc1');
update stock_items set quantity_minimum = 6 where id = id('bc1');
select is(entry(id('bc1')::text) ->> 'desired_quantity', '9', 'one that asks for more stays');
-- An entry of an item may have a unit of its own.
update shopping_list_entries set desired_quantity = 1, unit = 'pack' where item_id = id('bc1');
select is(entry(id('bc1')::text) ->> 'unit', 'pack', 'a pack may be wanted of what is counted in pieces');
update stock_items set quantity_minimum = 1 where id = id('bc1');
update stock_items set quantity_minimum = 6 where id = id('bc1');
select is((entry(id('bc1')::text) ->> 'desired_quantity') || (entry(id('bc1')::text) ->> 'unit'), '1pack',
  'below the minimum it is on the list as it is, and its number is not compared');
update stock_items set quantity_in_stock = 0 where id = id('bc1');
select is((entry(id('bc1')::text) ->> 'desired_quantity') || (entry(id('bc1')::text) ->> 'unit'), '1pack', 'and so it is once it ran out');
update stock_items set quantity_in_stock = 9 where id = id('bc1');
update shopping_list_entries set is_deleted = true where item_id = id('bc1');
update stock_items set quantity_in_stock = 0 where id = id('bc1');
select is((entry(id('bc1')::text) ->> 'desired_quantity') || (entry(id('bc1')::text) ->> 'unit'), '6piece', 'once it was bought, the next one is in the unit of the item');
select larder('mira');
insert into stock_items (household_id, id, name, quantity_full_stock) values (home(), id('bc6'), 'Rope', 4);
select is(entry(id('bc6')::text), null, 'Larder sends what there is afterwards, and the entry by itself');

-- Without a full stock the entry asks for what was bought last, else the most that was there.
insert into products (household_id, id, title, pack_size, unit) values (home(), 'ean_77', 'Rice', 500, 'gram'), (home(), 'ean_78', 'Rye', null, null);
insert into stock_items (household_id, id, name, unit, products, created_at) values
  (home(), id('bd0'), 'Cream', 'milliliter', null, nov(1)), (home(), id('bd1'), 'Basil', 'piece', null, nov(1)),
  (home(), id('bd2'), 'Oil', 'liter', null, nov(1)), (home(), id('bd3'), 'Rice', 'kilogram', '["ean_78", "ean_77"]', nov(1));
insert into inventory_items (household_id, id, product_ref, quantity, created_at) values
  (home(), id('be0'), jsonb_build_object('productId', id('bd1')), '{"unit": "piece"}', nov(2)),
  (home(), id('be1'), jsonb_build_object('productId', id('bd2')), '{"unit": "milliliter"}', nov(2));
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta, "set", unit, why, receipt, undoes) values
  (home(), 'StockItem', id('bd0'), id('e01'), nov(1), null, 200, 'milliliter', 'count', null, null),
  (home(), 'StockItem', id('bd1'), id('e02'), nov(1), null, 12, 'piece', 'count', null, null),
  (home(), 'StockItem', id('bd1'), id('e03'), nov(3), 4, null, 'piece', 'receipt', id('f1'), null),
  (home(), 'InventoryItem', id('be0'), id('e04'), nov(4), 2, null, 'piece', 'receipt', id('f1'), null),
  (home(), 'InventoryItem', id('be0'), id('e05'), nov(5), 1, null, 'piece', 'move', null, null),
  (home(), 'StockItem', id('bd1'), id('e06'), nov(6), 30, null, 'piece', 'add', null, null),
  (home(), 'StockItem', id('bd1'), id('e07'), nov(7), null, null, null, 'undo', null, id('e06')),
  (home(), 'StockItem', id('bd2'), id('e08'), nov(1), 1, null, 'liter', 'add', null, null),
  (home(), 'InventoryItem', id('be1'), id('e09'), nov(2), 750, null, 'milliliter', 'add', null, null),
  (home(), 'StockItem', id('bd3'), id('e0a'), nov(2), 1.2, null, 'kilogram', 'add', null, null);
insert into quantity_changes (household_id, entity_type, entity_id, id, at, "set", unit) values
  (home(), 'InventoryItem', id('be0'), id('e0b'), nov(9), 0, 'piece'), (home(), 'InventoryItem', id('be1'), id('e0c'), nov(9), 0, 'milliliter');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, "set", unit)
select home(), 'StockItem', id(item), id(entry), nov(10), 0, unit
from (values ('bd0', 'e11', 'milliliter'), ('bd1', 'e12', 'piece'), ('bd2', 'e13', 'liter'), ('bd3', 'e14', 'kilogram')) as counted (item, entry, unit);
select results_eq($$select entry(id(ending)::text) ->> 'desired_quantity' from unnest(array['bd0', 'bd1', 'bd2', 'bd3']) as ending$$,
  $$values ('200'), ('6'), ('0.75'), ('1.5')$$, 'the most that was there, all of the last receipt, the last addition, and whole packs');


-- What was thrown away as a whole is no purchase, and of several products the first that says a size in a unit that
-- converts gives the packs.
insert into stock_items (household_id, id, name, unit, products, created_at) values
  (home(), id('bf0'), 'Yeast', 'piece', null, nov(1)), (home(), id('bf1'), 'Rolls', 'piece', '["ean_79", "ean_80", "ean_81", "ean_82"]', nov(1)),
  (home(), id('bf2'), 'Buns', 'piece', '["ean_82", "ean_81"]', nov(1));
insert into products (household_id, id, title, pack_size, unit) values
  (home(), 'ean_79', 'A', 500, 'gram'), (home(), 'ean_80', 'B', 0, 'piece'), (home(), 'ean_81', 'C', 6, 'piece'), (home(), 'ean_82', 'D', 10, 'piece');
insert into inventory_items (household_id, id, product_ref, quantity, created_at) values
  (home(), id('bf3'), jsonb_build_object('productId', id('bf0')), '{"unit": "piece"}', nov(2));
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta, unit, why) values
  (home(), 'StockItem', id('bf0'), id('e20'), nov(1), 2, 'piece', 'add'), (home(), 'InventoryItem', id('bf3'), id('e21'), nov(2), 7, 'piece', 'add'),
  (home(), 'StockItem', id('bf1'), id('e22'), nov(1), 7, 'piece', 'add'), (home(), 'StockItem', id('bf2'), id('e23'), nov(1), 7, 'piece', 'add');
select edit('inventory_items', 'bf3', 'status', 'status', '''discarded''');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, "set", unit)
select home(), 'StockItem', id(item), id(entry), nov(10), 0, 'piece' from (values ('bf0', 'e24'), ('bf1', 'e25'), ('bf2', 'e26')) as counted (item, entry);
select results_eq($$select entry(id(ending)::text) ->> 'desired_quantity' from unnest(array['bf0', 'bf1', 'bf2']) as ending$$,
  $$values ('2'), ('12'), ('10')$$, 'not what was thrown away as a whole; packs of the first product whose size is known and converts');

-- What is of a product that several items name is the one's with the smallest id.
insert into stock_items (household_id, id, name, products) values
  (home(), id('c12'), 'Salt', '["ean_90"]'), (home(), id('c10'), 'Sea salt', '["ean_90"]'), (home(), id('c11'), 'Rock salt', '["ean_90"]');
select batch('c13', 'ean_90', 3);
select results_eq($$select stock('c10'), stock('c11'), stock('c12')$$, $$values (3::numeric, 0::numeric, 0::numeric)$$,
  'the batch of a product that three items name belongs to the one with the smallest id');

-- A total is the sum of what each ledger gives, rounded: three times 0.4 of the last decimal is nothing.
insert into stock_items (household_id, id, name, unit) values (home(), id('c20'), 'Saffron', 'kilogram');
insert into inventory_items (household_id, id, product_ref, quantity) values
  (home(), id('c21'), jsonb_build_object('productId', id('c20')), '{"unit": "kilogram"}'),
  (home(), id('c22'), jsonb_build_object('productId', id('c20')), '{"unit": "kilogram"}');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta, unit, why) values
  (home(), 'StockItem', id('c20'), id('e30'), nov(1), 0.0004, 'gram', 'add'),
  (home(), 'InventoryItem', id('c21'), id('e31'), nov(1), 0.0004, 'gram', 'add'),
  (home(), 'InventoryItem', id('c22'), id('e32'), nov(1), 0.0004, 'gram', 'add');
select is(stock('c20'), 0::numeric, 'quantities are rounded before they are added');

select * from finish();
rollback;
