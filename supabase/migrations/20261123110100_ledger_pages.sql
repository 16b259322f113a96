-- Pages of ledgers: entries before `page_from` are no longer part of a ledger, except derived ones
-- (FORMAT.md, section 7). Their rows stay, and are left out.

alter table public.stock_items add column if not exists page_from timestamptz(3);
alter table public.inventory_items add column if not exists page_from timestamptz(3);
alter table public.stock_items
  drop constraint if exists stock_items_page_from,
  add constraint stock_items_page_from check (larder.is_moment(page_from));
alter table public.inventory_items
  drop constraint if exists inventory_items_page_from,
  add constraint inventory_items_page_from check (larder.is_moment(page_from));
comment on column public.stock_items.page_from is
  'When the ledger''s page began: entries before it are left out. Never goes back.';
comment on column public.inventory_items.page_from is
  'When the ledger''s page began: entries before it are left out. Never goes back.';

-- It is not a register, so `extra` can't have a value under this name.
alter table public.stock_items disable trigger user;
alter table public.inventory_items disable trigger user;
update public.stock_items set extra = extra - 'pageFrom' where extra ? 'pageFrom';
update public.inventory_items set extra = extra - 'pageFrom' where extra ? 'pageFrom';
alter table public.stock_items enable trigger user;
alter table public.inventory_items enable trigger user;

create or replace function larder.bookkeeping(kind text) returns text[]
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return array['id', 'createdAt', 'updatedAt', 'edited'] || case kind
    when 'StockItem' then array['quantityInStock', 'changes', 'pageFrom']
    when 'InventoryItem' then array['consumedAt', 'changes', 'pageFrom']
    else '{}'
  end;
end
$$;

-- As before, with the new key.
create or replace function larder.is_alone(stored jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  created_at constant text := larder.instant((stored ->> 'created_at')::timestamptz);
begin
  -- Rather too many keys than too few: the long way comes to the same.
  return not stored -> 'edited' ?| array[
      'id', 'createdAt', 'updatedAt', 'edited', 'changes', 'pageFrom', 'quantityInStock',
      'consumedAt']
    and not exists (
      select from jsonb_each_text(stored -> 'edited') as stamp where stamp.value = created_at)
    and not exists (
      select from jsonb_each(stored) as member
      where jsonb_typeof(member.value) in ('object', 'array')
        and member.value <> jsonb_strip_nulls(member.value));
end
$$;

-- The later of the page in the row and the stored one; a client without stamps opens no page.
create or replace function larder.page(kind text, is_plain boolean, written jsonb, stored jsonb)
returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case when kind in ('StockItem', 'InventoryItem') then jsonb_build_object('page_from',
    greatest(
      (stored ->> 'page_from')::timestamptz,
      case when not is_plain then (written ->> 'page_from')::timestamptz end))
    else '{}' end;
end
$$;

-- Whether another device may write an entry again under its id, which is then of version 5.
create or replace function larder.is_derived_id(id uuid) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return substr(id::text, 15, 1) = '5';
end
$$;

drop function if exists larder.quantity(uuid, text, uuid, text);

-- As before, from the page on; an undo of the count that began the page has no effect.
create or replace function larder.quantity(
  household uuid, kind text, entity uuid, unit text, page timestamptz, out total numeric, out emptied timestamptz,
  out latest timestamptz)
language plpgsql stable set search_path = ''
as $$
declare
  entry record;
  factor numeric;
  exact numeric := 0;
begin
  total := 0;
  latest := page;
  for entry in
    select c.at, c.delta, c."set", coalesce(c.unit, 'piece') as unit,
      c.undoes is null and (c.at = page is true or not exists (
        select from public.quantity_changes u
        where u.household_id = household and u.entity_type = kind and u.entity_id = entity
          and u.undoes = c.id)) as counts
    from public.quantity_changes c
    where c.household_id = household and c.entity_type = kind and c.entity_id = entity
      and (page is null or c.at >= page or larder.is_derived_id(c.id))
    order by c.at, c."set" is null, c.id
  loop
    latest := greatest(latest, entry.at);
    continue when not entry.counts;
    factor := case when entry.unit = unit then 1 else larder.factor(entry.unit, unit) end;
    continue when factor is null;
    if entry."set" is not null then
      exact := entry."set" * factor;
      emptied := null;
    else
      exact := exact + entry.delta * factor;
    end if;
    total := larder.rounded(exact);
    emptied := case when total <= 0 then coalesce(emptied, entry.at) end;
  end loop;
end
$$;

create or replace function larder.follow_ledgers() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
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
  return null;
end
$$;

create or replace function larder.follow_stock(households uuid[], items uuid[], products text[])
returns void
language sql volatile set search_path = ''
as $$
  update public.stock_items s set
    quantity_in_stock = now.total,
    updated_at = greatest(s.updated_at, now.latest)
  from public.stock_items t, lateral (
    select larder.rounded(own.total + batched.total) as total,
      greatest(own.latest, batched.latest) as latest
    from larder.quantity(
        t.household_id, 'StockItem', t.id, coalesce(t.unit, 'piece'), t.page_from) as own,
      larder.batched(
        t.household_id, t.id, coalesce(t.products, '[]'), coalesce(t.unit, 'piece')) as batched
  ) as now
  where t.household_id = any (households)
    and (t.id = any (items)
      or t.id = any (array(select larder.uuid_of(product) from unnest(follow_stock.products) as product))
      or t.products ?| follow_stock.products)
    and s.household_id = t.household_id and s.id = t.id
    and (s.quantity_in_stock is distinct from now.total or s.updated_at < now.latest)
$$;

create or replace function larder.item_quantity(
  household uuid, item jsonb, is_plain boolean, plain jsonb, stored jsonb, at text,
  latest timestamptz)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  item_id constant uuid := item ->> 'id';
  unit constant text := coalesce(item ->> 'unit', 'piece');
  page constant timestamptz := item ->> 'page_from';
  written constant numeric := larder.rounded((plain ->> 'quantity_in_stock')::numeric);
  batches record;
  own record;
begin
  select * into batches
  from larder.batched(household, item_id, coalesce(nullif(item -> 'products', 'null'), '[]'), unit);
  if is_plain then
    perform larder.refuse_unit(household, 'StockItem', item_id, unit, stored ->> 'unit', stored);
    if written is distinct from (stored ->> 'quantity_in_stock')::numeric then
      perform larder.count(
        household, 'StockItem', item_id, at, larder.rounded(written - batches.total), unit);
    end if;
  end if;
  select * into own from larder.quantity(household, 'StockItem', item_id, unit, page);
  return jsonb_build_object(
    'quantity_in_stock', larder.rounded(own.total + batches.total),
    'updated_at', greatest(latest, own.latest, batches.latest));
end
$$;

create or replace function larder.batch_quantity(
  household uuid, batch jsonb, is_plain boolean, plain jsonb, stored jsonb, at text,
  latest timestamptz)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  batch_id constant uuid := batch ->> 'id';
  unit constant text := coalesce(batch #>> '{quantity,unit}', 'piece');
  page constant timestamptz := batch ->> 'page_from';
  is_active constant boolean := batch ->> 'status' in ('active', 'consumed');
  -- The format has the number inside.
  written constant numeric := larder.rounded(
    coalesce(plain #>> '{quantity,value}', plain ->> 'quantity_value')::numeric);
  own record;
begin
  if is_plain then
    perform larder.refuse_unit(
      household, 'InventoryItem', batch_id, unit, stored #>> '{quantity,unit}', stored);
    if written is distinct from (stored ->> 'quantity_value')::numeric then
      perform larder.count(household, 'InventoryItem', batch_id, at, written, unit);
    elsif plain ->> 'status' = 'consumed' and stored ->> 'status' <> 'consumed'
      and (select total from larder.quantity(household, 'InventoryItem', batch_id, unit, page)) > 0
    then
      perform larder.count(household, 'InventoryItem', batch_id, at, 0, unit);
    end if;
  end if;
  select * into own from larder.quantity(household, 'InventoryItem', batch_id, unit, page);
  return jsonb_build_object(
    'quantity', coalesce(nullif(batch -> 'quantity', 'null') - 'value', '{}'),
    'quantity_value', own.total,
    'status', case
      when not is_active then batch ->> 'status'
      when own.total > 0 then 'active' else 'consumed' end,
    'consumed_at', case
      when is_active and own.total <= 0
      then coalesce(own.emptied, (batch ->> 'created_at')::timestamptz) end,
    'updated_at', greatest(latest, own.latest));
end
$$;

create or replace function larder.refuse_unit(
  household uuid, kind text, entity uuid, wanted_unit text, known_unit text, stored jsonb)
returns void
language plpgsql stable set search_path = ''
as $$
begin
  if stored is not null and wanted_unit <> coalesce(known_unit, 'piece')
    and exists (
      select from public.quantity_changes c
      where c.household_id = household and c.entity_type = kind and c.entity_id = entity
        and c.undoes is null
        and (c.at >= coalesce((stored ->> 'page_from')::timestamptz, '-infinity')
          or larder.is_derived_id(c.id))
        and larder.factor(coalesce(c.unit, 'piece'), wanted_unit) is null
        and (c.at = (stored ->> 'page_from')::timestamptz is true or not exists (
          select from public.quantity_changes u
          where u.household_id = household and u.entity_type = kind and u.entity_id = entity
            and u.undoes = c.id)))
  then
    raise exception 'what is counted already does not convert to %', wanted_unit
      using errcode = '23514';
  end if;
end
$$;

create or replace function larder.write_row() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  kind constant text := tg_argv[0];
  is_plain constant boolean := not larder.knows_stamps();
  written jsonb;
  stored jsonb;
  known jsonb;
  document jsonb;
  at text;
begin
  if larder.is_derived() then return new; end if;
  if new.extra <> '{}' and new.extra ?| (larder.bookkeeping(kind) || array(
      select name from jsonb_each_text(larder.fields(kind)) as field (key, name)))
  then
    raise exception 'extra holds a key that the format knows' using errcode = '23514';
  end if;
  if tg_op = 'INSERT' then
    if kind = 'Household' then
      new.household_id := new.id;
    elsif new.household_id is null then
      new.household_id := larder.only_household();
    end if;
    perform larder.lock_household(new.household_id);
    if kind = 'Household' then perform larder.found_household(new.id); end if;
    -- The update that this insert becomes joins it.
    if larder.is_there(kind, new.household_id, new.id::text) then return new; end if;
    written := to_jsonb(new);
    written := written || larder.page(kind, is_plain, written, null);
    if is_plain then
      at := larder.instant(least(new.updated_at, larder.now()));
      document := larder.plain_creation(
        kind, written, larder.instant(least(new.created_at, new.updated_at, larder.now())), at);
    elsif not larder.is_alone(written) then
      document := larder.alone(kind, larder.document(kind, written));
    end if;
    if document is not null then
      written := written || larder.columns(kind, new.household_id, document);
    end if;
    written := larder.complete(kind, written, is_plain, to_jsonb(new), null, at)
      || jsonb_build_object('version', nextval('larder.version'));
    new := jsonb_populate_record(new, written);
    if new.path is not null then perform larder.check_path(new.path); end if;
  else
    if new.household_id <> old.household_id or new.id <> old.id then
      raise exception 'the id of a row never changes' using errcode = '23514';
    end if;
    perform larder.lock_household(new.household_id);
    written := to_jsonb(new);
    stored := to_jsonb(old);
    written := written || larder.page(kind, is_plain, written, stored);
    if not is_plain and written - larder.derived_columns() = stored - larder.derived_columns() then
      return old;
    end if;
    known := larder.document(kind, stored);
    document := larder.document(kind, written);
    if is_plain then
      at := larder.instant(case
        when new.updated_at is distinct from old.updated_at then least(new.updated_at, larder.now())
        else greatest(larder.now(), larder.after(old.updated_at)) end);
      document := larder.plain_edit(kind, known, document, at);
    end if;
    document := larder.joined(kind, known, document);
    written := larder.complete(
        kind, written || larder.columns(kind, new.household_id, document), is_plain, written, stored,
        at)
      || jsonb_build_object('path', coalesce(old.path, new.path));
    new := jsonb_populate_record(new, written);
    if old.path is null and new.path is not null then perform larder.check_path(new.path); end if;
    new.updated_at := greatest(new.updated_at, old.updated_at);
    new.version := case
      when document = known and written -> 'page_from' is not distinct from stored -> 'page_from'
      then old.version else nextval('larder.version') end;
    if kind = 'Household' then new.user_id := old.user_id; end if;
  end if;

  perform larder.check_size(written, stored);
  if kind = 'Household' then
    perform larder.check_format((written ->> 'format')::integer, (stored ->> 'format')::integer);
  end if;
  if not is_plain and larder.is_client()
    and new.updated_at > larder.now() + interval '1 day'
  then
    perform larder.check_times(
      new.edited || jsonb_strip_nulls(jsonb_build_object(
        'createdAt', larder.instant(new.created_at),
        'pageFrom', larder.instant((written ->> 'page_from')::timestamptz))),
      (stored -> 'edited') || jsonb_build_object(
        'createdAt', larder.instant((stored ->> 'created_at')::timestamptz),
        'pageFrom', larder.instant((stored ->> 'page_from')::timestamptz)));
  end if;
  return new;
end
$$;

create or replace function larder.write_change() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  ours text;
  theirs text;
begin
  if larder.is_derived() then return new; end if;
  if tg_op = 'INSERT' and new.household_id is null then
    new.household_id := larder.only_household();
  end if;
  perform larder.lock_household(new.household_id);
  if tg_op = 'UPDATE' then
    if (new.household_id, new.entity_type, new.entity_id, new.id)
      is distinct from (old.household_id, old.entity_type, old.entity_id, old.id)
    then
      raise exception 'the id of a row never changes' using errcode = '23514';
    end if;
    -- Entries stay as they are. Of two that differ under one id the earlier one stands if the id is
    -- derived, then the one with the smaller bytes; else the later one, then the one with the greater.
    if not larder.knows_stamps() then return old; end if;
    ours := concat(larder.instant(old.at), larder.compact(larder.change(old), 'change'));
    theirs := concat(larder.instant(new.at), larder.compact(larder.change(new), 'change'));
    if ours = theirs
      or (ours collate "C" < theirs collate "C") = larder.is_derived_id(old.id)
    then
      return old;
    end if;
    if new.at > greatest(old.at, larder.now() + interval '1 day') then
      perform larder.check_times(jsonb_build_object('at', larder.instant(new.at)), null);
    end if;
  else
    if not larder.knows_stamps() then
      new.at := least(new.at, larder.now());
      new.delta := larder.rounded(new.delta);
      new."set" := larder.rounded(new."set");
    elsif new.at > larder.now() + interval '1 day' then
      -- One that is there already is answered as it is.
      if not exists (
        select from public.quantity_changes c
        where c.household_id = new.household_id and c.entity_type = new.entity_type
          and c.entity_id = new.entity_id and c.id = new.id)
      then
        perform larder.check_times(jsonb_build_object('at', larder.instant(new.at)), null);
      end if;
    end if;
  end if;
  if new.undoes is null then new.unit := coalesce(new.unit, 'piece'); end if;
  new.version := nextval('larder.version');
  perform larder.check_size(to_jsonb(new), null);
  return new;
end
$$;

create or replace function larder.check_ledgers() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
begin
  if exists (
    select from (
      select distinct w.household_id, w.entity_type, w.entity_id, coalesce(
          (select i.page_from from public.stock_items i
            where w.entity_type = 'StockItem' and i.household_id = w.household_id and i.id = w.entity_id),
          (select i.page_from from public.inventory_items i
            where w.entity_type = 'InventoryItem' and i.household_id = w.household_id
              and i.id = w.entity_id),
          '-infinity') as page_from
      from written w) as grown
    where 100000 < (
      select count(*) from (
        select from public.quantity_changes c
        where (c.household_id, c.entity_type, c.entity_id)
          = (grown.household_id, grown.entity_type, grown.entity_id)
          and (c.at >= grown.page_from or larder.is_derived_id(c.id))
        limit 100001) as entry))
  then
    raise exception 'a ledger has more than 100000 entries'
      using errcode = 'LA007', hint = 'Count what there is: that begins a new page.';
  end if;
  return null;
end
$$;

-- As before; a file without a page has no key for it.
create or replace function larder.key_count(kind text, made jsonb) returns bigint
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return (select count(*) from jsonb_object_keys(made -> 'extra'))
    + (select count(*) from jsonb_object_keys(larder.fields(kind)) as name
      where made -> name is distinct from 'null')
    + cardinality(larder.bookkeeping(kind))
    + (kind in ('InventoryItem', 'StorageLocation') and not made -> 'extra' ? 'householdId')::integer
    - (coalesce(made -> 'page_from', '0') = 'null')::integer;
end
$$;
