-- Where an item is put where nobody said another place (FORMAT.md, section 4, and docs/adoption.md, section 18).

alter table public.stock_items add column if not exists storage_location_id text;

comment on column public.stock_items.storage_location_id is
  'The id of the place where it is put where nobody said another.';

-- Texts that somebody wrote by hand under this name are moved; any other value stays in `extra`.
alter table public.stock_items disable trigger user;
update public.stock_items set
  storage_location_id = extra ->> 'storageLocationId', extra = extra - 'storageLocationId'
where jsonb_typeof(extra -> 'storageLocationId') = 'string';
alter table public.stock_items enable trigger user;

-- As before, with the new column.
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
      "keeps_days": "keepsDays", "storage_location_id": "storageLocationId",
      "products": "products", "note": "note",
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
