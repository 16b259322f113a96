-- The new fields of an item: its minimum, how long it keeps, its other names, and a note
-- (FORMAT.md, section 4).

alter table public.stock_items
  add column if not exists aliases jsonb,
  add column if not exists quantity_minimum numeric,
  add column if not exists keeps_days integer,
  add column if not exists note text;

-- Values that somebody wrote by hand under these names are moved; a value of another type stays in
-- `extra`.
alter table public.stock_items disable trigger user;
update public.stock_items s set
  aliases = case when larder.are_references(s.extra -> 'aliases') then s.extra -> 'aliases' end,
  quantity_minimum = (m.found ->> 'quantityMinimum')::numeric,
  keeps_days = (m.found ->> 'keepsDays')::integer,
  note = m.found ->> 'note',
  extra = s.extra - array(select jsonb_object_keys(m.found))
from (
  select household_id, id, (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(extra) as member (key, value)
      where case key
        when 'aliases' then larder.are_references(value)
        when 'quantityMinimum' then jsonb_typeof(value) = 'number' and value::numeric >= 0
          and larder.is_number(value::numeric)
        when 'keepsDays' then jsonb_typeof(value) = 'number' and value::numeric between 0 and 36500
          and value::numeric = trunc(value::numeric)
        when 'note' then jsonb_typeof(value) = 'string'
        else false
      end) as found
  from public.stock_items
  where extra ?| array['aliases', 'quantityMinimum', 'keepsDays', 'note']) as m
where s.household_id = m.household_id and s.id = m.id and m.found <> '{}';
alter table public.stock_items enable trigger user;

alter table public.stock_items
  drop constraint if exists stock_items_aliases,
  drop constraint if exists stock_items_quantity_minimum,
  drop constraint if exists stock_items_keeps_days,
  drop constraint if exists stock_items_flat,
  add constraint stock_items_aliases check (larder.are_references(aliases)),
  add constraint stock_items_quantity_minimum
    check (quantity_minimum >= 0 and larder.is_number(quantity_minimum)),
  add constraint stock_items_keeps_days check (keeps_days between 0 and 36500),
  add constraint stock_items_flat check (
    larder.is_flat(aliases) and larder.is_flat(edited) and larder.is_flat(extra)
    and larder.is_flat(products));

comment on column public.stock_items.aliases is 'What receipts and people call it besides its name.';
comment on column public.stock_items.quantity_minimum is
  'Below this there is too little; without one, below half of what there should be.';
comment on column public.stock_items.keeps_days is
  'How many days it keeps where nobody said until when.';
comment on column public.stock_items.note is 'Anything else.';

-- As before, with the new columns.
create or replace function larder.fields(kind text) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case kind
    when 'Household' then '{
      "format": "format", "name": "name", "time_zone": "timeZone", "currency": "currency",
      "expiring_within_days": "expiringWithinDays"}'::jsonb
    when 'StockItem' then '{
      "name": "name", "aliases": "aliases", "category": "category", "unit": "unit",
      "quantity_full_stock": "quantityFullStock", "quantity_minimum": "quantityMinimum",
      "keeps_days": "keepsDays", "products": "products", "note": "note",
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
  end;
end
$$;

create or replace function larder.cell(kind text, field text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case
    when kind = 'StockItem' and field in ('quantityFullStock', 'quantityMinimum', 'unit')
      then 'quantityFullStock'
    when kind = 'Product' and field in ('packSize', 'unit') then 'packSize'
    when kind = 'ShoppingListEntry' and field in ('desiredQuantity', 'unit')
      then 'desiredQuantity'
    when kind = 'ShoppingListEntry' and field in ('itemId', 'name') then 'itemId'
    when kind = 'Receipt' and field in ('amount', 'currency') then 'amount'
    else field
  end;
end
$$;

-- The shopping list ---------------------------------------------------------------------------------

-- 2 if nothing is there, 1 if there is less than the minimum (docs/adoption.md, section 13).
create or replace function larder.lack(total numeric, minimum numeric) returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case when coalesce(total, 0) <= 0 then 2 when total < minimum then 1 else 0 end;
end
$$;

drop function if exists larder.want(public.stock_items);

-- The entry is written at the latest time of the item and its batches and joined, as every device
-- does.
create or replace function larder.want(item public.stock_items, lack integer) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  entry_id constant uuid := extensions.uuid_generate_v5(
    '6c617264-6572-5000-8000-666f726d6174', 'entry/' || item.id::text);
  at constant text := larder.instant(item.updated_at);
  wanted_unit constant text := coalesce(item.unit, 'piece');
  minimum constant numeric := coalesce(item.quantity_minimum, 0);
  wished constant numeric := greatest(item.quantity_full_stock, minimum);
  wanted constant numeric := case
    when lack = 2 then case when wished > 0 then wished else 1 end
    when wished > minimum then larder.rounded(wished - minimum)
    else minimum
  end;
  entry public.shopping_list_entries;
  writing constant text := coalesce(current_setting('larder.writing', true), '');
  stamps jsonb := '{}';
begin
  select * into entry from public.shopping_list_entries e
  where e.household_id = item.household_id and e.id = entry_id;
  perform set_config('larder.writing', 'stamped', true);
  if entry.id is null then
    insert into public.shopping_list_entries
      (household_id, id, item_id, desired_quantity, unit, user_id, created_at)
    values (
      item.household_id, entry_id, item.id, wanted, wanted_unit, item.user_id, item.updated_at);
  elsif entry.is_deleted or not coalesce(entry.is_completed, false) and not (lack = 1
    and coalesce(larder.rounded(entry.desired_quantity * larder.factor(
      coalesce(entry.unit, 'piece'), wanted_unit)) >= wanted, false))
  then
    if (entry.desired_quantity, entry.unit) is distinct from (wanted, wanted_unit) then
      stamps := jsonb_build_object('desiredQuantity', at, 'unit', at);
    end if;
    if entry.is_deleted then
      stamps := stamps || jsonb_build_object('isDeleted', at) || case
        when entry.is_completed is distinct from false
        then jsonb_build_object('isCompleted', at) else '{}' end;
    end if;
    if stamps <> '{}' then
      update public.shopping_list_entries e set
        desired_quantity = wanted, unit = wanted_unit, is_deleted = false,
        is_completed = case when entry.is_deleted then false else e.is_completed end,
        edited = e.edited || stamps
      where e.household_id = item.household_id and e.id = entry_id;
    end if;
  end if;
  perform set_config('larder.writing', writing, true);
end
$$;

create or replace function larder.want_what_ran_out() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  item public.stock_items;
begin
  for item in
    select w.* from written w
    join replaced r on r.household_id = w.household_id and r.id = w.id
    where larder.lack(w.quantity_in_stock, w.quantity_minimum)
        > larder.lack(r.quantity_in_stock, r.quantity_minimum)
      and not coalesce(w.is_archived, false)
    order by w.household_id, w.id
  loop
    perform larder.want(item, larder.lack(item.quantity_in_stock, item.quantity_minimum));
  end loop;
  return null;
end
$$;
comment on function larder.want_what_ran_out() is
  'Puts items that came below their minimum, or to zero or below, on the shopping list.';

-- A client that does not know ledgers writes an item all at once. Larder sends the item's ledger
-- later, and the shopping entry by itself.
create or replace function larder.want_what_is_new() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  item public.stock_items;
begin
  if larder.is_derived() or larder.knows_stamps() then return null; end if;
  for item in
    select w.* from written w
    where larder.lack(w.quantity_in_stock, w.quantity_minimum) > 0
      and not coalesce(w.is_archived, false)
      and greatest(w.quantity_full_stock, w.quantity_minimum) > 0
      and not exists (
        select from public.shopping_list_entries e
        where e.household_id = w.household_id and e.id = extensions.uuid_generate_v5(
          '6c617264-6572-5000-8000-666f726d6174', 'entry/' || w.id::text))
    order by w.household_id, w.id
  loop
    perform larder.want(item, larder.lack(item.quantity_in_stock, item.quantity_minimum));
  end loop;
  return null;
end
$$;
comment on function larder.want_what_is_new() is
  'Puts new items on the shopping list of which too little is there, and something is wanted.';

create or replace trigger want_what_is_new after insert on public.stock_items
  referencing new table as written
  for each statement execute function larder.want_what_is_new();
