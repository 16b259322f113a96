// Stock: what there is, with search and filters.

import { h, icon, button, kept, quiet } from './dom.js';
import { page, drawn, place, changed } from './state.js';
import { amount, fold, tidy } from './format.js';
import { noteOn } from './queue.js';
import { tell } from './said.js';
import { choice } from './fields.js';
import { byExpiry } from './apply.js';
import { act, dotted, openItem, openNew, until } from './item.js';
import { isDue } from './due.js';
import { note } from './list.js';

const filter = { words: '', low: false, due: false, category: '', place: '' };
const set = (name, value) => {
  filter[name] = value;
  changed();
};

/** Where an item is, and until when what expires first keeps. */
function second(item) {
  const batches = [...(item.batches || [])].sort(byExpiry);
  const places = [...new Set([...batches, ...(item.loose > 0 ? [{}] : [])].map((one) => place(one.storageLocationId || item.storageLocationId)))].filter(Boolean).sort();
  return dotted(places.join(', '), batches[0] && until(batches[0]));
}

function row(item, refusal) {
  const { id, name, unit, step, level, quantityInStock: there } = item;
  const less = () => (there > 0 ? act('use', item, { quantity: tidy(Math.min(step, there)), unit }) : tell(`There is no ${name} left.`));
  return h('li.row.two', { key: id },
    button('name', `name-${id}`, [h('span', name), h('small', note(refusal, unit) || second(item))], () => openItem(id)),
    h('span.much', { id: `amount-${id}` }, amount(there, unit), level && h('small.mark', h('b', level))),
    button('icon', `use-${id}`, icon('minus'), less, { 'aria-label': `${name}: use ${amount(step, unit)}` }),
    button('icon', `put-${id}`, icon('plus'), () => act('put', item, { quantity: step, unit }), { 'aria-label': `${name}: put ${amount(step, unit)}` }));
}

export const head = () => [
  h('h1.off', 'Stock'),
  h('div.find', icon('search'), h('input.field', {
    id: 'search', type: 'search', 'aria-label': 'Search the stock', value: filter.words, enterkeyhint: 'search', autocomplete: 'off',
    placeholder: drawn().items.length ? `Search ${drawn().items.length} items` : 'Search', oninput: ({ target }) => set('words', target.value),
  })),
  button('btn', 'new-item', [icon('plus', 'svg.i'), 'New'], () => openNew(filter.words), { 'aria-label': 'New item' }),
];

export function body(room) {
  const { items, locations } = drawn();
  if (!items.length) {
    return quiet('Nothing in stock yet',
      ['What you buy comes here when its receipt is saved. What is there already: one “New” each, or count it all with ', h('code', 'larder stocktake'), '.']);
  }
  const low = items.filter(({ level }) => level);
  const due = items.filter(isDue);
  const words = fold(filter.words.trim());
  const found = (filter.low ? low : items).filter((item) =>
    (!filter.due || isDue(item)) && (!filter.category || item.category === filter.category) &&
    (!filter.place || item.storageLocationId === filter.place || item.batches?.some(({ storageLocationId }) => storageLocationId === filter.place)) &&
    (!words || fold([item.name, item.category, ...(item.aliases || [])].join(' ')).includes(words)));
  // What one looks for has its order: what expires first, what there is least of.
  const share = ({ quantityInStock: there, quantityFullStock: full, quantityMinimum: least }) => there / (full || least || 1);
  if (filter.low) found.sort((a, b) => share(a) - share(b));
  if (filter.due) found.sort((a, b) => byExpiry([...a.batches].sort(byExpiry)[0], [...b.batches].sort(byExpiry)[0]));
  const chip = (name, text) => button('chip', `filter-${name}`, text, () => set(name, !filter[name]), { 'aria-pressed': `${filter[name]}` });
  const select = (name, text, options) => choice('chip', { id: `filter-${name}`, 'aria-label': text, value: filter[name], onchange: ({ target }) => set(name, target.value) }, text, options);
  const categories = [...new Set(items.map(({ category }) => category))].filter(Boolean).sort();
  return [
    h('div.chips.pad', { key: 'chips' }, chip('low', `Low ${low.length}`), chip('due', `Due ${due.length}`),
      select('category', 'Category', categories.map((name) => [name, name])), select('place', 'Place', locations.map(({ id, name }) => [id, name]))),
    found.length ? h('ul', { key: 'rows' }, found.slice(0, room.left).map((item) => {
      const refusal = noteOn(item);
      room.left--;
      return kept(`item-${item.id}`, [item, refusal, page.state.today], () => row(item, refusal));
    })) : words ? quiet(`No item called “${filter.words.trim()}”`, 'Make it one, or look for something else.',
      button('btn', 'new-found', 'New item', () => openNew(filter.words.trim()))) : quiet('No such item', 'Nothing is both of what you chose.'),
  ];
}
