-- What another program writes is taken with an effect, or refused with words; nothing of it is dropped in
-- silence.
--
--   LA037  the row is deleted, and was written again without a word about that
--   LA038  the row has changed since it was read
--   LA039  the ledger entry would change nothing, or takes more than there is

-- The words of rules --------------------------------------------------------------------------------

-- What a constraint says in place of its name and, under a trigger, the whole row.
create or replace function larder.refuse(rule text) returns boolean
language plpgsql stable set search_path = ''
as $$ begin raise exception '%', rule using errcode = '23514'; end $$;

do $$
declare
  units constant text := 'piece, gram, kilogram, milliliter, liter, pack, or a word of your own in lower-case '
    'letters, such as tin; kg, l, x, dozen and the like are written as one of these';
  digits constant text := 'at most 15 digits, six of them decimals';
  rule record;
begin
  for rule in
    select c.conname as name, c.conrelid::regclass::text as kind_table,
      pg_get_expr(c.conbin, c.conrelid) as allowed, w.words
    from (values
      ('households_id', 'id is the same as household_id'),
      ('households_name', 'name is not empty'),
      ('households_time_zone', 'time_zone is a name of the time zone database, such as Europe/London'),
      ('households_currency', 'currency is three capital letters, such as EUR'),
      ('households_expiring_within_days', 'expiring_within_days is 0 to 36500'),
      ('households_format', 'format is 1 or above'),
      ('stock_items_name', 'name is not empty'),
      ('stock_items_category', 'category is not empty; null is none'),
      ('stock_items_unit', 'unit is ' || units),
      ('stock_items_quantity_full_stock', 'quantity_full_stock is 0 or above, with ' || digits),
      ('stock_items_quantity_minimum', 'quantity_minimum is 0 or above, with ' || digits),
      ('stock_items_keeps_days', 'keeps_days is 0 to 36500'),
      ('stock_items_products', 'products is a list of ids, none of them empty'),
      ('stock_items_aliases', 'aliases is a list of texts, none of them empty'),
      ('stock_items_page_from', 'page_from is in the years 0000 to 9998'),
      ('inventory_items_product_ref',
        'product_ref is {"productId": "…"}, and may have a snapshot of title, brand and imageURL, which are texts'),
      ('inventory_items_quantity', 'quantity is {"unit": "…"}; its unit is ' || units),
      ('inventory_items_status', 'status is active, consumed, discarded or archived'),
      ('inventory_items_lot_or_batch_code', 'lot_or_batch_code is not empty; null is none'),
      ('inventory_items_expiry_info',
        'expiry_info has a kind (expiry, opened, bestBefore, useBy, manufactured, packaged), and may have rawText, '
        'a confidence from 0 to 1, and isoDate, a day such as 2026-12-31'),
      ('inventory_items_opened_info',
        'opened_info has a kind (expiry, opened, bestBefore, useBy, manufactured, packaged), and may have rawText, '
        'a confidence from 0 to 1, and isoDate, an instant such as 2026-12-31T08:00:00.000Z'),
      ('inventory_items_page_from', 'page_from is in the years 0000 to 9998'),
      ('storage_locations_name', 'name is not empty'),
      ('products_id', 'id is not empty'),
      ('products_title', 'title is not empty'),
      ('products_barcodes', 'barcodes is a list of texts, none of them empty'),
      ('products_unit', 'unit is ' || units),
      ('products_pack_size', 'pack_size is 0 or above, with ' || digits),
      ('products_best_after_opening_days', 'best_after_opening_days is 0 to 36500'),
      ('shopping_list_entries_names_something', 'item_id or name says what to buy'),
      ('shopping_list_entries_name', 'name is not empty'),
      ('shopping_list_entries_desired_quantity', 'desired_quantity is 0 or above, with ' || digits),
      ('shopping_list_entries_unit', 'unit is ' || units),
      ('receipts_shop_name', 'shop_name is not empty'),
      ('receipts_timestamp', 'timestamp is in the years 0000 to 9998'),
      ('receipts_amount', 'amount has ' || digits),
      ('receipts_currency', 'currency is three capital letters, such as EUR'),
      ('receipts_items',
        'items is a list of lines; each has an id (a UUID in lower case), an itemName and a quantity of 0 or above, '
        'and may have unit, itemId, price, expiry (a day such as 2026-12-31), location and lot; a unit is ' || units),
      ('receipt_items_item_name', 'item_name is not empty'),
      ('receipt_items_quantity', 'quantity is 0 or above, with ' || digits),
      ('receipt_items_unit', 'unit is ' || units),
      ('receipt_items_price', 'price has ' || digits),
      ('receipt_items_expiry', 'expiry is a day such as 2026-12-31'),
      ('receipt_items_extra', 'extra is an object without the keys of a receipt''s line'),
      ('quantity_changes_entity_type', 'entity_type is StockItem or InventoryItem'),
      ('quantity_changes_at', 'at is in the years 0000 to 9998'),
      ('quantity_changes_event', 'exactly one of delta, set and undoes is there'),
      ('quantity_changes_delta', 'delta has ' || digits),
      ('quantity_changes_set', 'set has ' || digits),
      ('quantity_changes_unit', 'unit is ' || units || '; beside undoes there is none'),
      ('quantity_changes_why', 'why is add, receipt, consume, count, spoil, move, undo or edit'),
      ('quantity_changes_request', 'request is not empty; null is none'),
      ('quantity_changes_extra', 'extra is an object without the keys of a ledger entry')
    ) as w (name, words)
    join pg_constraint c on c.conname = w.name and c.contype = 'c'
      and c.connamespace = 'public'::regnamespace
    union all
    select c.conname, c.conrelid::regclass::text, pg_get_expr(c.conbin, c.conrelid), case
        when c.conname like '%_flat' then 'objects and lists are nested at most 60 levels deep'
        else 'created_at is in the years 0000 to 9998, edited an object of instants, extra an object without '
          'id, createdAt, updatedAt and edited'
      end
    from pg_constraint c
    where c.contype = 'c' and c.connamespace = 'public'::regnamespace
      and (c.conname like '%_flat' or c.conname like '%_bookkeeping')
  loop
    continue when rule.allowed like '%larder.refuse(%';
    -- Without the schema in the path, functions keep theirs.
    execute format(
      'alter table %s drop constraint %I, add constraint %2$I check ((%s) is not false or larder.refuse(%L))',
      rule.kind_table, rule.name, rule.allowed,
      replace(rule.kind_table, 'public.', '') || ': ' || rule.words);
  end loop;
end
$$;

-- Whether the time zone database has a name; who asks has changed it, so it may take a moment.
create or replace function larder.is_zone(name text) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return exists (
    select from pg_catalog.pg_timezone_names z
    where z.name = is_zone.name and z.name !~ '^(posix|right)/|^(posixrules|localtime|Factory)$');
end
$$;

-- Rows ---------------------------------------------------------------------------------------------------

create or replace function larder.is_deleted(kind text, made jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return coalesce(case kind
    when 'InventoryItem' then made ->> 'status' in ('discarded', 'archived')
    when 'Household' then false
    else coalesce(made ->> 'is_archived', made ->> 'is_deleted') = 'true'
  end, false);
end
$$;

-- Whether a time is one that the row has had as its latest: then it is what somebody read there, and not when
-- they wrote. Of times that are in it no more, nobody knows.
create or replace function larder.was_read(kind text, stored jsonb, at timestamptz) returns boolean
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  household constant uuid := stored ->> 'household_id';
  own_id constant uuid := case when kind in ('StockItem', 'InventoryItem') then (stored ->> 'id')::uuid end;
begin
  return (stored ->> 'created_at')::timestamptz = at
    or (stored ->> 'page_from')::timestamptz is not distinct from at
    or exists (
      select from jsonb_each_text(stored -> 'edited') as stamp where stamp.value = larder.instant(at))
    or exists (
      select from public.quantity_changes c
      where c.household_id = household and c.entity_type = kind and c.entity_id = own_id and c.at = was_read.at)
    or kind = 'StockItem' and exists (
      select from public.inventory_items b
      where b.household_id = household and b.product_id = any (
          own_id::text || array(select jsonb_array_elements_text(coalesce(nullif(stored -> 'products', 'null'), '[]'))))
        and (b.updated_at = at or exists (
          select from public.quantity_changes c
          where c.household_id = household and c.entity_type = 'InventoryItem' and c.entity_id = b.id
            and c.at = was_read.at)));
end
$$;

-- The columns in which a row that was read at a time differs from what others have written since. Nobody
-- can tell whether they are old, or meant.
create or replace function larder.written_since(
  kind text, known jsonb, written jsonb, plain jsonb, stored jsonb, at timestamptz) returns text
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  registers constant jsonb := larder.tidied(kind, larder.registers(written));
  since constant text := larder.instant(at);
  names text[];
  shown constant text := case kind
    when 'StockItem' then 'quantity_in_stock' when 'InventoryItem' then 'quantity_value' end;
begin
  names := array(
    select column_name
    from (
      select field.key as column_name, field.value as name, (
          select max(larder.stamp(known, other.value) collate "C")
          from jsonb_each_text(larder.fields(kind)) as other
          where larder.cell(kind, other.value) = larder.cell(kind, field.value)) as stamp
      from jsonb_each_text(larder.fields(kind)) as field) as fields
    where stamp > since and name <> 'userId' and known -> name is distinct from registers -> name
    order by column_name);
  if shown is not null
    and (plain ->> shown)::numeric is distinct from (stored ->> shown)::numeric
    and (exists (
        select from public.quantity_changes c
        where c.household_id = (stored ->> 'household_id')::uuid and c.entity_type = kind
          and c.entity_id = (stored ->> 'id')::uuid and c.at > written_since.at)
      or kind = 'StockItem' and exists (
        select from public.inventory_items b
        where b.household_id = (stored ->> 'household_id')::uuid and b.updated_at > written_since.at
          and b.product_id = any ((stored ->> 'id') || array(
            select jsonb_array_elements_text(coalesce(nullif(stored -> 'products', 'null'), '[]'))))))
  then
    names := names || shown;
  end if;
  return array_to_string(names, ', ');
end
$$;

-- A number that somebody wrote as what there is.
create or replace function larder.counted(written jsonb, named text) returns numeric
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  number numeric;
begin
  if coalesce(jsonb_typeof(written), 'null') = 'null' then return null; end if;
  begin
    number := (written #>> '{}')::numeric;
  exception when invalid_text_representation or numeric_value_out_of_range then
    number := 'NaN';
  end;
  if number < 'Infinity' and number > '-Infinity' then number := larder.rounded(number); end if;
  if not coalesce(larder.is_number(number), false) then
    raise exception '%: what there is, is a number with at most 15 digits, six of them decimals', named
      using errcode = '23514';
  end if;
  return number;
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
  page constant timestamptz := item ->> 'page_from';
  written numeric;
  batches record;
  own record;
begin
  select * into batches
  from larder.batched(household, item_id, coalesce(nullif(item -> 'products', 'null'), '[]'), unit);
  if is_plain then
    perform larder.refuse_unit(household, 'StockItem', item_id, unit, stored ->> 'unit', stored);
    if plain -> 'quantity_in_stock' is distinct from stored -> 'quantity_in_stock' then
      written := larder.counted(plain -> 'quantity_in_stock', 'quantity_in_stock');
      if written is distinct from (stored ->> 'quantity_in_stock')::numeric then
        perform larder.count(
          household, 'StockItem', item_id, at, larder.rounded(written - batches.total), unit);
      end if;
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
  named constant text := case when plain #> '{quantity,value}' is null then 'quantity_value' else 'quantity.value' end;
  written numeric;
  own record;
begin
  if is_plain then
    perform larder.refuse_unit(
      household, 'InventoryItem', batch_id, unit, stored #>> '{quantity,unit}', stored);
    written := larder.counted(coalesce(plain #> '{quantity,value}', plain -> 'quantity_value'), named);
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

-- As before, but with words.
create or replace function larder.refuse_unit(
  household uuid, kind text, entity uuid, wanted_unit text, known_unit text, stored jsonb)
returns void
language plpgsql stable set search_path = ''
as $$
begin
  if stored is not null and wanted_unit <> coalesce(known_unit, 'piece') and larder.is_unit(wanted_unit)
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
    raise exception 'unit: what is counted already does not convert to the new one'
      using errcode = '23514', hint = 'Only gram and kilogram, and milliliter and liter, convert; make a new item.';
  end if;
end
$$;

-- As before. Nothing is locked or worked at before the user is known to belong to the household. A client
-- without stamps writes in its user's name, and is told what it wrote in vain.
create or replace function larder.write_row() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  kind constant text := tg_argv[0];
  is_plain constant boolean := not larder.knows_stamps();
  written jsonb;
  stored jsonb;
  known jsonb;
  document jsonb;
  others text;
  at text;
begin
  if larder.is_derived() then return new; end if;
  if tg_op = 'INSERT' then
    if kind = 'Household' then
      new.household_id := new.id;
    elsif new.household_id is null then
      new.household_id := larder.only_household();
    end if;
    -- Of any but a large row it is enough to know the size when it is complete.
    if pg_column_size(new) > 262144 then
      if kind <> 'Household' and larder.is_user() then perform larder.require_membership(new.household_id); end if;
      if not larder.is_there(kind, new.household_id, new.id::text) then
        perform larder.check_size(to_jsonb(new), null);
      end if;
    end if;
    if kind = 'Household' then
      perform larder.found_household(new.id);
    else
      perform larder.enter(new.household_id);
    end if;
  else
    if new.household_id <> old.household_id or new.id <> old.id then
      raise exception 'id and household_id of a row never change' using errcode = '23514';
    end if;
    perform larder.enter(new.household_id);
  end if;
  if new.extra <> '{}' and new.extra ?| (larder.bookkeeping(kind) || array(
      select name from jsonb_each_text(larder.fields(kind)) as field (key, name)))
  then
    raise exception 'extra holds a key that the format knows' using errcode = '23514',
      hint = 'Write it to the column of that name.';
  end if;
  if tg_op = 'INSERT' then
    -- The update that this insert becomes joins it.
    if larder.is_there(kind, new.household_id, new.id::text) then
      if is_plain then
        perform set_config('larder.posted',
          case when larder.is_deleted(kind, to_jsonb(new)) then '' else kind || '/' || new.id::text end, true);
      end if;
      return new;
    end if;
    if is_plain and kind <> 'Household' and auth.uid() is not null then
      new.user_id := coalesce(new.user_id, auth.uid());
      perform larder.check_user(new.user_id, null);
    end if;
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
    written := to_jsonb(new);
    stored := to_jsonb(old);
    perform larder.check_size(written, stored);
    written := written || larder.page(kind, is_plain, written, stored);
    if not is_plain and written - larder.derived_columns() = stored - larder.derived_columns() then
      return old;
    end if;
    known := larder.document(kind, stored);
    document := larder.document(kind, written);
    if is_plain then
      if current_setting('larder.posted', true) = kind || '/' || new.id::text then
        perform set_config('larder.posted', '', true);
        if larder.is_deleted(kind, stored) and larder.is_deleted(kind, written) then
          raise exception 'the row is deleted, and was written again without a word about that'
            using errcode = 'LA037', hint = case kind
              when 'InventoryItem' then 'Write it with status active, which brings it back.'
              when 'ShoppingListEntry' then 'Write it with is_deleted false, which brings it back; or take a new id.'
              when 'Receipt' then 'Write it with is_deleted false, which brings it back.'
              else 'Write it with is_archived false, which brings it back.'
            end;
        end if;
      end if;
      if auth.uid() is not null then perform larder.check_user(new.user_id, old.user_id); end if;
      if new.updated_at < old.updated_at and larder.was_read(kind, stored, new.updated_at) then
        others := larder.written_since(kind, known, document, written, stored, new.updated_at);
        if others <> '' then
          raise exception 'the row has changed since it was read: %', others using errcode = 'LA038',
            hint = 'Read it again, or write only the columns that you change, without updated_at and version.';
        end if;
        at := larder.instant(greatest(larder.now(), larder.after(old.updated_at)));
      elsif new.updated_at <> old.updated_at then
        at := larder.instant(least(new.updated_at, larder.now()));
      else
        at := larder.instant(greatest(larder.now(), larder.after(old.updated_at)));
      end if;
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
    -- A device has its own time zone database, and takes a name that it does not know for UTC.
    if is_plain and written -> 'time_zone' is distinct from stored -> 'time_zone'
      and not larder.is_zone(coalesce(written ->> 'time_zone', 'UTC'))
    then
      raise exception 'households: time_zone is a name of the time zone database, such as Europe/London'
        using errcode = '23514';
    end if;
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

-- A row names its writer, or who made it before.
create or replace function larder.check_user(written uuid, stored uuid) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if written is distinct from stored and written <> auth.uid() then
    raise exception 'user_id is who is signed in, and stays who made the row' using errcode = '42501',
      hint = 'Leave it out.';
  end if;
end
$$;

-- Ledger entries -----------------------------------------------------------------------------------------

create index if not exists quantity_changes_by_time
  on public.quantity_changes (household_id, entity_type, entity_id, at);
create index if not exists quantity_changes_counts
  on public.quantity_changes (household_id, entity_type, entity_id, at, id) where "set" is not null;
create index if not exists quantity_changes_by_request
  on public.quantity_changes (household_id, request) where request is not null;

-- The entry of a client without stamps, as it is written down.
create or replace function larder.plain_change(entry public.quantity_changes)
returns public.quantity_changes
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  unit text;
  is_known boolean;
  latest timestamptz;
begin
  entry.delta := larder.counted(to_jsonb(entry.delta), 'quantity_changes: delta');
  entry."set" := larder.counted(to_jsonb(entry."set"), 'quantity_changes: set');
  entry.unit := case when entry.undoes is null then coalesce(entry.unit, 'piece') else entry.unit end;
  -- docs/adoption.md, section 19: so the request counts once, whoever serves it.
  if entry.request <> '' then
    entry.id := extensions.uuid_generate_v5('6c617264-6572-5000-8000-666f726d6174',
      concat_ws('/', 'request', entry.request, entry.entity_id));
  end if;
  if entry.entity_type = 'StockItem' then
    select true, coalesce(i.unit, 'piece') into is_known, unit from public.stock_items i
    where i.household_id = entry.household_id and i.id = entry.entity_id;
  elsif entry.entity_type = 'InventoryItem' then
    select true, coalesce(i.quantity ->> 'unit', 'piece') into is_known, unit from public.inventory_items i
    where i.household_id = entry.household_id and i.id = entry.entity_id;
  else
    -- Its constraint has the words.
    return entry;
  end if;
  if is_known is null then
    raise exception 'quantity_changes: entity_id is no % of the household', entry.entity_type
      using errcode = '23514', hint = 'Add the item first; entity_type is InventoryItem for a batch.';
  end if;
  if entry.undoes is null then
    if larder.is_unit(entry.unit) and larder.factor(entry.unit, unit) is null then
      raise exception 'quantity_changes: unit does not convert to that of the item' using errcode = '23514',
        hint = 'Write the item''s own unit, or gram for kilogram, milliliter for liter and the other way round.';
    elsif entry.delta = 0 then
      raise exception 'quantity_changes: delta is not 0, which would change nothing' using errcode = '23514';
    end if;
  end if;
  -- Now is later than all that is written there already, as on every device (FORMAT.md, section 6).
  if entry.at >= larder.now() then
    select max(c.at) into latest from public.quantity_changes c
    where c.household_id = entry.household_id and c.entity_type = entry.entity_type
      and c.entity_id = entry.entity_id;
    entry.at := greatest(larder.now(), larder.after(latest));
  end if;
  return entry;
end
$$;

-- Refuses what a client without stamps added in vain. A second one with a request that was served, and a
-- second undo, are no error if the first has the same id: then nothing was added.
create or replace function larder.check_effect(added public.quantity_changes[]) returns void
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  entry public.quantity_changes;
begin
  foreach entry in array added loop
    if entry.request is not null and exists (
      select from public.quantity_changes c
      where c.household_id = entry.household_id and c.request = entry.request
        and not exists (
          select from unnest(added) as a
          where (a.entity_type, a.entity_id, a.id) = (c.entity_type, c.entity_id, c.id)))
    then
      raise exception 'quantity_changes: this request is served already, and counts once'
        using errcode = '23505', hint = 'Send the entries of one request together, or name another request.';
    end if;
    if entry.undoes is not null then
      if not exists (
        select from public.quantity_changes c
        where c.household_id = entry.household_id and c.entity_type = entry.entity_type
          and c.entity_id = entry.entity_id and c.id = entry.undoes and c.undoes is null)
      then
        raise exception 'quantity_changes: undoes is no count, addition or use of this item'
          using errcode = 'LA039', hint = 'Undo an entry with delta or set; to redo one, write it anew.';
      elsif exists (
        select from public.quantity_changes c
        where c.household_id = entry.household_id and c.entity_type = entry.entity_type
          and c.entity_id = entry.entity_id and c.undoes = entry.undoes and c.id <> entry.id)
      then
        raise exception 'quantity_changes: that entry is undone already' using errcode = 'LA039',
          hint = 'Nothing is left to do.';
      end if;
    elsif exists (
      select from public.quantity_changes c
      where c.household_id = entry.household_id and c.entity_type = entry.entity_type
        and c.entity_id = entry.entity_id and c."set" is not null
        and (c.at > entry.at or c.at = entry.at and entry."set" is not null and c.id > entry.id)
        and not exists (
          select from public.quantity_changes u
          where u.household_id = c.household_id and u.entity_type = c.entity_type
            and u.entity_id = c.entity_id and u.undoes = c.id)
        and not exists (select from unnest(added) as a where a.id = c.id))
    then
      raise exception 'quantity_changes: somebody has counted the item since, at a later time'
        using errcode = 'LA039', hint = 'The count has it already. If not, leave at out, which is now.';
    elsif entry.delta < 0 and exists (
      select from public.stock_items i
      where entry.entity_type = 'StockItem' and i.household_id = entry.household_id
        and i.id = entry.entity_id and i.quantity_in_stock < 0
      union all select from public.inventory_items i
      where entry.entity_type = 'InventoryItem' and i.household_id = entry.household_id
        and i.id = entry.entity_id and i.quantity_value < 0)
    then
      raise exception 'quantity_changes: delta takes more than there is' using errcode = 'LA039',
        hint = 'Take no more than there is, or say with set how much is left.';
    end if;
  end loop;
end
$$;

create or replace function larder.write_change() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  ours text;
  theirs text;
begin
  if larder.is_derived() then return new; end if;
  if tg_op = 'INSERT' and new.household_id is null then
    new.household_id := larder.only_household();
  end if;
  if larder.is_user() then perform larder.require_membership(new.household_id); end if;
  perform larder.check_size(to_jsonb(new), case when tg_op = 'UPDATE' then to_jsonb(old) end);
  perform larder.enter(new.household_id);
  if tg_op = 'UPDATE' then
    if (new.household_id, new.entity_type, new.entity_id, new.id)
      is distinct from (old.household_id, old.entity_type, old.entity_id, old.id)
    then
      raise exception 'quantity_changes: household_id, entity_type, entity_id and id of an entry never change'
        using errcode = '23514';
    end if;
    if not larder.knows_stamps() then
      if (new.delta, new."set", new.undoes, coalesce(new.unit, 'piece'), new.note, new.receipt)
        is distinct from (old.delta, old."set", old.undoes, coalesce(old.unit, 'piece'), old.note, old.receipt)
      then
        raise exception 'quantity_changes: an entry is never changed, and there is another one under this id'
          using errcode = '23505', hint = 'Undo it by an entry with undoes, and add another one.';
      elsif old.undoes is null and exists (
        select from public.quantity_changes u
        where u.household_id = old.household_id and u.entity_type = old.entity_type
          and u.entity_id = old.entity_id and u.undoes = old.id)
      then
        raise exception 'quantity_changes: the entry of this id is undone' using errcode = 'LA037',
          hint = 'Add another one, under a new id and without its request.';
      end if;
      return old;
    end if;
    -- Entries stay as they are. Of two that differ under one id the earlier one stands if the id is
    -- derived, then the one with the smaller bytes; else the later one, then the one with the greater.
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
  elsif not larder.knows_stamps() then
    new := larder.plain_change(new);
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
  if new.undoes is null then new.unit := coalesce(new.unit, 'piece'); end if;
  new.version := nextval('larder.version');
  return new;
end
$$;

create or replace function larder.keep_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if larder.is_erasing() then return old; end if;
  raise exception 'quantity_changes: a ledger entry stays, and is taken back by another one'
    using errcode = '42501', hint = 'Add an entry that names it in undoes.';
end
$$;
comment on function larder.keep_change() is 'A ledger entry is taken back by another one.';

create or replace function larder.write_line() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if larder.is_derived() then return new; end if;
  if tg_op = 'INSERT' and new.household_id is null then
    new.household_id := larder.only_household();
  end if;
  if larder.is_user() then perform larder.require_membership(new.household_id); end if;
  perform larder.check_size(to_jsonb(new), case when tg_op = 'UPDATE' then to_jsonb(old) end);
  perform larder.enter(new.household_id);
  if tg_op = 'UPDATE' and (new.household_id, new.receipt_id, new.id)
    is distinct from (old.household_id, old.receipt_id, old.id)
  then
    raise exception 'receipt_items: household_id, receipt_id and id of a line never change' using errcode = '23514';
  end if;
  if tg_op = 'UPDATE' then new."position" := old."position"; end if;
  if new.household_id is not null and not exists (
    select from public.receipts r where r.household_id = new.household_id and r.id = new.receipt_id)
  then
    raise exception 'receipt_items: receipt_id is no receipt of the household' using errcode = '23503',
      hint = 'Add the receipt first.';
  end if;
  new.quantity := larder.rounded(new.quantity);
  new.price := larder.rounded(new.price);
  return new;
end
$$;

-- Comments -------------------------------------------------------------------------------------------------

do $$
declare
  kind_table text;
begin
  foreach kind_table in array array[
    'households', 'stock_items', 'inventory_items', 'storage_locations', 'products',
    'shopping_list_entries', 'receipts']
  loop
    execute format('comment on column public.%I.updated_at is %L', kind_table,
      'The latest time in the row. A program without stamps may say here when it wrote, and leaves it out where '
      'that is now. Who sends back what it read writes now too; where others have since written something else '
      'than it sends, it is refused (LA038) and reads again.');
    continue when kind_table = 'households';
    execute format('comment on column public.%I.user_id is %L', kind_table,
      'Who made it: left out, who is signed in. Nobody writes another user here, and it never changes; only '
      'Larder''s own devices bring what others made elsewhere.');
  end loop;
end
$$;
comment on table public.inventory_items is 'A batch of an item, with a date or in a place.';
comment on column public.households.time_zone is
  'Where days begin and end: a name of the time zone database, such as Europe/London.';
comment on column public.quantity_changes.id is
  'The entry''s id. One with a request gets the id that follows from the request and the item.';
comment on column public.quantity_changes.at is
  'When it happened; left out, now. What is before the item''s last count has no effect, and is refused.';
comment on column public.quantity_changes.delta is
  'How much came or, below zero, went; never more than there is.';
comment on column public.quantity_changes.undoes is 'The entry with delta or set that this one takes back.';
comment on column public.quantity_changes.unit is
  'What it is counted in; piece where empty. It converts to the unit of the item.';
comment on column public.quantity_changes.request is
  'The request it serves, which counts once. The entries of one request are sent together.';
