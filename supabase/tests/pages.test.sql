\ir begin.psql
select no_plan();
-- 2,000 households: one with 100,000 items, the others with 51 each.
create function house(number integer) returns uuid language sql immutable as $$ select tests.id('c' || to_hex(number)) $$;
create function owner(number integer) returns uuid language sql immutable as $$
  select ('00000000-0000-4000-9000-' || lpad(to_hex(number), 12, '0'))::uuid
$$;
-- Returns the plan of a statement as the signed-in user, with its real figures.
create function plan(statement text) returns jsonb language plpgsql as $$
declare
  found json;
begin
  execute 'explain (analyze, format json) ' || statement into found;
  return found -> 0;
end
$$;
create function fastest(statement text) returns numeric language sql as $$
  select min((tests.plan(statement) ->> 'Execution Time')::numeric) from generate_series(1, 5)
$$;
create function signs_in(number integer) returns void language plpgsql as $$
begin
  perform set_config('request.jwt.claims', json_build_object('sub', tests.owner(number), 'role', 'authenticated')::text, true);
  perform set_config('role', 'authenticated', true);
end
$$;
insert into auth.users (id, email) select owner(n), n || '@test.example' from generate_series(1, 2000) as n;
alter table households disable trigger user;
alter table stock_items disable trigger user;
-- Checking these would take longer than everything else.
alter table stock_items drop constraint stock_items_flat, drop constraint stock_items_bookkeeping;
insert into households (household_id, id, name, user_id, version) select house(n), house(n), 'Home', owner(n), n from generate_series(1, 2000) as n;
insert into household_members (household_id, user_id) select house(n), owner(n) from generate_series(1, 2000) as n;
insert into stock_items (household_id, id, name, version, updated_at)
select house(case when n % 2 = 0 and n <= 200000 then 1 else 2 + n / 2 % 1999 end), gen_random_uuid(), 'Item', n, nov(1) + n * interval '1 s'
from generate_series(1, 202000) as n;
analyze households; analyze household_members; analyze stock_items;

create table tests.pages (what text, statement text);
insert into pages values
  ('the first page', format('select * from stock_items where household_id = %L and version > 0 order by version limit 1000', house(1))),
  ('one from the middle', format('select * from stock_items where household_id = %L and version > 100000 order by version limit 1000', house(1))),
  ('the last', format('select * from stock_items where household_id = %L and version > 199000 order by version limit 1000', house(1))),
  ('what was written since', format('select * from stock_items where household_id = %L and updated_at >= %L order by updated_at limit 1000', house(1), nov(1)));
grant select on pages to public;
select signs_in(1);
select is((plan(statement) #>> '{Plan,Actual Rows}')::integer, case what when 'the last' then 500 else 1000 end, what || ' is full')
from pages;
select cmp_ok(fastest(statement), '<=', 5.0, what || ' of a household of 100,000 items takes at most 5 ms') from pages;
-- PostgREST prepares its statements: one plan must fit every household and version.
set local plan_cache_mode to force_generic_plan;
prepare page(uuid, bigint) as select * from stock_items where household_id = $1 and version > $2 order by version limit 1000;
select cmp_ok(fastest(format('execute page(%L, 100000)', house(1))), '<=', 5.0, 'prepared for any, too');
set local plan_cache_mode to auto;
select cmp_ok(fastest(format('select newest(h) from households h where household_id = %L', house(1))), '<=', 5.0, 'and so do its newest versions');
select cmp_ok(fastest(format('select news(%L, ''{"households": 2000, "stock_items": 202000}'')', house(1))), '<=', 5.0, 'and so do the news of a household without any');
select cmp_ok(fastest(format('select news(%L, ''{"stock_items": %s}'')', house(1), read)), '<=', 100.0, 'those of 2,000 rows take at most 100 ms, behind ' || read)
from unnest(array[0, 100000]) as read;
select signs_in(7);
select cmp_ok(fastest(format('select * from stock_items where household_id = %L and version > 0 order by version limit 1000', house(7))), '<=', 5.0,
  'a small household beside it takes no longer');
select cmp_ok(fastest('select * from stock_items'), '<=', 5.0, 'nor does all that a small one has');
select cmp_ok((select count(*) from stock_items), '=', 51::bigint, 'which are its rows');
select cmp_ok(fastest('select * from stock_items where id = tests.id(''c1'')'), '<=', 5.0, 'nor a row by its id alone');

-- The households of a user.
select is((plan(statement)::text ~ 'Seq Scan'), false, 'no list reads all households: ' || statement)
from unnest(array['select * from households order by id', 'select id, name from households',
  format('select * from households where id = %L', house(7)), 'select * from household_members']) as statement;
select results_eq('select id from households', array[house(7)], 'and it has those of the user');

select nobody();
select is_empty($$
  select c.conrelid::regclass, c.conname from pg_constraint c
  where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not exists (
    select from pg_index i where i.indrelid = c.conrelid and i.indpred is null
      and (i.indkey::smallint[])[0:cardinality(c.conkey) - 1] @> c.conkey)
$$, 'every foreign key has an index');
-- A plan may be made while a table is empty, and kept.
set local enable_seqscan to off;
select alike(plan(format('select * from %I where household_id = %L and id = %L', kind_table, house(1), house(1)))::text, '%pkey%', kind_table || ' is found by its key while it is empty')
from unnest(array['storage_locations', 'shopping_list_entries', 'receipts', 'inventory_items', 'products']) as kind_table;

select alike(plan(format('select * from inventory_items where household_id = %L and product_id = any (%L)', house(1), '{x,y}'))::text,
  '%inventory_items_by_product%', 'and batches by their product');

select * from finish();
rollback;
