\ir begin.psql
select no_plan();
create function fridge(more text default '{}', file text default null, edited jsonb default '{}', ending text default 'f1')
returns text language sql as $$
  select format('insert into storage_locations (household_id, id, name, extra, path, edited) values (home(), %L, ''Fridge'', %L, %L, %L) '
    'on conflict (household_id, id) do update set extra = excluded.extra, path = excluded.path, edited = excluded.edited',
    id(ending), more, file, edited)
$$;
create function letters(count integer) returns text language sql as $$ select jsonb_build_object('x', repeat('x', count))::text $$;
create function deep(folders integer) returns text language sql as $$ select 'locations/' || repeat('a/', folders - 1) || 'x.json' $$;
create function writes(format integer, at timestamptz) returns text language sql as $$
  select format('insert into households (id, name, format, edited) values (home(), ''Home'', %L, %L) on conflict (household_id, id) do update '
    'set format = excluded.format, edited = excluded.edited', format, jsonb_build_object('format', larder.instant(at)))
$$;
create function soon(ahead interval) returns jsonb language sql as $$ select jsonb_build_object('name', larder.instant(now() + ahead)) $$;
create function entry(ending text, at timestamptz) returns text language sql as $$
  select format('insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta) values (home(), ''StockItem'', %L, %L, %L, 1) '
    'on conflict (household_id, entity_type, entity_id, id) do update set at = excluded.at', id('1'), id(ending), at)
$$;

-- Limits for a row.
select larder('mira');
select lives_ok(fridge(letters(1048000)), 'a row may hold nearly 1 MiB');
select throws_ok(fridge(letters(1048576), ending => 'f2'), 'LA001', null, 'but no more than that');
select throws_like(fridge(letters(1048576), ending => 'f2'), 'a row is larger than 1 MiB: 10% bytes', 'and is told how large it is');
select throws_ok(fridge(format('{"y": "%s"}', repeat('y', 1000)), edited => jsonb_build_object('y', larder.instant(now()))), 'LA001', null,
  'nor by what is joined to it');
select throws_ok(fridge(format('{"n": [%s]}', (select string_agg('1e100000', ',') from generate_series(1, 11))), ending => 'f2'), 'LA001', null,
  'its size is what it is answered with, not what was sent');
select throws_ok($$insert into stock_items (household_id, name, category) values (home(), repeat('x', 600000), repeat('y', 500000))$$, 'LA001', null,
  'all columns count together');
select throws_ok($$insert into quantity_changes (household_id, entity_type, entity_id, delta, note) values (home(), 'StockItem', id('1'), 1, repeat('x', 1048576))$$,
  'LA001', null, 'a ledger entry is a row, too');
insert into receipts (household_id, id, shop_name) values (home(), id('7'), 'Corner');
select throws_ok($$insert into receipt_items (household_id, receipt_id, item_name, quantity) values (home(), id('7'), repeat('x', 1048576), 1)$$,
  'LA001', null, 'and so is a receipt''s line');
select plain('mira');
select throws_ok($$update storage_locations set name = repeat('x', 100000) where id = id('f1')$$, 'LA001', null, 'it holds for every client');
select is((row_of('storage_locations', id('f1')::text) ->> 'name'), 'Fridge', 'and what is refused changes nothing');
-- A row from before the limit existed.
select nobody();
alter table storage_locations disable trigger write_row;
insert into storage_locations (household_id, id, name, extra) values (home(), id('f3'), 'Old', letters(2000000)::jsonb);
alter table storage_locations enable trigger write_row;
select larder('mira');
select lives_ok($$update storage_locations set is_archived = true, edited = jsonb_build_object('isArchived', larder.instant(now())) where id = id('f3')$$,
  'a larger one from before is marked as deleted');
select throws_ok($$update storage_locations set name = repeat('x', 1000), edited = jsonb_build_object('name', larder.instant(now() + interval '1 h')) where id = id('f3')$$,
  'LA001', null, 'but grows no more');
select plain('jonas');
select is(reach($$delete from storage_locations where id = id('f3')$$), 0::bigint, 'an app may delete it');
select is((row_of('storage_locations', id('f3')::text) ->> 'is_archived'), 'true', 'as a mark');

-- Paths of files.
select larder('mira');
select lives_ok(fridge(file => path, ending => ending), 'a path may have ' || what)
from (values
  (deep(64), '64 folders', 'e1'), ('locations/' || repeat('é', 125) || '.json', 'a name of 255 bytes', 'e2'),
  ('locations/' || repeat(repeat('a', 197) || '/', 4) || repeat('b', 198), '1000 bytes', 'e3')) as allowed (path, what, ending);
select is(octet_length(row_of('storage_locations', id('e3')::text) ->> 'path'), 1000, 'which is the most there is');
select throws_like(fridge(file => path, ending => 'e9'), message || '%', 'a path that is too long, too deep, or has too long a name is told apart')
from (values
  (deep(65), 'a path goes through more than 64 folders: 65'),
  ('locations/' || repeat('é', 126) || '.json', 'a name in a path is longer than 255 bytes: 257'),
  ('locations/' || repeat('a', 256) || '/x.json', 'a name in a path is longer than 255 bytes: 256'),
  ('locations/' || repeat(repeat('a', 197) || '/', 4) || repeat('b', 199), 'a path is longer than 1000 bytes: 1001')) as refused (path, message);
select throws_ok(fridge(file => path, ending => 'e9'), code, null, 'with the code ' || code)
from (values (repeat('a', 1001), 'LA002'), (deep(65), 'LA003'), ('locations/' || repeat('a', 256), 'LA004')) as refused (path, code);
select lives_ok(fridge(file => deep(65), ending => 'e1'), 'where the cloud has a path already, another''s is not looked at');
select is(row_of('storage_locations', id('e1')::text) ->> 'path', deep(64), 'and not taken');
select lives_ok(fridge(ending => 'e4'), 'a row without a path');
select throws_ok(fridge(file => deep(65), ending => 'e4', edited => soon('1 h')), 'LA003', null, 'gets none that is too deep');
select lives_ok(fridge(file => deep(2), ending => 'e4', edited => soon('1 h')), 'but one that is not');

-- The household's format.
select larder('mira');
select throws_ok(writes(2, now() + interval '2 h'), 'LA010', 'these tables know format 1, not 2', 'no format is raised above what the tables know');
select throws_ok($$insert into households (id, name, format) values (id('cc'), 'New', 2)$$, 'LA010', null, 'nor is a household founded with one');
select plain('mira');
select throws_ok('update households set format = 7 where id = home()', 'LA010', null, 'by no client');
select nobody();
alter table households disable trigger write_row;
update households set format = 3 where id = home();
alter table households enable trigger write_row;
select larder('jonas');
select lives_ok($$update households set name = 'Still', edited = jsonb_build_object('name', larder.instant(now())) where id = home()$$,
  'one that is newer already is a household as before');
select throws_ok(writes(4, now() + interval '2 h'), 'LA010', null, 'but does not rise');
select lives_ok(writes(2, now() + interval '1 h'), 'it goes back');
select lives_ok(writes(1, now() + interval '3 h'), 'to what is known');
select throws_ok(writes(2, now() + interval '4 h'), 'LA010', null, 'and stays there');
select is((select format from households), 1, 'for good');

-- Times in the future.
select larder('mira');
select lives_ok(fridge(edited => soon('23 h 59 min'), ending => 'a1'), 'a clock may be nearly a day ahead');
select throws_ok(fridge(edited => soon('1 day 1 min'), ending => 'a2'), 'LA020', null, 'but no more');
select throws_like(fridge(edited => soon('1 day 1 min'), ending => 'a2'), 'a time is more than a day ahead of the database''s clock: % of name',
  'and is told which field it is');
select throws_ok($$insert into storage_locations (household_id, name, created_at) values (home(), 'x', now() + interval '2 days')$$, 'LA020', null,
  'what was made later than that, neither');
select throws_ok(fridge(edited => soon('2 days')), 'LA020', null, 'nor what is changed');
select lives_ok($$insert into storage_locations (household_id, id, name, updated_at) values (home(), id('a3'), 'x', now() + interval '2 days')$$,
  'updated_at follows from the stamps');
select lives_ok(entry('b1', now() + interval '23 h'), 'an entry may be nearly a day ahead');
select throws_ok(entry('b2', now() + interval '25 h'), 'LA020', null, 'but no more');
select throws_ok(entry('b1', '9998-01-01T00:00:00Z'), 'LA020', null, 'nor a later version of one that is there');
select is((select at from quantity_changes where id = id('b1')), (now() + interval '23 h')::timestamptz(3), 'which stays');
select plain('jonas');
select lives_ok($$insert into storage_locations (household_id, id, name, created_at, updated_at) values (home(), id('a4'), 'App', now() + interval '9 years', now() + interval '9 years')$$,
  'an app''s clock is not believed anyway');
-- Rows from before the limit existed.
select nobody();
alter table stock_items disable trigger write_row;
insert into stock_items (household_id, id, name, quantity_in_stock, edited, updated_at) values (home(), id('2'), 'Milk', 1, '{"name": "9998-12-31T23:59:59.999Z"}', '9998-12-31T23:59:59.999Z');
alter table stock_items enable trigger write_row;
select larder('mira');
select lives_ok($$insert into stock_items (household_id, id, name, category, edited) values (home(), id('2'), 'Milk', 'Dairy',
    jsonb_build_object('name', '9998-12-31T23:59:59.999Z', 'category', larder.instant(now())))
  on conflict (household_id, id) do update set category = excluded.category, edited = excluded.edited$$, 'a time that is there already is sent again with what is new');
select is((row_of('stock_items', id('2')::text) ->> 'category'), 'Dairy', 'which is kept');
select throws_ok($$update stock_items set name = 'Cream', edited = edited || '{"name": "9998-12-31T23:59:59.998Z", "unit": "9998-01-01T00:00:00.000Z"}' where id = id('2')$$,
  'LA020', null, 'another one as late is refused');
select lives_ok(format('insert into quantity_changes (household_id, entity_type, entity_id, delta) values (home(), ''StockItem'', %L, -1)', id('2')),
  'and what follows by itself from such an item is not');
select is((select count(*) from shopping_list_entries where item_id = id('2')), 1::bigint, 'it is on the list');

select * from finish();
rollback;
