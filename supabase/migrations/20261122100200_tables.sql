-- A table for each kind of the format, named as its fields are (FORMAT.md, section 4).
--
-- What is not in the format: `household_id`, the household that a row belongs to; `version`, which
-- grows with every change; `path`, where the device that made it keeps the file; `extra`, the keys
-- that the format does not know. `edited` has the format's own names. No reference between rows is
-- enforced, as none is in the files: what it names may still be on its way.

create table if not exists public.households (
  household_id uuid not null,
  id uuid not null,
  name text not null,
  time_zone text default 'UTC',
  currency text,
  expiring_within_days integer default 14,
  format integer default 1,
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  path text,
  version bigint not null default 0,
  user_id uuid not null default auth.uid(),
  primary key (household_id, id),
  constraint households_id check (id = household_id),
  constraint households_name check (name <> ''),
  constraint households_time_zone check (time_zone ~ '^[A-Za-z0-9/_+-]{1,64}$'),
  constraint households_currency check (currency ~ '^[A-Z]{3}$'),
  constraint households_expiring_within_days check (expiring_within_days between 0 and 36500),
  constraint households_format check (format >= 1)
);
create unique index if not exists households_by_id on public.households (id);

create table if not exists public.stock_items (
  household_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text not null,
  category text,
  unit text default 'piece',
  quantity_in_stock numeric,
  quantity_full_stock numeric default 0,
  products jsonb,
  is_archived boolean default false,
  user_id uuid default auth.uid(),
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  path text,
  version bigint not null default 0,
  primary key (household_id, id),
  constraint stock_items_name check (name <> ''),
  constraint stock_items_category check (category <> ''),
  constraint stock_items_unit check (larder.is_unit(unit)),
  constraint stock_items_quantity_full_stock
    check (quantity_full_stock >= 0 and larder.is_number(quantity_full_stock)),
  constraint stock_items_products check (larder.are_references(products))
);
create index if not exists stock_items_by_product on public.stock_items using gin (products);

create table if not exists public.inventory_items (
  household_id uuid not null,
  id uuid not null default gen_random_uuid(),
  product_ref jsonb not null,
  product_id text generated always as (product_ref ->> 'productId') stored,
  quantity jsonb default '{"unit": "piece"}',
  quantity_value numeric,
  status text not null default 'active',
  storage_location_id text default '',
  lot_or_batch_code text,
  expiry_info jsonb,
  expiry_day text collate "C" generated always as (expiry_info ->> 'isoDate') stored,
  opened_info jsonb,
  notes text,
  consumed_at timestamptz(3),
  user_id uuid default auth.uid(),
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  path text,
  version bigint not null default 0,
  primary key (household_id, id),
  constraint inventory_items_product_ref check (larder.is_product_ref(product_ref)),
  constraint inventory_items_quantity check (
    jsonb_typeof(quantity) = 'object'
    and (not quantity ? 'unit' or coalesce(larder.is_unit(quantity ->> 'unit'), false))),
  constraint inventory_items_status
    check (status in ('active', 'consumed', 'discarded', 'archived')),
  constraint inventory_items_lot_or_batch_code check (lot_or_batch_code <> ''),
  constraint inventory_items_expiry_info check (larder.is_date_info(expiry_info, false)),
  constraint inventory_items_opened_info check (larder.is_date_info(opened_info, true))
);
create index if not exists inventory_items_by_product
  on public.inventory_items (household_id, product_id);
create index if not exists inventory_items_by_expiry
  on public.inventory_items (household_id, expiry_day) where status = 'active';

create table if not exists public.storage_locations (
  household_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text not null,
  is_cold_storage boolean default false,
  is_archived boolean default false,
  user_id uuid default auth.uid(),
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  path text,
  version bigint not null default 0,
  primary key (household_id, id),
  constraint storage_locations_name check (name <> '')
);

create table if not exists public.products (
  household_id uuid not null,
  id text not null default gen_random_uuid()::text,
  title text not null,
  brand text,
  image_url text,
  barcodes jsonb,
  unit text,
  pack_size numeric,
  best_after_opening_days integer,
  is_archived boolean default false,
  user_id uuid default auth.uid(),
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  path text,
  version bigint not null default 0,
  primary key (household_id, id),
  constraint products_id check (id <> ''),
  constraint products_title check (title <> ''),
  constraint products_barcodes check (larder.are_references(barcodes)),
  constraint products_unit check (larder.is_unit(unit)),
  constraint products_pack_size check (pack_size >= 0 and larder.is_number(pack_size)),
  constraint products_best_after_opening_days
    check (best_after_opening_days between 0 and 36500)
);

create table if not exists public.shopping_list_entries (
  household_id uuid not null,
  id uuid not null default gen_random_uuid(),
  item_id uuid,
  name text,
  desired_quantity numeric default 1,
  unit text default 'piece',
  note text,
  is_completed boolean default false,
  is_deleted boolean default false,
  user_id uuid default auth.uid(),
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  path text,
  version bigint not null default 0,
  primary key (household_id, id),
  constraint shopping_list_entries_names_something check (item_id is not null or name is not null),
  constraint shopping_list_entries_name check (name <> ''),
  constraint shopping_list_entries_desired_quantity
    check (desired_quantity >= 0 and larder.is_number(desired_quantity)),
  constraint shopping_list_entries_unit check (larder.is_unit(unit))
);

create table if not exists public.receipts (
  household_id uuid not null,
  id uuid not null default gen_random_uuid(),
  shop_name text not null,
  "timestamp" timestamptz(3) default larder.now(),
  amount numeric,
  currency text,
  items jsonb default '[]',
  is_deleted boolean default false,
  user_id uuid default auth.uid(),
  created_at timestamptz(3) not null default larder.now(),
  updated_at timestamptz(3) not null default larder.now(),
  edited jsonb not null default '{}',
  extra jsonb not null default '{}',
  path text,
  version bigint not null default 0,
  primary key (household_id, id),
  constraint receipts_shop_name check (shop_name <> ''),
  constraint receipts_timestamp check (larder.is_moment("timestamp")),
  constraint receipts_amount check (larder.is_number(amount)),
  constraint receipts_currency check (currency ~ '^[A-Z]{3}$'),
  constraint receipts_items check (larder.are_lines(items))
);

create table if not exists public.receipt_items (
  household_id uuid not null,
  receipt_id uuid not null,
  id uuid not null default gen_random_uuid(),
  "position" integer,
  item_name text not null,
  quantity numeric not null,
  unit text,
  item_id uuid,
  price numeric,
  expiry text,
  location text,
  lot text,
  extra jsonb not null default '{}',
  is_deleted boolean not null default false,
  primary key (household_id, receipt_id, id),
  foreign key (household_id, receipt_id) references public.receipts (household_id, id)
    on delete cascade,
  constraint receipt_items_item_name check (item_name <> ''),
  constraint receipt_items_quantity check (quantity >= 0 and larder.is_number(quantity)),
  constraint receipt_items_unit check (larder.is_unit(unit)),
  constraint receipt_items_price check (larder.is_number(price)),
  constraint receipt_items_expiry check (larder.is_day(expiry)),
  constraint receipt_items_extra
    check (jsonb_typeof(extra) = 'object' and not extra ?| larder.keys_of('items.'))
);

create table if not exists public.quantity_changes (
  household_id uuid not null,
  entity_type text not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  at timestamptz(3) not null default larder.now(),
  delta numeric,
  "set" numeric,
  undoes uuid,
  unit text,
  why text not null default 'edit',
  by text not null default 'edit',
  request text,
  receipt uuid,
  note text,
  extra jsonb not null default '{}',
  version bigint not null default 0,
  primary key (household_id, entity_type, entity_id, id),
  constraint quantity_changes_entity_type check (entity_type in ('StockItem', 'InventoryItem')),
  constraint quantity_changes_at check (larder.is_moment(at)),
  constraint quantity_changes_event check (num_nonnulls(delta, "set", undoes) = 1),
  constraint quantity_changes_delta check (larder.is_number(delta)),
  constraint quantity_changes_set check (larder.is_number("set")),
  constraint quantity_changes_unit
    check (unit is null or larder.is_unit(unit) and undoes is null),
  constraint quantity_changes_why
    check (why in ('add', 'receipt', 'consume', 'count', 'spoil', 'move', 'undo', 'edit')),
  constraint quantity_changes_request check (request <> ''),
  constraint quantity_changes_extra
    check (jsonb_typeof(extra) = 'object' and not extra ?| larder.keys_of('change'))
);
create index if not exists quantity_changes_by_version
  on public.quantity_changes (version, household_id);
create index if not exists quantity_changes_undone
  on public.quantity_changes (household_id, entity_type, entity_id, undoes)
  where undoes is not null;

-- If the household came first, these indexes would be used to look up a row while tables are small.
do $$
declare
  kind_table text;
begin
  foreach kind_table in array array[
    'households', 'stock_items', 'inventory_items', 'storage_locations', 'products',
    'shopping_list_entries', 'receipts']
  loop
    execute format(
      'create index if not exists %I on public.%I (version, household_id)',
      kind_table || '_by_version', kind_table);
    execute format(
      'create index if not exists %I on public.%I (updated_at, household_id)',
      kind_table || '_by_update', kind_table);
    execute format('alter table public.%I drop constraint if exists %I', kind_table,
      kind_table || '_bookkeeping');
    execute format(
      'alter table public.%I add constraint %I check (larder.is_moment(created_at) '
        'and larder.are_stamps(edited) and jsonb_typeof(extra) = ''object'' '
        'and not extra ?| array[''id'', ''createdAt'', ''updatedAt'', ''edited''])',
      kind_table, kind_table || '_bookkeeping');
  end loop;
end
$$;

-- A single row that nobody can read would prevent reading all others.
do $$
declare
  deep record;
begin
  for deep in
    select relname as name,
      string_agg(format('larder.is_flat(%I)', attname), ' and ' order by attname) as rule
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and atttypid = 'jsonb'::regtype and not attisdropped
      and relname = any (array[
        'households', 'stock_items', 'inventory_items', 'storage_locations', 'products',
        'shopping_list_entries', 'receipts', 'receipt_items', 'quantity_changes'])
    group by relname
  loop
    execute format('alter table public.%1$I drop constraint if exists %2$I, add constraint %2$I '
      'check (%3$s)', deep.name, deep.name || '_flat', deep.rule);
  end loop;
end
$$;

comment on table public.households is 'The household itself.';
comment on table public.stock_items is 'Something we keep, and how much of it we want.';
comment on table public.inventory_items is 'A dated lot of an item, in a place.';
comment on table public.storage_locations is 'A place where things are kept.';
comment on table public.products is 'A catalogue entry; the inventory never writes one.';
comment on table public.shopping_list_entries is 'Something to buy.';
comment on table public.receipts is 'What was bought, where, when and for how much.';
comment on table public.receipt_items is
  'The lines of receipts, for clients that want rows: receipts.items has the same, and follows.';
comment on table public.quantity_changes is
  'The ledgers: what came and went. Entries are added, never changed; the quantities follow.';

comment on column public.households.user_id is 'Who made the household here; never changes.';
comment on column public.households.name is 'What the household is called.';
comment on column public.households.time_zone is
  'Where days begin and end, as the time zone database names it.';
comment on column public.households.currency is 'The usual currency of receipts (ISO 4217).';
comment on column public.households.expiring_within_days is
  'How many days ahead a batch counts as expiring.';
comment on column public.households.format is 'The version of the format.';

comment on column public.stock_items.name is 'What the item is called.';
comment on column public.stock_items.category is 'The group it is listed under.';
comment on column public.stock_items.unit is 'What the quantities are counted in.';
comment on column public.stock_items.quantity_in_stock is
  'What there is, loose and in active batches. Follows from the ledgers; a number written here '
  'by a client without ledgers is taken as a count.';
comment on column public.stock_items.quantity_full_stock is
  'How much there should be; 0 where nothing in particular is wanted.';
comment on column public.stock_items.products is 'Ids of the products that count as this item.';

comment on column public.inventory_items.product_ref is
  'What the batch is of: productId, and a snapshot of title, brand and imageURL.';
comment on column public.inventory_items.product_id is 'The product''s id, or the item''s own.';
comment on column public.inventory_items.quantity is 'Its unit, without the number.';
comment on column public.inventory_items.quantity_value is
  'How much is left. Follows from the ledger; a number written here by a client without ledgers '
  'is taken as a count.';
comment on column public.inventory_items.status is
  'active, discarded or archived; consumed shows while an active batch is at zero or below.';
comment on column public.inventory_items.storage_location_id is
  'The place''s id; empty where nobody said.';
comment on column public.inventory_items.lot_or_batch_code is 'The code printed on the package.';
comment on column public.inventory_items.expiry_info is
  'Until when it keeps: kind, rawText, confidence, and the day as isoDate.';
comment on column public.inventory_items.expiry_day is 'The day of expiry_info.';
comment on column public.inventory_items.opened_info is
  'When it was opened: kind, rawText, confidence, and the instant as isoDate.';
comment on column public.inventory_items.notes is 'Anything else.';
comment on column public.inventory_items.consumed_at is 'When it was used up, while it is.';

comment on column public.storage_locations.name is 'What the place is called.';
comment on column public.storage_locations.is_cold_storage is 'True for a fridge or freezer.';

comment on column public.products.title is 'The product''s title.';
comment on column public.products.brand is 'The product''s brand.';
comment on column public.products.image_url is 'A picture of the product.';
comment on column public.products.barcodes is 'The numbers under its barcodes.';
comment on column public.products.unit is 'What the pack''s size is counted in.';
comment on column public.products.pack_size is 'How much one pack holds.';
comment on column public.products.best_after_opening_days is
  'How many days it keeps once it is open.';

comment on column public.shopping_list_entries.item_id is 'The stock item to buy.';
comment on column public.shopping_list_entries.name is 'What to buy, where it is no stock item.';
comment on column public.shopping_list_entries.desired_quantity is 'How much to buy.';
comment on column public.shopping_list_entries.unit is 'What the quantity is counted in.';
comment on column public.shopping_list_entries.note is 'What to look for.';
comment on column public.shopping_list_entries.is_completed is 'True once it is in the basket.';

comment on column public.receipts.shop_name is 'The shop.';
comment on column public.receipts."timestamp" is 'When it was paid.';
comment on column public.receipts.amount is 'The total that was paid.';
comment on column public.receipts.currency is 'The currency of the amount and the prices.';
comment on column public.receipts.items is
  'The lines: id, itemName, quantity, unit, itemId, price, expiry, location, lot.';

comment on column public.receipt_items.receipt_id is 'The receipt.';
comment on column public.receipt_items."position" is 'Where the line stands, from 0.';
comment on column public.receipt_items.item_name is 'What the line says.';
comment on column public.receipt_items.quantity is 'How much was bought.';
comment on column public.receipt_items.unit is
  'What the quantity is counted in; the item''s unit if left out.';
comment on column public.receipt_items.item_id is 'The stock item that the quantity went to.';
comment on column public.receipt_items.price is 'The line''s total.';
comment on column public.receipt_items.expiry is 'Until when it keeps.';
comment on column public.receipt_items.location is 'The id of the place it went to.';
comment on column public.receipt_items.lot is 'The code printed on the package.';
comment on column public.receipt_items.is_deleted is
  'True once the line, or its receipt, is deleted.';

comment on column public.quantity_changes.entity_type is 'StockItem or InventoryItem.';
comment on column public.quantity_changes.entity_id is 'Whose ledger this is in.';
comment on column public.quantity_changes.at is 'When it happened.';
comment on column public.quantity_changes.delta is 'How much came or, below zero, went.';
comment on column public.quantity_changes."set" is 'How much there was: a count.';
comment on column public.quantity_changes.undoes is 'The entry that this one takes back.';
comment on column public.quantity_changes.unit is 'What it is counted in; piece where empty.';
comment on column public.quantity_changes.why is 'What happened.';
comment on column public.quantity_changes.by is 'The device that wrote it.';
comment on column public.quantity_changes.request is 'The request it serves, which counts once.';
comment on column public.quantity_changes.receipt is 'The receipt it comes from.';
comment on column public.quantity_changes.note is 'Anything else.';

do $$
declare
  kind_table text;
  told record;
begin
  for told in
    select c.table_name, c.column_name, w.words
    from information_schema.columns c
    join (values
      ('household_id', 'The household it belongs to.'),
      ('id', 'Its id; one thing has the same id here and in every file.'),
      ('user_id', 'Who made it.'),
      ('is_archived', 'True once it is deleted; false brings it back.'),
      ('is_deleted', 'True once it is closed or deleted; false brings it back.'),
      ('created_at', 'When it was made.'),
      ('updated_at', 'The latest time in it; a client without stamps says here when it wrote.'),
      ('edited', 'When fields were written that were not written at created_at, by the format''s names.'),
      ('extra', 'Keys that the format does not know.'),
      ('path', 'Where the first device keeps the file; others may have it elsewhere.'),
      ('version', 'Grows with every change in the household, in the order of commits.')
    ) as w (column_name, words) using (column_name)
    where c.table_schema = 'public' and c.table_name in (
      'households', 'stock_items', 'inventory_items', 'storage_locations', 'products',
      'shopping_list_entries', 'receipts', 'receipt_items', 'quantity_changes')
      and not (c.table_name = 'households' and c.column_name = 'user_id')
      and not (c.table_name = 'receipt_items' and c.column_name = 'is_deleted')
  loop
    execute format('comment on column public.%I.%I is %L',
      told.table_name, told.column_name, told.words);
  end loop;
end
$$;
