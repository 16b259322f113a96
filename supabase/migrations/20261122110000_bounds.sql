-- What no row may exceed, so that nobody's row keeps the others from reading theirs.
--
-- Each bound has a code of its own, by which a client tells it from other refusals:
--   LA001  a row is larger than 1 MiB
--   LA002  a path is longer than 1000 bytes
--   LA003  a path goes through more than 64 folders
--   LA004  a name in a path is longer than 255 bytes
--   LA010  the household's format is not one that this database knows
--   LA020  a time is more than a day ahead of the database's clock
-- What is stored already and exceeds one stays, and may be marked as deleted.

-- The newest version of the format that these tables hold.
create or replace function larder.known_format() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 1 $$;

-- The size of a row is the size of its JSON in an answer. A row that is too large already may not
-- grow, except by the stamp of a change.
create or replace function larder.check_size(made jsonb, stored jsonb) returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  size constant integer := octet_length(made::text);
begin
  if size > 1048576 and size > coalesce(octet_length(stored::text), 0) + 256 then
    raise exception 'a row is larger than 1 MiB: % bytes', size
      using errcode = 'LA001', hint = 'Make it smaller, or several of it.';
  end if;
end
$$;

create or replace function larder.check_path(path text) returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  names constant text[] := string_to_array(path, '/');
begin
  if octet_length(path) > 1000 then
    raise exception 'a path is longer than 1000 bytes: % bytes', octet_length(path)
      using errcode = 'LA002', hint = 'Move the file to a place with a shorter path.';
  elsif cardinality(names) > 65 then
    raise exception 'a path goes through more than 64 folders: %', cardinality(names) - 1
      using errcode = 'LA003', hint = 'Move the file into fewer folders.';
  elsif exists (select from unnest(names) as name where octet_length(name) > 255) then
    raise exception 'a name in a path is longer than 255 bytes: %', (
        select max(octet_length(name)) from unnest(names) as name)
      using errcode = 'LA004', hint = 'Rename the file, or the folder.';
  end if;
end
$$;

create or replace function larder.check_format(format integer, stored_format integer) returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if format > greatest(coalesce(stored_format, 0), larder.known_format()) then
    raise exception 'these tables know format %, not %', larder.known_format(), format
      using errcode = 'LA010', hint = 'Run the project''s newest migrations first.';
  end if;
end
$$;

-- The new times in a row that are more than a day ahead. Later writers would have to use times as
-- late, or their writes would be lost.
create or replace function larder.check_times(times jsonb, known jsonb) returns void
language plpgsql stable set search_path = ''
as $$
declare
  ahead record;
begin
  select name, at into ahead from jsonb_each_text(times) as time (name, at)
  where larder.is_instant(at) and at collate "C" > larder.instant(larder.now() + interval '1 day')
    and at is distinct from known ->> name
  order by name limit 1;
  if found then
    raise exception 'a time is more than a day ahead of the database''s clock: % of %', ahead.at, ahead.name
      using errcode = 'LA020',
        detail = 'The clock says ' || larder.instant(larder.now()) || '.',
        hint = 'Set the clock of the device that wrote it, then write it again.';
  end if;
end
$$;

-- Whether the writer is a client, and not one of our triggers.
create or replace function larder.is_client() returns boolean
language sql stable set search_path = ''
as $$ select coalesce(current_setting('larder.writing', true), '') = '' $$;

-- Whether there is a row of a kind; a session keeps the plans for this.
create or replace function larder.is_there(kind text, household uuid, row_id text) returns boolean
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
begin
  case kind
    when 'Household' then
      return exists (
        select from public.households t where t.household_id = household and t.id = row_id::uuid);
    when 'StockItem' then
      return exists (
        select from public.stock_items t where t.household_id = household and t.id = row_id::uuid);
    when 'InventoryItem' then
      return exists (
        select from public.inventory_items t where t.household_id = household and t.id = row_id::uuid);
    when 'StorageLocation' then
      return exists (
        select from public.storage_locations t where t.household_id = household and t.id = row_id::uuid);
    when 'Product' then
      return exists (
        select from public.products t where t.household_id = household and t.id = row_id);
    when 'ShoppingListEntry' then
      return exists (
        select from public.shopping_list_entries t where t.household_id = household and t.id = row_id::uuid);
    when 'Receipt' then
      return exists (
        select from public.receipts t where t.household_id = household and t.id = row_id::uuid);
  end case;
end
$$;

-- As before, and within the bounds. Later migrations say to which household a row without one
-- belongs, and which lock is taken.
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
    new.version := case when document = known then old.version else nextval('larder.version') end;
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
      new.edited || jsonb_build_object('createdAt', larder.instant(new.created_at)),
      (stored -> 'edited') || jsonb_build_object(
        'createdAt', larder.instant((stored ->> 'created_at')::timestamptz)));
  end if;
  return new;
end
$$;
comment on function larder.write_row() is
  'Joins what is written with what is stored, so that no writer takes anything from another.';

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
comment on function larder.write_change() is
  'Keeps ledger entries as they were written, and numbers them in the order of commits.';

create or replace function larder.write_line() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if larder.is_derived() then return new; end if;
  if tg_op = 'INSERT' and new.household_id is null then
    new.household_id := larder.only_household();
  end if;
  perform larder.lock_household(new.household_id);
  if tg_op = 'UPDATE' and (new.household_id, new.receipt_id, new.id)
    is distinct from (old.household_id, old.receipt_id, old.id)
  then
    raise exception 'the id of a row never changes' using errcode = '23514';
  end if;
  if tg_op = 'UPDATE' then new."position" := old."position"; end if;
  new.quantity := larder.rounded(new.quantity);
  new.price := larder.rounded(new.price);
  perform larder.check_size(to_jsonb(new), case when tg_op = 'UPDATE' then to_jsonb(old) end);
  return new;
end
$$;
