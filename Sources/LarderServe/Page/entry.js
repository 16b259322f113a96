// The sheet of an entry. What is changed in it is an act at once.

import { h, button } from './dom.js';
import { page, drawn, find, savePage, changed } from './state.js';
import { amount, dayOf, day, number, unitName, inUnit } from './format.js';
import { make, keeping } from './queue.js';
import { telling } from './said.js';
import { open, close } from './sheet.js';
import { step } from './fields.js';
import { openItem } from './item.js';
import { want, stepOf, priceOf } from './list.js';

export const openEntry = (id) => open('entry', () => {
  const entry = find('entries', id);
  if (!entry) return null;
  const { name, desiredQuantity, unit, note, by, createdAt, isCompleted, itemId } = entry;
  const item = find('items', itemId);
  const edit = (field) => async ({ target }) => {
    const value = target.value.trim();
    const old = entry[field] || '';
    if (value === old || !(value || field === 'note')) return;
    if (!(await make('edit', { entry: entry.id, fields: { [field]: value || null } }, `${name}: ${value || 'no note'}`))) target.value = old;
  };
  const leave = (kind, words) => () => {
    telling(make(kind, { entry: entry.id }, words));
    close();
  };
  const price = async ({ target }) => {
    const prices = { ...page.prices, [entry.id]: number(target.value) };
    if (!(await keeping(() => savePage({ prices })))) target.value = priceOf(entry)?.toFixed(2) ?? '';
    changed();
  };
  const units = new Set([unit, item?.unit, 'piece', 'pack', 'gram', 'kilogram', 'milliliter', 'liter', ...drawn().items.map((one) => one.unit)].filter(Boolean));
  const counted = async ({ target }) => {
    if (!(await want(entry, { quantity: inUnit(desiredQuantity, unit, target.value), unit: target.value }))) target.value = unit;
  };
  const from = [item ? `${amount(item.quantityInStock, item.unit)} at home` : 'not an item', by && `from ${by}, ${day(dayOf(createdAt))}`];
  return {
    title: name, note: from.filter(Boolean).join(' · '),
    body: h('div.form',
      !item && h('label.all', 'Name', h('input.field', { id: 'entry-name', value: name, onchange: edit('name') })),
      h('div.lab', 'How much', step('entry-amount', 'How much', amount(desiredQuantity, unit), unit, (much) => want(entry, much, 1500), { size: stepOf(entry) })),
      h('label', 'Unit', h('select.field', { id: 'entry-unit', value: unit, onchange: counted },
        [...units].map((one) => h('option', { value: one, key: one }, unitName(one))))),
      h('label', 'Price, about', h('input.field', { id: 'entry-price', inputmode: 'decimal', value: priceOf(entry)?.toFixed(2) ?? '', onchange: price })),
      h('label.all', 'Note', h('input.field', { id: 'entry-note', value: note || '', placeholder: 'which one, which shop', onchange: edit('note') }))),
    foot: [
      button('btn.away', 'entry-drop', 'Off the list', leave('drop', `${name} is off the list`)),
      item && button('btn', 'entry-stock', 'Show in stock', () => openItem(item.id, true)),
      button('btn.primary', 'entry-tick', isCompleted ? 'Out of the basket' : 'In the basket',
        leave(isCompleted ? 'ungot' : 'got', `${name} is ${isCompleted ? 'out of' : 'in'} the basket`)),
    ],
  };
});
