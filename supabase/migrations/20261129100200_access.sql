-- Who is removed does not come back by a code that somebody else has made, and what Larder's own devices send names
-- its maker and serves no request twice.

-- A removal takes all open codes along: whoever is removed may have been told of any.
create or replace function public.remove_member(household uuid, member uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  came timestamptz;
begin
  perform larder.require_membership(household);
  perform larder.hold_account(member);
  perform larder.lock_household(household);
  perform larder.require_membership(household);
  if member = auth.uid() then
    raise exception 'who goes by themselves leaves' using errcode = '22023', hint = 'Call leave.';
  end if;
  select m.joined_at into came from public.household_members m
  where m.household_id = household and m.user_id = member;
  -- Whoever it was is gone; the same request again is no mistake.
  if not found then return; end if;
  if came < (
    select m.joined_at from public.household_members m
    where m.household_id = household and m.user_id = auth.uid())
  then
    raise exception 'nobody removes a member who was there before them' using errcode = '42501',
      hint = 'Ask somebody who has belonged to the household for longer.';
  end if;
  delete from public.household_invites i where i.household_id = household and i.accepted_at is null;
  perform larder.let_go(household, member);
end
$$;
comment on function public.remove_member(uuid, uuid) is
  'Takes somebody out of a household of the user who did not come before the user, and revokes all its open '
  'invitations, of which they may know the codes.';

-- A row of Larder's own devices says who made it: who is signed in, a device, or somebody elsewhere, who may not
-- belong to the household any more. No file names nobody.
create or replace function larder.check_maker(written uuid) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if written is null then
    raise exception 'user_id is who made the row, and is not empty' using errcode = '23514',
      hint = 'Leave it out, or send what the row has.';
  end if;
end
$$;

-- An entry with a request has the id that follows from the request and the item, under which it counts once,
-- whichever device sends it. Another one under a served request would count again.
create or replace function larder.check_request(entry public.quantity_changes) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  if entry.request <> '' and entry.id <> larder.request_id(entry) and exists (
    select from public.quantity_changes c
    where c.household_id = entry.household_id and c.request = entry.request
      and (c.entity_type, c.entity_id, c.id) is distinct from (entry.entity_type, entry.entity_id, entry.id))
  then
    raise exception 'quantity_changes: this request is served already, and counts once' using errcode = '23505',
      hint = 'The entry that serves it has the id that follows from the request and the item; name another request '
        'for another change.';
  end if;
end
$$;

-- docs/adoption.md, section 19.
create or replace function larder.request_id(entry public.quantity_changes) returns uuid
language plpgsql immutable set search_path = ''
as $$
begin
  return extensions.uuid_generate_v5('6c617264-6572-5000-8000-666f726d6174',
    concat_ws('/', 'request', entry.request, entry.entity_id));
end
$$;

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
    entry.id := larder.request_id(entry);
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
    elsif kind <> 'Household' and larder.is_client() and auth.uid() is not null then
      perform larder.check_maker(new.user_id);
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
    if kind <> 'Household' and not is_plain and old.user_id is not null and larder.is_client()
      and auth.uid() is not null
    then
      perform larder.check_maker(new.user_id);
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
  else
    if larder.is_client() then perform larder.check_request(new); end if;
    if new.at > larder.now() + interval '1 day' then
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
  return new;
end
$$;

do $$
declare
  kind_table text;
begin
  foreach kind_table in array array[
    'stock_items', 'inventory_items', 'storage_locations', 'products', 'shopping_list_entries', 'receipts']
  loop
    execute format('comment on column public.%I.user_id is %L', kind_table,
      'Who made it: left out, who is signed in. Nobody writes another user here, and it never changes; only '
      'Larder''s own devices bring what others made elsewhere, and never empty it.');
  end loop;
end
$$;

revoke all on function larder.check_maker(uuid), larder.check_request(public.quantity_changes),
  larder.request_id(public.quantity_changes) from public, anon, authenticated;
