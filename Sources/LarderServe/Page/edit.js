// The forms of an item: a new one, with what is there of it now; and all fields of one.

import { h, button } from './dom.js';
import { page, drawn, changed } from './state.js';
import { amount, converts, convert, day, dayOf, isCalled, number, parseAmount, unitName, unitOf } from './format.js';
import { make } from './queue.js';
import { telling } from './said.js';
import { done, open, small } from './sheet.js';
import { form, isRight } from './fields.js';
import { unarchive } from './back.js';
import { openItem } from './item.js';
import { sizeProblem, whereAndWhen } from './parts.js';
import { reveal } from './stock.js';
import { t } from './all-texts.js';

/** The name of another item, which is there or archived. `sheet` is that of the new item. */
function nameProblem(text, own, sheet) {
  const isOther = (item) => item.id !== own && isCalled({ name: item.name }, text);
  const known = drawn().items.find(isOther);
  if (known) return { say: t.item.isThere(known.name, amount(known.quantityInStock, known.unit)), fix: sheet && [t.item.openIt, () => openItem(known.id, true)] };
  const archived = sheet && drawn().archived?.find(isOther);
  if (!archived) return null;
  const since = archived.updatedAt && day(dayOf(archived.updatedAt));
  return { say: t.item.isArchived(archived.name, since), fix: [t.item.restore, async () => (await telling(unarchive(archived))) && done(sheet)] };
}

const nameField = (own, sheet) => ['name', t.item.name, 'text', { isWide: true, need: t.item.nameNeed, isLive: !!sheet, check: (text) => text && nameProblem(text, own, sheet) }];
const categoryField = () => {
  const { categories } = page.state;
  return ['category', t.item.category, 'text', { options: categories, placeholder: categories.length ? `${categories.slice(0, 2).join(', ')} …` : undefined }];
};
const ends = () => [
  ['keepsDays', t.item.keepsDays, 'numeric'],
  ['aliases', t.item.aliases, 'text', { isWide: true, placeholder: t.item.aliasesHint }],
  ['note', t.item.note, 'area', { isWide: true }],
];
const fields = (own) => [
  nameField(own), categoryField(),
  ['unit', t.item.unit, 'text', { need: t.item.unitNeed, options: ['piece', 'gram', 'kilogram', 'milliliter', 'liter', 'pack'].map(unitName) }],
  ['quantityFullStock', t.item.full, 'decimal'], ['quantityMinimum', t.item.least, 'decimal'], ['storageLocationId', t.item.place, 'place'], ...ends(),
];

/** What a form says, as it stands in files. */
const values = {
  unit: unitOf, aliases: (text) => text.split(',').map((name) => name.trim()).filter(Boolean),
  quantityFullStock: number, quantityMinimum: number, keepsDays: number,
};
const written = (item) => ({ ...item, unit: unitName(item.unit) || 'piece', aliases: item.aliases?.join(', ') });

function changesIn(draft, old, names) {
  const changes = {};
  for (const name of names) {
    const text = `${draft[name] ?? ''}`.trim();
    if (text === `${old[name] ?? ''}`) continue;
    changes[name] = text ? (values[name] ? values[name](text) : text) : null;
  }
  return changes;
}

export function openEdit(item) {
  const old = written({ ...item, of: item.id });
  const archive = async () => (await telling(make('archive', { item: item.id }, t.item.archived(item.name)))) && done();
  small('edit', t.item.editTitle(item.name), '', fields(item.id), t.item.change, (draft) => {
    const changes = changesIn(draft, old, fields().map(([name]) => name));
    return !Object.keys(changes).length || telling(make('edit', { item: item.id, fields: changes }, t.item.edited(item.name)));
  }, old, { other: button('btn.away', 'edit-archive', t.item.archive, archive) });
}

const AMOUNTS = ['now', 'quantityFullStock', 'quantityMinimum'];
/** The unit in which a new item is counted: the first that was typed. */
const unitIn = (draft) => AMOUNTS.map((name) => `${draft[name] ?? ''}`.match(/[^\d.,/½¼¾\s]\S*\s*$/)?.[0]).find(Boolean)?.trim();

/**
 * The sheet of a new item. `given` are fields of one that was refused; `after` gets the record of the act, when it is
 * made.
 */
export function openNew(name = '', given, after) {
  const initial = { place: null, date: null, name, of: name, ...given };
  if (given) {
    const { quantity, unit, quantityFullStock: full, quantityMinimum: least, storageLocationId, expiry } = given;
    const typed = (value) => value != null ? amount(value, unit) : undefined;
    Object.assign(initial, { now: typed(quantity), quantityFullStock: typed(full), quantityMinimum: typed(least), place: storageLocationId ?? null, date: expiry ?? null });
  }
  open('new', (draft) => {
    const unit = unitOf(unitIn(draft) || given?.unit || 'piece');
    const check = (text) => {
      if (!text) return null;
      const much = parseAmount(text, unit);
      return much?.quantity === 0 ? null : sizeProblem(text, unit) || (converts(much.unit, unit) ? null : t.item.otherUnit(unitName(much.unit), unitName(unit) || t.item.pieces));
    };
    const typed = (name) => {
      const much = parseAmount(`${draft[name] ?? ''}`, unit);
      return much && convert(much.quantity, much.unit, unit);
    };
    const top = [nameField(null, 'new'), ['now', t.item.now, 'text', { check }], categoryField()];
    const rest = [['quantityFullStock', t.item.full, 'text', { check, placeholder: '4 l' }], ['quantityMinimum', t.item.least, 'text', { check, placeholder: '1 l' }], ...ends()];
    const doing = async () => {
      const isFull = [isRight(draft, top), isRight(draft, rest)].every(Boolean);
      const members = { fields: { ...changesIn(draft, {}, ['name', 'category', 'keepsDays', 'aliases', 'note']), unit } };
      const name = members.fields.name;
      for (const field of ['quantityFullStock', 'quantityMinimum']) if (typed(field)) members.fields[field] = typed(field);
      if (draft.place) members.fields.storageLocationId = draft.place;
      if (typed('now')) members.quantity = typed('now');
      if (typed('now') && draft.dateIsChosen) members.expiry = draft.date;
      const record = isFull && (await telling(make('new', members, t.item.made(name))));
      if (!record) return changed();
      done('new');
      if (after) await after(record);
      else reveal(record.act.id);
    };
    return {
      title: t.item.newItem,
      body: [h('div', { key: 'top' }, form('new', draft, top)), whereAndWhen('new', t.item.newItem, draft), h('div', { key: 'rest' }, form('new', draft, rest))],
      foot: button('btn.primary.grow', 'new-do', t.item.newItem, doing),
    };
  }, initial);
}
