\ir begin.psql
select no_plan();

-- The mistakes of another program: each is refused with the column and the rule, or has an effect.
create function refused(statement text, code text, words text, promise text) returns text language plpgsql as $$
declare
  shown text;
begin
  execute statement;
  return ok(false, promise || ' (nothing was refused)');
exception when others then
  get stacked diagnostics shown = pg_exception_detail;
  return is(format('%s %s %s', sqlstate, sqlerrm, shown), format('%s %s ', code, words), promise);
end
$$;
create function adds(entity uuid, columns text, samples text, kind text default 'StockItem') returns text language sql as $$
  select format('insert into quantity_changes (household_id, entity_type, entity_id, %s) values (%L, %L, %L, %s)', columns, tests.home(), kind, entity, samples)
$$;
create function stock(ending text) returns numeric language sql as $$ select quantity_in_stock from public.stock_items where id = tests.id(ending) $$;

create function once(more text default '') returns text language sql as $$
  select ' on conflict (household_id, entity_type, entity_id, id) do update set delta = excluded.delta, request = excluded.request' || more
$$;
create function posts(kind_table text, row_id text, columns text, samples text) returns text language plpgsql as $$
declare
  named text;
  changes text := '';
begin
  foreach named in array string_to_array(columns, ', ') loop
    changes := changes || format(', %1$I = excluded.%1$I', named);
  end loop;
  return format('insert into %I (household_id, id, %s) values (%L, %L, %s) on conflict (household_id, id) do update set %s',
    kind_table, columns, tests.home(), row_id, samples, substr(changes, 3));
end
$$;
create table tests.units (unit text);
grant select on tests.units to public;
insert into units values ('kg'), ('KG'), ('Kilogram'), ('L'), ('litres'), ('pcs'), ('x'), ('dozen'), ('Tin'), ('fl oz'), (''), (' piece'), ('6er');
create table tests.closed (kind_table text, columns text, samples text, open text, closing text);
grant select on tests.closed to public;
insert into closed values
  ('stock_items', 'name', '''Tea''', 'is_archived, false', 'is_archived, true'), ('inventory_items', 'product_ref', '''{"productId": "p"}''', 'status, ''active''', 'status, ''discarded'''),
  ('storage_locations', 'name', '''Fridge''', 'is_archived, false', 'is_archived, true'), ('products', 'title', '''Tea''', 'is_archived, false', 'is_archived, true'),
  ('shopping_list_entries', 'name', '''Tea''', 'is_deleted, false', 'is_deleted, true'), ('receipts', 'shop_name', '''Shop''', 'is_deleted, false', 'is_deleted, true');

select plain('mira');
insert into stock_items (household_id, id, name, quantity_in_stock) values (home(), id('1'), 'Secret milk', 4);
insert into inventory_items (household_id, id, product_ref, quantity_value, notes) values (home(), id('2'), '{"productId": "p"}', 3, 'secret');
insert into receipts (household_id, id, shop_name) values (home(), id('7'), 'Secret shop');

-- Rules have words, and no answer has a row in it.
select refused(format('update stock_items set unit = %L where id = %L', unit, id('1')), '23514',
  'stock_items: unit is piece, gram, kilogram, milliliter, liter, pack, or a word of your own in lower-case letters, such as tin; kg, l, x, dozen and the like are written as one of these',
  format('an item''s unit is not %L', unit)) from units where unit in ('L', '', 'x') union all
select refused(format('insert into %I (household_id, %s, unit) values (%L, %s, %L)', kind_table, columns, home(), samples, unit), '23514',
  kind_table || ': unit is piece, gram, kilogram, milliliter, liter, pack, or a word of your own in lower-case letters, such as tin; kg, l, x, dozen and the like are written as one of these'
    || case kind_table when 'quantity_changes' then '; beside undoes there is none' else '' end,
  format('nor is %L one in %s', unit, kind_table))
from units, (values ('stock_items', 'name', '''Tea'''), ('products', 'title', '''Tea'''), ('shopping_list_entries', 'name', '''Tea'''),
  ('quantity_changes', 'entity_type, entity_id, delta', '''StockItem'', tests.id(''1''), 1'),
  ('receipt_items', 'receipt_id, item_name, quantity', 'tests.id(''7''), ''Tea'', 1')) as t (kind_table, columns, samples);
select refused(statement, '23514', words, statement)
from (values
  ('insert into inventory_items (household_id, product_ref, quantity) values (tests.home(), ''{"productId": "p"}'', ''{"unit": "kg"}'')',
    'inventory_items: quantity is {"unit": "…"}; its unit is piece, gram, kilogram, milliliter, liter, pack, or a word of your own in lower-case letters, such as tin; kg, l, x, dozen and the like are written as one of these'),
  ('update inventory_items set status = ''eaten''', 'inventory_items: status is active, consumed, discarded or archived'),
  ('update stock_items set quantity_full_stock = -1', 'stock_items: quantity_full_stock is 0 or above, with at most 15 digits, six of them decimals'),
  ('update stock_items set quantity_in_stock = 1e20', 'quantity_in_stock: what there is, is a number with at most 15 digits, six of them decimals'),
  ('update stock_items set quantity_in_stock = ''NaN''', 'quantity_in_stock: what there is, is a number with at most 15 digits, six of them decimals'),
  ('update inventory_items set quantity_value = ''Infinity''', 'quantity_value: what there is, is a number with at most 15 digits, six of them decimals'),
  ('update inventory_items set quantity = ''{"unit": "piece", "value": "three"}''', 'quantity.value: what there is, is a number with at most 15 digits, six of them decimals'),
  ('update receipts set currency = ''eur''', 'receipts: currency is three capital letters, such as EUR'),
  ('update stock_items set id = gen_random_uuid()', 'id and household_id of a row never change'),
  ('insert into shopping_list_entries (household_id) values (tests.home())', 'shopping_list_entries: item_id or name says what to buy')
) as bad (statement, words);
-- A line is written into the receipt by a trigger, as the owner: a constraint of its own would show the receipt.
select refused(format($$insert into receipt_items (household_id, receipt_id, item_name, quantity, extra) values (%L, %L, 'Tea', 1, %L)$$,
  home(), id('7'), (select jsonb_build_object('deep', (repeat('[', 60) || repeat(']', 60))::jsonb))), '23514',
  'receipts: objects and lists are nested at most 60 levels deep', 'a line that its receipt can''t hold');
select refused($$insert into receipt_items (household_id, receipt_id, item_name, quantity) values (home(), id('70'), 'Tea', 1)$$, '23503',
  'receipt_items: receipt_id is no receipt of the household', 'a line of no receipt');
select refused(format('update households set time_zone = %L', zone), '23514',
  'households: time_zone is a name of the time zone database, such as Europe/London', format('%L is no time zone', zone))
from unnest(array['Mars/Olympus', 'europe/berlin', 'UTC+3', 'CEST', 'posix/UTC', 'Europe/Berlin ', '']) as zone;
select lives_ok(format('update households set time_zone = %L', zone), zone || ' is one')
from unnest(array['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3', 'UTC']) as zone;
select plain('noor');
select refused($$insert into households (name, time_zone) values ('Mars', 'Mars/Olympus')$$, '23514',
  'households: time_zone is a name of the time zone database, such as Europe/London', 'nor is a household founded there');
select larder('mira');
select lives_ok($$update households set time_zone = 'Mars/Olympus', edited = jsonb_build_object('timeZone', larder.instant(now()))$$, 'a device brings what its file says');
select plain('mira');
update households set time_zone = 'UTC';

-- Ledger entries that would change nothing.
select refused(adds(id('99'), 'delta', '1'), '23514', 'quantity_changes: entity_id is no StockItem of the household', 'an entry for an item that is not there');
select refused(adds(id('1'), 'delta', '1', 'InventoryItem'), '23514', 'quantity_changes: entity_id is no InventoryItem of the household', 'nor for one of another kind');
select refused(adds(id('1'), 'delta', '1', 'Product'), '23514', 'quantity_changes: entity_type is StockItem or InventoryItem', 'nor of a kind without ledgers');
select refused(adds(id('1'), 'delta, unit', '1, ''liter'''), '23514', 'quantity_changes: unit does not convert to that of the item', 'nor in a unit that does not fit');
select refused(adds(id('1'), '"set", unit', '1, ''gram'''), '23514', 'quantity_changes: unit does not convert to that of the item', 'of a count as well');
select refused(adds(id('1'), 'delta', n), '23514', 'quantity_changes: delta is not 0, which would change nothing', 'nor of ' || n)
from unnest(array['0', '0.0000001']) as n;
select refused(adds(id('1'), 'delta', '-100'), 'LA039', 'quantity_changes: delta takes more than there is', 'nor 100 of 4');
select refused(adds(id('2'), 'delta', '-3.5', 'InventoryItem'), 'LA039', 'quantity_changes: delta takes more than there is', 'nor 3.5 of a batch of 3');
select is(stock('1'), 4::numeric, 'nothing of all that was taken');
select lives_ok(adds(id('1'), 'id, delta', format('%L, -1', id('e1'))), 'one of 4 is');
select is(stock('1'), 3::numeric, 'with its effect');
select refused(adds(id('1'), 'delta, at', format('1, %L', nov(1))), 'LA039', 'quantity_changes: somebody has counted the item since, at a later time', 'what a count has already');
select refused(adds(id('1'), '"set", at', format('1, %L', nov(1))), 'LA039', 'quantity_changes: somebody has counted the item since, at a later time', 'a count before another one');
select refused(adds(id('1'), 'undoes', quote_literal(id('e9'))), 'LA039', 'quantity_changes: undoes is no count, addition or use of this item', 'an undo of nothing');
select lives_ok(adds(id('1'), 'id, undoes', format('%L, %L', id('e2'), id('e1'))), 'an undo');
select is(stock('1'), 4::numeric, 'has its effect');
select refused(adds(id('1'), 'undoes', quote_literal(id('e1'))), 'LA039', 'quantity_changes: that entry is undone already', 'a second one');
select refused(adds(id('1'), 'undoes', quote_literal(id('e2'))), 'LA039', 'quantity_changes: undoes is no count, addition or use of this item', 'an undo of an undo');
select refused(adds(id('1'), 'id, delta', format('%L, -1', id('e1'))) || ' on conflict (household_id, entity_type, entity_id, id) do update set delta = excluded.delta',
  'LA037', 'quantity_changes: the entry of this id is undone', 'one that is undone and posted again');
select lives_ok(adds(id('1'), 'id, delta', format('%L, -1', id('e3'))) || ' on conflict (household_id, entity_type, entity_id, id) do update set delta = excluded.delta',
  'an entry is sent twice, as its answer was lost') from generate_series(1, 2);
select is(stock('1'), 3::numeric, 'and counts once');
select refused(adds(id('1'), 'id, delta', format('%L, -2', id('e3'))) || ' on conflict (household_id, entity_type, entity_id, id) do update set delta = excluded.delta',
  '23505', 'quantity_changes: an entry is never changed, and there is another one under this id', 'another one under its id');
-- Where a device's clock is ahead, now comes after what it has written.
insert into stock_items (household_id, id, name) values (home(), id('3'), 'Eggs');
select larder('jonas');
select lives_ok(adds(id('3'), '"set", at', format('2, %L', now() + interval '1 h')), 'a device whose clock is ahead counts');
select plain('mira');
select lives_ok(adds(id('3'), 'delta', '5'), 'an addition after a count of a device whose clock is ahead');
select is(stock('3'), 7::numeric, 'has its effect');
select larder('jonas');
select lives_ok(adds(id('99'), 'delta, unit', '-100, ''liter'''), 'a device sends what it has, in any order');

-- Requests.
select plain('mira');
select lives_ok(adds(id('1'), 'id, delta, request', format('%L, -1, ''r1''', id(ending))) || once(), 'a request comes under the id ' || ending)
from unnest(array['f1', 'f2', 'f3']) as ending;
select lives_ok(adds(id('1'), 'delta, request', '-1, ''r1''') || once(), 'and without one');
select is(stock('1'), 2::numeric, 'and counts once');
select is((select id from quantity_changes where request = 'r1'),
  extensions.uuid_generate_v5('6c617264-6572-5000-8000-666f726d6174', 'request/r1/' || id('1')), 'under the id that every device gives it');
select refused(adds(id('2'), 'delta, request', '-1, ''r1''', 'InventoryItem') || once(), '23505',
  'quantity_changes: this request is served already, and counts once', 'nor is it served by another item');
select refused(adds(id('1'), 'delta, request', '-2, ''r1''') || once(), '23505',
  'quantity_changes: an entry is never changed, and there is another one under this id', 'nor by another number');
select lives_ok(format('insert into quantity_changes (household_id, entity_type, entity_id, delta, request) values (%1$L, ''StockItem'', %2$L, -1, ''r2''), '
  '(%1$L, ''InventoryItem'', %3$L, -1, ''r2'')', home(), id('1'), id('2')) || once(), 'one request takes from two') from generate_series(1, 2);
select is(stock('1'), 1::numeric, 'once from each');
select larder('jonas');
select lives_ok(format('insert into quantity_changes (household_id, entity_type, entity_id, id, delta, request) values (%L, ''StockItem'', %L, %L, -1, ''r2'')', home(), id('1'),
  extensions.uuid_generate_v5('6c617264-6572-5000-8000-666f726d6174', 'request/r2/' || id('1'))) || once(', at = excluded.at'), 'a device that served it as well');
select is(stock('1'), 1::numeric, 'sends the same entry');
select refused(adds(id('1'), 'id, delta, request', format('%L, -1, ''r2''', id('f' || n))) || more, '23505',
  'quantity_changes: this request is served already, and counts once', 'but no other one for that request' || more)
from (values (4, ''), (5, once(', at = excluded.at'))) as sent (n, more);
select refused(adds(id('3'), 'delta, request', '-1, ''r2''', 'StockItem'), '23505',
  'quantity_changes: this request is served already, and counts once', 'nor for another item');
select is(stock('1'), 1::numeric, 'so nothing is taken again');
select lives_ok(adds(id('3'), 'id, delta, at, request', format('%L, -1, %L, ''r2''', extensions.uuid_generate_v5('6c617264-6572-5000-8000-666f726d6174',
  'request/r2/' || id('3')), now() + interval '2 h')) || once(', at = excluded.at'), 'what a device took for it elsewhere, before it had heard of that');
select is(stock('3'), 6::numeric, 'is not lost');

-- What is deleted and posted again.
select plain('mira');
select lives_ok(posts(kind_table, id('c1')::text, columns, samples), 'a row comes: ' || kind_table) from closed;
select reach(format('delete from %I where id::text = %L', kind_table, id('c1'))) from closed;
select refused(posts(kind_table, id('c1')::text, columns, samples), 'LA037', 'the row is deleted, and was written again without a word about that',
  'posted again after it was deleted, its writer is told: ' || kind_table) from closed;
select lives_ok(posts(kind_table, id('c1')::text, columns || ', ' || split_part(closing, ', ', 1), samples || ', ' || split_part(closing, ', ', 2)),
  'a whole row that is deleted may be written back: ' || kind_table) from closed;
select lives_ok(format('update %I set %s = %s where id::text = %L', kind_table, columns, samples, id('c1')), 'who changes it knows it: ' || kind_table) from closed;
select lives_ok(format('update %I set %s = %s where id::text = %L', kind_table, split_part(open, ', ', 1), split_part(open, ', ', 2), id('c1')),
  'and who says so brings it back: ' || kind_table) from closed;
select is(coalesce(row_of(kind_table, id('c1')::text) ->> 'is_archived', row_of(kind_table, id('c1')::text) ->> 'is_deleted', 'false'), 'false',
  'it is there again: ' || kind_table) from closed;

select * from finish();
rollback;
