// The sheet of an entry. What is changed in it is an act at once.

import { h, button } from './dom.js';
import { page, drawn, find, savePage, changed } from './state.js';
import { amount, dayOf, day, number, parseAmount, typedMoney, unitName, inUnit } from './format.js';
import { make, keeping } from './queue.js';
import { telling } from './said.js';
import { open, close } from './sheet.js';
import { amountProblem, fault, invalid, step } from './fields.js';
import { openItem } from './item.js';
import { want, stepOf, priceOf } from './list.js';
import { t } from './all-texts.js';

/** What is wrong with a text of the sheet; nothing if it can be read. */
const problems = {
  name: (text) => (text.trim() ? null : t.entry.needName),
  price: (text) => (text.trim() && number(text) == null ? t.fields.noNumber(text.trim()) : null),
  much: (text, unit) => amountProblem(text, unit),
};

export const openEntry = (id) => open('entry', (draft) => {
  const entry = find('entries', id);
  if (!entry) return null;
  const { name, desiredQuantity, unit, note, by, createdAt, isCompleted, itemId } = entry;
  const item = find('items', itemId);
  const problem = (field) => (draft[field] == null ? null : problems[field]?.(draft[field], unit));
  const type = (field) => (text) => {
    draft[field] = text;
    changed();
  };
  /** A field whose text is kept, by `keep`, when it is left or Enter is pressed, if it can be read. */
  const field = (key, value, keep, props) => {
    const own = `entry-${key}`;
    const read = async ({ target }) => {
      if (problem(key)) return;
      const text = target.value.trim();
      if (text === value || (await keep(text)) !== null) delete draft[key];
      else target.value = value;
      changed();
    };
    return h('input.field', { id: own, value: draft[key] ?? value, oninput: ({ target }) => type(key)(target.value), onchange: read, autocomplete: 'off', ...invalid(own, problem(key)), ...props });
  };
  const wrong = (key, end = key) => fault(`entry-${end}`, problem(key));
  const edit = (key, words) => (text) => make('edit', { entry: entry.id, fields: { [key]: text || null } }, words(text));
  const leave = (kind) => () => {
    close();
    return telling(make(kind, { entry: entry.id }, t.done[kind](name)));
  };
  const price = async (text) => {
    const kept = await keeping(() => savePage({ prices: { ...page.prices, [entry.id]: number(text) } }));
    changed();
    return kept;
  };
  const units = new Set([unit, item?.unit, 'piece', 'pack', 'gram', 'kilogram', 'milliliter', 'liter', ...drawn().items.map((one) => one.unit)].filter(Boolean));
  const counted = async ({ target }) => {
    if (!(await want(entry, { quantity: inUnit(desiredQuantity, unit, target.value), unit: target.value }))) target.value = unit;
  };
  const set = (much) => {
    delete draft.much;
    return want(entry, much, 1500);
  };
  const typedAmount = () => draft.much != null && !problem('much') && set(parseAmount(draft.much, unit));
  const from = [item ? t.entry.atHome(amount(item.quantityInStock, item.unit)) : t.entry.noItem, by && t.entry.from(by, day(dayOf(createdAt)))];
  return {
    title: name, note: from.filter(Boolean).join(' · '),
    body: h('div.form',
      !item && h('label.all', t.entry.name, field('name', name, edit('name', t.done.renamed(name)))), wrong('name'),
      h('div.lab', { onchange: typedAmount }, t.entry.much,
        step('entry-amount', t.entry.much, draft.much ?? amount(desiredQuantity, unit), unit, set, { size: stepOf(entry), type: type('much'), problem: problem('much') })), wrong('much', 'amount'),
      h('label', t.entry.unit, h('select.field', { id: 'entry-unit', value: unit, onchange: counted },
        [...units].map((one) => h('option', { value: one, key: one }, unitName(one))))),
      h('label', t.entry.price, field('price', typedMoney(priceOf(entry)) ?? '', price, { inputmode: 'decimal' })), wrong('price'),
      h('label.all', t.entry.note, field('note', note || '', edit('note', t.done.note(name)), { placeholder: t.entry.noteHint }))),
    foot: [
      button('btn.away', 'entry-drop', t.entry.drop, leave('drop')),
      item && button('btn', 'entry-stock', t.entry.stock, () => openItem(item.id, true)),
      button('btn.primary', 'entry-tick', isCompleted ? t.entry.ungot : t.entry.got, leave(isCompleted ? 'ungot' : 'got')),
    ],
  };
}, { of: id });
