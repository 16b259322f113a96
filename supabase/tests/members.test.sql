\ir begin.psql
select no_plan();
create function founds() returns text language sql as $$
  select 'insert into households (id, name) values (home(), ''Home'') on conflict (household_id, id) do update set name = excluded.name'
$$;
create function founds_and_leaves(number integer) returns void language plpgsql as $$
begin
  insert into households (id, name) values (tests.id('f' || number), 'Short');
  perform leave(tests.id('f' || number), true);
end
$$;
create table tests.codes (name text primary key, code text, id uuid);
grant all on tests.codes to public;
-- Creates an invitation as the signed-in user, and stores its code.
create function invites(called text) returns void language sql as $$
  with made as (select public.create_invite(tests.home()) ->> 'code' as code)
  insert into tests.codes select called, code from made on conflict (name) do update set code = excluded.code;
  update tests.codes set id = (select i.id from public.invites(tests.home()) i where not i.id in (select id from tests.codes where id is not null) limit 1)
  where name = called
$$;
create function code(called text) returns text language sql as $$ select code from tests.codes where name = called $$;
create function belongs() returns setof text language sql as $$ select split_part(email, '@', 1) from public.members(tests.home()) $$;
create function rows_of(household uuid) returns bigint language plpgsql as $$
declare
  kind_table text; found bigint; total bigint := 0;
begin
  foreach kind_table in array array['households', 'stock_items', 'inventory_items', 'storage_locations', 'products', 'shopping_list_entries',
    'receipts', 'receipt_items', 'quantity_changes', 'household_members', 'household_invites']
  loop
    execute format('select count(*) from public.%I where household_id = %L', kind_table, household) into found;
    total := total + found;
  end loop;
  return total;
end
$$;
-- A row in every table.
create function fill(household uuid) returns void language sql as $$
  insert into public.stock_items (household_id, id, name, quantity_in_stock, quantity_full_stock) values (household, tests.id('1'), 'Milk', 2, 1);
  insert into public.inventory_items (household_id, id, product_ref, quantity_value) values (household, tests.id('2'), '{"productId": "p"}', 3);
  insert into public.storage_locations (household_id, name) values (household, 'Fridge');
  insert into public.products (household_id, id, title) values (household, 'p', 'Milk');
  insert into public.shopping_list_entries (household_id, name) values (household, 'Bread');
  insert into public.receipts (household_id, shop_name, items) values (household, 'Corner',
    '[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea", "quantity": 1}]');
$$;

-- The members of a household.
update household_members set joined_at = nov(case user_id when person('mira') then 1 else 2 end) where household_id = home();
select plain('jonas');
select results_eq('select user_id, email, joined_at, is_you from members(home())',
  $$values (person('mira'), 'mira@test.example', nov(1), false), (person('jonas'), 'jonas@test.example', nov(2), true)$$,
  'a member sees who belongs to the household and since when');
select throws_ok('select * from members(elsewhere())', '42501', null, 'but not who belongs to another');
select invites('vera');
select plain('vera');
select accept_invite(code('vera'));
select results_eq('select belongs()', array['mira', 'jonas', 'vera'], 'who comes is the last of them');
select throws_ok(format('select remove_member(home(), %L)', person(senior)), '42501', 'nobody removes a member who was there before them',
  'nobody removes ' || senior || ', who was there before them')
from unnest(array['mira', 'jonas']) as senior;
select throws_ok(format('select remove_member(home(), %L)', person('vera')), '22023', null, 'nor themselves: they leave');
select lives_ok(format('select remove_member(elsewhere(), %L)', person('mira')), 'removing who is not there is nothing');
select invites('of vera');
select plain('mira');
select invites('of mira'), invites('ended');
select nobody();
update household_invites set expires_at = now() - interval '1 h' where id = (select id from codes where name = 'ended');
select plain('jonas');
select lives_ok(format('select remove_member(home(), %L)', person('noor')), 'removing who never came is nothing');
select is((select count(*) from invites(home()) where state = 'open'), 2::bigint, 'and revokes nothing');
select lives_ok(format('select remove_member(home(), %L)', person('vera')), 'who came before them removes somebody');
select results_eq('select belongs()', array['mira', 'jonas'], 'who is gone then');
select is_empty('select from invites(home()) where accepted_at is null', 'with all codes that were open');
select invites('later');
select lives_ok(format('select remove_member(home(), %L)', person('vera')), 'asking again is no mistake');
select is((select count(*) from invites(home()) where state = 'open'), 1::bigint, 'and revokes nothing');
select revoke_invite((select id from codes where name = 'later'));
select plain('vera');
select is(reach(format('select from households where id = %L', home())), 0::bigint, 'and reads nothing from then on');
select throws_ok(format('select accept_invite(%L)', code('vera')), '42501', null, 'nor comes back by the old code');
select throws_ok(format('select accept_invite(%L)', code('of vera')), 'P0001', null, 'nor by an invitation of their own');
select throws_ok(format('select accept_invite(%L)', code('of mira')), 'P0001', null, 'nor by one that a member had made');

-- Invitations.
select plain('mira');
select invites('a'), invites('b');
select results_eq('select id, state, created_by, created_by_email, accepted_by_email from invites(home()) where accepted_at is null order by id',
  $$select id, 'open', person('mira'), 'mira@test.example', null::text from codes where name in ('a', 'b') order by id$$, 'a member sees the open invitations');
select results_eq('select state, accepted_by, accepted_by_email from invites(home()) where accepted_at is not null',
  $$values ('accepted', person('vera'), 'vera@test.example')$$, 'and who came by one');
select plain('vera');
select throws_ok(format('select revoke_invite(%L)', (select id from codes where name = 'a')), 'LA034', null, 'a stranger revokes none');
select plain('jonas');
select lives_ok(format('select revoke_invite(%L)', (select id from codes where name = 'a')), 'any member revokes one');
select throws_ok(format('select revoke_invite(%L)', (select id from codes where name = 'a')), 'LA034', 'there is no such invitation that is open', 'once');
select plain('noor');
select throws_ok(format('select accept_invite(%L)', code('a')), 'P0001', null, 'nobody comes by it then');
select lives_ok(format('select accept_invite(%L)', code('b')), 'the others stay good');
select plain('mira');
select throws_ok(format('select revoke_invite(%L)', (select id from codes where name = 'b')), 'LA034', null, 'and are not revoked once somebody came');
select nobody();
update household_invites set expires_at = now() - interval '1 h', accepted_at = null, accepted_by = null where id = (select id from codes where name = 'b');
select plain('mira');
select is((select state from invites(home()) i join codes c using (id) where c.name = 'b'), 'expired', 'one that ended says so');

-- The last member.
select fill(home());
select plain('noor');
select lives_ok('select leave(home(), true)', 'who is not the last leaves, whatever they say of the rows');
select plain('mira');
select ok(rows_of(home()) > 8, 'which stay');
select leave(home());
select plain('jonas');
select results_eq('select belongs()', array['jonas'], 'the founder may leave as well');
select throws_ok(call, 'LA030', null, 'the last member does not leave by the way: ' || call)
from unnest(array['select leave(home())', 'select leave(home(), false)', 'select leave(home(), null)', 'select delete_account()']) as call;
select results_eq('select belongs()', array['jonas'], 'and is still there');
select invites('late');
select lives_ok('select leave(home(), true)', 'but by saying that the rows are to go');
select nobody();
select is(rows_of(home()), 0::bigint, 'all of which are gone');
select ok(rows_of(elsewhere()) > 0, 'those of other households are not');
select plain('vera');
select throws_ok(format('select accept_invite(%L)', code('late')), 'P0001', null, 'nobody comes by an invitation that was open');
select larder('vera');
select throws_ok(founds(), '42501', 'this household is not one of yours', 'nobody founds it who was taken out by others');
select larder('jonas');
select is(reach(founds()), 1::bigint, 'whoever left it last founds it again');
select fill(home());
select results_eq('select belongs()', array['jonas'], 'and belongs to it');
select leave(home(), true);
select larder('mira');
select is(reach(founds()), 1::bigint, 'and so does whoever left it before');
select leave(home(), true);
select larder('jonas');
select delete_account(true);
select nobody();
select set_eq($$select user_id from larder.former_members where household_id = home()$$, array[person('mira'), person('noor')],
  'an account that is deleted is not waited for');
insert into auth.users (id, email) values (person('jonas'), 'jonas@test.example');
select plain('mira');
select founds_and_leaves(n) from generate_series(1, 103) as n;
select nobody();
select is((select count(*) from larder.former_members where user_id = person('mira')), 100::bigint,
  'nobody is waited for in more households than they may belong to');
delete from larder.former_members;
select larder('jonas');
select is(reach(founds()), 1::bigint, 'what is kept for nobody is whoever''s who founds it');
select fill(home());

-- A household without members, as from before the rule.
select nobody();
delete from household_members where household_id = home();
select ok(rows_of(home()) > 5, 'a member who is taken out by hand takes nothing along');
select is_empty($$select from household_invites where household_id = home() and accepted_at is null$$, 'but their open invitations');
insert into household_invites (household_id, code_hash, created_by, expires_at) values (home(), sha256('x'), person('mira'), now() + interval '1 h');
select plain('noor');
select throws_ok($$select accept_invite('x')$$, 'P0001', null, 'nobody comes by the invitation of somebody who does not belong to it');
select larder('noor');
select is(reach($$insert into households (id, name) values (home(), 'Mine') on conflict (household_id, id) do update set name = excluded.name$$), 1::bigint,
  'it is founded again');
select is(rows_of(home()), 2::bigint, 'and who knows only its id has its row and themselves');
select is((select name from households where id = home()), 'Mine', 'which they wrote');

-- Another user's household with that id.
select larder('mira');
select throws_ok($$insert into households (id, name) values (home(), 'Ours') on conflict (household_id, id) do update set name = excluded.name$$, '42501', null,
  'whose household it is finds it taken');
select throws_ok(format('insert into stock_items (household_id, name) values (%L, ''Secret'')', home()), '42501', null, 'and gives nothing away');
select throws_ok($$select larder.erase(home())$$, '42501', null, 'nobody who is signed in erases a household');
select nobody();
insert into larder.former_members values (home(), person('vera'));
select lives_ok('select larder.erase(home())', 'but the owner of the project does');
select larder('mira');
select lives_ok($$insert into households (id, name) values (home(), 'Ours')$$, 'and it is founded by whose it is');
select plain('noor');
select is(reach(format('select from households where id = %L', home())), 0::bigint, 'nobody else belongs to it any more');

-- Deleted accounts.
select plain('mira');
select fill(home());
select invites('last');
select plain('jonas');
select accept_invite(code('last'));
select plain('mira');
select lives_ok('select delete_account()', 'who is not the last anywhere deletes their account');
select nobody();
select is_empty(format('select from auth.users where id = %L', person('mira')), 'which is gone');
select plain('jonas');
select results_eq('select belongs()', array['jonas'], 'their membership with it');
select ok(reach('select from stock_items') > 0, 'what they wrote stays');
select lives_ok('select delete_account(true)', 'the last one, too, who says that the rows are to go');
select nobody();
select is(rows_of(home()), 0::bigint, 'they are gone');
delete from auth.users where id = person('vera');
select is(rows_of(elsewhere()), 0::bigint, 'and so are those of the last member whose account somebody else deleted');
select is_empty('select from households where not household_id in (select household_id from household_members)', 'no household is dead');
select plain('noor');
select lives_ok('select delete_account()', 'an account without a household goes, too');
select throws_ok($$insert into households (id, name) values (id('cd'), 'x')$$, '23503', null, 'and founds nothing with a token that is still good');

select * from finish();
rollback;
