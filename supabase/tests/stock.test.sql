\ir begin.psql
select no_plan();

-- What there is of an item: loose, and in its active batches.
create function stock(ending text, household uuid default tests.home()) returns numeric language sql as $$
  select quantity_in_stock from public.stock_items where id = tests.id(ending) and household_id = household
$$;
-- A batch of a product with so much in it, as Larder sends it.
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
-- Larder writes a column of a row later than anything.
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

-- Who claims a product.
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

-- Order does not matter.
insert into quantity_changes (household_id, entity_type, entity_id, id, "set") values (home(), 'InventoryItem', id('c1'), id('e3'), 2);
insert into inventory_items (household_id, id, product_ref) values (home(), id('c1'), jsonb_build_object('productId', id('c0')));
insert into stock_items (household_id, id, name) values (home(), id('c0'), 'Last');
select is(stock('c0'), 2::numeric, 'an item has what came before it');

-- Numbers that apps write.
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

-- What changes in the total shows in updated_at, for apps that ask for what is new by it.
select nobody();
create temporary table seen (updated_at timestamptz);
grant all on seen to public;
create function touched(ending text) returns boolean language sql as $$
  select s.updated_at > (select max(updated_at) from pg_temp.seen) from public.stock_items s
  where s.id = tests.id(ending) and s.household_id = tests.home()
$$;
create function wait() returns void language sql as $$
  select pg_sleep(0.003); delete from pg_temp.seen;
  insert into pg_temp.seen select updated_at from public.stock_items where id = tests.id('d0');
$$;
select plain('jonas');
insert into inventory_items (household_id, id, product_ref, quantity_value) values (home(), id('da'), '{"productId": "ean_9"}', 3);
select wait();
update inventory_items set status = 'archived' where id = id('da');
select ok(touched('d0'), 'a batch that ceases to count touches its item');
select wait();
update inventory_items set status = 'active' where id = id('da');
select ok(touched('d0'), 'and one that counts again');
select wait();
update inventory_items set product_ref = '{"productId": "ean_8"}' where id = id('da');
select ok(touched('d0'), 'one that moves to another product');
select wait();
select larder('mira');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta) values (home(), 'StockItem', id('d0'), id('e9'), now() + interval '1 h', 1);
select ok(touched('d0'), 'an entry');
select plain('jonas');
insert into stock_items (household_id, id, name, products, quantity_in_stock, updated_at, created_at)
  values (home(), id('da'), 'Rice', '["ean_7"]', 1, nov(1), nov(1));
delete from seen;
insert into seen values (now());
select larder('mira');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta) values (home(), 'StockItem', id('da'), id('f0'), nov(1, 9), 1);
select is(stock('da'), 2::numeric, 'an entry of a device that was long away');
select ok(touched('da'), 'touches its item now');

select * from finish();
rollback;
