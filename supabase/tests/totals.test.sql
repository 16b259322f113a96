\ir begin.psql
select no_plan();

-- An item's total (FORMAT.md, section 7): what was counted is the total at its moment, whatever arrives later.

-- A moment of the ledgers below; all is counted at 20.
create function moment(number text) returns timestamptz language sql immutable as $$
  select tests.nov(1) + number::integer * interval '1 min'
$$;
-- The rows of a ledger that is written as "+10@0 s10/20@20 -1@30 undoes@31 from@20 discarded@40": what came or went, a
-- count of 10 with the total 20, the entry before taken back, a page, a status.
create function ledger(kind text, entity uuid, written text) returns setof public.quantity_changes language plpgsql as $$
declare
  entry public.quantity_changes;
  place integer := 0;
  word text;
  what text;
begin
  foreach word in array string_to_array(written, ' ') loop
    what := split_part(word, '@', 1);
    continue when what in ('from', 'discarded', 'archived', 'active');
    place := place + 1;
    entry := jsonb_populate_record(null::public.quantity_changes, jsonb_build_object(
      'household_id', tests.home(), 'entity_type', kind, 'entity_id', entity, 'id', tests.id('e' || place),
      'at', tests.moment(split_part(word, '@', 2)), 'why', 'edit', 'by', 'phone', 'extra', '{}'::jsonb, 'version', 0,
      'delta', case when what ~ '^[+-]' then what::numeric end,
      'set', case when what like 's%' then split_part(substr(what, 2), '/', 1)::numeric end,
      'total', case when what like 's%' then nullif(split_part(what, '/', 2), '')::numeric end,
      'undoes', case when what = 'undoes' then tests.id('e' || place - 1) end));
    return next entry;
  end loop;
end
$$;
-- Returns the total of an item with batches, whose rows arrive in an order: as they are written, backwards, or by chance.
create function total(item text, batches text[], in_order text) returns numeric language plpgsql as $$
declare
  item_id uuid := gen_random_uuid();
  arriving record;
begin
  for arriving in
    with piles as (
      select 'StockItem' as kind, item_id as id, item as written
      union all select 'InventoryItem', gen_random_uuid(), batch from unnest(batches) as batch
    ), numbered as (
      select p.*, row_number() over () as place, (
          select tests.moment(split_part(word, '@', 2)) from unnest(string_to_array(p.written, ' ')) as word
          where word like 'from@%') as page, (
          select array[split_part(word, '@', 1), larder.instant(tests.moment(split_part(word, '@', 2)))]
          from unnest(string_to_array(p.written, ' ')) as word where word ~ '^(discarded|archived|active)@') as status
      from piles p
    ), statements as (
      select place, 0 as step, case kind
        when 'StockItem' then format(
          'insert into stock_items (household_id, id, name, created_at, page_from) values (%L, %L, %L, %L, %L)',
          tests.home(), id, 'Counted', tests.moment('0'), page)
        else format(
          'insert into inventory_items (household_id, id, product_ref, created_at, page_from, status, edited) '
            'values (%L, %L, %L, %L, %L, %L, %L)',
          tests.home(), id, jsonb_build_object('productId', item_id), tests.moment('0'), page,
          coalesce(status[1], 'active'),
          case when status is null then '{}' else jsonb_build_object('status', status[2]) end)
        end as statement
      from numbered
      union all
      select n.place, row_number() over (), format(
        'insert into quantity_changes select * from jsonb_populate_record(null::quantity_changes, %L)', to_jsonb(l))
      from numbered n, tests.ledger(n.kind, n.id, n.written) as l
    )
    select statement from statements order by case in_order when 'as written' then place * 1000 + step
      when 'backwards' then -place * 1000 - step else random() end
  loop
    execute arriving.statement;
  end loop;
  return (select quantity_in_stock from public.stock_items where id = item_id);
end
$$;

create function stock(ending text) returns numeric language sql as $$
  select quantity_in_stock from public.stock_items where id = tests.id(ending) and household_id = tests.home()
$$;
-- The latest count of an item: its number, the total beside it, and where it comes from.
create function counted(ending text) returns text language sql as $$
  select concat_ws(' ', "set", total, unit, why, by) from public.quantity_changes
  where entity_id = tests.id(ending) and "set" is not null order by at desc, id desc limit 1
$$;

create temporary table vectors (promise text, item text, batches text[], total numeric);
insert into vectors values
  ('a late use in a batch', '+10@0 s10/20@20', '{+10@0 -2@10}', 20),
  ('a first batch that was not known', '+10@0 s12/12@20', '{+2@10}', 12),
  ('a batch made after', '+10@0 s12/12@20', '{+2@30}', 14),
  ('discarded before, not known', '+10@0 s8/10@20', '{+2@0 discarded@10}', 10),
  ('discarded after', '+10@0 s8/10@20', '{+2@0 discarded@30}', 8),
  ('archived after', '+10@0 s8/10@20', '{+2@0 archived@30}', 8),
  ('moved before to a batch that was not known', '+5@0 s5/15@20', '{+10@0 -3@10,+3@10}', 15),
  ('batches that hold more, as it is written down', '+0@0 s-8/7@20 +8@21', '{+10@0 -8@21,+5@0}', 7),
  ('and then a use from before', '+0@0 s-8/7@20 +8@21', '{+10@0 -8@21,+5@0 -3@10}', 7),
  ('one batch counted after', '+10@0 s10/20@20', '{+10@0 -2@10 s7@30}', 19),
  ('the loose stock counted after', '+10@0 s10/20@20 s6@30', '{+10@0 -2@10}', 14),
  ('a count that is taken back', '+10@0 s5/15@20 undoes@30', '{+10@0 -2@10}', 18),
  ('the count of a page that is taken back', 's5/15@20 +5@30 from@20', '{+10@0}', 20),
  ('uses at the instant of the count', '+10@0 s10/20@20 -1@20', '{+10@0 -1@20}', 18),
  ('two counts at one instant', 's10/20@20 s7/17@20', '{+10@0}', 17),
  ('a late receipt', '+12@10 s12/12@20', '{}', 12),
  ('a late receipt that was put away', '+12@10 s12/12@20 -12@30', '{+12@30}', 12),
  ('whose line is corrected', '+12@10 s12/12@20 -12@30', '{+12@30 +2@10}', 12),
  ('an old count, without a total', '+10@0 s10@20', '{+10@0 -2@10}', 18),
  ('what a batch lacked when all was counted', '+10@0 s9/7@20 -2@21', '{+3@0 -5@10 +2@21}', 7),
  ('used after it was discarded', '+10@0', '{+5@0 -2@30 discarded@20}', 8),
  ('more was used of it than was in it before it was discarded', '+10@0', '{+5@0 -7@10 discarded@20}', 8),
  ('used at the instant when it was discarded', '+10@0', '{+5@0 -2@20 discarded@20}', 8),
  ('counted and discarded at one instant', '+10@0', '{+5@0 s3@20 discarded@20}', 10),
  ('discarded at the instant of the count', '+10@0 s8/10@20', '{+2@0 discarded@20}', 10),
  ('a use from before that is taken back after', '+10@0 s10/20@20', '{+10@0 -2@10 undoes@30}', 20),
  ('a discard that is taken back', '+10@0 s10/10@20', '{+2@0 active@30}', 10),
  ('a page of a batch after the count', '+10@0 s10/20@20', '{s9@30 -2@31 from@30}', 18),
  ('what would lie loose below zero', '+10@0 s4/4@20', '{+1@10,+3@10}', 4),
  ('a counted item that gets a batch', 's5/5@20 +3@30', '{+3@0}', 8);
grant select on vectors to public;
select larder('mira');
select is(total(item, batches, in_order), total, promise || ', ' || in_order)
from vectors, unnest(array['as written', 'backwards', 'by chance', 'by chance']) as in_order;

-- Units: all is converted exactly and rounded once.
insert into stock_items (household_id, id, name, unit) values (home(), id('1'), 'Salt', 'kilogram');
insert into inventory_items (household_id, id, product_ref, quantity) values
  (home(), id('b1'), jsonb_build_object('productId', id('1')), '{"unit": "gram"}'), (home(), id('b2'), jsonb_build_object('productId', id('1')), '{"unit": "tin"}');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta, "set", unit, total) values
  (home(), 'InventoryItem', id('b1'), id('e1'), moment('10'), 500, null, 'gram', null), (home(), 'InventoryItem', id('b2'), id('e2'), moment('10'), 3, null, 'tin', null),
  (home(), 'StockItem', id('1'), id('e3'), moment('20'), null, 1500, 'gram', 2000);
select is((row_of('stock_items', id('1')::text) ->> 'quantity_in_stock'), '2', 'a total in another unit than the item');
insert into quantity_changes (household_id, entity_type, entity_id, at, delta, unit) values (home(), 'InventoryItem', id('b1'), moment('30'), -0.0005, 'gram'),
  (home(), 'StockItem', id('1'), moment('30'), 0.0005, 'gram'), (home(), 'InventoryItem', id('b2'), moment('30'), -1, 'tin');
select is((row_of('stock_items', id('1')::text) ->> 'quantity_in_stock'), '2', 'what does not convert is left out, and the rest rounded once');

-- Numbers that apps write.
select plain('jonas');
insert into stock_items (household_id, id, name, quantity_in_stock) values (home(), id('2'), 'Eggs', 5);
select is(counted('2'), '5 5 piece edit edit', 'an app that writes a number says all there is');
insert into inventory_items (household_id, id, product_ref, quantity_value) values (home(), id('b3'), jsonb_build_object('productId', id('2')), 10);
select is(stock('2'), 15::numeric, 'a batch that it makes then is more');
update stock_items set quantity_in_stock = 12 where id = id('2');
select is(counted('2'), '2 12 piece edit edit', 'what it writes over that is less what the batches hold, with all there is beside it');
select larder('mira');
insert into quantity_changes (household_id, entity_type, entity_id, at, delta) values (home(), 'InventoryItem', id('b3'), now() - interval '1 min', -3);
select is(stock('2'), 12::numeric, 'what was used before and is told later changes nothing');
insert into inventory_items (household_id, id, product_ref, created_at) values (home(), id('b4'), jsonb_build_object('productId', id('2')), nov(1));
insert into quantity_changes (household_id, entity_type, entity_id, at, delta) values (home(), 'InventoryItem', id('b4'), nov(1), 4);
select is(stock('2'), 12::numeric, 'nor does a batch that the app did not know');
select plain('jonas');
update inventory_items set quantity_value = 7 where id = id('b3');
select is(stock('2'), 9::numeric, 'a number of one batch counts that batch');
select is(counted('b3'), '7 piece edit edit', 'and says nothing of all');
update inventory_items set quantity = '{"value": 8, "unit": "piece"}' where id = id('b3');
select is(stock('2'), 10::numeric, 'the number inside as well');
delete from inventory_items where id = id('b4');
select is(stock('2'), 6::numeric, 'what it throws away is less');
insert into quantity_changes (household_id, entity_type, entity_id, delta) values (home(), 'InventoryItem', id('b4'), -1);
select is(stock('2'), 5::numeric, 'what somebody uses who does not know that, counts');
insert into quantity_changes (household_id, entity_type, entity_id, "set", total) values (home(), 'StockItem', id('2'), 1.0000000001, 30);
select is(stock('2'), 30::numeric, 'an app that knows ledgers may say both');
insert into quantity_changes (household_id, entity_type, entity_id, "set") values (home(), 'StockItem', id('2'), 4);
select is(stock('2'), 11::numeric, 'a count of what lies loose ends that: the parts add up again, 4 + 8 - 1');
select throws_ok($$insert into quantity_changes (household_id, entity_type, entity_id, "set", total) values (home(), 'StockItem', id('2'), 4, 1234567890123456)$$, '23514',
  'quantity_changes: total: what there is, is a number with at most 15 digits, six of them decimals', 'and a number');
select throws_ok($$insert into quantity_changes (household_id, entity_type, entity_id, id, "set", extra) values (home(), 'StockItem', id('2'), id('e9'), 4, '{"total": 5}')$$, '23514',
  'quantity_changes: extra is an object without the keys of a ledger entry', 'in its column');
insert into quantity_changes (household_id, entity_type, entity_id, id, "set", total) values (home(), 'StockItem', id('2'), id('ea'), 4, 14);
select throws_ok($$update quantity_changes set total = 15 where id = id('ea') and entity_id = id('2')$$, '23505',
  'quantity_changes: an entry is never changed, and there is another one under this id', 'an app can''t change it');

-- What is written now comes after what is known, also where another clock was ahead.
select larder('mira');
insert into stock_items (household_id, id, name) values (home(), id('3'), 'Tea');
insert into inventory_items (household_id, id, product_ref) values (home(), id('b5'), jsonb_build_object('productId', id('3'))),
  (home(), id('b6'), jsonb_build_object('productId', id('3')));
insert into quantity_changes (household_id, entity_type, entity_id, at, delta) values (home(), 'InventoryItem', id('b5'), now(), 5),
  (home(), 'InventoryItem', id('b6'), now(), 5);
insert into quantity_changes (household_id, entity_type, entity_id, at, "set", total) values (home(), 'StockItem', id('3'), now() + interval '2 h', 10, 20);
select plain('jonas');
insert into quantity_changes (household_id, entity_type, entity_id, delta) values (home(), 'InventoryItem', id('b5'), -1);
select is(stock('3'), 19::numeric, 'a use by an app that knows of the count');
update inventory_items set quantity_value = 3 where id = id('b5');
select is(stock('3'), 18::numeric, 'a number of a batch');
delete from inventory_items where id = id('b6');
select is(stock('3'), 13::numeric, 'a batch that is thrown away');
insert into inventory_items (household_id, id, product_ref, quantity_value) values (home(), id('b7'), jsonb_build_object('productId', id('3')), 2);
select is(stock('3'), 15::numeric, 'and a new one');
insert into stock_items (household_id, id, name) values (home(), id('4'), 'Mint');
insert into quantity_changes (household_id, entity_type, entity_id, delta) values (home(), 'StockItem', id('4'), 2);
select cmp_ok((select at from quantity_changes where entity_id = id('4')), '<=', clock_timestamp(), 'now is now where nothing was written');

-- A batch that is given to another item.
select larder('mira');
insert into stock_items (household_id, id, name, unit) values (home(), id('7'), 'Green tea', 'gram'), (home(), id('8'), 'Black tea', 'kilogram');
insert into inventory_items (household_id, id, product_ref, quantity) select home(), id(ending), jsonb_build_object('productId', id('7')), '{"unit": "gram"}'
from unnest(array['b9', 'ba']) as ending;
insert into quantity_changes (household_id, entity_type, entity_id, at, delta, "set", total, unit) values
  (home(), 'InventoryItem', id('b9'), moment('10'), 8, null, null, 'gram'), (home(), 'StockItem', id('7'), moment('20'), null, 12, 20, 'gram'),
  (home(), 'InventoryItem', id('b9'), moment('21'), -1, null, null, 'gram'), (home(), 'InventoryItem', id('ba'), moment('21'), 4, null, null, 'gram'),
  (home(), 'StockItem', id('8'), moment('30'), null, 5, 5, 'kilogram');
select results_eq($$select stock('7'), stock('8')$$, $$values (23::numeric, 5::numeric)$$, 'two items are counted');
select plain('jonas');
update inventory_items set product_ref = jsonb_build_object('productId', id('8')) where id in (id('b9'), id('ba'));
select results_eq($$select stock('7'), stock('8')$$, $$values (12::numeric, 5.011)$$, 'an app that gives batches from one to the other gives what is in them');
update inventory_items set product_ref = jsonb_build_object('productId', id('7')) where id in (id('b9'), id('ba'));
select results_eq($$select stock('7'), stock('8')$$, $$values (23::numeric, 5::numeric)$$, 'and back');
select is((select count(*) from quantity_changes where entity_id in (id('7'), id('8')) and why = 'move'), 6::bigint, 'which the ledgers say, where they know of it');
update inventory_items set product_ref = jsonb_build_object('productId', id('7'), 'snapshot', '{"title": "x"}'::jsonb) where id in (id('b9'), id('ba'));
select larder('mira');
update inventory_items set product_ref = jsonb_build_object('productId', id('8')), edited = edited || jsonb_build_object('productRef', larder.instant(now() + interval '1 h'))
where id in (id('b9'), id('ba'));
select is((select count(*) from quantity_changes where entity_id in (id('7'), id('8')) and why = 'move'), 6::bigint, 'Larder says so itself');

-- What the shopping list asks for.
select larder('mira');
insert into stock_items (household_id, id, name, created_at) values (home(), id('5'), 'Figs', nov(1));
insert into quantity_changes (household_id, entity_type, entity_id, id, at, "set", total) values (home(), 'StockItem', id('5'), id('f1'), nov(1), -2, 9);
insert into quantity_changes (household_id, entity_type, entity_id, id, at, "set", total) values (home(), 'StockItem', id('5'), id('f2'), nov(2), 0, 0);
select is((select desired_quantity from shopping_list_entries where item_id = id('5')), 9::numeric, 'the most that was there is what was counted in all');

-- The bytes of an entry, and of two under one id.
select is(larder.compact(larder.change(c), 'change'), '{ "id": "' || c.id || '", "at": "2026-11-01T08:00:00.000Z", "set": -2, "why": "edit", "by": "edit", "total": 9 }', 'the total is the last of the keys')
from quantity_changes c where c.id = id('f1');
select nobody();
select is(larder.compact(larder.change(jsonb_populate_record(c, '{"note": "n", "extra": {"a": 1, "zeta": 2}}')), 'change'),
  '{ "id": "' || c.id || '", "at": "2026-11-01T08:00:00.000Z", "set": -2, "why": "edit", "by": "edit", "note": "n", "total": 9, "a": 1, "zeta": 2 }', 'before those that nobody knows')
from quantity_changes c where c.id = id('f1');

-- Speed: items with 10,000 batches each, which were made, used up or used at some moment. Only ledgers of batches that
-- were there when all was counted and have changed since are read.
alter table stock_items disable trigger user; alter table inventory_items disable trigger user; alter table quantity_changes disable trigger user;
create function many(ending text, made integer, used integer, state text, counted integer) returns text language plpgsql as $$
declare
  batch_ids uuid[] := array(select gen_random_uuid() from generate_series(1, 10000));
begin
  insert into public.stock_items (household_id, id, name) values (tests.home(), tests.id(ending), 'Many');
  insert into public.inventory_items (household_id, id, product_ref, product_id, created_at, updated_at, status, quantity_value, edited)
  select tests.home(), b, jsonb_build_object('productId', tests.id(ending)), tests.id(ending), tests.nov(made), tests.nov(used), state, 3,
    case state when 'active' then '{}' else jsonb_build_object('status', larder.instant(tests.nov(used))) end
  from unnest(batch_ids) as b;
  insert into public.quantity_changes (household_id, entity_type, entity_id, at, delta)
  select tests.home(), 'InventoryItem', b, tests.nov(at), number
  from unnest(batch_ids) as b, (values (made, 4), (used, -1)) as entries (at, number) where state = 'active' or number > 0;
  insert into public.quantity_changes (household_id, entity_type, entity_id, at, "set", total)
  select tests.home(), 'StockItem', tests.id(ending), tests.nov(counted), 1, 50000 where counted is not null;
  return null;
end
$$;
create function milliseconds(ending text) returns numeric language plpgsql as $$
declare
  found json;
  fastest numeric;
begin
  for n in 1 .. 3 loop
    execute format('explain (analyze, format json) select * from larder.stocked(%L, %L, ''[]'', ''piece'', null)', tests.home(), tests.id(ending)) into found;
    fastest := least(fastest, (found #>> '{0,Execution Time}')::numeric);
  end loop;
  return fastest;
end
$$;
select many('51', 1, 2, 'active', null), many('52', 1, 2, 'active', 3), many('53', 4, 5, 'active', 3), many('54', 1, 2, 'discarded', null);
set local client_min_messages to error;
analyze public.inventory_items, public.quantity_changes;
select is((larder.stocked(home(), id(ending), '[]', 'piece', null)).total, total, 'the total of 10,000 batches: ' || promise)
from (values ('51', 30000::numeric, 'without a count'), ('52', 50000, 'before the count'), ('53', 80000, 'since the count'), ('54', 0, 'discarded'))
  as items (ending, total, promise);
select cmp_ok(milliseconds(ending), '<=', 100 + 15 * milliseconds('51'), 'takes no much longer than without a count: ' || promise)
from (values ('52', 'before the count'), ('53', 'since the count'), ('54', 'discarded')) as items (ending, promise);

select * from finish();
rollback;
