// List: what to buy, by category; what is in the basket below. Rows stay where they are under the thumb: ticked
// ones go below, and news that move rows come in, when nobody has touched anything for four seconds.

import { h, icon, button, kept, quiet } from './dom.js';
import { page, drawn, realID, find, changed } from './state.js';
import { amount, groups, fold, money, parseAmount, when } from './format.js';
import { make, undo, noteOn, isWaiting } from './queue.js';
import { silence } from './send.js';
import { amountProblem, fault, step, warn } from './fields.js';
import { hold } from './taps.js';
import { t } from './texts.js';

// No category begins with a space.
const [ALL, OTHER, BASKET] = [' 0', ' 1', ' 2'];
const PAUSE = 4000;
const view = { sort: localStorage.getItem('list') || 'category', isOpen: false, words: null };
let order = []; // [title, ids] as the rows stand
let last = new Map(); // the entries as they were drawn last
let touched = 0;
let busy = null; // the entry whose amount is being changed
let busyText = null; // what is typed for it
let busyTimer = 0;
let ticked = null; // what was ticked just now
let hasBar = false;
const tapped = new Map(); // boxes whose act is being written down: they show what was tapped

for (const kind of ['pointerdown', 'keydown', 'scroll']) {
  addEventListener(kind, () => (touched = Date.now()), { capture: true, passive: true });
}
const isTouched = () => Date.now() - touched < PAUSE;
setInterval(() => touched && !isTouched() && (changed(), (touched = 0)), 500);
addEventListener('pointerdown', ({ target }) => busy && !target.closest?.('.busy .step, .busy .err') && setTimeout(free), true);

function free() {
  busy = busyText = null;
  clearTimeout(busyTimer);
  changed();
}

/** A screen that comes anew has nothing under the thumb. */
export const settle = () => {
  order = [];
};
export function leave() {
  view.words = null;
  field?.leave();
}
/** Another order is a tap of one's own: it shows at once. */
function look(changes) {
  Object.assign(view, changes);
  settle();
  changed();
}

const names = new Intl.Collator(undefined, { numeric: true });
const sorts = {
  category: (a, b) => !a.itemId - !b.itemId || (a.isCompleted ? 0 : names.compare(a.name, b.name)),
  name: (a, b) => names.compare(a.name, b.name),
  added: (a, b) => (a.createdAt || '').localeCompare(b.createdAt || ''),
};

/** Whether an entry has the searched words in its name, its note, its category or another name of its item. */
function isFound({ name, note, category, itemId }, words) {
  return fold([name, note, category, ...(find('items', itemId)?.aliases || [])].join(' ')).includes(words);
}

function sections(entries) {
  const words = fold(view.words?.trim() || '');
  const shown = entries.filter((entry) => (!view.isOpen || !entry.isCompleted) && (!words || isFound(entry, words)));
  const titleOf = ({ category, isCompleted }) => (isCompleted ? BASKET : view.sort === 'category' ? category || OTHER : ALL);
  const end = (title) => [ALL, OTHER, BASKET].indexOf(title) + 1;
  return groups(shown.sort(sorts[view.sort]), titleOf)
    .map(([title, all]) => [title, all.map(({ id }) => id)])
    .sort(([a], [b]) => end(a) - end(b) || names.compare(a, b));
}

function arrange(entries, isOwn) {
  const wanted = sections(entries);
  if (isTouched() && order.length) {
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
  // Just after rows have moved, a tap was meant for another one.
  if (order.length && JSON.stringify(order) !== JSON.stringify(wanted)) hold(document.getElementById('main'));
  order = wanted;
}

async function tick(entry, box) {
  const isGot = box.checked;
  const tap = { isGot };
  tapped.set(entry.id, tap);
  const record = await make(isGot ? 'got' : 'ungot', { entry: entry.id }, t.done[isGot ? 'got' : 'ungot'](entry.name));
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
  if (busy !== entry.id) busyText = null;
  busy = entry.id;
  clearTimeout(busyTimer);
  busyTimer = setTimeout(() => busyText == null && free(), 6000);
  changed();
}

export function note(record, unit) {
  if (!record) return null;
  const { state, act, say } = record;
  if (state === 'overtaken') return [icon('both', 'svg.i'), ` ${say}`];
  const much = act.quantity == null ? '' : `${amount(act.quantity, act.unit || unit)}, `;
  return h('span.mark', warn(), ` ${t.list.refused(much + say.slice(say.lastIndexOf(': ') + 1).trim())}`);
}

/** The amount of an entry with − and +. What is typed is kept when Enter is pressed or the field is left. */
function stepper(entry, text) {
  const { id, name, unit } = entry;
  const problem = text != null && amountProblem(text, unit);
  const set = (now) => {
    busyText = null;
    return grab(entry) || want(entry, now, 1500);
  };
  const type = (now) => {
    busyText = now;
    grab(entry);
  };
  return [
    step(`amount-${id}`, t.list.howMuchOf(name), text ?? amount(entry.desiredQuantity, unit), unit, set, { size: stepOf(entry), type, problem }),
    fault(`amount-${id}`, problem),
  ];
}

function row(entry, isBelow, isBusy, text, refusal, price, checked, waits) {
  const { id, name, isCompleted, unit } = entry;
  const much = amount(entry.desiredQuantity, unit);
  const second = note(refusal, unit) || entry.note;
  const read = isBusy && (({ target }) => {
    const now = target.matches('input:not([type])') && !amountProblem(target.value, unit) && parseAmount(target.value, unit);
    if (now && amount(now.quantity, now.unit) !== much) want(entry, now);
    if (now) busyText = null;
  });
  const enter = isBusy && (({ key, target }) => key === 'Enter' && target.matches('input') && !amountProblem(target.value, unit) && setTimeout(free));
  return h(`li.row${isCompleted ? '.got' : ''}${isBusy ? '.busy' : ''}`, { key: id, onkeydown: enter, onchange: read },
    h('label.tick', h('input', { type: 'checkbox', id: `tick-${id}`, 'aria-label': name, checked, onclick: ({ target }) => tick(entry, target) })),
    button('name', `name-${id}`, [h(isCompleted && !isBelow ? 'span.line' : 'span', name), second && h('small', second)], () => import('./entry.js').then(({ openEntry }) => openEntry(id))),
    isBusy ? stepper(entry, text)
      : button('much', `amount-${id}`, [h('span', h('span.off', t.list.change(name)), waits && [icon('due', 'svg.i.waits'), h('span.off', t.list.waits)], much),
        price != null && h('small', h('span.off', t.days.about), money(price))], () => grab(entry)));
}

function search() {
  look({ words: '' });
  document.getElementById('list-search').focus();
}
export function head() {
  const open = drawn().entries.filter(({ isCompleted }) => !isCompleted).length;
  if (view.words != null) {
    return [
      h('h1.off', t.frame.list),
      h('div.find', { key: 'find' }, icon('search'), h('input.field', {
        id: 'list-search', type: 'search', value: view.words, 'aria-label': t.list.search, placeholder: t.list.search, enterkeyhint: 'search', autocomplete: 'off',
        oninput: ({ target }) => look({ words: target.value }), onkeydown: ({ key }) => key === 'Escape' && look({ words: null }),
      })),
      button('icon', 'list-search-end', icon('x'), () => look({ words: null }), { 'aria-label': t.list.searchEnd }),
    ];
  }
  const sort = ({ target }) => {
    localStorage.setItem('list', target.value);
    look({ sort: target.value });
  };
  return [
    h('h1.off', t.frame.list),
    h('select.chip.shop', { id: 'list-sort', 'aria-label': t.list.order, value: view.sort, onchange: sort },
      Object.entries(t.list.sorts).map(([value, text]) => h('option', { value, key: value }, text))),
    button('chip', 'list-open', t.list.toBuy(open), () => look({ isOpen: !view.isOpen }), { 'aria-pressed': `${view.isOpen}` }),
    button('icon', 'list-find', icon('search'), search, { 'aria-label': t.list.search }),
  ];
}

/** What of the last receipt has no place or date yet. */
function putAway() {
  const receipt = drawn().receipts.find(({ toPutAway }) => toPutAway?.length);
  return receipt && h('ul.below', { key: 'put-away' }, h('li', button('go', 'put-away', [
    h('span', t.list.toPutAway(receipt.toPutAway.length), h('small', t.list.from(receipt.shopName, when(receipt.timestamp)))), h('b.act', t.list.putAway), icon('go')],
  () => import('./away.js').then(({ openAway }) => openAway(receipt.id)))));
}

let first = null; // how a household begins: fetched when one does
function begin() {
  if (!first) import('./first.js').then((module) => (first = module, changed()));
  return first?.begin();
}

function nothing() {
  if (view.words?.trim()) {
    const words = view.words.trim();
    return quiet(t.list.notFound(words), t.list.notFoundMore, button('btn', 'want-found', t.list.wantFound(words), async () =>
      (await make('want', { words }, t.done.want(words))) && look({ words: null })));
  }
  if (drawn().entries.length) return quiet(t.list.allIn, t.list.allInMore);
  if (!drawn().items.length) return begin();
  const low = field?.lowCount() || 0;
  return quiet(t.list.nothing, t.list.nothingMore, low > 0 && button('btn', 'see-low', t.list.seeLow(low), () => document.getElementById('add').focus()));
}

let plain = null; // what one has to know of a page that came over plain http
function honest() {
  if (isSecureContext) return null;
  if (!plain) import('./pair.js').then((module) => (plain = module, changed()));
  return plain?.honest();
}

let field = null; // what the field in the foot offers and understands: it comes just after the list
/** The field in the foot with which things come on the list. */
export function adds() {
  if (field) return field.adds();
  import('./offers.js').then((module) => (field = module, changed()));
  return [h('div.find', { key: 'find' }, icon('plus'), h('input.field', { id: 'add', type: 'text', 'aria-label': t.list.add, placeholder: t.list.addHint, readonly: true }))];
}

const heading = (title) => (title === OTHER ? t.list.other : title === BASKET ? t.list.inBasket : title);

export function body(room, isOwn) {
  const { entries } = drawn();
  arrange([...entries], isOwn);
  const now = new Map(entries.map((entry) => [entry.id, entry]));
  last = new Map(order.flatMap(([, ids]) => ids).map((id) => [id, now.get(id) || last.get(id)]));
  const isCut = page.isOffline || silence;
  const shown = order.map(([title, ids]) => {
    const isBelow = title === BASKET;
    const rows = ids.filter((id) => last.get(id) && room.left-- > 0).map((id) => {
      const entry = last.get(id);
      const isBusy = busy === id;
      const inputs = [entry, isBelow, isBusy, isBusy ? busyText : null, noteOn(entry), priceOf(entry), tapped.get(entry.id)?.isGot ?? entry.isCompleted, !!isCut && isWaiting(entry)];
      return kept(`entry-${id}`, inputs, () => row(...inputs));
    });
    return rows.length && h('section', { key: title }, title !== ALL && h('h2.kind', heading(title)), h(isBelow ? 'ul.basket' : 'ul', rows));
  }).filter(Boolean);
  return [honest(), ...(shown.length ? shown : [nothing()].flat()), putAway()].filter(Boolean);
}

/** The basket, above the tabs. It is there while anything is on the list, so that the first tick moves nothing. */
export function bar() {
  const { entries } = drawn();
  const basket = entries.filter(({ isCompleted }) => isCompleted);
  if (entries.length || !isTouched()) hasBar = entries.length > 0;
  if (!hasBar) return null;
  document.getElementById('bar').setAttribute('aria-label', t.list.basketName);
  const sum = basket.reduce((all, entry) => all + (priceOf(entry) || 0), 0);
  return [
    h('h2', t.list.basket(basket.length), ' ', ticked ? h('small', ticked.text) : sum > 0 && h('small', t.days.about, money(sum, true))),
    ticked && button('btn.bare', 'undo-tick', t.frame.undo, () => {
      const { record } = ticked;
      ticked = null;
      return undo(record);
    }, { 'aria-label': t.frame.undoOf(ticked.record.words) }),
    button('btn.primary', 'save-receipt', t.list.save, () => import('./save.js').then(({ openSave }) => openSave()), { disabled: !basket.length }),
  ].filter(Boolean);
}
