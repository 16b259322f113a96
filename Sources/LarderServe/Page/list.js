// List: what to buy, by category; what is in the basket below. Rows stay where they are under the thumb: ticked
// ones go below, and news that move rows come in, when nobody has touched anything for four seconds.

import { h, icon, button, kept, quiet } from './dom.js';
import { page, drawn, realID, find, changed } from './state.js';
import { amount, groups, isCalled, money, fold, parseWords, tidy } from './format.js';
import { make, undo, noteOn } from './queue.js';
import { telling } from './said.js';
import { step, warn } from './fields.js';
import { openEntry } from './entry.js';
import { openSave } from './save.js';

const BASKET = 'In the basket';
const PAUSE = 4000;
let order = []; // [title, ids] as the rows stand
let last = new Map(); // the entries as they were drawn last
let touched = 0;
let quietUntil = 0;
let busy = null; // the entry whose amount is being changed
let busyTimer = 0;
let ticked = null; // what was ticked just now
const tapped = new Map(); // boxes whose act is being written down: they show what was tapped

for (const kind of ['pointerdown', 'keydown', 'scroll']) {
  addEventListener(kind, () => (touched = Date.now()), { capture: true, passive: true });
}
setInterval(() => touched && Date.now() - touched >= PAUSE && (changed(), (touched = 0)), 500);
// Just after rows have moved, a tap was meant for another one.
document.getElementById('main').addEventListener('click', (event) => {
  if (Date.now() >= quietUntil) return;
  event.stopPropagation();
  event.preventDefault();
}, true);
addEventListener('pointerdown', ({ target }) => busy && !target.closest?.('.busy .step') && setTimeout(free), true);

function free() {
  busy = null;
  clearTimeout(busyTimer);
  changed();
}

/** A screen that comes anew has nothing under the thumb. */
export const settle = () => {
  order = [];
};

function sections(entries) {
  const sorted = [...entries].sort((a, b) => !a.itemId - !b.itemId || (a.isCompleted ? 0 : a.name.localeCompare(b.name)));
  const last = (title) => (title === BASKET) * 2 + (title === 'Other');
  return groups(sorted, ({ category, isCompleted }) => (isCompleted ? BASKET : category || 'Other'))
    .map(([title, all]) => [title, all.map(({ id }) => id)])
    .sort(([a], [b]) => last(a) - last(b) || a.localeCompare(b));
}

function arrange(entries, isOwn) {
  const wanted = sections(entries);
  if (Date.now() - touched < PAUSE && order.length) {
    order = order.map(([title, ids]) => [title, ids.map(realID)]);
    if (!isOwn) return;
    // What this phone adds or takes off shows at once, where it belongs; nothing else moves.
    const there = new Set(entries.map(({ id }) => id));
    const known = new Set(order.flatMap(([, ids]) => ids));
    order = order.map(([title, ids]) => [title, ids.filter((id) => there.has(id))]);
    for (const [title, ids] of wanted) {
      const more = ids.filter((id) => !known.has(id));
      const section = order.find(([one]) => one === title);
      if (!more.length) continue;
      if (section) section[1] = section[1].concat(more);
      else order.splice(wanted.findIndex(([one]) => one === title), 0, [title, more]);
    }
    return;
  }
  const isMoved = order.length && JSON.stringify(order) !== JSON.stringify(wanted);
  if (isMoved) quietUntil = Date.now() + 400;
  order = wanted;
}

async function tick(entry, box) {
  const isGot = box.checked;
  const tap = { isGot };
  tapped.set(entry.id, tap);
  const are = /[^s]s$/.test(entry.name) ? 'are' : 'is';
  const record = await make(isGot ? 'got' : 'ungot', { entry: entry.id }, `${entry.name} ${are} ${isGot ? 'in' : 'out of'} the basket`);
  if (tapped.get(entry.id) === tap) tapped.delete(entry.id);
  if (!record) box.checked = entry.isCompleted;
  ticked = record && { record, text: `${isGot ? '+' : '−'} ${entry.name}` };
  changed();
  setTimeout(() => {
    if (ticked?.record !== record) return;
    ticked = null;
    changed();
  }, 6000);
}

/** Changes how much of an entry is wanted. */
export const want = (entry, { quantity, unit }, pause) =>
  make('edit', { entry: entry.id, fields: { desiredQuantity: quantity, unit } }, `${entry.name}: ${amount(quantity, unit)}`, pause);

export const stepOf = ({ itemId, unit }) => {
  const item = find('items', itemId);
  return item?.unit === unit ? item.step : /^(gram|milliliter)$/.test(unit) ? 100 : 1;
};
export const priceOf = ({ id, price }) => page.prices[id] ?? price;

function grab(entry) {
  busy = entry.id;
  clearTimeout(busyTimer);
  busyTimer = setTimeout(free, 6000);
  changed();
}

export function note(record, unit) {
  if (!record) return null;
  const { state, act, say } = record;
  if (state === 'overtaken') return [icon('both', 'svg.i'), ` ${say}`];
  const much = act.quantity == null ? '' : `${amount(act.quantity, act.unit || unit)}, `;
  return h('span.mark', warn(), ` refused: ${much}${say.slice(say.lastIndexOf(': ') + 1).trim()}`);
}

function row(entry, isBelow, isBusy, refusal, price, checked) {
  const { id, name, isCompleted } = entry;
  const much = amount(entry.desiredQuantity, entry.unit);
  const second = note(refusal, entry.unit) || entry.note;
  const leave = isBusy && (({ key, target }) => key === 'Enter' && target.matches('input') && setTimeout(free));
  return h(`li.row${isCompleted ? '.got' : ''}${isBusy ? '.busy' : ''}`, { key: id, onkeydown: leave },
    h('label.tick', h('input', { type: 'checkbox', id: `tick-${id}`, 'aria-label': name, checked, onclick: ({ target }) => tick(entry, target) })),
    button('name', `name-${id}`, [h(isCompleted && !isBelow ? 'span.line' : 'span', name), second && h('small', second)], () => openEntry(id)),
    isBusy ? step(`amount-${id}`, `${name}: how much`, much, entry.unit, (now) => grab(entry) || want(entry, now, 1500), { size: stepOf(entry) })
      : button('much', `amount-${id}`, [h('span.off', `${name}: change `), much, price != null && h('small', h('span.off', 'about '), money(price))], () => grab(entry)));
}

export const head = () => [
  h('h1.off', 'List'),
  h('div.find', icon('plus'), h('input.field', {
    id: 'add', type: 'text', role: 'combobox', 'aria-expanded': `${offers().length > 0}`, 'aria-controls': 'offer', 'aria-autocomplete': 'list', value: typed,
    'aria-activedescendant': offers().length ? `offer-${chosen}` : null, 'aria-label': 'Add to the list', placeholder: 'Add: 2 l milk, eggs 12',
    enterkeyhint: 'done', autocomplete: 'off', autocapitalize: 'off', oninput: ({ target }) => type(target.value), onkeydown: press, onfocus: ({ target }) => type(target.value), onblur: () => setTimeout(hide, 150),
  })),
  h('ul.offer', { id: 'offer', role: 'listbox', 'aria-label': 'Suggestions', hidden: !offers().length }, offers().map((offer, index) =>
    h('li', { role: 'option', id: `offer-${index}`, 'aria-selected': `${index === chosen}`, onpointerdown: (event) => event.preventDefault(), onclick: () => take(offer) },
      h('span', offer.shown, offer.hint && h('small', offer.hint)), offer.much))),
];

export function body(room, isOwn) {
  const state = drawn();
  arrange(state.entries, isOwn);
  const now = new Map(state.entries.map((entry) => [entry.id, entry]));
  last = new Map(order.flatMap(([, ids]) => ids).map((id) => [id, now.get(id) || last.get(id)]));
  if (!last.size) {
    return quiet('Nothing on the list yet',
      'Type above what you need: “2 l milk”, or just “bread”. Tick it in the shop, save the receipt, and the stock fills by itself.');
  }
  return order.map(([title, ids]) => {
    const isBelow = title === BASKET;
    const rows = ids.filter((id) => last.get(id) && room.left-- > 0).map((id) => {
      const entry = last.get(id);
      const inputs = [entry, isBelow, busy === id, noteOn(entry), priceOf(entry), tapped.get(entry.id)?.isGot ?? entry.isCompleted];
      return kept(`entry-${id}`, inputs, () => row(...inputs));
    });
    return rows.length && h('section', { key: title }, h('h2.kind', title), h(isBelow ? 'ul.basket' : 'ul', rows));
  }).filter(Boolean);
}

/** The basket, above the tabs. */
export function bar() {
  const basket = drawn().entries.filter(({ isCompleted }) => isCompleted);
  if (!basket.length) return null;
  const sum = basket.reduce((all, entry) => all + (priceOf(entry) || 0), 0);
  return [
    h('h2', `Basket: ${basket.length} `, ticked ? h('small', ticked.text) : sum > 0 && h('small', `about ${money(sum, true)}`)),
    ticked && button('btn.bare', 'undo-tick', 'Undo', () => {
      undo(ticked.record);
      ticked = null;
    }, { 'aria-label': `Undo: ${ticked.record.words}` }),
    button('btn.primary', 'save-receipt', 'Save receipt', () => openSave()),
  ].filter(Boolean);
}

// The field on top, and what it suggests.

let typed = '';
let chosen = 0;
let offered = [];
const offers = () => offered;

function type(text) {
  typed = text;
  const { name, quantity, unit } = parseWords(text);
  offered = text.trim() ? suggestions(name, quantity, unit) : [];
  chosen = 0;
  changed();
}

/** What is typed stays when one looks elsewhere. */
function hide() {
  offered = [];
  changed();
}

/** A name with the typed part in bold, at the start of a word if that is asked; null if it is not there. */
function marked(name, part, isStart) {
  const text = fold(name);
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (isStart && /[\p{L}\p{N}]/u.test(text[at - 1] || '')) continue;
    return [name.slice(0, at), h('b', name.slice(at, at + part.length)), name.slice(at + part.length)];
  }
  return null;
}

function suggestions(name, quantity, unit) {
  const part = fold(name);
  const state = drawn();
  const literal = {
    shown: ['“', h('b', name), '”'], hint: 'as it is typed, not an item of the household',
    much: quantity && amount(quantity, unit || 'piece'), act: { words: typed.trim() }, name,
  };
  const found = [true, false].flatMap((isStart) => state.items.flatMap((item) => {
    const own = marked(item.name, part, isStart);
    const alias = !own && (item.aliases || []).find((one) => marked(one, part, isStart));
    if (!own && !alias) return [];
    const entry = state.entries.find(({ itemId }) => itemId === item.id);
    const kind = unit || (entry || item).unit;
    const sum = entry && quantity && kind === entry.unit ? tidy(entry.desiredQuantity + quantity) : quantity;
    const there = entry ? `on the list: ${amount(entry.desiredQuantity, entry.unit)}${quantity ? ` → ${amount(sum, kind)}` : ''}` : `${amount(item.quantityInStock, item.unit)} at home`;
    return {
      item, name: item.name, isExact: isCalled(item, name), rank: own ? !isStart * 4 + !fold(item.name).startsWith(part) : 3 + !isStart, shown: own || item.name, much: quantity && amount(quantity, kind),
      hint: alias ? ['also called ', marked(alias, part, isStart), ` · ${there}`] : there,
      act: { item: item.id, ...(quantity && { quantity: sum, unit: kind }) },
    };
  }));
  found.sort((a, b) => b.isExact - a.isExact || a.rank - b.rank);
  const best = found.filter(({ item }, index) => found.findIndex((one) => one.item === item) === index).slice(0, 6);
  // A part of a name is no good guess: Enter takes what was typed.
  return best[0]?.isExact ? best : [literal, ...best];
}

function press(event) {
  const { key } = event;
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    event.preventDefault();
    chosen = (chosen + (key === 'ArrowDown' ? 1 : offered.length - 1)) % (offered.length || 1);
    changed();
  } else if (key === 'Escape') hide();
  else if (key === 'Enter' && offered.length) take(offered[chosen]);
}

/** Puts a suggestion on the list; the field stays ready for the next one. */
function take({ act, name }) {
  const { quantity, unit } = act.words ? parseWords(act.words) : act;
  type('');
  document.getElementById('add').value = '';
  telling(make('want', act, `${quantity ? amount(quantity, unit || 'piece') + ' ' : ''}${name} on the list`));
}
