\ir begin.psql
select no_plan();
create table tests.codes (name text primary key, code text);
grant all on tests.codes to public;
-- Creates an invitation as the signed-in user, and stores its code.
create function invites(called text, hours integer default 72) returns text language sql as $$
  insert into tests.codes values (called, public.create_invite(tests.home(), hours) ->> 'code')
  on conflict (name) do update set code = excluded.code returning code
$$;
create function code(called text) returns text language sql as $$
  select code from tests.codes where name = called
$$;
create function members() returns setof text language sql as $$
  select split_part(u.email, '@', 1) from auth.users u
  join public.household_members m on m.user_id = u.id where m.household_id = tests.home()
$$;
create function refuses(call text, promise text) returns text language sql as $$
  select throws_ok(call, 'P0001', 'there is no such invitation, or it is not good any more', promise)
$$;

-- Creating a household.
select nobody();
select set_eq('select members()', array['mira', 'jonas'], 'who founds a household belongs to it');
select plain('noor');
select results_eq($$insert into households (id, name) values (id('cc'), 'Noor''s')
    returning household_id, user_id, time_zone, format, expiring_within_days$$,
  $$values (id('cc'), person('noor'), 'UTC', 1, 14)$$,
  'a household is founded by its row alone, and the founder reads it in the answer');
select results_eq($$insert into households (id, household_id, name) values (id('cd'), home(), 'Two')
    returning household_id$$, $$values (id('cd'))$$, 'its household is itself, whatever is written');
select throws_ok($$insert into households (id, name, user_id)
    values (id('ce'), 'Forged', person('mira'))$$, '42501', null,
  'nobody founds a household in another''s name');
select is(reach($$select from household_members where household_id = id('ce')$$), 0::bigint,
  'nor stays a member of what was refused');
select throws_ok($$insert into households (id, name) values (home(), 'Mine')$$, '42501', null,
  'a household that is there is not founded again');
select throws_ok($$insert into households (id, name) values (home(), 'Mine')
    on conflict (household_id, id) do update set name = excluded.name$$, '42501', null,
  'not by an upsert either');
select throws_ok($$insert into households (id, name) values (home(), 'Mine') on conflict do nothing$$,
  '42501', null, 'nor by one that leaves what is there');
select throws_ok($$insert into households (id, name) values (id('cf'), 'New'), (home(), 'Mine')$$,
  '42501', null, 'nor beside one that is new');
select set_eq($$select household_id from household_members$$, array[id('cc'), id('cd')],
  'and nobody gets into a household that way');
select throws_ok($$insert into household_members values (home(), person('noor'))$$, '42501', null,
  'nobody adds themselves');
select throws_ok($$update household_members set household_id = home()$$, '42501', null, 'nor moves over');
select throws_ok($$delete from household_members$$, '42501', null, 'nor throws anybody out');

select throws_ok($$update households set user_id = person('vera') where id = id('cc')$$, '42501',
  'user_id is who is signed in, and stays who made the row', 'a forged founder is refused in an update,');
select is((select user_id from households where id = id('cc')), person('noor'), 'and stays who it was');
select larder('jonas');
select is(reach($$insert into households (id, name, edited) values (home(), 'Our home', jsonb_build_object(
    'name', larder.instant(now() + interval '1 h')))
    on conflict (household_id, id) do update set name = excluded.name, edited = excluded.edited$$),
  1::bigint, 'every member writes the household''s row');
select results_eq($$select name, user_id from households$$, $$values ('Our home', person('mira'))$$,
  'and the founder stays who it was');
select is(reach($$insert into households (id, user_id, name) values (home(), person('jonas'), 'Home')
    on conflict (household_id, id) do update set user_id = excluded.user_id$$), 1::bigint,
  'an upsert by another member');
select is((select user_id from households), person('mira'), 'makes nobody the founder either');
select throws_ok($$delete from households where id = home()$$, '42501', 'a household is left, not deleted',
  'no member deletes a household');
select nobody();
select throws_ok($$delete from households$$, '42501', null, 'nor does the owner of the project by accident');

-- Invitations.
select plain('mira');
select matches(invites('first'), '^[2-9a-hjkmnp-z]{20}$', 'a code has 20 letters that are hard to mistake');
select isnt(invites('second'), code('first'), 'no two codes are alike');
select cmp_ok((select count(distinct letter) from generate_series(1, 40) as n,
    regexp_split_to_table(public.create_invite(home(), n) ->> 'code', '') as letter), '=', 31::bigint,
  'codes use all of the 31 letters');
select is(public.create_invite(home(), 1) ->> 'expires_at', larder.instant(now()::timestamptz(3) + interval '1 h'),
  'an invitation says when it ends');
select throws_ok(format('select public.create_invite(home(), %s)', hours), '22023', null,
  format('an invitation is not good for %s hours', hours))
from unnest(array['0', '-1', '721', 'null', '2147483647']) as hours;
select lives_ok($$select public.create_invite(home(), 720)$$, 'but for 30 days');
select throws_ok($$select public.create_invite(null)$$, '42501', null, 'nobody is invited into nothing');
select throws_ok($$select code_hash from household_invites$$, '42501', null,
  'no member reads the codes'' hashes');
select throws_ok($$select * from household_invites$$, '42501', null, 'nor everything');
select isnt_empty($$select id, household_id, created_by, created_at, expires_at, accepted_by, accepted_at
  from household_invites$$, 'but which invitations there are');
select throws_ok(format('insert into household_invites (household_id, code_hash, created_by, expires_at) '
  'values (%L, ''a'', %L, now())', home(), person('mira')), '42501', null, 'nobody writes one by hand');
select throws_ok('update household_invites set accepted_by = null', '42501', null, 'nor opens one again');
select throws_ok('delete from household_invites', '42501', null, 'nor takes one away by hand');

-- Accepting an invitation.
select plain('noor');
select refuses(format('select public.accept_invite(%L)', wrong), format('%L is no code', wrong))
from unnest(array['', '   ', '22222222222222222222', '%', null, repeat('a', 100000)]) as wrong
union all select refuses(format('select public.accept_invite(%L)', code('first') || '2'), 'nor is a longer one')
union all select refuses(format('select public.accept_invite(%L)', left(code('first'), 19)), 'nor a shorter one');
select is(public.accept_invite(' ' || upper(substr(code('first'), 1, 5)) || '-' || substr(code('first'), 6, 5)
    || E' \t' || substr(code('first'), 11) || E'\n'),
  jsonb_build_object('household_id', home(), 'name', 'Our home'),
  'a code may be typed with spaces, hyphens and capitals, and says which household it was');
select is(reach('select from stock_items'), 0::bigint, 'who accepted reads it');
select is((select name from households where id = home()), 'Our home', 'at once');
select is(public.accept_invite(code('first')) ->> 'household_id', home()::text,
  'whose answer was lost may ask again');
select plain('vera');
select refuses(format('select public.accept_invite(%L)', code('first')), 'a code is good once');
select nobody();
select set_eq('select members()', array['mira', 'jonas', 'noor'], 'one came');
select results_eq($$select accepted_by, accepted_at is not null from household_invites
  where code_hash = sha256(convert_to(code('first'), 'UTF8'))$$, $$values (person('noor'), true)$$,
  'and the invitation says who');
select is_empty($$select from household_invites i, codes c where i::text like '%' || c.code || '%'$$,
  'the code itself is nowhere');

select plain('mira');
select invites('short', 1);
select invites('old');
select nobody();
update household_invites set expires_at = now() - interval '1 ms'
where code_hash = sha256(convert_to(code('short'), 'UTF8'));
update household_invites set expires_at = now() - interval '31 days'
where code_hash = sha256(convert_to(code('old'), 'UTF8'));
select plain('vera');
select refuses(format('select public.accept_invite(%L)', code('short')), 'a code ends');
select plain('jonas');
select invites('from jonas');
select nobody();
select is_empty($$select from household_invites where code_hash = sha256(convert_to(code('old'), 'UTF8'))$$,
  'what ended a month ago is swept away by the next one');

-- Leaving a household.
select plain('noor');
select invites('from noor');
select public.create_invite(home());
select lives_ok('select public.leave(home())', 'a member leaves');
select is(reach('select from households where id = home()'), 0::bigint, 'and reads nothing from then on');
select throws_ok(format('select public.accept_invite(%L)', code('first')), '42501', null,
  'who left does not come back by the old code');
select refuses(format('select public.accept_invite(%L)', code('from noor')), 'nor by an invitation of their own');
select throws_ok('select public.leave(home())', '42501', null, 'nobody leaves twice');
select nobody();
select is_empty($$select from household_invites where created_by = person('noor') and accepted_by is null$$,
  'their open invitations went along');
select plain('vera');
select lives_ok(format('select public.accept_invite(%L)', code('from jonas')), 'those of others stay good');
select plain('jonas');
select lives_ok('select public.leave(home())', 'who invited leaves');
select plain('vera');
select is(reach('select from households where id = home()'), 1::bigint, 'who came stays');
select plain('mira');
select lives_ok('select public.leave(home())', 'the founder may leave too');
select is(reach('select from households where id = home()'), 0::bigint, 'and reads nothing either');
select throws_ok($$insert into households (id, name) values (home(), 'Mine again')
    on conflict (household_id, id) do update set name = excluded.name$$, '42501', null,
  'having founded it does not let anybody in again');
select plain('vera');
select invites('for mira');
select plain('mira');
select lives_ok(format('select public.accept_invite(%L)', code('for mira')), 'a new invitation does');
select plain('vera');
select public.leave(home());

-- Deleted accounts.
select plain('noor');
select is((select count(*) from household_members), 2::bigint, 'Noor has households of their own');
select plain('mira');
select invites('for jonas');
select plain('jonas');
select public.accept_invite(code('for jonas'));
select nobody();
delete from auth.users where id = person('jonas');
select set_eq('select members()', array['mira'], 'whose account is deleted belongs to nothing');
select plain('vera');
select refuses(format('select public.accept_invite(%L)', code('for jonas')),
  'and the code that they came by is not good again');
select * from finish();
rollback;
