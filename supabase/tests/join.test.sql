\ir begin.psql
select no_plan();

-- A version of an entity: its fields, their stamps if not the creation time, and the creation time.
create function doc(registers text, edited text default '{}', created integer default 1) returns jsonb
language sql immutable as $$
  select registers::jsonb || jsonb_build_object('createdAt', larder.instant(tests.nov(created)),
    'edited', coalesce((select jsonb_object_agg(key, larder.instant(tests.nov(value::integer)))
      from jsonb_each_text(edited::jsonb)), '{}'))
$$;
create function joins(kind text, ours jsonb, theirs jsonb, joined jsonb, promise text)
returns setof text language plpgsql as $$
begin
  return next is(larder.joined(kind, ours, theirs), joined, promise);
  return next is(larder.joined(kind, theirs, ours), joined, promise || ', from the other side');
  return next is(larder.joined(kind, joined, theirs), joined, promise || ', again');
end
$$;

select joins('StorageLocation',
  doc('{"name": "Big fridge", "isColdStorage": false}', '{"name": 3}'),
  doc('{"name": "Fridge", "isColdStorage": true}', '{"isColdStorage": 2}'),
  doc('{"name": "Big fridge", "isColdStorage": true}', '{"name": 3, "isColdStorage": 2}'),
  'of each field the later write stands');
select joins('StorageLocation',
  doc('{"name": "Fridge"}', '{}', 1), doc('{"name": "Cellar", "zone": 1}', '{"zone": 5}', 2),
  doc('{"name": "Cellar", "zone": 1}', '{"name": 2, "zone": 5}', 1),
  'the earlier creation is it, and the field of the later one says when it was written');
select joins('StorageLocation',
  doc('{"name": "Fridge", "colour": "white"}', '{"colour": 2}'), doc('{"name": "Fridge"}', '{"colour": 3}'),
  doc('{"name": "Fridge"}', '{"colour": 3}'), 'a field that was removed later is gone');
select joins('StorageLocation',
  doc('{"name": "Fridge", "colour": "white"}', '{"colour": 4}'), doc('{"name": "Fridge"}', '{"colour": 3}'),
  doc('{"name": "Fridge", "colour": "white"}', '{"colour": 4}'), 'a field that was written later is there');
select joins('StorageLocation',
  doc('{"name": "Fridge", "colour": "white"}', '{"colour": 3}'), doc('{"name": "Fridge"}', '{"colour": 3}'),
  doc('{"name": "Fridge", "colour": "white"}', '{"colour": 3}'), 'at one time absence is the smallest');
select joins('StorageLocation',
  doc('{"name": "Fridge"}'), doc('{"name": "Fridge"}', '{"colour": 1}'),
  doc('{"name": "Fridge"}', '{"colour": 1}'), 'a removal at the creation is remembered');
select joins('StorageLocation',
  doc('{"name": "Fridge", "colour": "white"}'), doc('{"name": "Fridge"}'),
  doc('{"name": "Fridge", "colour": "white"}'), 'who never wrote a field takes it from nobody');
select joins('StorageLocation',
  doc('{"name": "Fridge", "zone": {"a": 1}, "seen": 1}', '{"zone": 2, "seen": 4}'),
  doc('{"name": "Fridge", "zone": {"b": 2}, "seen": 2}', '{"zone": 3, "seen": 3}'),
  doc('{"name": "Fridge", "zone": {"b": 2}, "seen": 1}', '{"zone": 3, "seen": 4}'),
  'a key that the format does not know is a field, whole');

-- Ties: the larger bytes of the file's text win.
select joins('StorageLocation', doc(format('{"name": "F", "x": %s}', smaller), '{"x": 2}'),
  doc(format('{"name": "F", "x": %s}', greater), '{"x": 2}'),
  doc(format('{"name": "F", "x": %s}', greater), '{"x": 2}'),
  format('at one time %s stands over %s', greater, smaller))
from (values
  ('"a"', '"b"'), ('"B"', '"a"'), ('"z"', '"ä"'), ('"ａ"', '"🥛"'), ('"a "', '"a"'), ('10', '9'),
  ('-2', '-3'), ('1', '1.5'), ('100', '99'), ('"x"', '1'), ('1', '[]'), ('[]', 'true'), ('false', 'true'),
  ('false', 'null_or_text'), ('true', '{}'), ('["a"]', '[]'), ('{"a": 1}', '{"b": 0}'),
  ('{"a": 1}', '{"a": 1, "b": 1}'), ('"\n"', '"a"'), ('"\u001f"', '"a"'), ('" "', '"\t"')
) as ties (smaller, greater) where greater <> 'null_or_text';
select joins('StorageLocation',
  doc('{"name": "F", "change": {"at": 1, "aa": 3}}', '{"change": 2}'),
  doc('{"name": "F", "change": {"at": 2, "aa": 2}}', '{"change": 2}'),
  doc('{"name": "F", "change": {"at": 1, "aa": 3}}', '{"change": 2}'),
  'the keys of a value that no table describes are in the order of bytes, whatever its name');
select joins('StorageLocation',
  doc('{"name": "F", "expiryInfo": {"kind": 1, "confidence": 3}}', '{"expiryInfo": 2}'),
  doc('{"name": "F", "expiryInfo": {"kind": 2, "confidence": 2}}', '{"expiryInfo": 2}'),
  doc('{"name": "F", "expiryInfo": {"kind": 1, "confidence": 3}}', '{"expiryInfo": 2}'),
  'also where another kind''s table describes one of that name');
select joins('InventoryItem',
  doc('{"expiryInfo": {"kind": "useBy", "confidence": 1}}', '{"expiryInfo": 2}'),
  doc('{"expiryInfo": {"kind": "bestBefore", "confidence": 2}}', '{"expiryInfo": 2}'),
  doc('{"expiryInfo": {"kind": "useBy", "confidence": 1}}', '{"expiryInfo": 2}'),
  'those of a value that a table describes are in the table''s order');
select joins('Receipt',
  doc('{"items": [{"id": "b", "itemName": "a", "lot": "z"}]}', '{"items": 2}'),
  doc('{"items": [{"id": "a", "itemName": "b"}]}', '{"items": 2}'),
  doc('{"items": [{"id": "b", "itemName": "a", "lot": "z"}, {"id": "a", "itemName": "b"}]}', '{"items": 2}'),
  'two receipts of one basket have the lines of both, by their names');
select joins('Receipt',
  doc('{"items": [{"id": "a", "itemName": "Milk", "quantity": 2, "unit": "liter", "price": 3, "edited": {"price": "1"}}]}',
    '{"items": 2}'),
  doc('{"items": [{"id": "a", "itemName": "Milk", "quantity": 500, "lot": "z", "price": 4,
    "edited": {"quantity": "0", "lot": 5}}]}', '{"items": 2}'),
  doc('{"items": [{"id": "a", "itemName": "Milk", "quantity": 500, "lot": "z", "price": 3,
    "edited": {"price": "1", "quantity": "0"}}]}', '{"items": 2}'),
  'what somebody said of a line wins over what nobody said, and a quantity brings its unit');
select joins('Receipt',
  doc('{"items": [{"id": "a", "price": 3, "edited": {"price": "1"}}]}', '{"items": 2}'),
  doc('{"items": [{"id": "a", "price": 1, "edited": {"price": "2"}}]}', '{"items": 2}'),
  doc('{"items": [{"id": "a", "price": 1, "edited": {"price": "2"}}]}', '{"items": 2}'),
  'of what two said the later stands');
select joins('Receipt',
  doc('{"items": [{"id": "a"}]}', '{"items": 2}'), doc('{"items": [{"id": "z"}, {"id": "z"}]}', '{"items": 2}'),
  doc('{"items": [{"id": "a"}]}', '{"items": 2}'), 'lines with one id are told apart by nobody');

-- Tombstones.
select joins(kind, doc(format('{"%s": %s}', field, loser), format('{"%s": 3}', field)),
  doc(format('{"%s": %s}', field, winner), format('{"%s": 3}', field)),
  doc(format('{"%s": %s}', field, winner), format('{"%s": 3}', field)),
  format('at one time %s stands over %s of %s', winner, loser, kind))
from (values
  ('StockItem', 'isArchived', 'false', 'true'), ('StorageLocation', 'isArchived', 'false', 'true'),
  ('Product', 'isArchived', 'false', 'true'), ('ShoppingListEntry', 'isDeleted', 'false', 'true'),
  ('Receipt', 'isDeleted', 'false', 'true'), ('InventoryItem', 'status', '"active"', '"discarded"'),
  ('InventoryItem', 'status', '"active"', '"archived"'),
  ('InventoryItem', 'status', '"discarded"', '"archived"'),
  ('StockItem', 'isArchived', '"zzz"', 'true')
) as ties (kind, field, loser, winner);
select joins('StockItem', doc('{"isArchived": true}', '{"isArchived": 3}'),
  doc('{"isArchived": false}', '{"isArchived": 4}'), doc('{"isArchived": false}', '{"isArchived": 4}'),
  'restored later is restored');
select joins('Receipt', doc('{"isArchived": true, "status": "archived"}', '{"isArchived": 3, "status": 3}'),
  doc('{"isArchived": "x", "status": "discarded"}', '{"isArchived": 3, "status": 3}'),
  doc('{"isArchived": true, "status": "discarded"}', '{"isArchived": 3, "status": 3}'),
  'what is no tombstone of its kind is decided by bytes');

-- Groups.
select joins(kind,
  doc(format('{"%s": %s, "%s": %s}', one, a1, other, b1), format('{"%s": 2, "%s": 2}', one, other)),
  doc(format('{"%s": %s, "%s": %s}', one, a2, other, b2), format('{"%s": 3}', one)),
  doc(format('{"%s": %s, "%s": %s}', one, a2, other, b2), format('{"%s": 3}', one)),
  format('%s with %s of %s come from one side, whose latest write is later', one, other, kind))
from (values
  ('StockItem', 'quantityFullStock', 'unit', '3', '"liter"', '500', '"milliliter"'),
  ('StockItem', 'quantityMinimum', 'unit', '3', '"liter"', '500', '"milliliter"'),
  ('StockItem', 'quantityMinimum', 'quantityFullStock', '3', '4', '1', '2'),
  ('Product', 'packSize', 'unit', '3', '"liter"', '500', '"milliliter"'),
  ('ShoppingListEntry', 'desiredQuantity', 'unit', '3', '"liter"', '500', '"milliliter"'),
  ('ShoppingListEntry', 'itemId', 'name', '"b"', '"b"', '"a"', '"a"'),
  ('Receipt', 'amount', 'currency', '3', '"EUR"', '2', '"CHF"')
) as groups (kind, one, other, a1, b1, a2, b2);
select joins('ShoppingListEntry', doc('{"itemId": "a"}', '{"name": 3}'), doc('{"name": "Milk"}', '{"itemId": 2}'),
  doc('{"itemId": "a"}', '{"name": 3}'), 'what the winner of a group does not have is not in the result');
select joins('ShoppingListEntry', doc('{"itemId": "a"}', '{"itemId": 3}'), doc('{"name": "Milk"}', '{"name": 2}'),
  doc('{"itemId": "a"}', '{"itemId": 3}'), 'nor what it never wrote, or when');
select joins('Receipt', doc('{"amount": 5, "currency": "EUR"}', '{"amount": 3}'),
  doc('{"amount": 5, "currency": "EUR"}', '{"currency": 3, "amount": 2}'),
  doc('{"amount": 5, "currency": "EUR"}', '{"amount": 3}'),
  'of equal groups that with the later stamp of the first member stands');
select joins('Receipt', doc('{"amount": 5}', '{"amount": 3}'), doc('{"amount": 5}', '{"amount": 3, "currency": 2}'),
  doc('{"amount": 5}', '{"amount": 3, "currency": 2}'), 'never written is the smallest stamp');
select joins('Receipt', doc('{}', '{"amount": 3}'), doc('{"amount": 0}', '{"amount": 3}'),
  doc('{"amount": 0}', '{"amount": 3}'), 'a group without members has no bytes');
select joins('Product', doc('{"amount": 5, "currency": "EUR"}', '{"amount": 3}'),
  doc('{"amount": 6, "currency": "CHF"}', '{"currency": 3}'),
  doc('{"amount": 5, "currency": "CHF"}', '{"amount": 3, "currency": 3}'),
  'what is no group of its kind is joined one by one');

select is(larder.joined(kind, doc('{"a": 1}', edited), doc('{"a": 1}')), doc('{"a": 1}'),
  kind || ' has no registers ' || edited)
from (values
  ('StockItem', '{"id": 2, "createdAt": 2, "updatedAt": 2, "edited": 2, "quantityInStock": 2, "changes": 2}'),
  ('InventoryItem', '{"id": 2, "createdAt": 2, "updatedAt": 2, "edited": 2, "consumedAt": 2, "changes": 2}'),
  ('Receipt', '{"id": 2, "createdAt": 2, "updatedAt": 2, "edited": 2}')
) as bookkeeping (kind, edited);
select joins('Receipt', doc('{}', '{"changes": 2}'), doc('{"changes": 1}'), doc('{}', '{"changes": 2}'),
  'a key is only kept out of the kinds that know it');

-- Laws, with random documents: few names, values and times, so that there are many ties.
\set seed 0.42
select setseed(:seed) is null as seeded \gset
create function chance(variadic choices text[]) returns text language sql volatile as $$
  select choices[1 + floor(random() * cardinality(choices))::integer]
$$;
create function some_document(kind text) returns jsonb language plpgsql volatile as $$
declare
  made jsonb := '{}';
  edited jsonb := '{}';
  field text;
begin
  foreach field in array array['x', 'items', 'expiryInfo', 'quantity', 'change']
    || array(select value from jsonb_each_text(larder.fields(kind))) loop
    if random() < 0.7 then
      made := made || jsonb_build_object(field, tests.chance(
        '1', '1.50', '2', 'true', 'false', '"active"', '"discarded"', '"archived"', '"a"', '"ä"', '[]',
        '{"a": [1, {"c": 1}], "id": 2}', '{"kind": 1, "a": 1}', '[{"id": "b", "a": 1}]',
        '[{"id": "b", "quantity": 1, "edited": {"a": "1"}}, {"id": "ä", "itemName": "x"}]',
        '[{"id": "b", "quantity": 2, "unit": "tin", "edited": {"unit": "2"}}, {"id": "b2", "edited": 1}]')::jsonb);
    end if;
    if random() < 0.5 then
      edited := edited || jsonb_build_object(field, tests.chance('0', '1', '2', '3'));
    end if;
  end loop;
  return tests.doc(made::text, edited::text, tests.chance('1', '2')::integer);
end
$$;
create table tests.triples as
  select *, larder.joined(kind, a, b) as ab, larder.joined(kind, b, c) as bc,
    larder.joined(kind, a, a) as aa, larder.joined(kind, b, b) as bb
  from (
    select kind, some_document(kind) as a, some_document(kind) as b, some_document(kind) as c
    from unnest(array['Household', 'StockItem', 'InventoryItem', 'StorageLocation', 'Product',
      'ShoppingListEntry', 'Receipt']) as kind, generate_series(1, 12)) as made;
select diag('seed ' || :seed);
select is_empty($$select kind, a, b from triples where larder.joined(kind, b, a) <> ab$$,
  'it does not matter who joins whom');
select is_empty($$
  select kind, a, b, c from triples where larder.joined(kind, ab, c) <> larder.joined(kind, a, bc)
$$, 'nor in what order');
select is_empty($$select kind, a, b from triples where larder.joined(kind, ab, b) <> ab$$,
  'nor how often');
select is_empty($$
  select kind, a from triples
  where larder.registers(aa) <> larder.registers(a) - larder.bookkeeping(kind)
    or larder.joined(kind, aa, a) <> aa or larder.alone(kind, a) <> aa
$$, 'a version joined with itself is itself');
select is_empty($$
  select kind, name, a, b from triples, lateral (
    select distinct jsonb_object_keys(
      larder.registers(a) || larder.registers(b) || (a -> 'edited') || (b -> 'edited')) as name) as names
  where not name = any (larder.bookkeeping(kind)) and not larder.is_group(kind, larder.cell(kind, name))
    and not (kind = 'Receipt' and name = 'items' and larder.stamp(a, name) = larder.stamp(b, name))
    and (larder.stamp(ab, name) is distinct from
        greatest(larder.stamp(a, name) collate "C", larder.stamp(b, name))
      or (ab -> name, larder.stamp(ab, name)) is distinct from (a -> name, larder.stamp(a, name))
        and (ab -> name, larder.stamp(ab, name)) is distinct from (b -> name, larder.stamp(b, name)))
$$, 'every field comes from a side, the one with the later stamp, but for the lines of one basket');
select is_empty($$
  select kind, a, b from triples
  where larder.updated_at(ab) <> greatest(larder.updated_at(aa) collate "C", larder.updated_at(bb))
    and kind not in ('StockItem', 'Product', 'ShoppingListEntry', 'Receipt')
$$, 'the latest time of both is the latest of the result, where no group lost');
select isnt_empty($$select from triples where ab not in (aa, bb)$$, 'these documents do differ');

select * from finish();
rollback;
