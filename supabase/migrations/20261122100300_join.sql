-- One version from two: what FORMAT.md calls the join (section 8), for whoever writes a row.
--
-- A document is a row as its file has it, without ledger and quantities: fields by the format's
-- names, `createdAt`, `edited`, and the keys that the format does not know.

-- The columns of a kind's registers, with the format's names.
create or replace function larder.fields(kind text) returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  select case kind
    when 'Household' then '{
      "format": "format", "name": "name", "time_zone": "timeZone", "currency": "currency",
      "expiring_within_days": "expiringWithinDays"}'::jsonb
    when 'StockItem' then '{
      "name": "name", "category": "category", "unit": "unit",
      "quantity_full_stock": "quantityFullStock", "products": "products",
      "is_archived": "isArchived", "user_id": "userId"}'::jsonb
    when 'InventoryItem' then '{
      "product_ref": "productRef", "quantity": "quantity", "status": "status",
      "storage_location_id": "storageLocationId", "lot_or_batch_code": "lotOrBatchCode",
      "expiry_info": "expiryInfo", "opened_info": "openedInfo", "notes": "notes",
      "user_id": "userId"}'::jsonb
    when 'StorageLocation' then '{
      "name": "name", "is_cold_storage": "isColdStorage", "is_archived": "isArchived",
      "user_id": "userId"}'::jsonb
    when 'Product' then '{
      "title": "title", "brand": "brand", "image_url": "imageURL", "barcodes": "barcodes",
      "unit": "unit", "pack_size": "packSize",
      "best_after_opening_days": "bestAfterOpeningDays", "is_archived": "isArchived",
      "user_id": "userId"}'::jsonb
    when 'ShoppingListEntry' then '{
      "item_id": "itemId", "name": "name", "desired_quantity": "desiredQuantity",
      "unit": "unit", "note": "note", "is_completed": "isCompleted",
      "is_deleted": "isDeleted", "user_id": "userId"}'::jsonb
    when 'Receipt' then '{
      "shop_name": "shopName", "timestamp": "timestamp", "amount": "amount",
      "currency": "currency", "items": "items", "is_deleted": "isDeleted",
      "user_id": "userId"}'::jsonb
  end
$$;

-- Fields that mean something only together are joined as one, under one name.
create or replace function larder.cell(kind text, field text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select case
    when kind = 'StockItem' and field in ('quantityFullStock', 'unit') then 'quantityFullStock'
    when kind = 'Product' and field in ('packSize', 'unit') then 'packSize'
    when kind = 'ShoppingListEntry' and field in ('desiredQuantity', 'unit')
      then 'desiredQuantity'
    when kind = 'ShoppingListEntry' and field in ('itemId', 'name') then 'itemId'
    when kind = 'Receipt' and field in ('amount', 'currency') then 'amount'
    else field
  end
$$;

create or replace function larder.tombstone(kind text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select case
    when kind in ('StockItem', 'StorageLocation', 'Product') then 'isArchived'
    when kind in ('ShoppingListEntry', 'Receipt') then 'isDeleted'
    when kind = 'InventoryItem' then 'status'
  end
$$;

-- The shape of a field that a table of the kind describes; in all other objects, keys are in the
-- order of bytes.
create or replace function larder.shape(kind text, field text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select case
    when kind = 'InventoryItem' and field in ('productRef', 'quantity', 'expiryInfo', 'openedInfo')
      or kind = 'Receipt' and field = 'items'
    then field else ''
  end
$$;

-- Keys that are no registers, which `edited` may not name.
create or replace function larder.bookkeeping(kind text) returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select array['id', 'createdAt', 'updatedAt', 'edited'] || case kind
    when 'StockItem' then array['quantityInStock', 'changes']
    when 'InventoryItem' then array['consumedAt', 'changes']
    else '{}'
  end
$$;

-- Rows and documents -------------------------------------------------------------------------------

-- Batches and places also name their household in the file. If it is not the row's, `extra` has it;
-- null there means that the file names none. All other nulls mean nothing.
create or replace function larder.document(kind text, stored jsonb) returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  select jsonb_strip_nulls(
      case
        when kind in ('InventoryItem', 'StorageLocation')
        then jsonb_build_object('householdId', stored -> 'household_id')
        else '{}'
      end
      || (stored -> 'extra')
      || (
        select jsonb_object_agg(field.name, case
            when field.name = 'timestamp'
            then to_jsonb(larder.instant((stored ->> 'timestamp')::timestamptz))
            when kind = 'InventoryItem' and field.name = 'status' and stored ->> 'status' = 'consumed'
            then '"active"'
            when kind = 'InventoryItem' and field.name = 'quantity'
            then coalesce(nullif(stored -> 'quantity', 'null'), '{}') - 'value'
            else stored -> field.key
          end)
        from jsonb_each_text(larder.fields(kind)) as field (key, name)))
    || jsonb_build_object(
      'createdAt', larder.instant((stored ->> 'created_at')::timestamptz),
      'edited', stored -> 'edited')
$$;

create or replace function larder.registers(document jsonb) returns jsonb
language sql immutable parallel safe set search_path = ''
as $$ select document - array['createdAt', 'edited'] $$;

-- The columns that a document gives.
create or replace function larder.columns(kind text, household uuid, document jsonb) returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  select (
      select jsonb_object_agg(field.key, case field.name
          when 'timestamp' then to_jsonb(larder.moment(document ->> 'timestamp'))
          else document -> field.name
        end)
      from jsonb_each_text(larder.fields(kind)) as field (key, name)
    )
    || jsonb_build_object(
      'extra', larder.registers(document) - array(
          select name from jsonb_each_text(larder.fields(kind)) as field (key, name))
        - case
          when kind in ('InventoryItem', 'StorageLocation') then array['householdId'] else '{}'
        end
        || case
          when kind not in ('InventoryItem', 'StorageLocation') then '{}'
          when document ->> 'householdId' = household::text then '{}'
          else jsonb_build_object('householdId', document -> 'householdId')
        end,
      'edited', document -> 'edited',
      'created_at', larder.moment(document ->> 'createdAt'))
$$;

-- The time when a register was written; null for one that never was.
create or replace function larder.stamp(document jsonb, field text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select coalesce(
    document -> 'edited' ->> field, case when document ? field then document ->> 'createdAt' end)
$$;

create or replace function larder.updated_at(document jsonb) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select greatest(document ->> 'createdAt' collate "C", (
    select max(at collate "C") from jsonb_each_text(document -> 'edited') as stamp (name, at)))
$$;

-- A document from registers and their stamps; `edited` names those not written at its creation.
create or replace function larder.with_stamps(registers jsonb, stamps jsonb, created_at text)
returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  select registers || jsonb_build_object(
    'createdAt', created_at,
    'edited', coalesce((
      select jsonb_object_agg(name, at) from jsonb_each(stamps) as stamp (name, at)
      where jsonb_typeof(at) = 'string' and (at #>> '{}' <> created_at or not registers ? name)
    ), '{}'))
$$;

-- A document as a join leaves it, without keys that are no registers and without needless stamps.
create or replace function larder.alone(kind text, document jsonb) returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  select larder.with_stamps(
    larder.registers(document) - larder.bookkeeping(kind), (
      select jsonb_object_agg(name, larder.stamp(document, name))
      from jsonb_object_keys(larder.registers(document) || (document -> 'edited')) as name
      where not name = any (larder.bookkeeping(kind))),
    document ->> 'createdAt')
$$;

-- Whether a stamped row is such a document already, as one of Larder's always is.
create or replace function larder.is_alone(stored jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  created_at constant text := larder.instant((stored ->> 'created_at')::timestamptz);
begin
  -- Rather too many keys than too few: the long way comes to the same.
  return not stored -> 'edited' ?| array[
      'id', 'createdAt', 'updatedAt', 'edited', 'changes', 'quantityInStock', 'consumedAt']
    and not exists (
      select from jsonb_each_text(stored -> 'edited') as stamp where stamp.value = created_at)
    and not exists (
      select from jsonb_each(stored) as member
      where jsonb_typeof(member.value) in ('object', 'array')
        and member.value <> jsonb_strip_nulls(member.value));
end
$$;

-- The join ------------------------------------------------------------------------------------------

-- Whether the first of two cells with equal stamps wins: first the deleted one, then the one with
-- the greater bytes, then the one with the later stamps of its members in the order of their names.
create or replace function larder.wins_tie(
  kind text, cell text, ours jsonb, theirs jsonb, our_stamps jsonb, their_stamps jsonb)
returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  our_rank integer := 0;
  their_rank integer := 0;
  our_bytes text;
  their_bytes text;
  name text;
  member_count integer;
begin
  if ours = theirs and our_stamps = their_stamps then return true; end if;
  if cell = larder.tombstone(kind) then
    our_rank := larder.tombstone_rank(ours -> cell);
    their_rank := larder.tombstone_rank(theirs -> cell);
    if our_rank <> their_rank then return our_rank > their_rank; end if;
  end if;
  if larder.is_group(kind, cell) then
    our_bytes := case when ours = '{}' then '' else larder.canonical(ours, '') end;
    their_bytes := case when theirs = '{}' then '' else larder.canonical(theirs, '') end;
  else
    our_bytes := coalesce(larder.canonical(ours -> cell, larder.shape(kind, cell)), '');
    their_bytes := coalesce(larder.canonical(theirs -> cell, larder.shape(kind, cell)), '');
  end if;
  if our_bytes <> their_bytes then return our_bytes collate "C" > their_bytes collate "C"; end if;
  for name in
    select key from jsonb_object_keys(our_stamps || their_stamps) as key order by key collate "C"
  loop
    if our_stamps ->> name is distinct from their_stamps ->> name then
      return coalesce(our_stamps ->> name, '') collate "C" > coalesce(their_stamps ->> name, '');
    end if;
  end loop;
  return true;
end
$$;

create or replace function larder.is_group(kind text, cell text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select (kind, cell) in (
    ('StockItem', 'quantityFullStock'), ('Product', 'packSize'),
    ('ShoppingListEntry', 'desiredQuantity'), ('ShoppingListEntry', 'itemId'),
    ('Receipt', 'amount'))
$$;

create or replace function larder.tombstone_rank(value jsonb) returns integer
language sql immutable parallel safe set search_path = ''
as $$
  select case
    when value = '"archived"' then 2
    when value in ('"discarded"', 'true') then 1
    else 0
  end
$$;

create or replace function larder.joined(kind text, ours jsonb, theirs jsonb) returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  with names as (
    select jsonb_object_keys(larder.registers(ours)) as name
    union select jsonb_object_keys(larder.registers(theirs))
    union select jsonb_object_keys(ours -> 'edited')
    union select jsonb_object_keys(theirs -> 'edited')
    except select unnest(larder.bookkeeping(kind))
  ), registers as (
    select name, larder.cell(kind, name) as cell,
      ours -> name as our_value, larder.stamp(ours, name) as our_stamp,
      theirs -> name as their_value, larder.stamp(theirs, name) as their_stamp
    from names
  ), cells as (
    select cell,
      max(our_stamp collate "C") as our_stamp, max(their_stamp collate "C") as their_stamp,
      coalesce(jsonb_object_agg(name, our_value) filter (where our_value is not null), '{}')
        as our_values,
      coalesce(jsonb_object_agg(name, their_value) filter (where their_value is not null), '{}')
        as their_values,
      coalesce(jsonb_object_agg(name, our_stamp) filter (where our_stamp is not null), '{}')
        as our_stamps,
      coalesce(jsonb_object_agg(name, their_stamp) filter (where their_stamp is not null), '{}')
        as their_stamps
    from registers group by cell
  ), winners as (
    select our_values, their_values, our_stamps, their_stamps, case
        when their_stamp is null then true
        when our_stamp is null then false
        when our_stamp <> their_stamp then our_stamp > their_stamp
        else larder.wins_tie(kind, cell, our_values, their_values, our_stamps, their_stamps)
      end as is_ours
    from cells
  ), result as (
    select coalesce(jsonb_object_agg(value.key, value.value), '{}') as registers
    from winners, jsonb_each(case when is_ours then our_values else their_values end) as value
  ), stamps as (
    select coalesce(jsonb_object_agg(stamp.key, stamp.value), '{}') as stamps
    from winners, jsonb_each(case when is_ours then our_stamps else their_stamps end) as stamp
  )
  select larder.with_stamps(
    registers, stamps,
    least(ours ->> 'createdAt' collate "C", theirs ->> 'createdAt' collate "C"))
  from result, stamps
$$;
comment on function larder.joined(text, jsonb, jsonb) is
  'One document from two of the same entity; order and repetition do not matter.';

-- Writers without stamps ----------------------------------------------------------------------------

-- With a header, Larder says that it stamps what it writes. All other clients write plain columns.
create or replace function larder.knows_stamps() returns boolean
language sql stable set search_path = ''
as $$
  select case coalesce(current_setting('larder.writing', true), '')
    when '' then coalesce(
      nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-larder-client', '') <> ''
    else current_setting('larder.writing', true) = 'stamped'
  end
$$;

-- `larder.writing` tells the triggers about their own writes. 'derived': values that follow from
-- other rows, stored as they are; 'plain': a write without stamps; 'stamped': one with stamps.
create or replace function larder.is_derived() returns boolean
language sql stable set search_path = ''
as $$ select coalesce(current_setting('larder.writing', true), '') = 'derived' $$;

-- The numbers of plain clients are often binary. Under keys that the format does not know, any
-- number is allowed.
create or replace function larder.tidied_members(value jsonb) returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  select case when jsonb_typeof(value) = 'object' then value || coalesce((
      select jsonb_object_agg(name, larder.rounded((value -> name)::numeric))
      from unnest(array['confidence', 'quantity', 'price']) as name
      where jsonb_typeof(value -> name) = 'number'), '{}')
    else value
  end
$$;

create or replace function larder.tidied(kind text, registers jsonb) returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  select coalesce(jsonb_object_agg(member.name, case
      when field.name is null then value
      when jsonb_typeof(value) = 'number' then to_jsonb(larder.rounded((value #>> '{}')::numeric))
      when member.name in ('expiryInfo', 'openedInfo') then larder.tidied_members(value)
      when member.name = 'items' and jsonb_typeof(value) = 'array' then (
        select coalesce(jsonb_agg(larder.tidied_members(line) order by place), '[]')
        from jsonb_array_elements(value) with ordinality as lines (line, place))
      else value
    end), '{}')
  from jsonb_each(registers) as member (name, value)
  left join jsonb_each_text(larder.fields(kind)) as field (key, name) using (name)
$$;

-- The meaning of a plain write: the fields that it changed are written at its time; all others stay
-- as stored. Fields that were written later stay, a group as a whole: otherwise its unchanged
-- members would get the later time.
create or replace function larder.plain_edit(kind text, known jsonb, written jsonb, at text)
returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  with edit as (
    select (larder.tidied(kind, larder.registers(written)) - 'userId')
      || jsonb_strip_nulls(jsonb_build_object('userId', known -> 'userId')) as registers
  ), names as (
    select name, larder.cell(kind, name) as cell, larder.stamp(known, name) as stamp
    from edit, jsonb_object_keys(larder.registers(known) || (known -> 'edited') || registers) as name
  ), latest as (
    select cell, max(stamp collate "C") as stamp from names group by cell
  ), changed as (
    select name, coalesce(latest.stamp > plain_edit.at, false) as is_late
    from edit, names join latest using (cell)
    where known -> name is distinct from registers -> name
  ), sorted as (
    select coalesce(array_agg(name) filter (where is_late), '{}') as late,
      coalesce(jsonb_object_agg(name, plain_edit.at) filter (where not is_late), '{}') as stamps
    from changed
  )
  select (registers - late)
    || coalesce((
      select jsonb_object_agg(name, known -> name) from unnest(late) as name where known ? name), '{}')
    || jsonb_build_object(
      'createdAt', known -> 'createdAt', 'edited', (known -> 'edited') || stamps)
  from edit, sorted
$$;

-- The meaning of a row that a plain client created: all its fields are written at that time.
create or replace function larder.plain_creation(
  kind text, written jsonb, created_at text, at text) returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  select larder.with_stamps(
    registers, (select coalesce(jsonb_object_agg(name, at), '{}')
      from jsonb_object_keys(registers) as name), created_at)
  from (
    select larder.tidied(kind, larder.registers(larder.document(kind, written))) as registers) as made
$$;
