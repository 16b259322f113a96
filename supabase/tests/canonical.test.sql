\ir begin.psql
select no_plan();

-- The examples of FORMAT.md, sections 2 and 4, and similar cases.
select is(larder.canonical(value::jsonb, shape), bytes, value || ' has its canonical bytes')
from (values
  ('1.50', '', '1.5'), ('-0.0', '', '0'), ('12E-1', '', '1.2'), ('1e3', '', '1000'), ('0.10', '', '0.1'),
  ('999999999999999', '', '999999999999999'), ('123456789.123456', '', '123456789.123456'),
  ('1e40', '', '1' || repeat('0', 40)), ('-1E-3', '', '-0.001'),
  ('0.1234567890123456789', '', '0.1234567890123456789'),
  ('true', '', 'true'), ('false', '', 'false'), ('{}', '', '{}'), ('[]', '', '[]'), ('""', '', '""'),
  ('{"a": null}', '', '{}'),
  ('"gr\u00fcn\/\u001f"', '', '"grün/\u001f"'), ('"\u0008\t\n\f\r\"\\"', '', '"\b\t\n\f\r\"\\"'),
  ('"\u0001\u007f\u2028\ud83e\udd5b"', '', E'"\\u0001\u007f\u2028\U0001F95B"'),
  ('{"b": 1.50, "a": null, "ä": [1E2, null, {"y": {}, "x": [ ]}]}', 'zone',
    E'{\n    "b": 1.5,\n    "ä": [\n      100,\n      null,\n      { "x": [], "y": {} }\n    ]\n  }'),
  ('{"": {"z": {"y": [1, [2, {"b": 1, "a": 2}]], "x": ""}}}', '',
    E'{\n    "": {\n      "z": {\n        "x": "",\n        "y": [\n          1,\n'
      '          [2, { "a": 2, "b": 1 }]\n        ]\n      }\n    }\n  }'),
  ('[[], [1, [2]], {"a": {"b": null}}]', 'rows', E'[\n    [],\n    [1, [2]],\n    { "a": {} }\n  ]'),
  ('{"productId": "p", "a": 1, "snapshot": {"imageURL": "u", "brand": "b", "title": "t", "B": 1}}',
    'productRef',
    E'{\n    "productId": "p",\n    "snapshot": {\n      "title": "t",\n      "brand": "b",\n'
      '      "imageURL": "u",\n      "B": 1\n    },\n    "a": 1\n  }'),
  ('{"isoDate": "2026-12-01", "confidence": 1.0, "kind": "bestBefore", "rawText": "12/26"}',
    'expiryInfo',
    E'{\n    "kind": "bestBefore",\n    "rawText": "12/26",\n    "confidence": 1,\n'
      '    "isoDate": "2026-12-01"\n  }'),
  ('[{"price": 2.40, "itemName": "Tea", "id": "1", "quantity": 1.0, "a": 1, "B": {"quantity": 1, "id": 2}}]',
    'items',
    E'[\n    { "id": "1", "itemName": "Tea", "quantity": 1, "price": 2.4, '
      '"B": { "id": 2, "quantity": 1 }, "a": 1 }\n  ]'),
  ('{"unit": "liter", "b": 1, "a": 1}', 'quantity',
    E'{\n    "unit": "liter",\n    "a": 1,\n    "b": 1\n  }')
) as examples (value, shape, bytes);
select is(larder.compact(
  '{"note": "n", "by": "phone", "why": "consume", "at": "2026-11-03T08:00:00.000Z", "delta": -500.0,
    "unit": "milliliter", "id": "0193a4b2-0000-7000-8000-0000000000b3", "request": "r", "zzz": 1, "a": {"at": 1, "A": 2}}',
  'change'),
  '{ "id": "0193a4b2-0000-7000-8000-0000000000b3", "at": "2026-11-03T08:00:00.000Z", "delta": -500, '
  '"unit": "milliliter", "why": "consume", "by": "phone", "request": "r", "note": "n", '
  '"a": { "A": 2, "at": 1 }, "zzz": 1 }',
  'a ledger entry is compact, its keys in the order of the table');
select is(
  array(select key from unnest(array['a', 'Z', 'ä', 'aa', '_', '10', '9', U&'\+01F95B', U&'\FF21']) as key
    order by key collate "C"),
  array['10', '9', 'Z', '_', 'a', 'aa', 'ä', U&'\FF21', U&'\+01F95B'], 'bytes order keys');

select is(larder.instant(larder.moment(written)), written, written || ' is kept')
from unnest(array['0000-01-01T00:00:00.000Z', '0000-02-29T12:00:00.001Z', '0000-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '2016-12-31T23:59:59.000Z',
  '9998-12-31T23:59:59.999Z']) as written;
select is(larder.is_instant(written), is_one, written || case when is_one then ' is' else ' is not' end
  || ' an instant')
from (values
  ('2026-11-03T19:12:44.120Z', true), ('2024-02-29T00:00:00.000Z', true), ('0000-02-29T00:00:00.000Z', true),
  ('9998-12-31T23:59:59.999Z', true), ('9999-01-01T00:00:00.000Z', false),
  ('2026-02-29T00:00:00.000Z', false), ('2026-11-03T19:12Z', false), ('2026-11-03T19:12:44Z', false),
  ('2026-11-03 19:12:44.120Z', false), ('2026-11-03T19:12:44.120z', false),
  ('2026-11-03T19:12:44.120+01:00', false), ('2026-11-03T24:00:00.000Z', false),
  ('2016-12-31T23:59:60.000Z', false), ('2026-00-01T00:00:00.000Z', false),
  ('2026-04-31T00:00:00.000Z', false), (E'2026-11-03T19:12:44.120Z\n', false),
  ('12026-11-03T19:12:44.120Z', false), ('', false)
) as instants (written, is_one);
select is(larder.after('9998-12-31T23:59:59.999Z'), '9998-12-31T23:59:59.999Z'::timestamptz,
  '1 ms after the last instant is the last one again');
select is(larder.is_number(written::numeric), is_one,
  written || case when is_one then ' has' else ' has not' end || ' at most 15 digits, six of them decimals')
from (values
  ('0', true), ('-0.0', true), ('1.5000000000', true), ('999999999999999', true), ('-999999999999999', true),
  ('1000000000000000', false), ('123456789.123456', true), ('1234567890.123456', false),
  ('1234567890.12345', true), ('12345678901234.5', true), ('123456789012345.6', false),
  ('0.000001', true), ('0.0000001', false), ('NaN', false), ('Infinity', false), ('-Infinity', false)
) as numbers (written, is_one);
select is(larder.rounded(written::numeric)::text, kept, format('%s rounds to %s', written, kept))
from (values
  ('1.0000005', '1'), ('1.0000015', '1.000002'), ('1.0000025', '1.000002'), ('-1.0000005', '-1'),
  ('-1.0000015', '-1.000002'), ('0.0000005', '0'), ('-0.0000005', '0'), ('0.0000005000001', '0.000001'),
  ('0.30000000000000004', '0.3'), ('2.500000', '2.5'), ('100', '100'), ('-0.0', '0')
) as numbers (written, kept);

select is(larder.factor(one, other), factor, format('one %s in %s: %s', one, other, factor))
from (values
  ('kilogram', 'gram', 1000), ('gram', 'kilogram', 0.001), ('liter', 'milliliter', 1000),
  ('milliliter', 'liter', 0.001), ('piece', 'piece', 1), ('pack', 'pack', 1), ('gram', 'gram', 1)
) as factors (one, other, factor);
select is_empty($$
  select one, other from unnest(array['piece', 'gram', 'kilogram', 'milliliter', 'liter', 'pack']) as one,
    unnest(array['piece', 'gram', 'kilogram', 'milliliter', 'liter', 'pack']) as other
  where larder.factor(one, other) is not null and one <> other
    and array[one, other] not in (array['kilogram', 'gram'], array['gram', 'kilogram'],
      array['liter', 'milliliter'], array['milliliter', 'liter'])
$$, 'nothing else converts');

-- A client's own settings don't change the bytes.
set local timezone to 'Pacific/Auckland';
set local datestyle to 'German, DMY';
set local lc_monetary to 'C';
set local extra_float_digits to 0;
select is(larder.instant('2026-11-03T19:12:44.120Z'), '2026-11-03T19:12:44.120Z',
  'an instant is in UTC whatever the time zone of the session');
select is(larder.moment('0000-02-29T12:00:00.001Z'), '0001-02-29T12:00:00.001Z BC'::timestamptz,
  'the year 0000 too');
select larder('mira');
insert into receipts (household_id, id, shop_name, "timestamp", created_at)
values (home(), id('7'), 'Corner', '0001-02-29T12:00:00.001Z BC', '0001-02-28T12:00:00Z BC');
update receipts set amount = 5, edited = '{"amount": "2026-11-03T19:12:44.120Z"}' where id = id('7');
select results_eq($$select larder.instant("timestamp"), larder.instant(created_at),
    larder.instant(updated_at), amount from receipts where id = id('7')$$,
  $$values ('0000-02-29T12:00:00.001Z', '0000-02-28T12:00:00.000Z', '2026-11-03T19:12:44.120Z', 5::numeric)$$,
  'nor does a session''s time zone change what a row holds');

select * from finish();
rollback;
