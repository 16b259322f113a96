-- A count of all there is holds whatever arrives later, in the ledger of the item or of any of its batches
-- (FORMAT.md, section 7, an item's total).

-- The column ------------------------------------------------------------------------------------------------

alter table public.quantity_changes add column if not exists total numeric;
comment on column public.quantity_changes.total is
  'Beside the set of an item: all there was then, loose and in batches. It holds whatever arrives later.';
comment on column public.quantity_changes."set" is
  'How much there was: a count. Of an item it is what lay loose, and with a total beside it all there was.';
comment on column public.stock_items.quantity_in_stock is
  'What there is, loose and in active batches. Follows from the ledgers; a number written here by a client '
  'without ledgers is a count of all there is.';
comment on column public.inventory_items.quantity_value is
  'How much is left. Follows from the ledger; a number written here by a client without ledgers is a count of '
  'this batch alone.';

-- The keys of an entry, in their order; all others as before.
create or replace function larder.keys_of(shape text) returns text[]
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case shape
    when 'productRef' then array['productId', 'snapshot']
    when 'productRef.snapshot' then array['title', 'brand', 'imageURL']
    when 'quantity' then array['value', 'unit']
    when 'expiryInfo' then array['kind', 'rawText', 'confidence', 'isoDate']
    when 'openedInfo' then array['kind', 'rawText', 'confidence', 'isoDate']
    when 'items.' then
      array['id', 'itemName', 'quantity', 'unit', 'itemId', 'price', 'expiry', 'location', 'lot']
    when 'change' then array[
      'id', 'at', 'delta', 'set', 'undoes', 'unit', 'why', 'by', 'request', 'receipt', 'note', 'total']
    else '{}'
  end;
end
$$;

-- Numbers that programs wrote before there was the column are moved. What it can't hold stays in `extra`.
alter table public.quantity_changes disable trigger user;
update public.quantity_changes set total = (extra ->> 'total')::numeric, extra = extra - 'total'
where case
  when jsonb_typeof(extra -> 'total') = 'number'
  then larder.is_number((extra ->> 'total')::numeric) else false end;
alter table public.quantity_changes enable trigger user;

alter table public.quantity_changes
  drop constraint if exists quantity_changes_total,
  add constraint quantity_changes_total check (larder.is_number(total) is not false
    or larder.refuse('quantity_changes: total has at most 15 digits, six of them decimals'));

create or replace function larder.change(entry public.quantity_changes) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
      'id', entry.id, 'at', larder.instant(entry.at), 'delta', entry.delta, 'set', entry."set",
      'undoes', entry.undoes, 'unit', nullif(entry.unit, 'piece'), 'why', entry.why,
      'by', entry.by, 'request', entry.request, 'receipt', entry.receipt, 'note', entry.note,
      'total', entry.total))
    || entry.extra
$$;

-- Ledgers ---------------------------------------------------------------------------------------------------

alter table larder.sums add column if not exists beyond numeric;
delete from larder.sums;

-- What a ledger gives, exactly, and the count from which it goes; `beyond` is what that count of all there was
-- says beyond its own number. With `gone` it reads as if there were a last set at that time, of 0 or of what it gave
-- then, if that is less; and with `from_nothing` always 0, so that it is what came and went since. With `until` it is
-- what it gave at a time, before what came and went then and after the counts of then; what is undone by now does not
-- count.
create or replace function larder.summed(
  household uuid, kind text, entity uuid, unit text, page timestamptz, gone timestamptz, until timestamptz,
  from_nothing boolean default false,
  out exact numeric, out start_at timestamptz, out beyond numeric)
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  select c.at, c."set" * larder.factor(coalesce(c.unit, 'piece'), summed.unit),
    (c.total - c."set") * larder.factor(coalesce(c.unit, 'piece'), summed.unit)
  into start_at, exact, beyond
  from public.quantity_changes c
  where c.household_id = household and c.entity_type = kind and c.entity_id = entity and c."set" is not null
    and (until is null or c.at <= until)
    and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5')
    and larder.factor(coalesce(c.unit, 'piece'), summed.unit) is not null
    and (c.at = page is true or not exists (
      select from public.quantity_changes u
      where u.household_id = household and u.entity_type = kind and u.entity_id = entity
        and u.undoes = c.id))
  order by c.at desc, c.id desc limit 1;
  if gone >= coalesce(start_at, '-infinity') and (until is null or gone <= until) then
    start_at := gone;
    exact := case when from_nothing then 0 else least(0, (
      select larder.rounded(s.exact)
      from larder.summed(household, kind, entity, unit, page, null, gone) as s)) end;
    beyond := null;
  end if;
  -- All additions and uses, less those that were undone.
  exact := coalesce(exact, 0) + coalesce((
      select sum(same.total * larder.factor(same.unit, summed.unit))
      from (
        select coalesce(c.unit, 'piece') as unit, sum(c.delta) as total
        from public.quantity_changes c
        where c.household_id = household and c.entity_type = kind and c.entity_id = entity
          and c.delta is not null and c.at >= coalesce(summed.start_at, '-infinity')
          and (until is null or c.at < until)
          and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5')
        group by 1) as same
    ), 0) - coalesce((
      select sum(c.delta * larder.factor(coalesce(c.unit, 'piece'), summed.unit))
      from (
        select distinct u.undoes from public.quantity_changes u
        where u.household_id = household and u.entity_type = kind and u.entity_id = entity
          and u.undoes is not null) as undone
      join public.quantity_changes c on c.household_id = household and c.entity_type = kind
        and c.entity_id = entity and c.id = undone.undoes
      where c.delta is not null and c.at >= coalesce(summed.start_at, '-infinity')
        and (until is null or c.at < until)
        and c.at = page is not true
        and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5')
    ), 0);
end
$$;

-- The sum of the entries that count, as it is kept.
create or replace function larder.added_up(
  household uuid, kind text, entity uuid, unit text, page timestamptz) returns larder.sums
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  made larder.sums;
begin
  select household, kind, entity, added_up.unit, page, count(*), max(c.version) into
    made.household_id, made.entity_type, made.entity_id, made.unit, made.page_from, made.entries, made.version
  from public.quantity_changes c
  where c.household_id = household and c.entity_type = kind and c.entity_id = entity
    and (page is null or c.at >= page or substr(c.id::text, 15, 1) = '5');
  select s.exact, s.start_at, s.beyond into made.exact, made.start_at, made.beyond
  from larder.summed(household, kind, entity, unit, page, null, null) as s;
  return made;
end
$$;

-- The same, which is kept where the ledger is long.
create or replace function larder.kept(
  household uuid, kind text, entity uuid, unit text, page timestamptz) returns larder.sums
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  known larder.sums;
begin
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
  return known;
end
$$;

-- The sum of the entries that count, in a unit, and, if it is zero or below, since when.
create or replace function larder.quantity(
  household uuid, kind text, entity uuid, unit text, page timestamptz, out total numeric, out emptied timestamptz,
  out latest timestamptz)
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  known larder.sums;
begin
  total := 0;
  select greatest(page, max(c.at)) into latest from public.quantity_changes c
  where c.household_id = household and c.entity_type = kind and c.entity_id = entity;
  if latest is null then return; end if;
  known := larder.kept(household, kind, entity, unit, page);
  total := larder.rounded(known.exact);
  if kind = 'InventoryItem' and total <= 0 then
    emptied := larder.emptied(household, kind, entity, unit, page, known.start_at);
  end if;
end
$$;

-- Totals ----------------------------------------------------------------------------------------------------

-- What a batch adds to the total of its item, in its own unit: what it gives, less what it gave when all was
-- counted. `gone` is when it ceased to be active, `own` what its ledger gives while it is.
create or replace function larder.share(
  household uuid, batch uuid, unit text, page timestamptz, own numeric, gone timestamptz, since timestamptz)
returns numeric
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  known larder.sums;
begin
  if gone is not null then
    own := (
      select larder.rounded(s.exact)
      from larder.summed(household, 'InventoryItem', batch, unit, page, gone, null) as s);
  else
    select * into known from larder.sums s
    where s.household_id = household and s.entity_type = 'InventoryItem' and s.entity_id = batch;
  end if;
  if since is null then return own; end if;
  if known.unit = unit and known.page_from is not distinct from page
    and coalesce(greatest(known.start_at, page), since) <= since
  then
    -- It was not counted since. Of a long ledger only what came and went since is read.
    return own - (
      select larder.rounded(known.exact - s.exact)
      from larder.summed(household, 'InventoryItem', batch, unit, page, since, null, true) as s);
  end if;
  return own - (
    select larder.rounded(s.exact)
    from larder.summed(household, 'InventoryItem', batch, unit, page, gone, greatest(since, page)) as s);
end
$$;

drop function if exists larder.batched(uuid, uuid, jsonb, text);

-- What the batches of an item add to its total, in its unit, since it was counted or, without such a count, in all;
-- what the active ones hold; and the latest time of all its batches, including those that no longer count.
create or replace function larder.batched(
  household uuid, item uuid, products jsonb, unit text, since timestamptz,
  out total numeric, out held numeric, out latest timestamptz)
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
  select coalesce(sum(same.total * larder.factor(same.unit, batched.unit)), 0),
    coalesce(sum(same.held * larder.factor(same.unit, batched.unit)), 0), max(same.latest)
  into total, held, latest
  from (
    select coalesce(b.quantity ->> 'unit', 'piece') as unit, max(b.updated_at) as latest,
      sum(b.quantity_value) filter (where ceased.at is null) as held,
      -- The ledger is read only of a batch that was there then and has changed since.
      sum(case
        when since is null and ceased.at is null then b.quantity_value
        when b.updated_at < since then 0
        when ceased.at > since is not true and not exists (
          select from public.quantity_changes c
          where c.household_id = household and c.entity_type = 'InventoryItem' and c.entity_id = b.id
            and c.at >= coalesce(since, ceased.at))
        then case when since is null then least(0, b.quantity_value) else 0 end
        when ceased.at is null and coalesce(b.page_from, since) <= since and not exists (
          select from public.quantity_changes c
          where c.household_id = household and c.entity_type = 'InventoryItem' and c.entity_id = b.id
            and c.at <= since)
        then b.quantity_value
        else larder.share(
          household, b.id, coalesce(b.quantity ->> 'unit', 'piece'), b.page_from, b.quantity_value, ceased.at, since)
      end) as total
    from (select distinct name as product from unnest(own) as name) as named
    join public.inventory_items b on b.household_id = household and b.product_id = named.product
    cross join lateral (
      select case when b.status not in ('active', 'consumed')
        then coalesce(larder.moment(b.edited ->> 'status'), b.created_at) end as at
      -- It is found once for each.
      offset 0) as ceased
    where coalesce(b.extra ->> 'householdId', household::text) = household::text
    group by 1) as same;
end
$$;

-- The total of an item, and the latest time of its ledger and its batches.
create or replace function larder.stocked(
  household uuid, item uuid, products jsonb, unit text, page timestamptz, out total numeric, out latest timestamptz)
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  own larder.sums;
  batches record;
begin
  select greatest(page, max(c.at)) into latest from public.quantity_changes c
  where c.household_id = household and c.entity_type = 'StockItem' and c.entity_id = item;
  if latest is not null then own := larder.kept(household, 'StockItem', item, unit, page); end if;
  select * into batches from larder.batched(
    household, item, products, unit, case when own.beyond is not null then own.start_at end);
  total := larder.rounded(coalesce(larder.rounded(own.exact), 0) + coalesce(own.beyond, 0) + batches.total);
  latest := greatest(latest, batches.latest);
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
    public.stock_items t, larder.stocked(
      t.household_id, t.id, coalesce(t.products, '[]'), coalesce(t.unit, 'piece'), t.page_from) as now
  where t.household_id = one.household and t.id = followed_item.id
    and s.household_id = t.household_id and s.id = t.id
    and (s.quantity_in_stock is distinct from now.total or s.updated_at < now.latest);
end
$$;

-- Totals as this migration reads ledgers. Nobody has taken anything, so nothing is put on the shopping list.
alter table public.stock_items disable trigger user;
select larder.follow_stock(array[i.household_id], array_agg(i.id), '{}')
from public.stock_items i group by i.household_id;
alter table public.stock_items enable trigger user;

-- Numbers that somebody wrote -------------------------------------------------------------------------------

drop function if exists larder.count(uuid, text, uuid, text, numeric, text);

-- A number that somebody wrote, as the ledger entry that adopting a file makes of it; `total` is all there is, where
-- the number is what lies loose of it.
create or replace function larder.count(
  household uuid, kind text, entity uuid, at text, number numeric, unit text, total numeric default null)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  writing text := coalesce(current_setting('larder.writing', true), '');
begin
  if number is null then return; end if;
  perform set_config('larder.writing', 'derived', true);
  insert into public.quantity_changes
    (household_id, entity_type, entity_id, id, at, "set", unit, total, version)
  values (
    household, kind, entity,
    extensions.uuid_generate_v5('6c617264-6572-5000-8000-666f726d6174',
      concat_ws('/', 'edit', entity, at, trim_scale(number), unit)),
    larder.moment(at), number, unit, total, nextval('larder.version'))
  on conflict do nothing;
  perform set_config('larder.writing', writing, true);
end
$$;

-- A number in `quantity_in_stock` is a count of all there is.
create or replace function larder.item_quantity(
  household uuid, item jsonb, is_plain boolean, plain jsonb, stored jsonb, at text,
  latest timestamptz)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  item_id constant uuid := item ->> 'id';
  unit constant text := coalesce(item ->> 'unit', 'piece');
  products constant jsonb := coalesce(nullif(item -> 'products', 'null'), '[]');
  written numeric;
  now record;
begin
  if is_plain then
    perform larder.refuse_unit(household, 'StockItem', item_id, unit, stored ->> 'unit', stored);
    if plain -> 'quantity_in_stock' is distinct from stored -> 'quantity_in_stock' then
      written := larder.counted(plain -> 'quantity_in_stock', 'quantity_in_stock');
      if written is distinct from (stored ->> 'quantity_in_stock')::numeric then
        perform larder.count(
          household, 'StockItem', item_id, at, larder.rounded(written - batches.held), unit, written)
        from larder.batched(household, item_id, products, unit, null) as batches;
      end if;
    end if;
  end if;
  select * into now
  from larder.stocked(household, item_id, products, unit, (item ->> 'page_from')::timestamptz);
  return jsonb_build_object(
    'quantity_in_stock', now.total, 'updated_at', greatest(latest, now.latest));
end
$$;
