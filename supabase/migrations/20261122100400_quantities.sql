-- The quantities that follow from ledgers (FORMAT.md, section 7).
--
-- Functions that run for each row look things up by keys alone. Their plans are made once a
-- session, maybe while a table is empty and reading all of it looks cheap. So that is switched off
-- there.

-- The sum of the entries that count, in a unit, and, if it is zero or below, since when. A count
-- starts the sum anew, and comes before additions and uses at the same instant.
create or replace function larder.quantity(
  household uuid, kind text, entity uuid, unit text, out total numeric, out emptied timestamptz,
  out latest timestamptz)
language plpgsql stable set search_path = ''
as $$
declare
  entry record;
  factor numeric;
  exact numeric := 0;
begin
  total := 0;
  for entry in
    select c.at, c.delta, c."set", coalesce(c.unit, 'piece') as unit,
      c.undoes is null and not exists (
        select from public.quantity_changes u
        where u.household_id = household and u.entity_type = kind and u.entity_id = entity
          and u.undoes = c.id) as counts
    from public.quantity_changes c
    where c.household_id = household and c.entity_type = kind and c.entity_id = entity
    order by c.at, c."set" is null, c.id
  loop
    latest := entry.at;
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

-- The quantity of an item in its active batches, in its unit, and the latest time of all its
-- batches, including those that no longer count. A batch belongs to the item whose id is its
-- product's, else to the one with the smallest id that names the product.
create or replace function larder.batched(
  household uuid, item uuid, products jsonb, unit text, out total numeric, out latest timestamptz)
language plpgsql stable set search_path = ''
as $$
begin
  select
    coalesce(sum(b.quantity_value * larder.factor(coalesce(b.quantity ->> 'unit', 'piece'), unit))
      filter (where b.status in ('active', 'consumed')), 0),
    max(b.updated_at)
  into total, latest
  from public.inventory_items b
  where b.household_id = household
    and b.product_id = any (item::text || array(select jsonb_array_elements_text(products)))
    and coalesce(b.extra ->> 'householdId', household::text) = household::text
    and (b.product_id = item::text or not exists (
      select from public.stock_items s
      where s.household_id = household
        and (s.id = larder.uuid_of(b.product_id) or (s.id < item and s.products ? b.product_id))));
end
$$;

-- A number that somebody wrote, as the ledger entry that adopting a file makes of it.
create or replace function larder.count(
  household uuid, kind text, entity uuid, at text, number numeric, unit text) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  writing text := coalesce(current_setting('larder.writing', true), '');
begin
  if number is null then return; end if;
  perform set_config('larder.writing', 'derived', true);
  insert into public.quantity_changes
    (household_id, entity_type, entity_id, id, at, "set", unit, version)
  values (
    household, kind, entity,
    extensions.uuid_generate_v5('6c617264-6572-5000-8000-666f726d6174',
      concat_ws('/', 'edit', entity, at, trim_scale(number), unit)),
    larder.moment(at), number, unit, nextval('larder.version'))
  on conflict do nothing;
  perform set_config('larder.writing', writing, true);
end
$$;

-- Ledger entries ------------------------------------------------------------------------------------

-- An entry as its file has it.
create or replace function larder.change(entry public.quantity_changes) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
      'id', entry.id, 'at', larder.instant(entry.at), 'delta', entry.delta, 'set', entry."set",
      'undoes', entry.undoes, 'unit', nullif(entry.unit, 'piece'), 'why', entry.why,
      'by', entry.by, 'request', entry.request, 'receipt', entry.receipt, 'note', entry.note))
    || entry.extra
$$;

create or replace function larder.write_change() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  ours text;
  theirs text;
begin
  if larder.is_derived() then return new; end if;
  if tg_op = 'UPDATE' then
    if (new.household_id, new.entity_type, new.entity_id, new.id)
      is distinct from (old.household_id, old.entity_type, old.entity_id, old.id)
    then
      raise exception 'the id of a row never changes' using errcode = '23514';
    end if;
    -- Entries stay as they are. Of two that differ under one id the earlier one stands, then the
    -- one with the smaller bytes.
    if not larder.knows_stamps() or new.at > old.at then return old; end if;
    ours := larder.compact(larder.change(old), 'change');
    theirs := larder.compact(larder.change(new), 'change');
    if new.at = old.at and theirs collate "C" >= ours collate "C" then return old; end if;
  else
    if not larder.knows_stamps() then
      new.at := least(new.at, larder.now());
      new.delta := larder.rounded(new.delta);
      new."set" := larder.rounded(new."set");
    end if;
  end if;
  if new.undoes is null then new.unit := coalesce(new.unit, 'piece'); end if;
  new.version := nextval('larder.version');
  return new;
end
$$;
comment on function larder.write_change() is
  'Keeps ledger entries as they were written, and numbers them in the order of commits.';

create or replace function larder.keep_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- What must go, the owner of the project takes away with triggers off.
  return null;
end
$$;
comment on function larder.keep_change() is 'A ledger entry is taken back by another one.';

-- Updates the quantities of changed entities, and of the items that have them.
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
    larder.quantity(w.household_id, 'InventoryItem', w.entity_id, (
      select coalesce(i.quantity ->> 'unit', 'piece') from public.inventory_items i
      where i.household_id = w.household_id and i.id = w.entity_id)) as q
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

-- Updates the totals of items, and of those with batches of products.
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
    from larder.quantity(t.household_id, 'StockItem', t.id, coalesce(t.unit, 'piece')) as own,
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

-- Batches that were added, got another product, or no longer count.
create or replace function larder.follow_batches() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
begin
  if larder.is_derived() then return null; end if;
  perform set_config('larder.writing', 'derived', true);
  if tg_op = 'INSERT' then
    perform larder.follow_stock(
      array(select distinct household_id from written), '{}',
      array(select distinct product_id from written));
  else
    perform larder.follow_stock(
      array(select distinct household_id from written), '{}',
      array(select product_id from written union select product_id from replaced));
  end if;
  perform set_config('larder.writing', '', true);
  return null;
end
$$;

-- Items that claim products, or no longer do, may take batches from others.
create or replace function larder.follow_claims() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  claimed text[];
begin
  if larder.is_derived() then return null; end if;
  if tg_op = 'INSERT' then
    claimed := array(
      select id::text from written
      union select jsonb_array_elements_text(products) from written);
  else
    claimed := array(
      select jsonb_array_elements_text(w.products) from written w
      join replaced r using (household_id, id) where w.products is distinct from r.products
      union select jsonb_array_elements_text(r.products) from written w
      join replaced r using (household_id, id) where w.products is distinct from r.products);
  end if;
  if claimed <> '{}' and exists (
    select from public.stock_items s
    where s.household_id in (select household_id from written) and s.products ?| claimed)
  then
    perform set_config('larder.writing', 'derived', true);
    perform larder.follow_stock(
      array(select distinct household_id from written), '{}', claimed);
    perform set_config('larder.writing', '', true);
  end if;
  return null;
end
$$;

-- Rows ----------------------------------------------------------------------------------------------

-- The columns that clients do not write.
create or replace function larder.derived_columns() returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select array[
    'version', 'path', 'updated_at', 'quantity_in_stock', 'quantity_value', 'consumed_at',
    'product_id', 'expiry_day']
$$;

create or replace function larder.write_row() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  kind constant text := tg_argv[0];
  is_plain constant boolean := not larder.knows_stamps();
  written jsonb;
  stored jsonb;
  is_there boolean;
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
    if kind = 'Household' then new.household_id := new.id; end if;
    execute format(
      'select exists (select from public.%I where household_id = $1 and id = $2)', tg_table_name)
    into is_there using new.household_id, new.id;
    -- The update that this insert becomes joins it.
    if is_there then return new; end if;
    if kind = 'Household' then perform larder.found_household(new.id); end if;
    written := to_jsonb(new);
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
    new := jsonb_populate_record(new, larder.complete(kind, written, is_plain, to_jsonb(new), null, at)
      || jsonb_build_object('version', nextval('larder.version')));
    return new;
  end if;

  if new.household_id <> old.household_id or new.id <> old.id then
    raise exception 'the id of a row never changes' using errcode = '23514';
  end if;
  written := to_jsonb(new);
  stored := to_jsonb(old);
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
  new := jsonb_populate_record(new,
    larder.complete(
      kind, written || larder.columns(kind, new.household_id, document), is_plain, written, stored,
      at)
    || jsonb_build_object('path', coalesce(old.path, new.path)));
  new.updated_at := greatest(new.updated_at, old.updated_at);
  new.version := case when document = known then old.version else nextval('larder.version') end;
  if kind = 'Household' then new.user_id := old.user_id; end if;
  return new;
end
$$;
comment on function larder.write_row() is
  'Joins what is written with what is stored, so that no writer takes anything from another.';

-- Returns a row with the values that follow from its ledger and its stamps. A quantity that a plain
-- client wrote is counted first; `plain` is the row as that client wrote it.
create or replace function larder.complete(
  kind text, written jsonb, is_plain boolean, plain jsonb, stored jsonb, at text)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  household constant uuid := written ->> 'household_id';
  latest constant timestamptz := greatest(
    (written ->> 'created_at')::timestamptz, (
      select larder.moment(max(stamp.value collate "C"))
      from jsonb_each_text(written -> 'edited') as stamp));
begin
  if kind = 'StockItem' then
    return written || larder.item_quantity(household, written, is_plain, plain, stored, at, latest);
  elsif kind = 'InventoryItem' then
    return written || larder.batch_quantity(household, written, is_plain, plain, stored, at, latest);
  end if;
  return written || jsonb_build_object('updated_at', latest);
end
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
  select * into own from larder.quantity(household, 'StockItem', item_id, unit);
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
      and (select total from larder.quantity(household, 'InventoryItem', batch_id, unit)) > 0
    then
      perform larder.count(household, 'InventoryItem', batch_id, at, 0, unit);
    end if;
  end if;
  select * into own from larder.quantity(household, 'InventoryItem', batch_id, unit);
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

-- If the entries that count do not convert to a unit, the sum would leave them out.
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
        and c.undoes is null and larder.factor(coalesce(c.unit, 'piece'), wanted_unit) is null
        and not exists (
          select from public.quantity_changes u
          where u.household_id = household and u.entity_type = kind and u.entity_id = entity
            and u.undoes = c.id))
  then
    raise exception 'what is counted already does not convert to %', wanted_unit
      using errcode = '23514';
  end if;
end
$$;

-- The user who creates a household becomes its member.
create or replace function larder.found_household(household uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if auth.uid() is null then return; end if;
  perform larder.lock_household(household);
  if not exists (select from public.households where id = household) then
    insert into public.household_members (household_id, user_id)
    values (household, auth.uid()) on conflict do nothing;
  end if;
end
$$;

-- A deleted row stays as a tombstone, which travels; restoring it is an update.
create or replace function larder.bury() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  kind constant text := tg_argv[0];
begin
  if kind = 'Household' then
    raise exception 'a household is left, not deleted'
      using errcode = '42501', hint = 'Call leave; the others keep it.';
  end if;
  perform set_config('larder.writing', 'plain', true);
  execute format(
    'update public.%I set %s where household_id = $1 and id = $2', tg_table_name,
    case larder.tombstone(kind)
      when 'isArchived' then 'is_archived = true'
      when 'isDeleted' then 'is_deleted = true'
      else 'status = case when status = ''archived'' then status else ''discarded'' end'
    end) using old.household_id, old.id;
  perform set_config('larder.writing', '', true);
  return null;
end
$$;
comment on function larder.bury() is 'Turns a deletion into the mark of one.';

-- Triggers ------------------------------------------------------------------------------------------

do $$
declare
  t record;
begin
  for t in
    select * from (values
      ('households', 'Household'), ('stock_items', 'StockItem'),
      ('inventory_items', 'InventoryItem'), ('storage_locations', 'StorageLocation'),
      ('products', 'Product'), ('shopping_list_entries', 'ShoppingListEntry'),
      ('receipts', 'Receipt')) as kinds (name, kind)
  loop
    execute format(
      'create or replace trigger take_turns before insert or update or delete on public.%I '
        'for each statement execute function larder.take_turns()', t.name);
    execute format(
      'create or replace trigger write_row before insert or update on public.%I '
        'for each row execute function larder.write_row(%L)', t.name, t.kind);
    execute format(
      'create or replace trigger bury before delete on public.%I '
        'for each row execute function larder.bury(%L)', t.name, t.kind);
  end loop;
end
$$;

create or replace trigger take_turns before insert or update or delete on public.quantity_changes
  for each statement execute function larder.take_turns();
create or replace trigger write_change before insert or update on public.quantity_changes
  for each row execute function larder.write_change();
create or replace trigger keep_change before delete on public.quantity_changes
  for each row execute function larder.keep_change();
create or replace trigger follow_inserted after insert on public.quantity_changes
  referencing new table as written
  for each statement execute function larder.follow_ledgers();
create or replace trigger follow_updated after update on public.quantity_changes
  referencing new table as written
  for each statement execute function larder.follow_ledgers();
create or replace trigger follow_inserted after insert on public.inventory_items
  referencing new table as written
  for each statement execute function larder.follow_batches();
create or replace trigger follow_updated after update on public.inventory_items
  referencing old table as replaced new table as written
  for each statement execute function larder.follow_batches();
create or replace trigger follow_inserted after insert on public.stock_items
  referencing new table as written
  for each statement execute function larder.follow_claims();
create or replace trigger follow_updated after update on public.stock_items
  referencing old table as replaced new table as written
  for each statement execute function larder.follow_claims();
