\ir begin.psql
select no_plan();
-- All pages of the news since some versions, one after the other.
create table tests.pages (number integer, page jsonb);
create table tests.before (since jsonb);
grant all on tests.pages, tests.before to public;
create function read(since jsonb, most integer) returns void language plpgsql as $$
declare
  page jsonb;
begin
  delete from tests.pages;
  for number in 1..1000 loop
    page := public.news(tests.home(), since, most);
    insert into tests.pages values (number, page);
    exit when not (page ->> 'more')::boolean;
    since := page -> 'since';
  end loop;
end
$$;
create view tests.got as
select p.number, t.key as kind_table, r.value as line, (r.value ->> 'version')::bigint as version
from tests.pages p, jsonb_each(p.page -> 'rows') as t, jsonb_array_elements(t.value) as r;
grant select on tests.got to public;
create function everything() returns table (kind_table text, line jsonb) language plpgsql as $$
declare
  name text;
begin
  foreach name in array array['households', 'stock_items', 'inventory_items', 'storage_locations', 'products',
    'shopping_list_entries', 'receipts', 'quantity_changes']
  loop
    return query execute format('select %L, to_jsonb(t) from public.%I t where household_id = tests.home()', name, name);
  end loop;
end
$$;
create function newest() returns jsonb language sql as $$
  select jsonb_object_agg(key, value) from public.households h, jsonb_each(h.newest -> 'versions')
  where h.id = tests.home() and value <> '0'
$$;

select larder('mira');
insert into stock_items (household_id, id, name) select home(), id('a' || n), 'Tea ' || n from generate_series(1, 5) as n;
insert into quantity_changes (household_id, entity_type, entity_id, delta)
select home(), 'StockItem', id('a' || n), 3 from generate_series(1, 5) as n;
insert into inventory_items (household_id, id, product_ref) values (home(), id('b1'), jsonb_build_object('productId', id('a1')));
insert into storage_locations (household_id, name) values (home(), 'Cellar');
insert into products (household_id, id, title, extra) values (home(), 'ean_1', 'Mate', '{"sip": null, "cups": 1.50}');
insert into shopping_list_entries (household_id, name) values (home(), 'Rolls');
insert into receipts (household_id, shop_name) values (home(), 'Corner');

select bag_eq('select kind_table, line from got', 'select * from everything()', 'all rows are news at first, whole, of pages of ' || most)
from unnest(array[null, 1000, 3, 1, 0]) as most, lateral (select read('{}', most)) as r;
select read('{}', 3);
select cmp_ok(max(count), '<=', 3::bigint, 'no page has more rows than were asked for')
from (select count(*) from got group by number) as c;
select is((select page -> 'since' from pages order by number desc limit 1), newest(), 'where they end is what to ask with next');
select is(page -> 'newest', (select h.newest from households h where id = home()), 'each says how far the database is') from pages limit 1;
select is(news(home(), newest())::jsonb - 'newest', jsonb_build_object('since', newest(), 'rows', '{}'::jsonb, 'older', '[]'::jsonb, 'more', false),
  'and then there are none');
insert into before select newest();

-- What is new is what was written since, by anybody.
select plain('jonas');
update stock_items set name = 'Mate' where id = id('a2');
select larder('mira');
insert into quantity_changes (household_id, entity_type, entity_id, delta) values (home(), 'StockItem', id('a3'), -1);
select read(since, 2000) from before;
select bag_eq($$select kind_table, line ->> 'name' from got where kind_table <> 'quantity_changes'$$, $$values ('stock_items', 'Mate'), ('stock_items', 'Tea 3')$$,
  'only what has changed since is news, and a use changes the number that a row shows');
select is((select count(*) from got where kind_table = 'quantity_changes'), 1::bigint, 'and what came to a ledger');
select is((select page -> 'older' from pages), jsonb_build_array(id('a2'), id('a3')), 'who did not know an item is told of its ledger from before');
insert into stock_items (household_id, id, name) values (home(), id('a6'), 'New');
insert into quantity_changes (household_id, entity_type, entity_id, delta) values (home(), 'StockItem', id('a6'), 4);
select is(news(home(), since)::jsonb -> 'older', jsonb_build_array(id('a2'), id('a3')), 'but not of an item whose whole ledger is news') from before;
select is(jsonb_array_length(news(home(), since || '{"stock_items": 0}')::jsonb -> 'rows' -> 'stock_items'), 6, 'each table has its own place') from before;

-- Rows of one version, as somebody with all rights may write them, come together.
select nobody();
alter table products disable trigger user;
insert into products (household_id, id, title, version) select home(), 'same ' || n, 'Same', 1000000 + n / 5 from generate_series(1, 12) as n;
alter table products enable trigger user;
select larder('mira');
select read(newest() || jsonb_build_object('products', 0), most) from unnest(array[2]) as most;
select bag_eq($$select line ->> 'id' from got$$, 'select id from products', 'rows of one version are not lost at the end of a page');
select is_empty('select version from got group by version having count(distinct number) > 1', 'they are on one page');
select cmp_ok((select max(number) from got), '=', 3, 'of several');

-- Long rows.
select nobody();
alter table products disable trigger user;
insert into products (household_id, id, title, version, extra)
select home(), 'long ' || n, 'Long', 2000000 + n, jsonb_build_object('text', repeat('x', case n when 4 then 6000000 else 1000000 end))
from generate_series(1, 9) as n;
alter table products enable trigger user;
select larder('mira');
select read(newest() || '{"products": 1999999}', 2000);
select results_eq($$select number, array_agg(right(line ->> 'id', 1)::integer order by version) from got group by 1 order by 1$$,
  $$values (1, array[1, 2, 3]), (2, array[4]), (3, array[5, 6, 7, 8]), (4, array[9])$$, 'a page has at most 4 MiB, or one row');

-- Permissions.
select plain('vera');
select is(news(home())::text, null, 'a stranger gets nothing');
select is(news(elsewhere()) -> 'rows' -> 'households' -> 0 ->> 'name', 'Elsewhere', 'but what is their own');
select plain('noor');
select is(news(home())::text, null, 'nor does somebody without a household');
select is(news(id('99'))::text, null, 'which is what a household is like that is not there');
select is(news(null)::text, null, 'and none');
select plain('jonas');
select isnt(news(home())::text, null, 'another member gets all');
select leave(home());
select is(news(home())::text, null, 'until they leave');
select nobody();
set local role authenticated;
select is(news(home())::text, null, 'who has a token that names nobody gets nothing');
select plain('anon');
select throws_ok('select news(home())', '42501', null, 'who is not signed in may not ask');

select * from finish();
rollback;
