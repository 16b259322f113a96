-- What is written now comes after what is known, and so after the last count of all there is: a batch's change too,
-- where the clock of the one who counted was ahead. And the rules that read a count by what it says of all.

-- 1 ms after the last instant is the last one again; after no time there is none.
create or replace function larder.after(moment timestamptz) returns timestamptz
language plpgsql immutable strict parallel safe set search_path = ''
as $$ begin return least(moment + interval '1 ms', '9998-12-31T23:59:59.999Z'::timestamptz); end $$;

-- When all there is was counted last of the item that has a product's batches; null without such a count.
create or replace function larder.last_count(household uuid, product text) returns timestamptz
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select q.start_at
    from public.stock_items i, larder.kept(
      i.household_id, 'StockItem', i.id, coalesce(i.unit, 'piece'), i.page_from) as q
    where i.household_id = household and i.id = larder.owner(household, product) and q.beyond is not null);
end
$$;

-- As before. What is written now to a batch comes after the last count of all there is of its item.
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
  next timestamptz := larder.now();
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
      if kind = 'InventoryItem' then
        next := greatest(
          next, larder.after(larder.last_count(new.household_id, written #>> '{product_ref,productId}')));
      end if;
      at := larder.instant(case when new.updated_at < larder.now() then new.updated_at else next end);
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
      next := greatest(next, larder.after(old.updated_at));
      if kind = 'InventoryItem' then
        next := greatest(
          next, larder.after(larder.last_count(new.household_id, written #>> '{product_ref,productId}')));
      end if;
      at := larder.instant(next);
      if new.updated_at < old.updated_at and larder.was_read(kind, stored, new.updated_at) then
        others := larder.written_since(kind, known, document, written, stored, new.updated_at);
        if others <> '' then
          raise exception 'the row has changed since it was read: %', others using errcode = 'LA038',
            hint = 'Read it again, or write only the columns that you change, without updated_at and version.';
        end if;
      elsif new.updated_at <> old.updated_at and new.updated_at < larder.now() then
        at := larder.instant(new.updated_at);
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

-- The entry of a client without stamps, as it is written down.
create or replace function larder.plain_change(entry public.quantity_changes)
returns public.quantity_changes
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  unit text;
  product text;
  is_known boolean;
  latest timestamptz;
begin
  entry.delta := larder.counted(to_jsonb(entry.delta), 'quantity_changes: delta');
  entry."set" := larder.counted(to_jsonb(entry."set"), 'quantity_changes: set');
  entry.total := larder.counted(to_jsonb(entry.total), 'quantity_changes: total');
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
    select true, coalesce(i.quantity ->> 'unit', 'piece'), i.product_id into is_known, unit, product
    from public.inventory_items i
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
    entry.at := greatest(
      larder.now(), larder.after(latest), larder.after(larder.last_count(entry.household_id, product)));
  end if;
  return entry;
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
      if (new.delta, new."set", new.undoes, coalesce(new.unit, 'piece'), new.note, new.receipt, new.total)
        is distinct from
          (old.delta, old."set", old.undoes, coalesce(old.unit, 'piece'), old.note, old.receipt, old.total)
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

-- As before; a count of all there is says the most that was recorded.
create or replace function larder.usual_purchase(item public.stock_items) returns numeric
language plpgsql stable set search_path = ''
as $$
declare
  wanted_unit constant text := coalesce(item.unit, 'piece');
  products constant jsonb := coalesce(nullif(item.products, 'null'), '[]');
  usual numeric;
  step numeric;
begin
  with holders (kind, id, page) as (
    select 'StockItem', item.id, item.page_from
    union all
    -- As in larder.batched.
    select 'InventoryItem', b.id, b.page_from
    from public.inventory_items b
    where b.household_id = item.household_id and b.status <> 'discarded'
      and b.product_id = any (item.id::text || array(select jsonb_array_elements_text(products)))
      and coalesce(b.extra ->> 'householdId', item.household_id::text) = item.household_id::text
      and (b.product_id = item.id::text or not exists (
        select from public.stock_items s
        where s.household_id = item.household_id
          and (s.id = larder.uuid_of(b.product_id)
            or (s.id < item.id and s.products ? b.product_id))))
  ), entries as (
    select c.at, c.id, c.why, c.receipt, c.delta is not null as is_delta,
      coalesce(c.total, c.delta, c."set")
        * larder.factor(coalesce(c.unit, 'piece'), wanted_unit) as number
    from holders h
    join public.quantity_changes c
      on c.household_id = item.household_id and c.entity_type = h.kind and c.entity_id = h.id
    where c.undoes is null and larder.factor(coalesce(c.unit, 'piece'), wanted_unit) is not null
      and (h.page is null or c.at >= h.page or larder.is_derived_id(c.id))
      and (c.at = h.page is true or not exists (
        select from public.quantity_changes u
        where u.household_id = c.household_id and u.entity_type = c.entity_type
          and u.entity_id = c.entity_id and u.undoes = c.id))
  ), arrival as (
    select * from entries where is_delta and number > 0 and why in ('add', 'receipt')
    order by at desc, id desc limit 1
  ), bought as (
    select larder.rounded(case
      when a.why = 'receipt' and a.receipt is not null then (
        select sum(e.number) from entries e
        where e.is_delta and e.why = 'receipt' and e.receipt = a.receipt)
      else a.number end) as number
    from arrival a
  )
  select coalesce(
    (select number from bought where number > 0),
    (select larder.rounded(max(number)) from entries having larder.rounded(max(number)) > 0), 1)
  into usual;
  select larder.rounded(p.pack_size * larder.factor(coalesce(p.unit, 'piece'), wanted_unit))
  into step
  from jsonb_array_elements_text(products) with ordinality as named (id, place)
  join public.products p on p.household_id = item.household_id and p.id = named.id
  where larder.rounded(p.pack_size * larder.factor(coalesce(p.unit, 'piece'), wanted_unit)) > 0
  order by named.place limit 1;
  if step is null and wanted_unit in ('gram', 'kilogram', 'milliliter', 'liter') then
    return usual;
  end if;
  step := coalesce(step, 1);
  return trim_scale(step * (div(usual, step) + case when mod(usual, step) > 0 then 1 else 0 end));
end
$$;
