-- A write costs the same in a ledger of 40,000 entries as in a short one, and an item's products cost what it has
-- of them, however many items name one product.

-- The functions here are planned once, for all values. Where a plan is made for each array, planning takes longer
-- than all else.

-- Sums ------------------------------------------------------------------------------------------------------

create table if not exists larder.sums (
  household_id uuid not null,
  entity_type text not null,
  entity_id uuid not null,
  unit text not null,
  page_from timestamptz(3),
  entries integer not null,
  version bigint not null,
  exact numeric not null,
  start_at timestamptz(3),
  primary key (household_id, entity_type, entity_id)
);
comment on table larder.sums is
  'The sums of long ledgers, so that an addition or a use is added to them. A missing one is worked out from the '
  'ledger; so it may be deleted, and is where entries are taken away with triggers off.';
revoke all on larder.sums from public, anon, authenticated;

-- The sum of the entries that count, from the last count on.
create or replace function larder.added_up(
  household uuid, kind text, entity uuid, unit text, page timestamptz) returns larder.sums
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  made larder.sums;
  counted numeric := 0;
begin
  select household, kind, entity, added_up.unit, page, count(*), max(c.version) into
    made.household_id, made.entity_type, made.entity_id, made.unit, made.page_from, made.entries, made.version
  from public.quantity_changes c
  where c.household_id = household and c.entity_type = kind and c.entity_id = entity
    and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5');
  select c.at, c."set" * larder.factor(coalesce(c.unit, 'piece'), added_up.unit) into made.start_at, counted
  from public.quantity_changes c
  where c.household_id = household and c.entity_type = kind and c.entity_id = entity and c."set" is not null
    and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5')
    and larder.factor(coalesce(c.unit, 'piece'), added_up.unit) is not null
    and (c.at = page is true or not exists (
      select from public.quantity_changes u
      where u.household_id = household and u.entity_type = kind and u.entity_id = entity
        and u.undoes = c.id))
  order by c.at desc, c.id desc limit 1;
  -- All additions and uses, less those that were undone.
  made.exact := coalesce(counted, 0) + coalesce((
      select sum(same.total * larder.factor(same.unit, added_up.unit))
      from (
        select coalesce(c.unit, 'piece') as unit, sum(c.delta) as total
        from public.quantity_changes c
        where c.household_id = household and c.entity_type = kind and c.entity_id = entity
          and c.delta is not null and c.at >= coalesce(made.start_at, '-infinity')
          and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5')
        group by 1) as same
    ), 0) - coalesce((
      select sum(c.delta * larder.factor(coalesce(c.unit, 'piece'), added_up.unit))
      from (
        select distinct u.undoes from public.quantity_changes u
        where u.household_id = household and u.entity_type = kind and u.entity_id = entity
          and u.undoes is not null) as undone
      join public.quantity_changes c on c.household_id = household and c.entity_type = kind
        and c.entity_id = entity and c.id = undone.undoes
      where c.delta is not null and c.at >= coalesce(made.start_at, '-infinity')
        and c.at = page is not true
        and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5')
    ), 0);
  return made;
end
$$;

-- When the first of the entries came after which nothing is left, up to the last one.
create or replace function larder.emptied(
  household uuid, kind text, entity uuid, unit text, page timestamptz, start_at timestamptz) returns timestamptz
language plpgsql stable set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    with counting as (
      select c.at, c.id, c."set", coalesce(c."set", c.delta) * larder.factor(coalesce(c.unit, 'piece'), emptied.unit) as number
      from public.quantity_changes c
      where c.household_id = household and c.entity_type = kind and c.entity_id = entity and c.undoes is null
        and c.at >= coalesce(emptied.start_at, '-infinity')
        and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5')
        and larder.factor(coalesce(c.unit, 'piece'), emptied.unit) is not null
        and (c.at = page is true or not exists (
          select from public.quantity_changes u
          where u.household_id = household and u.entity_type = kind and u.entity_id = entity
            and u.undoes = c.id))
    ), ordered as (
      select at, row_number() over sums as place, sum(number) over sums as total
      from counting
      where "set" is null or id = (select max(id::text)::uuid from counting as other where other."set" is not null)
      window sums as (order by at, "set" is null, id)
    )
    -- Half of the sixth decimal is rounded to zero.
    select min(at) from ordered
    where place > coalesce((select max(place) from ordered where total > 0.0000005), 0));
end
$$;

-- The sum of the entries that count, in a unit, and, if it is zero or below, since when (FORMAT.md, section 7).
create or replace function larder.quantity(
  household uuid, kind text, entity uuid, unit text, page timestamptz, out total numeric, out emptied timestamptz,
  out latest timestamptz)
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  known larder.sums;
begin
  select greatest(page, max(c.at)) into latest from public.quantity_changes c
  where c.household_id = household and c.entity_type = kind and c.entity_id = entity;
  if latest is null then
    total := 0;
    return;
  end if;
  select * into known from larder.sums s
  where s.household_id = household and s.entity_type = kind and s.entity_id = entity;
  if known.unit is distinct from unit or known.page_from is distinct from page then
    known := larder.added_up(household, kind, entity, unit, page);
    if known.entries > 100 then
      delete from larder.sums s
      where s.household_id = household and s.entity_type = kind and s.entity_id = entity;
      insert into larder.sums select known.*;
    end if;
  end if;
  total := larder.rounded(known.exact);
  if kind = 'InventoryItem' and total <= 0 then
    emptied := larder.emptied(household, kind, entity, unit, page, known.start_at);
  end if;
end
$$;

-- Keeps sums as entries come. What is more than an addition or a use has them worked out anew.
create or replace function larder.add_up() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  grown record;
  known larder.sums;
begin
  for grown in
    select w.household_id, w.entity_type, w.entity_id, count(*) as entries, max(w.version) as version,
      bool_and(w.delta is not null) as is_plain
    from written w group by 1, 2, 3
  loop
    select * into known from larder.sums s
    where s.household_id = grown.household_id and s.entity_type = grown.entity_type
      and s.entity_id = grown.entity_id;
    -- A statement that wrote others again as well has had it worked out with these.
    continue when known.version >= grown.version;
    if known.unit is null then
      if exists (
        select from public.quantity_changes c
        where c.household_id = grown.household_id and c.entity_type = grown.entity_type
          and c.entity_id = grown.entity_id
        offset 100000)
      then
        known := larder.added_up(grown.household_id, grown.entity_type, grown.entity_id, 'piece', case grown.entity_type
          when 'StockItem' then (
            select i.page_from from public.stock_items i
            where i.household_id = grown.household_id and i.id = grown.entity_id)
          else (
            select i.page_from from public.inventory_items i
            where i.household_id = grown.household_id and i.id = grown.entity_id)
          end);
      end if;
    elsif grown.is_plain and not exists (
      select from written w join public.quantity_changes u on u.household_id = w.household_id
        and u.entity_type = w.entity_type and u.entity_id = w.entity_id and u.undoes = w.id
      where w.household_id = grown.household_id and w.entity_type = grown.entity_type
        and w.entity_id = grown.entity_id)
    then
      update larder.sums s set
        entries = s.entries + added.entries, exact = s.exact + added.total, version = grown.version
      from (
        select count(*) as entries, coalesce(sum(w.delta * larder.factor(coalesce(w.unit, 'piece'), known.unit))
            filter (where w.at >= coalesce(known.start_at, '-infinity')), 0) as total
        from written w
        where w.household_id = grown.household_id and w.entity_type = grown.entity_type
          and w.entity_id = grown.entity_id
          and (known.page_from is null or w.at >= known.page_from or larder.is_derived_id(w.id))) as added
      where s.household_id = grown.household_id and s.entity_type = grown.entity_type
        and s.entity_id = grown.entity_id
      returning s.* into known;
    else
      delete from larder.sums s
      where s.household_id = grown.household_id and s.entity_type = grown.entity_type
        and s.entity_id = grown.entity_id;
      known.entries := known.entries + grown.entries;
    end if;
    if known.entries > 100000 and not larder.is_derived() then
      raise exception 'a ledger has more than 100000 entries'
        using errcode = 'LA007', hint = 'Count what there is: that begins a new page.';
    end if;
  end loop;
  return null;
end
$$;

create or replace function larder.add_up_anew() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  delete from larder.sums s using written w
  join replaced r using (household_id, entity_type, entity_id, id)
  where w.version <> r.version and s.household_id = w.household_id and s.entity_type = w.entity_type
    and s.entity_id = w.entity_id;
  return null;
end
$$;

drop trigger if exists check_ledgers on public.quantity_changes;
drop function if exists larder.check_ledgers();
-- Triggers of one event run in the order of their names: sums come before what follows from them.
create or replace trigger add_up_inserted after insert on public.quantity_changes
  referencing new table as written
  for each statement execute function larder.add_up();
create or replace trigger add_up_updated after update on public.quantity_changes
  referencing old table as replaced new table as written
  for each statement execute function larder.add_up_anew();

create or replace function larder.follow_ledgers() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  if larder.is_derived() then return null; end if;
  perform set_config('larder.writing', 'derived', true);
  update public.inventory_items b set
    quantity_value = q.total,
    status = case
      when b.status not in ('active', 'consumed') then b.status
      when q.total > 0 then 'active' else 'consumed' end,
    consumed_at = case
      when b.status in ('active', 'consumed') and q.total <= 0
      then coalesce(q.emptied, b.created_at) end,
    updated_at = greatest(b.updated_at, q.latest)
  from (select distinct household_id, entity_id from written where entity_type = 'InventoryItem') w,
    lateral (
      select coalesce(i.quantity ->> 'unit', 'piece') as unit, i.page_from
      from public.inventory_items i
      where i.household_id = w.household_id and i.id = w.entity_id) as i,
    larder.quantity(w.household_id, 'InventoryItem', w.entity_id, i.unit, i.page_from) as q
  where b.household_id = w.household_id and b.id = w.entity_id;
  perform larder.follow_stock(
    array(select distinct household_id from written),
    array(select distinct entity_id from written where entity_type = 'StockItem'),
    array(
      select distinct b.product_id from public.inventory_items b
      join written w on w.entity_type = 'InventoryItem'
        and b.household_id = w.household_id and b.id = w.entity_id));
  perform set_config('larder.writing', '', true);
  if tg_op = 'INSERT' and not larder.knows_stamps() then
    perform larder.check_effect(array(select row (w.*)::public.quantity_changes from written w));
  end if;
  return null;
end
$$;

-- Products -----------------------------------------------------------------------------------------------------

create table if not exists larder.claims (
  household_id uuid not null,
  product uuid not null,
  item_id uuid not null,
  primary key (household_id, product, item_id)
);
comment on table larder.claims is
  'Which items name which products, by the MD5 of the product''s id, which may be long.';
revoke all on larder.claims from public, anon, authenticated;

insert into larder.claims (household_id, product, item_id)
select i.household_id, md5(named.product)::uuid, i.id
from public.stock_items i, jsonb_array_elements_text(coalesce(i.products, '[]')) as named (product)
on conflict do nothing;
drop index if exists public.stock_items_by_product;

-- The item that a product's batches belong to: the one with the product's id, else the one with the smallest id
-- that names it; without some items, as if they were not there.
create or replace function larder.owner(household uuid, product text, without uuid[] default '{}') returns uuid
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  return coalesce(
    (select i.id from public.stock_items i
      where i.household_id = household and i.id = larder.uuid_of(product) and i.id <> all (without)),
    (select c.item_id from larder.claims c
      where c.household_id = household and c.product = md5(owner.product)::uuid and c.item_id <> all (without)
      order by c.item_id limit 1));
end
$$;

-- The quantity of an item in its active batches, in its unit, and the latest time of all its batches, including
-- those that no longer count.
create or replace function larder.batched(
  household uuid, item uuid, products jsonb, unit text, out total numeric, out latest timestamptz)
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  own text[] := array[item::text];
  product text;
  claimant uuid;
begin
  -- Each is looked up by its keys, whatever a plan for all of them would be.
  for product in select named.product from jsonb_array_elements_text(products) as named (product) loop
    claimant := larder.owner(household, product);
    if claimant is null or claimant >= item and claimant is distinct from larder.uuid_of(product) then
      own := own || product;
    end if;
  end loop;
  select coalesce(sum(same.total * larder.factor(same.unit, batched.unit)), 0), max(same.latest)
  into total, latest
  from (
    select coalesce(b.quantity ->> 'unit', 'piece') as unit, max(b.updated_at) as latest,
      sum(b.quantity_value) filter (where b.status in ('active', 'consumed')) as total
    from (select distinct name as product from unnest(own) as name) as named
    join public.inventory_items b on b.household_id = household and b.product_id = named.product
    where coalesce(b.extra ->> 'householdId', household::text) = household::text
    group by 1) as same;
end
$$;

-- Updates the totals of items, and of those that have the batches of products.
create or replace function larder.follow_stock(households uuid[], items uuid[], products text[])
returns void
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  followed constant uuid[] := items || array(
    select larder.owner(one.household, named.product)
    from unnest(households) as one (household), unnest(products) as named (product));
begin
  update public.stock_items s set
    quantity_in_stock = now.total,
    updated_at = greatest(s.updated_at, now.latest)
  from unnest(households) as one (household), (select distinct id from unnest(followed) as id) as followed_item,
    public.stock_items t, lateral (
    select larder.rounded(own.total + batched.total) as total,
      greatest(own.latest, batched.latest) as latest
    from larder.quantity(
        t.household_id, 'StockItem', t.id, coalesce(t.unit, 'piece'), t.page_from) as own,
      larder.batched(
        t.household_id, t.id, coalesce(t.products, '[]'), coalesce(t.unit, 'piece')) as batched
  ) as now
  where t.household_id = one.household and t.id = followed_item.id
    and s.household_id = t.household_id and s.id = t.id
    and (s.quantity_in_stock is distinct from now.total or s.updated_at < now.latest);
end
$$;

-- Items that name products, or no longer do, may take batches from others.
create or replace function larder.follow_claims() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  changed uuid[];
  claimed text[];
begin
  if larder.is_derived() then return null; end if;
  if tg_op = 'INSERT' then
    changed := array(select id from written);
    claimed := array(
      select id::text from written
      union select jsonb_array_elements_text(products) from written);
  else
    changed := array(
      select w.id from written w join replaced r using (household_id, id)
      where w.products is distinct from r.products);
    if changed = '{}' then return null; end if;
    claimed := array(
      select jsonb_array_elements_text(w.products) from written w where w.id = any (changed)
      union select jsonb_array_elements_text(r.products) from replaced r where r.id = any (changed));
    delete from larder.claims c using replaced r, jsonb_array_elements_text(coalesce(r.products, '[]')) as named (product)
    where r.id = any (changed) and c.household_id = r.household_id and c.product = md5(named.product)::uuid
      and c.item_id = r.id;
  end if;
  insert into larder.claims (household_id, product, item_id)
  select w.household_id, md5(named.product)::uuid, w.id
  from written w, jsonb_array_elements_text(coalesce(w.products, '[]')) as named (product)
  where w.id = any (changed)
  on conflict do nothing;
  claimed := array(
    select named.product from unnest(claimed) as named (product)
    where (
      select true from (select distinct household_id from written) as w, public.inventory_items b
      where b.household_id = w.household_id and b.product_id = named.product limit 1));
  if claimed <> '{}' then
    perform set_config('larder.writing', 'derived', true);
    -- Those that changed, those that had the batches before, and those that have them now.
    perform larder.follow_stock(
      array(select distinct household_id from written),
      changed || array(
        select larder.owner(w.household_id, named.product, changed)
        from (select distinct household_id from written) as w, unnest(claimed) as named (product)),
      claimed);
    perform set_config('larder.writing', '', true);
  end if;
  return null;
end
$$;

create or replace function larder.clear(household uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  writing constant text := coalesce(current_setting('larder.writing', true), '');
  kind_table text;
begin
  perform larder.lock_household(household);
  perform set_config('larder.writing', 'erasing', true);
  foreach kind_table in array array[
    'public.receipt_items', 'public.quantity_changes', 'public.stock_items', 'public.inventory_items',
    'public.storage_locations', 'public.products', 'public.shopping_list_entries', 'public.receipts',
    'public.households', 'public.household_invites', 'public.household_members', 'larder.sums', 'larder.claims']
  loop
    execute format('delete from %s where household_id = $1', kind_table) using household;
  end loop;
  perform set_config('larder.writing', writing, true);
end
$$;
