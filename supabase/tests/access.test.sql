\ir begin.psql
select no_plan();

-- A row in every table with data of a household.
create function sample(kind_table text, household uuid, row_id uuid) returns text
language sql immutable as $$
  select case kind_table
    when 'quantity_changes' then format(
      'insert into public.quantity_changes (household_id, entity_type, entity_id, id, delta) '
        'values (%L, ''StockItem'', %L, %L, 1)', household, tests.id('1'), row_id)
    when 'receipt_items' then format(
      'insert into public.receipt_items (household_id, receipt_id, id, item_name, quantity) '
        'values (%L, %L, %L, ''Tea'', 1)', household, tests.id('7'), row_id)
    else format('insert into public.%I (household_id, id, %s) values (%L, %L, %s)', kind_table,
      t.columns, household, row_id, t.samples)
  end
  from (values
    ('stock_items', 'name', '''Milk'''), ('inventory_items', 'product_ref', '''{"productId": "p"}'''),
    ('storage_locations', 'name', '''Fridge'''), ('products', 'title', '''Tea'''),
    ('shopping_list_entries', 'name', '''Bread'''), ('receipts', 'shop_name', '''Corner'''),
    ('households', 'name', '''Home'''), ('receipt_items', '', ''), ('quantity_changes', '', '')
  ) as t (kind_table, columns, samples) where t.kind_table = sample.kind_table
$$;
create table tests.kinds (kind_table text, column_name text, other text);
insert into kinds values
  ('households', 'name', 'Cabin'), ('stock_items', 'name', 'Cream'),
  ('inventory_items', 'notes', 'open'), ('storage_locations', 'name', 'Cellar'),
  ('products', 'title', 'Mate'), ('shopping_list_entries', 'name', 'Rolls'),
  ('receipts', 'shop_name', 'Market'), ('receipt_items', 'item_name', 'Mate'),
  ('quantity_changes', 'note', 'half a litre');
grant select on tests.kinds to public;
create table tests.open (invite uuid);
grant all on tests.open to public;

-- Access that must be denied to users who are not members.
create function strangers(person text, who text) returns setof text language plpgsql as $$
declare
  t record;
begin
  perform tests.plain(person);
  for t in select * from tests.kinds loop
    return next is(tests.reach(format(
      'select from public.%I where household_id = %L', t.kind_table, tests.home())), 0::bigint,
      format('%s reads nothing of %s', who, t.kind_table));
    if t.kind_table <> 'households' then
      return next throws_ok(tests.sample(t.kind_table, tests.home(), tests.id('99')), '42501', null,
        format('%s adds nothing to %s', who, t.kind_table));
    end if;
    return next throws_ok(
      tests.sample(t.kind_table, tests.home(),
        case t.kind_table when 'households' then tests.home() else tests.id('1') end)
      || format(' on conflict (household_id, %s id) do update set %I = excluded.%2$I',
        case t.kind_table when 'receipt_items' then 'receipt_id,'
          when 'quantity_changes' then 'entity_type, entity_id,' else '' end, t.column_name),
      '42501', null, format('%s upserts onto no row of %s', who, t.kind_table));
    if t.kind_table <> 'households' then
      return next throws_ok(
        tests.sample(t.kind_table, tests.home(), tests.id('1')) || ' on conflict do nothing',
        '42501', null, format('%s learns from no conflict what %s holds', who, t.kind_table));
    end if;
    return next is(tests.reach(format(
      'update public.%I set %I = %L where household_id = %L', t.kind_table, t.column_name, 'mine',
      tests.home())), 0::bigint, format('%s changes nothing in %s', who, t.kind_table));
    return next is(tests.reach(format('update public.%I set %I = %L', t.kind_table,
      t.column_name, t.other)), (person = 'vera' and t.kind_table = 'households')::int::bigint,
      format('%s changes nothing in all of %s that is not theirs', who, t.kind_table));
    return next is(tests.reach(format(
      'delete from public.%I where household_id = %L', t.kind_table, tests.home())), 0::bigint,
      format('%s deletes nothing from %s', who, t.kind_table));
  end loop;
  return next is(tests.reach('select from public.household_members where household_id = '
    || quote_literal(tests.home())), 0::bigint, who || ' does not see who belongs to it');
  return next is(tests.reach('select id from public.household_invites'), 0::bigint,
    who || ' sees no invitation');
  return next throws_ok(format('select public.create_invite(%L)', tests.home()), '42501', null,
    who || ' invites nobody');
  return query select throws_ok(format(call, tests.home()), '42501', null, who || ' is refused: ' || call)
    from unnest(array['select public.leave(%L)', 'select public.leave(%L, true)', 'select public.members(%L)',
      'select public.invites(%L)', 'select public.remove_member(%L, tests.person(''mira''))']) as call;
  return next throws_ok(format('select public.revoke_invite(%L)', (select invite from tests.open)), 'LA034', null,
    who || ' revokes no invitation');
end
$$;
select plain('mira');
select lives_ok(sample('receipts', home(), id('7')), 'a member adds the receipt of what follows');
select lives_ok(sample(kind_table, home(), id('1')), 'a member adds to ' || kind_table)
from kinds where kind_table <> 'households' order by kind_table = 'quantity_changes', kind_table;
select plain('jonas');
select is(reach(format('select from public.%I where household_id = %L', kind_table, home())),
  case kind_table when 'receipts' then 2 else 1 end::bigint,
  'another member reads ' || kind_table)
from kinds;
select is(reach(format('update public.%I set %I = %L where household_id = %L and id::text in (%L, %L)',
  kind_table, column_name, other, home(), id('1'), home())), 1::bigint,
  'another member changes ' || kind_table)
from kinds where kind_table <> 'quantity_changes';
select throws_ok($$update quantity_changes set note = 'half a litre'$$, '23505', null, 'but not a ledger entry');
select is(
  (row_of(kind_table, case kind_table when 'households' then home() else id('1') end::text)
    ->> column_name) is not distinct from other,
  kind_table <> 'quantity_changes',
  case kind_table when 'quantity_changes' then 'but a ledger entry stays as it is'
  else 'what another member writes stands in ' || kind_table end)
from kinds;

-- Vera is a member of another household, Noor of none, and Jonas leaves this one.
select plain('mira');
select lives_ok($$select public.create_invite(home())$$, 'a member makes an invitation');
insert into tests.open select id from public.household_invites;
select strangers('vera', 'a stranger');
select strangers('noor', 'somebody without a household');
select plain('jonas');
select public.leave(home());
select strangers('jonas', 'a former member');

select plain('vera');
select throws_ok(format(
  'insert into public.%I (household_id, id, %s) values (%L, %L, %s), (%L, %L, %4$s)', kind_table,
  column_name, elsewhere(), id('5'), quote_literal(other), home(), id('6')), '42501', null,
  'one foreign row refuses all that came with it: ' || kind_table)
from kinds where kind_table in ('stock_items', 'products', 'receipts');
select lives_ok(sample(kind_table, elsewhere(), id('1')),
  'an id that another household has is free: ' || kind_table)
from kinds where kind_table in ('stock_items', 'inventory_items', 'storage_locations', 'products',
  'shopping_list_entries', 'receipts');
select throws_ok(format('update public.%I set household_id = %L where household_id = %L',
  kind_table, home(), elsewhere()), '23514', null, 'no row moves into a foreign household: ' || kind_table)
from kinds where kind_table in ('stock_items', 'inventory_items', 'storage_locations', 'products',
  'shopping_list_entries', 'receipts', 'households');

-- A member of two households.
select nobody();
insert into public.household_members (household_id, user_id) values (home(), person('vera'));
select plain('vera');
select throws_ok(format('update public.%I set household_id = %L where household_id = %L',
  kind_table, home(), elsewhere()), '23514', null, 'a row stays in its household: ' || kind_table)
from kinds where kind_table in ('stock_items', 'inventory_items', 'storage_locations', 'products',
  'shopping_list_entries', 'receipts', 'households');
select throws_ok(format('update public.%I set id = %L where household_id = %L',
  kind_table, id('77'), elsewhere()), '23514', null, 'a row keeps its id: ' || kind_table)
from kinds where kind_table in ('stock_items', 'inventory_items', 'storage_locations', 'products',
  'shopping_list_entries', 'receipts', 'households');
select larder('vera');
insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta)
values (elsewhere(), 'StockItem', id('1'), id('c1'), nov(5), 2);
select throws_ok(format('update quantity_changes set %s, at = %L where id = %L', change, nov(1),
  id('c1')), '23514', null, 'a ledger entry stays where it is: ' || change)
from unnest(array['household_id = tests.home()', 'entity_type = ''InventoryItem''',
  'entity_id = tests.id(''2'')', 'id = tests.id(''c2'')']) as change;

-- A service with all rights, not signed in.
select nobody();
set local role service_role;
select lives_ok(sample(kind_table, home(), id('55')), 'a service adds to ' || kind_table)
from kinds where kind_table <> 'households';
select plain('anon');
select throws_ok(format('select from public.%I', t), '42501', null, 'anon reads nothing of ' || t)
from unnest(array['household_members', 'household_invites']) as t;
select throws_ok(format(statement, kind_table, column_name), '42501', null,
  'anon is refused: ' || format(statement, kind_table, column_name))
from kinds, unnest(array['select from public.%I', 'update public.%I set %I = null',
  'delete from public.%I']) as statement;
select throws_ok(sample(kind_table, home(), id('56')), '42501', null, 'anon adds nothing to ' || kind_table)
from kinds;
select throws_ok(call, '42501', null, 'anon is refused: ' || call)
from unnest(array['select public.create_invite(tests.home())', 'select public.accept_invite(''a'')',
  'select public.leave(tests.home())', 'select public.leave(tests.home(), true)', 'select public.members(tests.home())',
  'select public.remove_member(tests.home(), tests.person(''mira''))', 'select public.invites(tests.home())',
  'select public.revoke_invite(tests.id(''1''))', 'select public.delete_account(true)', 'select public.larder_schema()']) as call;

-- Signed in, with a token that names no user.
select nobody();
set local role authenticated;
select is(reach(format('select from public.%I', kind_table)), 0::bigint,
  'without a user nothing is read of ' || kind_table)
from kinds;
select throws_ok(sample(kind_table, home(), id('57')), '42501', null,
  'without a user nothing is added to ' || kind_table)
from kinds where kind_table <> 'households';
select throws_ok($$select public.accept_invite('a')$$, '42501', null,
  'without a user no invitation is accepted');

select * from finish();
rollback;
