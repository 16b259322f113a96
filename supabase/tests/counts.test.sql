\ir begin.psql
select no_plan();
create function keys(count integer, mark text default 'k') returns jsonb language sql as $$
  select jsonb_object_agg(mark || n, n) from generate_series(1, count) as n
$$;
create function stamps(count integer, mark text default 'k') returns jsonb language sql as $$
  select jsonb_object_agg(mark || n, larder.instant(now())) from generate_series(1, count) as n
$$;
create function milk(more jsonb, edited jsonb default '{}', ending text default '1') returns text language sql as $$
  select format('insert into stock_items (household_id, id, name, extra, edited) values (home(), %L, ''Milk'', %L, %L) '
    'on conflict (household_id, id) do update set extra = excluded.extra, edited = excluded.edited', id(ending), more, edited)
$$;
create function lines(first integer, last integer) returns jsonb language sql as $$
  select jsonb_agg(jsonb_build_object('id', id(n::text), 'itemName', 'x', 'quantity', 1)) from generate_series(first, last) as n
$$;
create function room() returns integer language sql as $$
  select 1001 - larder.key_count('StockItem', row_of('stock_items', id('1')::text))::integer
$$;
create function used(ending text, item text default '1') returns text language sql as $$
  select format('insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta) values (home(), ''StockItem'', %L, %L, now(), 1) '
    'on conflict (household_id, entity_type, entity_id, id) do update set at = excluded.at', id(item), id(ending))
$$;

-- Keys: the one in extra, the columns with a value, and 6 that Larder writes itself.
select larder('mira');
select lives_ok(milk('{"a": 1}'), 'a row of few keys');
select is(larder.key_count('StockItem', row_of('stock_items', id('1')::text)),
  (select count(*) from stock_items s, jsonb_object_keys(larder.fields('StockItem')) as field
    where s.id = id('1') and to_jsonb(s) -> field <> 'null') + 7, 'counts as its file does');
select lives_ok(milk(keys(room()), ending => '2'), 'as many as a file may have');
select throws_ok(milk(keys(room() + 1), ending => '3'), 'LA005', 'a row has more than 1000 keys: 1001', 'but no more');
select throws_ok(milk(keys(3, 'other'), stamps(3, 'other'), '2'), 'LA005', 'a row has more than 1000 keys: 1003',
  'nor joined to what is there');
select throws_ok(milk('{}', stamps(1001), '4'), 'LA005', 'edited has more than 1000 keys: 1001', 'nor stamps');
select throws_ok($$insert into products (household_id, id, title, extra) values (home(), 'p', 'P', keys(1001))$$, 'LA005', null,
  'of whatever kind');
select plain('mira');
select throws_ok($$insert into stock_items (name, extra) values ('Tea', keys(2000))$$, 'LA005', null, 'whoever writes');
select nobody();
alter table stock_items disable trigger user;
update stock_items set extra = keys(1200) where id = id('2');
alter table stock_items enable trigger user;
select plain('mira');
select lives_ok($$update stock_items set category = 'Dairy' where id = id('2')$$, 'what has more already may be changed');
select lives_ok($$delete from stock_items where id = id('2')$$, 'and marked as deleted');
select throws_ok($$update stock_items set extra = keys(1201) where id = id('2')$$, 'LA005', null, 'but does not grow');

-- Lines.
select larder('mira');
select lives_ok($$insert into receipts (household_id, id, shop_name, timestamp, items) values (home(), id('1'), 'Shop', now(), lines(1, 10000))$$,
  'a receipt of 10,000 lines');
select throws_ok($$insert into receipts (household_id, id, shop_name, timestamp, items) values (home(), id('2'), 'Shop', now(), lines(1, 10001))$$,
  'LA006', 'a receipt has more than 10000 lines: 10001', 'but no more');
select throws_ok($$insert into receipt_items (household_id, receipt_id, id, item_name, quantity) values (home(), id('1'), id('77777'), 'x', 1)$$,
  'LA006', null, 'nor line by line');

-- Entries.
select nobody();
alter table quantity_changes disable trigger user;
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta, unit, version)
select home(), 'StockItem', id('1'), id(n::text), now(), 1, 'piece', nextval('larder.version') from generate_series(1, 99999) as n;
alter table quantity_changes enable trigger user;
select larder('mira');
select lives_ok(used('100000'), 'the last entry that a ledger may have');
select throws_ok(used('100001'), 'LA007', 'a ledger has more than 100000 entries', 'no other one');
select lives_ok(used('5'), 'one that it has is answered');
select lives_ok(used('100001', '5'), 'and other ledgers go on');

-- A household without an id.
select plain('noor');
select lives_ok($$insert into households (name) values ('Nest')$$, 'a household that names no id gets one');
select is((select count(*) from households), 1::bigint, 'and its founder belongs to it');

select * from finish();
rollback;
