\ir begin.psql
select no_plan();

-- Whole rows: a program without stamps reads a row, somebody else writes it, and the program writes back what it has.

-- What PostgREST makes of an upsert and of a PATCH: it names the columns that the body has.
create function posts(kind_table text, body jsonb) returns text language plpgsql as $$
declare
  keys constant text := (select string_agg(quote_ident(key), ', ' order by key) from jsonb_object_keys(body) as key);
begin
  execute format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1) on conflict (%3$s) do update set %4$s',
    kind_table, keys, case kind_table when 'receipt_items' then 'household_id, receipt_id, id' else 'household_id, id' end,
    (select string_agg(format('%1$I = excluded.%1$I', key), ', ') from jsonb_object_keys(body) as key)) using body;
  return 'taken';
exception when others then
  return sqlstate || ' ' || sqlerrm;
end
$$;
create function patches(kind_table text, row_id text, body jsonb) returns text language plpgsql as $$
declare
  keys constant text := (select string_agg(quote_ident(key), ', ' order by key) from jsonb_object_keys(body) as key);
begin
  execute format('update public.%1$I set %2$s from (select %3$s from jsonb_populate_record(null::public.%1$I, $1)) as body where %1$I.id::text = $2',
    kind_table, (select string_agg(format('%1$I = body.%1$I', key), ', ') from jsonb_object_keys(body) as key), keys) using body, row_id;
  return 'taken';
exception when others then
  return sqlstate || ' ' || sqlerrm;
end
$$;
create table tests.life (kind_table text, made jsonb, theirs jsonb, mine jsonb);
grant select on tests.life to public;
insert into life values
  ('stock_items', '{"name": "Milk", "category": "Dairy", "quantity_in_stock": 4, "aliases": ["M"]}', '{"name": "Oat milk"}', '{"category": "Drinks"}'),
  ('stock_items', '{"name": "Milk", "category": "Dairy", "quantity_in_stock": 4}', '{"quantity_in_stock": 1}', '{"category": "Drinks"}'),
  ('stock_items', '{"name": "Milk", "category": "Dairy", "quantity_in_stock": 4}', '{"category": null, "quantity_minimum": 1}', '{"quantity_in_stock": 2.5}'),
  ('stock_items', '{"name": "Milk", "products": ["p"]}', '{"products": ["p", "q"]}', '{"name": "Oat milk", "quantity_full_stock": 2.50}'),
  ('stock_items', '{"name": "Milk", "extra": {"a": 1, "b": 2}}', '{"extra": {"a": 3, "b": 2}}', '{"note": "Cold"}'),
  ('inventory_items', '{"product_ref": {"productId": "p"}, "quantity": {"unit": "liter"}, "quantity_value": 4, "notes": "A"}', '{"quantity_value": 1}', '{"notes": "B"}'),
  ('inventory_items', '{"product_ref": {"productId": "p"}, "quantity_value": 4, "notes": "A"}', '{"quantity_value": 0, "status": "consumed"}', '{"notes": "B"}'),
  ('inventory_items', '{"product_ref": {"productId": "p"}, "quantity_value": 4, "notes": "A"}', '{"notes": "B"}', '{"quantity_value": 2}'),
  ('inventory_items', '{"product_ref": {"productId": "p"}, "quantity_value": 4}', '{"expiry_info": {"kind": "expiry", "isoDate": "2026-12-31"}, "expiry_day": "2026-12-31"}', '{"notes": "B"}'),
  ('storage_locations', '{"name": "Fridge", "is_cold_storage": true}', '{"name": "Freezer"}', '{"is_cold_storage": false}'),
  ('products', '{"title": "Tea", "brand": "A", "pack_size": 2}', '{"title": "Mate", "barcodes": ["1"]}', '{"brand": "B"}'),
  ('shopping_list_entries', '{"name": "Bread", "note": "A"}', '{"is_completed": true}', '{"note": "B"}'),
  ('receipts', '{"shop_name": "Corner", "amount": 4, "timestamp": "2026-11-01T08:00:00Z"}', '{"timestamp": "2026-11-02T08:00:00+00:00"}', '{"shop_name": "Market"}'),
  ('receipts', '{"shop_name": "Corner", "items": [{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea", "quantity": 1}]}',
    '{"items": [{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Mate", "quantity": 1}]}', '{"shop_name": "Market"}'),
  ('receipt_items', '{"item_name": "Tea", "quantity": 2, "price": 3}', '{"quantity": 1}', '{"price": 4}'),
  ('households', '{"name": "Home", "expiring_within_days": 7}', '{"name": "House"}', '{"expiring_within_days": 3}');
create function made(kind_table text, columns jsonb) returns jsonb language plpgsql as $$
declare
  row_id constant text := case kind_table when 'households' then tests.home() else gen_random_uuid() end;
begin
  if kind_table = 'households' then
    perform tests.patches(kind_table, row_id, columns);
  else
    perform tests.posts(kind_table, columns || jsonb_build_object('household_id', tests.home(), 'id', row_id)
      || case kind_table when 'receipt_items' then jsonb_build_object('receipt_id', tests.id('7')) else '{}' end);
  end if;
  return tests.row_of(kind_table, row_id);
end
$$;
-- What comes of it: the answer, and what the row has then of what both wrote.
create function story(life tests.life, how text, only_same boolean default false) returns text language plpgsql as $$
declare
  seen jsonb;
  answer text;
  -- The household's row is one for all stories.
  mine constant jsonb := case when only_same then '{}'
    when life.kind_table = 'households' then jsonb_build_object('expiring_within_days', floor(random() * 36500)) else life.mine end;
  late jsonb;
begin
  perform tests.plain('mira');
  seen := tests.made(life.kind_table, life.made);
  perform tests.plain('jonas');
  answer := tests.patches(life.kind_table, seen ->> 'id', life.theirs);
  if answer <> 'taken' then raise exception '%', answer; end if;
  perform tests.plain('mira');
  late := seen || mine || case when how like '%now%' and seen ? 'updated_at' then jsonb_build_object('updated_at', clock_timestamp()) else '{}' end;
  if how like '%no version%' then late := late - 'version'; end if;
  if how like '%no time%' then late := late - 'updated_at'; end if;
  if how like '%columns%' then late := late - array['id', 'household_id', 'receipt_id', 'created_at']; end if;
  answer := case when how like 'PATCH%' then tests.patches(life.kind_table, seen ->> 'id', late) else tests.posts(life.kind_table, late) end;
  return replace(answer, seen ->> 'id', '…') || coalesce((
    select ', but not ' || string_agg(key, ', ' order by key) from jsonb_each(life.theirs || mine)
    where tests.row_of(life.kind_table, seen ->> 'id') -> key is distinct from case key when 'timestamp'
      then to_jsonb((value #>> '{}')::timestamptz) else value end), '');
end
$$;
create function kept(life tests.life) returns text language sql as $$
  select string_agg(key, ', ' order by key) from jsonb_object_keys(life.mine) as key
$$;
create function old_ones(life tests.life) returns text language sql as $$
  select string_agg(case key when 'extra' then 'extra.a' else key end, ', ' order by key) from jsonb_object_keys(life.theirs) as key where key not in ('expiry_day', 'status')
$$;

select plain('mira');
insert into receipts (household_id, id, shop_name) values (home(), id('7'), 'Corner');

select is(story(l, how), 'taken', format('%s: %s with the version is what it changed (%s), and %s stays', kind_table, how, kept(l), old_ones(l)))
from life as l, unnest(array['upsert', 'upsert now', 'upsert, no time', 'PATCH', 'PATCH now', 'PATCH columns']) as how;
select is(story(l, how, true), 'taken', format('%s: %s with the version that changed nothing writes nothing (%s)', kind_table, how, old_ones(l)))
from life as l, unnest(array['upsert', 'upsert now', 'upsert, no time', 'PATCH', 'PATCH columns']) as how;
select is(story(l, how), format('LA038 %s …: what was written since the row was read would be taken back: %s, but not %s', kind_table, old_ones(l), kept(l)),
  format('%s: %s is refused where it would take back %s', kind_table, how, old_ones(l)))
from life as l, unnest(array['upsert, no version', 'upsert, no version, now', 'upsert, no version, no time', 'PATCH, no version', 'PATCH, no version, no time']) as how;
-- A PATCH says what is to change. Nobody can tell it from a whole row of which only the columns are left.
select matches(story(l, 'PATCH columns, no version, now'), 'taken, but not ', format('%s: a PATCH without version and id is taken at its word', kind_table)) from life as l;


-- The refusal's ways: the columns alone, or the row as it is read again.
select nobody();
create function refusal(kind_table text, row_id text, body jsonb) returns text language plpgsql as $$
declare
  said text;
begin
  perform tests.posts_loudly(kind_table, body);
  return 'nothing was refused';
exception when others then
  get stacked diagnostics said = pg_exception_hint;
  return said;
end
$$;
create function posts_loudly(kind_table text, body jsonb) returns void language plpgsql as $$
begin
  execute (select format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1) on conflict (household_id, id) do update set %3$s',
    kind_table, string_agg(quote_ident(key), ', ' order by key), string_agg(format('%1$I = excluded.%1$I', key), ', ')) from jsonb_object_keys(body) as key) using body;
end
$$;
create function item(ending text) returns jsonb language sql as $$ select tests.row_of('stock_items', tests.id(ending)::text) $$;
create function milk(ending text, also jsonb default '{}') returns void language sql as $$
  select tests.posts('stock_items', jsonb_build_object('household_id', tests.home(), 'id', tests.id(ending), 'name', 'Milk', 'category', 'Dairy', 'quantity_in_stock', 4) || also)
$$;
create function uses(ending text, number numeric, who text default 'jonas') returns void language plpgsql as $$
begin
  perform tests.larder(who);
  insert into public.quantity_changes (household_id, entity_type, entity_id, delta) values (tests.home(), 'StockItem', tests.id(ending), number);
  perform tests.plain('mira');
end
$$;
create table tests.seen (id text primary key, was jsonb);
grant all on tests.seen to public;
create function reads(ending text) returns void language sql as $$
  insert into tests.seen values (ending, tests.item(ending)) on conflict (id) do update set was = excluded.was
$$;
create function seen(ending text, also jsonb default '{}', without text[] default '{}') returns jsonb language sql as $$
  select (was || also) - without from tests.seen where id = ending
$$;

select plain('mira');
select milk('a1');
select reads('a1');
select uses('a1', -3);
select is(refusal('stock_items', id('a1')::text, seen('a1', '{"category": "Drinks"}', array['version', 'updated_at'])),
  'Update (PATCH) only the columns that you change, without id, household_id and created_at. Or read the row again, and write it with the version that it has.',
  'a refusal says what to do');
select is(patches('stock_items', id('a1')::text, '{"category": "Drinks"}'), 'taken', 'its first way');
select is(item('a1') - array['version', 'updated_at', 'edited'], seen('a1', '{"category": "Drinks", "quantity_in_stock": 1}', array['version', 'updated_at', 'edited']), 'does what it says');
select is(posts('stock_items', item('a1') || '{"category": "Cold"}'), 'taken', 'its second way');
select is(item('a1') - array['version', 'updated_at', 'edited'], seen('a1', '{"category": "Cold", "quantity_in_stock": 1}', array['version', 'updated_at', 'edited']), 'too');
select is(patches('stock_items', id('a1')::text, '{"category": "Dairy", "quantity_in_stock": 4}'), 'taken', 'what was there before is written by a PATCH');
select is(item('a1') - array['version', 'updated_at', 'edited'], seen('a1', '{}', array['version', 'updated_at', 'edited']), 'as often as somebody wants');
select is(posts('stock_items', item('a1') || '{"quantity_in_stock": 1}'), 'taken', 'or by a row with its version');
select is(item('a1') ->> 'quantity_in_stock', '1', 'as well');

-- Versions.
select is(posts('stock_items', seen('a1', jsonb_build_object('version', v))), format('LA038 stock_items %s: the row has had no version %s', id('a1'), v), 'a version that never was: ' || v)
from unnest(array[-1, 1, 9223372036854775807]) as v;
select milk('a2');
select is(posts('stock_items', seen('a1', jsonb_build_object('version', item('a2') -> 'version'))),
  format('LA038 stock_items %s: the row has had no version %s', id('a1'), item('a2') ->> 'version'), 'nor that of another row');
select is(patches('stock_items', id('a1')::text, '{"version": 1, "name": "X"}'), format('LA038 stock_items %s: the row has had no version 1', id('a1')), 'in a PATCH either');
select is(posts('stock_items', seen('a1', jsonb_build_object('id', id('a3')))), 'taken', 'a copy under another id is a new row');
select is(item('a3') ->> 'name', 'Milk', 'which is there');
select cmp_ok((item('a3') ->> 'version')::bigint, '>', (item('a2') ->> 'version')::bigint, 'with a version of its own');

-- The number that a row had under its version is none that somebody counts.
select milk('b1');
select reads('b1');
select uses('b1', -1);
select uses('b1', -1);
select uses('b1', 2);
select is(item('b1') ->> 'quantity_in_stock', '4', 'some went and came');
select cmp_ok((item('b1') ->> 'version')::bigint, '>', (seen('b1') ->> 'version')::bigint, 'the version grows with every number');
select is(posts('stock_items', seen('b1', '{"quantity_in_stock": 3}')), 'taken', 'another number than was read');
select is(item('b1') ->> 'quantity_in_stock', '3', 'is a count');
select is((select count(*) from quantity_changes where entity_id = id('b1') and "set" is not null), 2::bigint, 'in the ledger');
select is(posts('stock_items', seen('b1', '{"quantity_in_stock": 4.0, "category": "Drinks"}')), 'taken', 'the number that was read');
select is(item('b1') ->> 'quantity_in_stock', '3', 'is none');
select is(item('b1') ->> 'category', 'Drinks', 'and what was changed is there');
select is(posts('stock_items', seen('b1', '{"quantity_in_stock": 7, "category": "Drinks"}', array['version', 'updated_at'])), 'taken', 'a new number without a version is a count');
select is(item('b1') ->> 'quantity_in_stock', '7', 'too');

-- Both wrote the same column: what is one value is the later one's; a list or an object would lose a part.
select milk('c1', '{"aliases": ["a"], "extra": {"x": 1, "y": [1], "z": 3}}');
select reads('c1');
select plain('jonas');
update stock_items set name = 'Oat milk', aliases = '["a", "b"]', extra = '{"x": 2, "y": [1], "z": 3, "new": true}' where id = id('c1');
select plain('mira');
select is(posts('stock_items', seen('c1', '{"name": "Soy milk"}')), 'taken', 'both changed the name');
select is(item('c1') ->> 'name', 'Soy milk', 'the later one''s is there');
select is(posts('stock_items', seen('c1', '{"aliases": ["a", "c"]}')),
  format('LA038 stock_items %s: what was written since the row was read would be taken back: aliases', id('c1')), 'a list that both changed is refused');
select is(posts('stock_items', seen('c1', '{"extra": {"x": 1, "y": [1, 2], "z": 4}}')), 'taken', 'unknown keys are columns');
select is(item('c1') -> 'extra', '{"x": 2, "y": [1, 2], "z": 4, "new": true}', 'each of its own');
select is(posts('stock_items', seen('c1', '{"extra": {"x": 1, "y": [1]}}')), 'taken', 'a key that is left out');
select is(item('c1') -> 'extra', '{"x": 2, "y": [1, 2], "new": true}', 'is taken out');
select is(posts('stock_items', jsonb_build_object('household_id', home(), 'id', id('c1'), 'aliases', '["z"]'::jsonb, 'name', 'Rice milk')),
  format('LA038 stock_items %s: what was written since the row was read would be taken back: aliases', id('c1')), 'without a version nobody knows what a list was made of');

-- Several rows, and several requests.
select plain('mira');
select milk('d1');
select milk('d2');
select milk('d3');
select reads(e) from unnest(array['d1', 'd2', 'd3']) as e;
select uses('d2', -3);
select throws_ok(format($$insert into stock_items (household_id, id, name, category, quantity_in_stock)
    select r.household_id, r.id, r.name, 'Drinks', r.quantity_in_stock from tests.seen s, jsonb_populate_record(null::public.stock_items, s.was) r where s.id like 'd%%'
  on conflict (household_id, id) do update set id = excluded.id, name = excluded.name, category = excluded.category, quantity_in_stock = excluded.quantity_in_stock$$), 'LA038',
  format('stock_items %s: what was written since the row was read would be taken back: quantity_in_stock', id('d2')), 'one old row among several');
select is(item(e) ->> 'category', 'Dairy', 'takes all with it: ' || e) from unnest(array['d1', 'd2', 'd3']) as e;
select lives_ok(format($$insert into stock_items (household_id, id, name, category, quantity_in_stock, version)
    select r.household_id, r.id, r.name, 'Drinks', r.quantity_in_stock, case s.id when 'd3' then null else r.version end
    from tests.seen s, jsonb_populate_record(null::public.stock_items, s.was) r where s.id in ('d1', 'd2')
  on conflict (household_id, id) do update set id = excluded.id, name = excluded.name, category = excluded.category, quantity_in_stock = excluded.quantity_in_stock, version = excluded.version$$),
  'several with their versions');
select is((item(e) ->> 'category') || ' ' || (item(e) ->> 'quantity_in_stock'), w, 'each means what it changed: ' || e)
from (values ('d1', 'Drinks 4'), ('d2', 'Drinks 1'), ('d3', 'Dairy 4')) as t (e, w);
select is(posts('stock_items', seen('d2', '{"name": "A"}')), 'taken', 'the same old row again');
select is(posts('stock_items', seen('d2', '{"category": "B"}')), 'taken', 'and again, in one transaction');
select is((item('d2') ->> 'name') || ' ' || (item('d2') ->> 'category') || ' ' || (item('d2') ->> 'quantity_in_stock'), 'A B 1', 'are both there');

-- What is deleted stays so.
select milk('e1');
select reads('e1');
select plain('jonas');
delete from stock_items where id = id('e1');
select plain('mira');
select is(posts('stock_items', seen('e1', '{"category": "Drinks"}')), 'LA037 the row is deleted, and was written again without a word about that', 'a row that was read before it was deleted');
select is(posts('stock_items', seen('e1', '{"category": "Drinks"}', '{version}')),
  format('LA038 stock_items %s: what was written since the row was read would be taken back: is_archived', id('e1')), 'without its version too');
select is(item('e1') ->> 'is_archived', 'true', 'it is deleted');
select is(posts('stock_items', item('e1') || '{"is_archived": false}'), 'taken', 'who has read that');
select is(item('e1') ->> 'is_archived', 'false', 'may bring it back');
select plain('mira');
select is(posts('receipt_items', jsonb_build_object('household_id', home(), 'receipt_id', id('7'), 'id', id('71'), 'item_name', 'Tea', 'quantity', 1)), 'taken', 'a line');
insert into tests.seen values ('line', row_of('receipt_items', id('71')::text));
delete from receipt_items where id = id('71');
select is(posts('receipt_items', seen('line', '{"price": 2}')), 'LA037 the line is deleted, and was written again without a word about that', 'that is deleted');
select is(posts('receipt_items', seen('line', '{"price": 2}', '{version}')),
  format('LA038 receipt_items %s: what was written since the row was read would be taken back: is_deleted', id('71')), 'in either way');
select is(patches('receipt_items', id('71')::text, '{"is_deleted": false}'), 'taken', 'and is brought back');
select is((select jsonb_array_length(items) from receipts where id = id('7')), (select count(*)::integer from receipt_items where receipt_id = id('7')), 'as the receipt has it');

-- Larder's own devices name no version, and are asked for none.
select milk('f1');
select reads('f1');
select larder('jonas');
select lives_ok(format($$insert into stock_items (household_id, id, name, category, edited, version) values (home(), id('f1'), %L, 'Dairy', %L, 1)
  on conflict (household_id, id) do update set id = excluded.id, name = excluded.name, category = excluded.category, edited = excluded.edited, version = excluded.version$$,
  name, jsonb_build_object('name', larder.instant(clock_timestamp() + wait))), 'a device writes ' || name)
from (values ('Oat milk', interval '1 s'), ('Milk', '2 s'), ('Oat milk', '3 s')) as t (name, wait);
select is(item('f1') ->> 'name', 'Oat milk', 'and has the last word');
select plain('mira');
select is(posts('stock_items', seen('f1', '{"category": "Drinks"}')), 'taken', 'what it wrote');
select is((item('f1') ->> 'name') || ' ' || (item('f1') ->> 'category'), 'Oat milk Drinks', 'stays');

-- When it was written.
select milk('01');
select reads('01');
select is(patches('stock_items', id('01')::text, '{"name": "Oat milk"}'), 'taken', 'somebody renames it');
select is(posts('stock_items', seen('01', '{"category": "Drinks"}')), 'taken', 'the time that was read');
select cmp_ok(item('01') -> 'edited' ->> 'category', '>', item('01') -> 'edited' ->> 'name', 'is not when it was written');

-- Of many versions the oldest go.
select milk('02');
select reads('02');
select uses('02', -1) from generate_series(1, 3);
select nobody();
select is((select count(*) from larder.past where row_id = larder.row_key(item('02'))), 3::bigint, 'the versions of a row are kept');
insert into larder.past select household_id, kind, row_id, v, updated_at, told from larder.past, generate_series(-1100, -101) as v
where row_id = larder.row_key(item('02')) and version = (seen('02') ->> 'version')::bigint;
select plain('mira');
select is(count(*), 300::bigint, 'many more') from generate_series(1, 300) as n where patches('stock_items', id('02')::text, jsonb_build_object('note', n)) = 'taken';
select nobody();
select cmp_ok((select count(*) from larder.past where row_id = larder.row_key(item('02'))), '<', 1200::bigint, 'a thousand of them, and some');
select plain('mira');
select is(posts('stock_items', jsonb_build_object('household_id', home(), 'id', id('02'), 'name', 'New', 'quantity_in_stock', 99)),
  format('LA038 stock_items %s: what was written since the row was read would be taken back: quantity_in_stock', id('02')), 'what may be older than all of them is refused');
select is(posts('stock_items', seen('02', '{"name": "New"}')), 'taken', 'and with its version it is taken');
select nobody();
select lives_ok(format('select larder.clear(%L)', home()), 'a household that goes');
select is((select count(*) from larder.past where household_id = home()), 0::bigint, 'takes them along');

select * from finish();
rollback;
