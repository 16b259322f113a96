// The sheet of an item: use and put, batches, last changes; and the small sheets that it opens.

import { h, icon, button } from './dom.js';
import { page, find, place, changed } from './state.js';
import { about, amount, convert, some, day, dayOf, when, daysTo, lastDay, number, parseAmount, stepIn, unitOf, unitName } from './format.js';
import { byExpiry } from './apply.js';
import { make } from './queue.js';
import { tell, telling } from './said.js';
import { details } from './send.js';
import { open, done, small } from './sheet.js';
import { step, warn, amountProblem } from './fields.js';

/** "expired 21 Nov", "past its best about 21 Nov", "until Sun 29 Nov". */
export function until(batch, weekday) {
  const last = lastDay(batch);
  if (!last) return null;
  const left = daysTo(last);
  const text = `${about(batch.expiry)}${day(last, weekday || (left >= 0 && left <= page.state.household.expiringWithinDays ? 'short' : undefined))}`;
  return left < 0 ? h('span.mark', warn(), ` ${batch.expiry.isBest ? 'past its best' : 'expired'} ${text}`) : `until ${text}`;
}

/** Nodes with a dot between those that are there. */
export const dotted = (...nodes) => nodes.filter(Boolean).flatMap((node, index) => (index ? [' · ', node] : [node]));

const readAmount = (text, unit) => parseAmount(text, unit) || tell(amountProblem(text, unit));
const amountField = (unit) => ['much', 'How much', 'amount', { unit }];
const read = (draft, unit) => readAmount(draft.much, unit);
const all = ({ quantity, unit }, item) => amount(quantity, unit || item.unit);

const past = { use: 'Used', put: 'Put', spoil: 'Threw away', count: 'Counted', move: 'Moved', open: 'Opened' };

/** Uses, puts, throws away or counts an amount of an item or of a batch; all of a batch without one. */
export function act(kind, item, much, more) {
  if (!much) return null;
  return telling(make(kind, { ...(more?.batch ? {} : { item: item.id }), ...much, ...more }, `${past[kind]} ${some(much.quantity, much.unit, item.name)}`));
}

const spoilSheet = (item, much, batch) => small('spoil', `Throw away: ${item.name}`, null,
  [amountField(item.unit), ['note', 'Why', 'text', { isWide: true, placeholder: 'mouldy, forgotten' }]], 'Throw away',
  (draft) => act('spoil', item, read(draft, item.unit), { batch, note: draft.note || undefined }), { much, of: batch || item.id }, { shape: 'away' });

const useSheet = (item, batch) => small('use', `Use: ${item.name}`, null, [amountField(item.unit)], 'Use',
  (draft) => act('use', item, read(draft, item.unit), { batch: batch.id }), { much: all(batch, item), of: batch.id });

/** Moves or opens a batch or a part of it. All of it has no amount: what somebody put there meanwhile goes along. */
function onPart(kind, item, batch, typed, more, end = '') {
  const unit = batch.unit || item.unit;
  const much = readAmount(typed, unit);
  if (!much) return null;
  const isAll = convert(much.quantity, much.unit, unit) === batch.quantity;
  return telling(make(kind, { batch: batch.id, ...more, ...(!isAll && much) }, `${past[kind]} ${some(much.quantity, much.unit, item.name)}${end}`));
}

const moveSheet = (item, batch) => small('move', `Move: ${item.name}`, all(batch, item),
  [['place', 'To', 'place'], amountField(batch.unit || item.unit)], 'Move',
  (draft) => draft.place && onPart('move', item, batch, draft.much, { location: draft.place }, ` to the ${place(draft.place)}`),
  { place: batch.storageLocationId, much: all(batch, item), of: batch.id });

/** Opens a batch at once; of one with several packs it asks how much, and means one of them if packs are known. */
function openBatch(item, batch) {
  const unit = batch.unit || item.unit;
  const one = convert(item.step, item.unit, unit);
  if (batch.quantity <= one) return onPart('open', item, batch, all(batch, item));
  const isPack = stepIn(unit) === 1 || one !== stepIn(unit);
  return small('open', `Open: ${item.name}`, all(batch, item), [amountField(unit)], 'Open',
    (draft) => onPart('open', item, batch, draft.much), { much: isPack ? amount(one, unit) : all(batch, item), of: batch.id });
}

const dateSheet = (item, batch) => small('date', `Date: ${item.name}`, all(batch, item),
  [['expiry', 'Keeps until', 'date', { isWide: true }]], 'Keep this date',
  ({ expiry }) => telling(make('edit', { batch: batch.id, fields: { expiry: expiry || null } }, `${item.name}: ${expiry ? `keeps until ${day(expiry)}` : 'no date'}`)),
  { expiry: batch.expiry?.isoDate, of: batch.id });

function batchRow(item, batch, draft) {
  const { id, openedAt } = batch;
  const isOpen = draft.batch === id;
  const toggle = () => {
    draft.batch = isOpen ? null : id;
    changed();
  };
  const doing = (text, work, shape = 'btn') => button(shape, `${text.split(' ')[0].toLowerCase()}-${id}`, text, work);
  return h(isOpen ? 'li.open' : 'li', { key: id },
    button('go', `batch-${id}`, [h('span', dotted(all(batch, item), place(batch.storageLocationId)),
      h('small', dotted(until(batch, 'short'), openedAt && `opened ${day(dayOf(openedAt))}`))), icon(isOpen ? 'down' : 'go')],
      toggle, { 'aria-expanded': `${isOpen}` }),
    isOpen && h('div.three',
      doing('Use', () => useSheet(item, batch)),
      !openedAt && doing('Open', () => openBatch(item, batch)),
      doing('Move', () => moveSheet(item, batch)),
      doing('Date', () => dateSheet(item, batch)),
      doing('Throw away', () => spoilSheet(item, all(batch, item), id), 'btn.away')));
}

export function openItem(id, isInstead, amountTyped) {
  open('item', (draft) => {
    const item = find('items', id);
    if (!item) return null;
    const { name, unit, category, quantityInStock: there, quantityFullStock: full } = item;
    const { pace, changes = [] } = details(`item/${item.id}`) || {};
    draft.much ??= amountTyped || amount(there > 0 ? Math.min(stepIn(unit), there) : stepIn(unit), unit);
    const doing = (kind) => () => act(kind, item, read(draft, unit));
    const type = (text) => {
      draft.much = text;
      changed();
    };
    const tempo = pace && [`about ${amount(pace.perWeek, unit)} a week`, pace.lastsDays != null && `lasts ${pace.lastsDays} days`].filter(Boolean).join(', ');
    const batches = [...(item.batches || [])].sort(byExpiry);
    return {
      title: name, note: category,
      aside: button('btn.bare', 'item-edit', 'Edit', () => openEdit(item)),
      body: [
        h('div.pad', h('p.sum', h('b', amount(there, unit)), h('span.soft', dotted(full && `of ${amount(full, unit)}`, tempo))),
          full && h('svg.level', { viewBox: '0 0 100 2', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
            h('rect', { width: 100, height: 2 }), h('rect', { width: Math.max(0, Math.min(100, (100 * there) / full)), height: 2 }))),
        h('div.pad.do', step('item-amount', 'How much', draft.much, unit, (much) => type(amount(much.quantity, much.unit)), { type }),
          button('btn.primary', 'item-use', 'Use', doing('use')), button('btn', 'item-put', 'Put', doing('put'))),
        h('div.pad.acts',
          button('btn', 'item-want', 'On the list', () => telling(make('want', { item: id }, `${name} on the list`))),
          button('btn', 'item-count', 'Count', () => small('count', `Count: ${name}`, `${amount(there, unit)} by the books`, [amountField(unit)], 'Count',
            (typed) => act('count', item, read(typed, unit)), { much: amount(there, unit), of: id })),
          button('btn.away', 'item-spoil', 'Throw away', () => spoilSheet(item, draft.much))),
        batches.length > 0 && [h('h3.cap', 'Batches'), h('ul', { key: 'batches' }, batches.map((batch) => batchRow(item, batch, draft)),
          item.loose > 0 && h('li.plain', { key: 'loose' }, h('span', `${amount(item.loose, unit)} in no batch`)))],
        changes.length > 0 && [h('h3.cap', 'Last changes'), h('ul', { key: 'changes' }, changes.map(({ at, by, say }) =>
          h('li.plain', h('span', `${by || 'Somebody'} ${say}`), h('time', when(at)))))],
      ],
    };
  }, { of: id + (amountTyped || '') }, isInstead);
}

const fields = () => [
  ['name', 'Name', 'text', { isWide: true, need: 'An item needs a name.' }],
  ['category', 'Category', 'text', { options: page.state.categories }],
  ['unit', 'Counted in', 'text', { need: 'An item is counted in something, such as “piece” or “g”.', options: ['piece', 'g', 'kg', 'ml', 'l', 'pack'] }],
  ['quantityFullStock', 'Full stock', 'decimal'],
  ['quantityMinimum', 'Low below', 'decimal'],
  ['storageLocationId', 'Place', 'place'],
  ['keepsDays', 'Keeps, in days', 'numeric'],
  ['aliases', 'Also called', 'text', { isWide: true, placeholder: 'oat drink, Hafermilch' }],
  ['note', 'Note', 'area', { isWide: true }],
];

/** What a form says, as it stands in files. */
const values = {
  unit: unitOf, aliases: (text) => text.split(',').map((name) => name.trim()).filter(Boolean),
  quantityFullStock: number, quantityMinimum: number, keepsDays: number,
};
const written = (item) => ({ ...item, unit: unitName(item.unit) || 'piece', aliases: item.aliases?.join(', ') });

function changesIn(draft, old) {
  const changes = {};
  for (const [name] of fields()) {
    const text = `${draft[name] ?? ''}`.trim();
    if (text === `${old[name] ?? ''}`) continue;
    changes[name] = text ? (values[name] ? values[name](text) : text) : null;
  }
  return changes;
}

function openEdit(item) {
  const old = written({ ...item, of: item.id });
  const archive = async () => (await telling(make('archive', { item: item.id }, `Archived ${item.name}`))) && done();
  small('edit', `Edit: ${item.name}`, '', fields(), 'Change', (draft) => {
    const changes = changesIn(draft, old);
    return !Object.keys(changes).length || telling(make('edit', { item: item.id, fields: changes }, `Changed ${item.name}`));
  }, old, { other: button('btn.away', 'edit-archive', 'Archive', archive) });
}

export const openNew = (name = '', given) => small('new', 'New item', '', [...fields().slice(0, 3), ['quantity', 'In stock now', 'decimal'], ...fields().slice(3)], 'New item', (draft) => {
  const made = changesIn(draft, {});
  return telling(make('new', { fields: made, quantity: number(draft.quantity) }, `New: ${made.name}`));
}, given || { name, unit: 'piece', of: name });
