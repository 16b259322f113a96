// Stock: what there is, in groups; what one tap takes; and the search, which looks everywhere.

import { h, icon, button, kept, quiet } from './dom.js';
import { page, drawn, find, changed } from './state.js';
import { amount, convert, day, dayOf, fold, isDue, lastDay } from './format.js';
import { isWaiting, make, noteOn, waiting } from './queue.js';
import { tell, telling } from './said.js';
import { dotted, openItem, openNew, until } from './item.js';
import { act, partsOf, tapOf } from './parts.js';
import { afterAWhile } from './stay.js';
import { note } from './list.js';
import { t } from './all-texts.js';

const GATHER = 2000;
const MOST = 150;
const main = document.getElementById('main');
/** What is looked for, and how it is ordered: by `place`, `category`, `name` or `due`; only `at` a place, or `archived`. */
const choice = { words: '', low: false, due: false, order: localStorage.getItem('stock') || 'place' };
let least = 0; // as many rows are built at least: those that one has seen, or goes to
let isAnew = false; // other rows are shown: from the top
let top = 0; // where one was, when the screen was left
let isBack = false;

let stood = new Map(); // by what each row is in its place: none moves under a thumb until the rows are looked at anew
const lookAnew = () => (stood = new Map());
afterAWhile(lookAnew);

const scrollTo = (place) => requestAnimationFrame(() => (main.scrollTop = place));

function set(name, value) {
  choice[name] = value;
  if (name === 'order') localStorage.setItem('stock', value);
  least = 0;
  isAnew = true;
  lookAnew();
  changed();
}

/** Works out once for the same inputs. */
function once(work) {
  let last = [];
  let result;
  return (...inputs) => {
    if (inputs.length !== last.length || inputs.some((input, index) => input !== last[index])) result = work(...inputs);
    last = inputs;
    return result;
  };
}

const known = new WeakMap();
/** What the search looks at, and where an item lies, most of it first. An item that changes is another object. */
function factsOf(item) {
  if (known.has(item)) return known.get(item);
  const much = new Map();
  const parts = partsOf(item);
  for (const { storageLocationId: place, quantity, unit } of parts) if (place) much.set(place, (much.get(place) || 0) + convert(quantity, unit, item.unit));
  if (!much.size && item.storageLocationId) much.set(item.storageLocationId, 0);
  const facts = {
    text: fold([item.name, item.category, ...(item.aliases || []), item.note].join('\n')),
    places: [...much].sort(([, a], [, b]) => b - a).map(([place]) => place), first: (parts[0] && lastDay(parts[0])) || '9',
  };
  known.set(item, facts);
  return facts;
}

let names = null;
const byName = (a, b) => (names ||= new Intl.Collator(undefined, { numeric: true })).compare(a.name ?? a, b.name ?? b);
const sorted = once((items) => [...items].sort(byName));
const counted = once((items, today) => ({ low: items.filter(({ level }) => level), due: items.filter(isDue) }));

const orders = { category: ({ category }) => category, due: (item) => factsOf(item).first };
/** By what an item is in its place; the same as long as its row is looked at. */
function standing(item, order, stood) {
  if (!stood.has(item.id)) stood.set(item.id, orders[order] ? orders[order](item) : factsOf(item).places[0]);
  return stood.get(item.id);
}
/** The rows under their titles: `[title, items]`. */
const shelves = once((items, order, low, due, words, locations, today, stood) => {
  const part = fold(words);
  const only = order.startsWith('at:') && !words && order.slice(3);
  const isWanted = (item) => words ? factsOf(item).text.includes(part) : (!low || item.level) && (!due || isDue(item)) && (!only || factsOf(item).places.includes(only));
  const found = sorted(items).filter((item) => stood.has(item.id) || isWanted(item));
  const at = (item) => standing(item, order, stood);
  found.forEach(at);
  if (only) return [[find('locations', only)?.name, found]];
  if (order === 'name') return [[null, found]];
  if (order === 'due') return [[null, found.sort((a, b) => at(a).localeCompare(at(b)))]];
  const groups = new Map(order === 'category' ? [] : locations.map(({ id }) => [id, []]));
  for (const item of found) groups.get(at(item))?.push(item) ?? groups.set(at(item), [item]);
  const all = [...groups].filter(([, group]) => group.length);
  if (order === 'category') return all.sort(([a], [b]) => !a - !b || byName(a, b)).map(([name, group]) => [name || t.stock.noCategory, group]);
  return all.sort(([a], [b]) => !a - !b).map(([id, group]) => [find('locations', id)?.name || t.stock.noPlace, group]);
});

/** Until when, and where if the heading does not say it. */
function second(item, isPlaced) {
  const parts = partsOf(item);
  const { places } = factsOf(item);
  const [first] = parts;
  const date = first && until(first);
  const isPart = date?.tag && parts.length > 1;
  const where = (!isPlaced || places.length > 1) && places.map((id) => find('locations', id)?.name).filter(Boolean).join(', ');
  return dotted(where, date || (item.batches?.length > 0 && t.item.noDate), isPart && t.stock.ofIt(amount(first.quantity, first.unit)),
    first?.openedAt && !isPart && t.stock.openSince(day(dayOf(first.openedAt))));
}

function row(item, isPlaced, refusal, isSent) {
  const { id, name, unit, level, quantityInStock: there } = item;
  const tap = tapOf(item);
  const much = amount(tap, unit);
  const doing = (kind) => () => kind === 'use' && there <= 0 ? tell(t.stock.noneLeft(name)) : act(kind, item, { quantity: kind === 'use' ? Math.min(tap, there) : tap, unit }, { pause: GATHER });
  const sign = (kind, picture) => button('icon', `${kind}-${id}`, icon(picture), doing(kind), { 'aria-label': t.stock[kind](name, much), 'data-repeats': true });
  const small = note(refusal, unit) || second(item, isPlaced);
  return h(isSent ? 'li.row.two' : 'li.row.two.waits', { key: id },
    button('name', `name-${id}`, [h('span', name), small?.length !== 0 && h('small', small), !isSent && h('span.off', t.stock.waits)], () => openItem(id)),
    h('span.much', { id: `amount-${id}` }, amount(there, unit), level && h('small.mark', h('b', t.stock.levels[level]))),
    h('span.pm', sign('use', 'minus'), sign('put', 'plus'), h('small', { 'aria-hidden': 'true' }, much)));
}

const typed = () => choice.words.trim();
const isFound = () => shelves(...inputs()).some(([, all]) => all.length);
const inputs = () => [drawn().items, choice.order, choice.low, choice.due, typed(), drawn().locations, page.state.today, stood];

export const head = () => [
  h('h1.off', t.frame.stock),
  h('div.find', icon('search'), h('input.field', {
    id: 'search', type: 'search', 'aria-label': t.stock.label, value: choice.words, enterkeyhint: 'search', autocomplete: 'off',
    placeholder: t.stock.search(drawn().items.length), oninput: ({ target }) => set('words', target.value),
    onkeydown: ({ key, target }) => key === 'Enter' && (typed() && !isFound() ? openNew(typed()) : target.blur()),
  }), button('icon', 'scan-open', icon('scan'), async () => (await import('./scan.js')).openScan(), { 'aria-label': t.stock.scan })),
  button('btn', 'new-item', [icon('plus', 'svg.i'), t.stock.make], () => openNew(typed()), { 'aria-label': t.item.newItem }),
];

/** A name with the part in bold for which somebody looks. */
function marked(name, part) {
  const at = fold(name).indexOf(fold(part));
  return part && at >= 0 ? [name.slice(0, at), h('b', name.slice(at, at + part.length)), name.slice(at + part.length)] : name;
}

const back = () => import('./back.js');
const archivedRow = (item) => {
  const { id, name, category, quantityInStock: there, unit, updatedAt } = item;
  const since = updatedAt && t.stock.archivedOn(day(dayOf(updatedAt)));
  return h('li', { key: id }, button('go', `restore-${id}`, [h('span', marked(name, typed()), h('small', dotted(category, there > 0 ? amount(there, unit) : t.stock.levels.none, since))),
    h('b.act', t.item.restore), icon('go')], async () => telling((await back()).unarchive(item))));
};

/** What can be done when nothing is called so. */
const nothing = (words) => h('section', { key: 'nothing' }, h('h2.kind', t.stock.nothing(words)), h('ul',
  h('li', button('go', 'new-found', [h('span', t.stock.newCalled(words), h('small', t.stock.newHint)), icon('plus', 'svg.i')], () => openNew(words))),
  h('li', button('go', 'want-found', [h('span', t.stock.wantCalled(words), h('small', t.stock.wantHint)), icon('go')], () => telling(make('want', { words }, t.item.wanted(words)))))));

const chips = (items, locations) => {
  const { low, due } = counted(items, page.state.today);
  const chip = (name, count) => button('chip', `filter-${name}`, t.stock[name](count), () => set(name, !choice[name]), { 'aria-pressed': `${choice[name]}` });
  const option = (value, text) => h('option', { value, key: value }, text);
  return h('div.chips.pad', { key: 'chips' }, chip('low', low.length), chip('due', due.length),
    h('select.chip', { id: 'order', 'aria-label': t.stock.order, value: choice.order, onchange: ({ target }) => set('order', target.value) },
      ['place', 'category', 'name', 'due'].map((name) => option(name, t.stock.orders[name])),
      h('optgroup', { label: t.stock.only }, locations.map(({ id, name }) => option(`at:${id}`, name)), option('archived', t.stock.archived))));
};

export function body(room) {
  const { items, locations, archived = [] } = drawn();
  if (choice.order.startsWith('at:') && !find('locations', choice.order.slice(3))) choice.order = 'place';
  const words = typed();
  const isArchive = choice.order === 'archived' && !words;
  const old = isArchive ? archived : words ? archived.filter(({ name, aliases = [] }) => fold([name, ...aliases].join('\n')).includes(fold(words))) : [];
  const archive = old.length > 0 && h('section', { key: 'archived' }, h('h2.kind', t.stock.archived, ' ', h('b', old.length)), h('ul', old.map(archivedRow)));
  if (isArchive) return [chips(items, locations), archive || quiet(t.stock.noneArchived)];
  const end = archived.length > 0 && h('ul', { key: 'end' }, h('li', button('go', 'archive', [h('span', t.stock.archivedCount(archived.length),
    h('small', t.stock.andMore(archived.slice(0, 3).map(({ name }) => name), Math.max(0, archived.length - 3)))), icon('go')], async () => (await back()).openBack())));
  if (!items.length && !words) return [quiet(t.stock.empty, t.stock.emptyHint, button('btn', 'begin', t.stock.begin, async () => (await import('./first.js')).openCount())), end].filter(Boolean);
  room.left = isAnew ? room.first : Math.max(room.left, least);
  room.isAnew = isAnew;
  if (isAnew || isBack) scrollTo(isAnew ? 0 : top);
  isAnew = isBack = false;
  const isQuiet = !waiting().length;
  const isFine = !page.records.some(({ state, isNew }) => state === 'refused' || (state === 'overtaken' && isNew));
  const isPlaced = !/^(category|name|due)$/.test(choice.order);
  const groups = shelves(...inputs());
  const sections = groups.map(([title, all]) => {
    const rows = all.slice(0, Math.max(0, room.left)).map((item) => {
      const refusal = isFine ? undefined : noteOn(item);
      const isSent = isQuiet || !isWaiting(item);
      return kept(`item-${item.id}`, [item, isPlaced, refusal, isSent, page.state.today, locations], () => row(item, isPlaced, refusal, isSent));
    });
    room.left -= all.length;
    return rows.length > 0 && h('section', { key: `of-${title}` }, title && h('h2.kind', title, ' ', h('b', all.length)), h('ul', rows));
  }).filter(Boolean);
  if (words) return [...(sections.length ? sections : [nothing(words)]), archive].filter(Boolean);
  return [chips(items, locations), ...(sections.length ? sections : [quiet(t.stock.noSuch, t.stock.noSuchHint)]), room.left > 0 && end].filter(Boolean);
}

/** Shows the row of an item that is new, and gives it the focus. */
export function reveal(id) {
  Object.assign(choice, { words: '', low: false, due: false });
  const at = () => shelves(...inputs()).flatMap(([, all]) => all).findIndex((item) => item.id === id);
  if (at() < 0) choice.order = 'place';
  least = Math.max(least, at() + MOST / 10);
  const show = () => {
    changed();
    const name = document.getElementById(`name-${id}`);
    name?.scrollIntoView({ block: 'center' });
    name?.focus({ preventScroll: true });
  };
  // The sheet gives the focus back where it came from, when it has closed.
  addEventListener('popstate', () => setTimeout(show), { once: true });
}

export function leave() {
  lookAnew();
  const rows = main.querySelectorAll('.row').length;
  choice.words = '';
  // What takes long to build is not built again at once.
  [least, top] = rows > MOST ? [0, 0] : [rows, main.scrollTop];
  isBack = true;
}
