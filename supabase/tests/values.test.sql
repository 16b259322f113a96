\ir begin.psql
select no_plan();
-- The values that a row of each table needs.
create table tests.rows (kind_table text primary key, columns text, samples text);
insert into rows values
  ('households', '', ''), ('stock_items', ', name', ', ''Milk'''),
  ('inventory_items', ', product_ref', ', ''{"productId": "p"}'''),
  ('storage_locations', ', name', ', ''Fridge'''), ('products', ', title', ', ''Tea'''),
  ('shopping_list_entries', ', name', ', ''Bread'''), ('receipts', ', shop_name', ', ''Corner'''),
  ('receipt_items', ', receipt_id, item_name, quantity',
    format(', %L, ''Tea'', 1', id('7'))),
  ('quantity_changes', ', entity_type, entity_id, delta', format(', ''StockItem'', %L, 1', id('1')));
grant select on rows to public;
create sequence tests.ids;
grant usage on tests.ids to public;
-- Returns the statement that adds a row with these values in one or several columns.
create function adds(kind_table text, named text, value text) returns text
language plpgsql as $$
declare
  t record;
  place integer;
  names text[];
  samples text[];
begin
  select r.columns, r.samples into t from tests.rows r where r.kind_table = adds.kind_table;
  names := 'id'::text || string_to_array(ltrim(t.columns, ', '), ', ');
  samples := quote_literal(tests.id(to_hex(1048576 + nextval('tests.ids'))))
    || string_to_array(ltrim(t.samples, ', '), ', ');
  place := array_position(names, named);
  if place is null then
    names := names || named;
    samples := samples || value;
  else
    samples[place] := value;
  end if;
  return format('insert into public.%I (household_id, %s) values (%L, %s)', kind_table,
    array_to_string(names, ', '), tests.home(), array_to_string(samples, ', '));
end
$$;

-- Checks that a value is refused, and for no other reason.
create function refused(statement text, promise text) returns text language plpgsql as $$
begin
  execute statement;
  return ok(false, promise);
exception when others then
  return ok(sqlstate ~ '^(22|23)', promise) || case
    when sqlstate ~ '^(22|23)' then '' else E'\n' || diag(sqlstate || ' ' || sqlerrm) end;
end
$$;

select larder('mira');
insert into receipts (household_id, id, shop_name) values (home(), id('7'), 'Corner');

-- Refused ------------------------------------------------------------------------------------------

select refused(statement,
  format('%s.%s is not %s', kind_table, named, value))
from (values
  ('stock_items', 'name', ''''''), ('stock_items', 'category', ''''''),
  ('stock_items', 'unit', '''fl oz'''), ('stock_items', 'unit', '''kg'''), ('stock_items', 'unit', '''6er'''),
  ('stock_items', 'unit', '''aaaaaaaaaaaaaaaaaaaaaaaaa''' ), ('stock_items', 'unit', ''''''),
  ('stock_items', 'unit', '''Piece'''),
  ('stock_items', 'quantity_full_stock', '-1'), ('stock_items', 'quantity_full_stock', '''NaN'''),
  ('stock_items', 'quantity_full_stock', '''Infinity'''),
  ('stock_items', 'quantity_full_stock', '0.0000001'),
  ('stock_items', 'quantity_full_stock', '1000000000000000'),
  ('stock_items', 'quantity_full_stock', '1234567890.123456'),
  ('stock_items', 'quantity_minimum', '-1'), ('stock_items', 'quantity_minimum', '0.0000001'),
  ('stock_items', 'keeps_days', '-1'), ('stock_items', 'keeps_days', '36501'),
  ('stock_items', 'aliases', '''"p"'''), ('stock_items', 'aliases', '''[""]'''),
  ('stock_items', 'products', '''"p"'''), ('stock_items', 'products', '''[""]'''),
  ('stock_items', 'products', '''[1]'''), ('stock_items', 'products', '''[null]'''),
  ('stock_items', 'products', '''{}'''),
  ('inventory_items', 'product_ref', '''{}'''), ('inventory_items', 'product_ref', '''[]'''),
  ('inventory_items', 'product_ref', '''{"productId": ""}'''),
  ('inventory_items', 'product_ref', '''{"productId": 1}'''),
  ('inventory_items', 'product_ref', '''{"productId": "p", "snapshot": 1}'''),
  ('inventory_items', 'product_ref', '''{"productId": "p", "snapshot": {"title": 1}}'''),
  ('inventory_items', 'quantity', '''5'''), ('inventory_items', 'quantity', '''[]'''),
  ('inventory_items', 'quantity', '''{"unit": "fl oz"}'''),
  ('inventory_items', 'quantity', '''{"unit": 1}'''),
  ('inventory_items', 'status', '''eaten'''), ('inventory_items', 'status', ''''''),
  ('inventory_items', 'lot_or_batch_code', ''''''),
  ('inventory_items', 'expiry_info', '''{}'''), ('inventory_items', 'expiry_info', '''"soon"'''),
  ('inventory_items', 'expiry_info', '''{"kind": "sellBy"}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "expiry", "isoDate": "2026-02-29"}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "expiry", "isoDate": "2100-02-29"}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "expiry", "isoDate": "2026-11-31"}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "expiry", "isoDate": "2026-13-01"}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "expiry", "isoDate": "2026-1-1"}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "expiry", "isoDate": "2026-11-01T00:00:00.000Z"}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "expiry", "isoDate": 20261101}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "expiry", "confidence": 1.1}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "expiry", "confidence": -0.1}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "expiry", "confidence": "1"}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "expiry", "confidence": 0.1234567}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "expiry", "rawText": 1}'''),
  ('inventory_items', 'opened_info', '''{"kind": "opened", "isoDate": "2026-11-01"}'''),
  ('inventory_items', 'opened_info', '''{"kind": "opened", "isoDate": "2026-11-01T24:00:00.000Z"}'''),
  ('inventory_items', 'opened_info', '''{"kind": "opened", "isoDate": "2026-02-29T08:00:00.000Z"}'''),
  ('inventory_items', 'opened_info', '''{"kind": "opened", "isoDate": "9999-01-01T00:00:00.000Z"}'''),
  ('inventory_items', 'opened_info', '''{"kind": "opened", "isoDate": "2026-11-01T08:00:00Z"}'''),
  ('storage_locations', 'name', ''''''), ('storage_locations', 'is_cold_storage', '''cold'''),
  ('products', 'title', ''''''), ('products', 'id', ''''''),
  ('products', 'barcodes', '''[4006381333931]'''), ('products', 'unit', '''big box'''),
  ('products', 'pack_size', '-0.5'), ('products', 'pack_size', '''NaN'''),
  ('products', 'best_after_opening_days', '-1'), ('products', 'best_after_opening_days', '36501'),
  ('shopping_list_entries', 'name', ''''''), ('shopping_list_entries', 'name', 'null'),
  ('shopping_list_entries', 'desired_quantity', '-1'),
  ('shopping_list_entries', 'desired_quantity', '''NaN'''),
  ('shopping_list_entries', 'unit', '''dozen'''), ('shopping_list_entries', 'item_id', '''milk'''),
  ('receipts', 'shop_name', ''''''), ('receipts', 'currency', '''eur'''),
  ('receipts', 'currency', '''EURO'''), ('receipts', 'currency', 'E''EUR\n'''),
  ('receipts', 'amount', '''NaN'''), ('receipts', 'amount', '0.1234567'),
  ('receipts', 'timestamp', '''9999-01-01T00:00:00Z'''),
  ('receipts', 'timestamp', '''0002-12-31T23:59:59Z BC'''), ('receipts', 'timestamp', '''infinity'''),
  ('receipts', 'items', '''{}'''), ('receipts', 'items', '''[1]'''),
  ('receipts', 'items', '''[{"id": "00000000-0000-7000-8000-0000000000e1", "quantity": 1}]'''),
  ('receipts', 'items', '''[{"itemName": "Tea", "quantity": 1}]'''),
  ('receipts', 'items', '''[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea"}]'''),
  ('receipts', 'items',
    '''[{"id": "00000000-0000-7000-8000-0000000000E1", "itemName": "Tea", "quantity": 1}]'''),
  ('receipts', 'items',
    '''[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "", "quantity": 1}]'''),
  ('receipts', 'items',
    '''[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea", "quantity": -1}]'''),
  ('receipts', 'items',
    '''[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea", "quantity": "1"}]'''),
  ('receipts', 'items',
    '''[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea", "quantity": 1, "unit": "big box"}]'''),
  ('receipts', 'items',
    '''[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea", "quantity": 1, "price": "2"}]'''),
  ('receipts', 'items',
    '''[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea", "quantity": 1, "expiry": "soon"}]'''),
  ('receipts', 'items',
    '''[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea", "quantity": 1, "itemId": "tea"}]'''),
  ('receipt_items', 'item_name', ''''''), ('receipt_items', 'quantity', '-1'),
  ('receipt_items', 'quantity', '''NaN'''), ('receipt_items', 'unit', '''big box'''),
  ('receipt_items', 'price', '''NaN'''), ('receipt_items', 'expiry', '''2026-02-30'''),
  ('receipt_items', 'extra', '''[]'''), ('receipt_items', 'extra', '''{"id": "x"}'''),
  ('quantity_changes', 'entity_type', '''Product'''), ('quantity_changes', 'delta', '''NaN'''),
  ('quantity_changes', 'delta', '0.0000001'), ('quantity_changes', 'delta', '1e15'),
  ('quantity_changes', 'delta', '123456789012345.1'), ('quantity_changes', 'delta', 'null'),
  ('quantity_changes', 'set', '1'), ('quantity_changes', 'undoes', 'tests.id(''c1'')'),
  ('quantity_changes', 'unit', '''big box'''), ('quantity_changes', 'why', '''theft'''),
  ('quantity_changes', 'request', ''''''), ('quantity_changes', 'extra', '''[]'''),
  ('quantity_changes', 'extra', '''{"delta": 2}'''),
  ('quantity_changes', 'at', '''9999-01-01T00:00:00Z'''),
  ('quantity_changes', 'at', '''-infinity''')
) as bad (kind_table, named, value),
  adds(kind_table, quote_ident(named), value) as statement;

select refused(adds(kind_table, named, value),
  format('%s.%s is not %s', kind_table, named, value))
from rows, (values
  ('edited', '''[]'''), ('edited', '''{"name": 1}'''),
  ('edited', '''{"name": "yesterday"}'''), ('edited', '''{"name": "2026-11-01T08:00:00Z"}'''),
  ('edited', '''{"name": "2026-02-30T08:00:00.000Z"}'''),
  ('edited', '''{"name": "9999-01-01T00:00:00.000Z"}'''), ('edited', '''"x"'''), ('edited', 'null'),
  ('extra', '''[]'''), ('extra', '''"x"'''), ('extra', 'null'), ('extra', '''1'''),
  ('extra', '''{"id": "x"}'''), ('extra', '''{"createdAt": "x"}'''),
  ('extra', '''{"updatedAt": "x"}'''), ('extra', '''{"edited": {}}'''),
  ('extra', '''{"name": "x", "title": "x", "shopName": "x", "productRef": null}'''),
  ('created_at', '''9999-01-01T00:00:00Z'''), ('created_at', '''0002-12-31T23:59:59Z BC'''),
  ('created_at', '''infinity''')
) as bad (named, value)
where kind_table not in ('households', 'receipt_items', 'quantity_changes');

select plain('mira');
select refused(adds(kind_table, named, value),
  format('a plain client does not write %s.%s as %s', kind_table, named, value))
from rows, (values
  ('edited', '''[]'''), ('extra', '''[]'''), ('extra', 'null'), ('extra', '''1'''),
  ('extra', '''{"id": "x"}''')
) as bad (named, value)
where kind_table not in ('households', 'receipt_items', 'quantity_changes') and named <> 'edited';
select larder('mira');

select plain('mira');
select refused(format('update households set %s = %s', named, value),
  format('a household''s %s is not %s', named, value))
from (values
  ('name', ''''''), ('time_zone', ''''''), ('time_zone', '''Europe/Berlin '''),
  ('time_zone', quote_literal(repeat('a', 65))), ('time_zone', '''Zürich'''),
  ('currency', '''Eur'''), ('expiring_within_days', '-1'), ('expiring_within_days', '36501'),
  ('format', '0')
) as bad (named, value);
select larder('mira');

-- Kept as written -----------------------------------------------------------------------------------

select lives_ok(format('%s returning %I', adds(kind_table, quote_ident(named), value), named),
  format('%s.%s may be %s', kind_table, named, value))
from (values
  ('stock_items', 'name', 'E''\u00e4\u0301\U0001F95B\n\t"\\'''), ('stock_items', 'products', '''[]'''),
  ('stock_items', 'products', '''["p", "p"]'''), ('stock_items', 'unit', 'null'),
  ('stock_items', 'is_archived', 'null'),
  ('inventory_items', 'quantity', '''{}'''), ('inventory_items', 'quantity', 'null'),
  ('inventory_items', 'storage_location_id', '''not an id'''),
  ('inventory_items', 'product_ref',
    '''{"productId": "p", "snapshot": {"title": "", "brand": "b", "imageURL": "u", "x": [1]}, "y": 1}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "packaged", "rawText": "", "confidence": 0}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "useBy", "confidence": 1, "isoDate": "0000-02-29"}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "useBy", "isoDate": "9999-12-31"}'''),
  ('inventory_items', 'expiry_info', '''{"kind": "useBy", "isoDate": "2000-02-29"}'''),
  ('inventory_items', 'opened_info', '''{"kind": "opened", "isoDate": "0000-01-01T00:00:00.000Z"}'''),
  ('inventory_items', 'opened_info', '''{"kind": "opened", "isoDate": "9998-12-31T23:59:59.999Z"}'''),
  ('inventory_items', 'opened_info', '''{"kind": "opened", "confidence": 0.123456}'''),
  ('products', 'id', '''ean_4006381333931'''), ('products', 'id', '''/ .*"'''),
  ('products', 'best_after_opening_days', '36500'), ('products', 'pack_size', '0'),
  ('shopping_list_entries', 'item_id', 'tests.id(''1'')'), ('shopping_list_entries', 'note', ''''''),
  ('receipts', 'items', 'null'), ('receipts', 'amount', '-2.5'),
  ('receipts', 'items',
    '''[{"id": "00000000-0000-7000-8000-0000000000e1", "itemName": "Tea", "quantity": 0, "price": -1, "expiry": "0000-02-29", "location": "", "lot": "", "note": {"a": 1}}]'''),
  ('quantity_changes', 'note', ''''''), ('quantity_changes', 'by', ''''''),
  ('quantity_changes', 'unit', '''pack'''), ('quantity_changes', 'why', '''move'''),
  ('quantity_changes', 'extra', '''{"weather": "rain"}''')
) as good (kind_table, named, value);

select results_eq(format('%s returning %I', adds(kind_table, named, value), named),
  array[value::numeric], format('%s.%s keeps %s', kind_table, named, value))
from (values
  ('stock_items', 'quantity_full_stock'), ('stock_items', 'quantity_minimum'), ('products', 'pack_size'),
  ('shopping_list_entries', 'desired_quantity'), ('receipts', 'amount'), ('receipt_items', 'price'),
  ('receipt_items', 'quantity'), ('quantity_changes', 'delta')) as columns (kind_table, named),
  unnest(array['0', '999999999999999', '123456789.123456', '0.000001', '999999999.999999', '0.1',
    '12345678901234.5']) as value;
select results_eq(format('%s returning larder.instant(%I)', adds(kind_table, named, quote_literal(written)), named),
  array[kept], format('%s.%s keeps %s', kind_table, named, kept))
from (values
  ('receipts', 'timestamp'), ('quantity_changes', 'at'), ('stock_items', 'created_at'),
  ('inventory_items', 'created_at'), ('storage_locations', 'created_at'), ('products', 'created_at'),
  ('shopping_list_entries', 'created_at'), ('receipts', 'created_at')) as columns (kind_table, named),
  (values
    ('0001-01-01T00:00:00.000Z BC', '0000-01-01T00:00:00.000Z'),
    ('0001-02-29T23:59:59.999Z BC', '0000-02-29T23:59:59.999Z'),
    ('0001-01-01T00:00:00.001Z', '0001-01-01T00:00:00.001Z'),
    ('1582-10-10T12:00:00.500Z', '1582-10-10T12:00:00.500Z'),
    ('9998-12-31T23:59:59.999Z', '9998-12-31T23:59:59.999Z')) as instants (written, kept)
-- A stamp may be at most a day ahead.
where kept < '9998' or named = 'timestamp';

-- Each value stays the same when another field is written, by Larder or by others.
select nobody();
create table tests.before as
  select 'stock_items' as kind_table, id::text as id, to_jsonb(t) as stored from stock_items t
  union all select 'inventory_items', id::text, to_jsonb(t) from inventory_items t
  union all select 'products', id::text, to_jsonb(t) from products t
  union all select 'receipts', id::text, to_jsonb(t) from receipts t
  union all select 'storage_locations', id::text, to_jsonb(t) from storage_locations t
  union all select 'shopping_list_entries', id::text, to_jsonb(t) from shopping_list_entries t;
grant select on tests.before to public;
create function unlike(kind_table text) returns setof jsonb language plpgsql as $$
begin
  return query execute format($q$
    select jsonb_build_object('before', jsonb_object_agg(b.key, b.value), 'after',
      jsonb_object_agg(b.key, to_jsonb(t) -> b.key))
    from tests.before s join public.%I t on s.kind_table = %1$L and t.id::text = s.id,
      jsonb_each(s.stored) as b
    where b.value is distinct from to_jsonb(t) -> b.key
      and b.key not in ('version', 'updated_at', 'edited', 'extra', 'quantity')
    group by t.id
    union all
    select to_jsonb(t) from public.%1$I t where extra ->> 'seen' is null $q$, kind_table);
end
$$;
select plain('jonas');
select ok(reach(format('update %I set extra = extra || ''{"seen": "by an app"}''', kind_table)) > 0,
  'an app adds a key to ' || kind_table)
from (select distinct kind_table from before) as t;
select is_empty(format('select unlike(%L)', kind_table), 'and all else stays, exactly: ' || kind_table)
from (select distinct kind_table from before) as t;
select larder('jonas');
select ok(reach(format(
  'update %I set extra = extra || ''{"seen": "by Larder"}'', '
    'edited = edited || jsonb_build_object(''seen'', larder.instant(now() + interval ''1 h''))',
  kind_table)) > 0, 'Larder changes that key in ' || kind_table)
from (select distinct kind_table from before) as t;
select is_empty(format('select unlike(%L)', kind_table), 'and all else stays then too: ' || kind_table)
from (select distinct kind_table from before) as t;

select * from finish();
rollback;
