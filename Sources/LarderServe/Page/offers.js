// The field in the foot with which things come on the list: what it offers before anything is typed, what fits the
// typed words, and lines that were pasted.

import { h, icon, button } from './dom.js';
import { drawn, find, changed } from './state.js';
import { amount, convert, daysTo, fold, parseAmount, some, tidy } from './format.js';
import { make, undo } from './queue.js';
import { telling } from './said.js';
import { fault, invalid } from './fields.js';
import { hold } from './taps.js';
import { isAmountAlone, itemsWith, linesOf, read, understood, usualOf, wishAs, wishFor } from './words.js';
import { t } from './texts.js';

const MOST = 8;
const canScan = 'BarcodeDetector' in globalThis && !!navigator.mediaDevices?.getUserMedia;
let typed = '';
let chosen = 0;
let isOn = false; // the field has the focus
let isOffering = false; // what it offers is shown
let isAsked = false; // Enter was pressed on what is no thing
let chips = null; // what is offered while the field has the focus: rows that are dealt with stay
let lines = null; // of a text with several things
let isPasted = false;
const pressed = new Map(); // the record with which a chip put its thing on the list

const field = () => document.getElementById('add');
const openEntry = (item) => drawn().entries.find(({ itemId, isCompleted }) => itemId === item.id && !isCompleted);

/** What is bought about now, and what is low; neither on the list nor in the basket yet. */
function offered() {
  const wanted = new Set(drawn().entries.map(({ itemId }) => itemId));
  const free = drawn().items.filter(({ id }) => !wanted.has(id));
  const share = ({ quantityInStock: there, quantityFullStock: full, quantityMinimum: least }) => there / (full || least || 1);
  // How far from its usual day it is, in parts of its usual time.
  const far = ({ often }) => Math.abs(-daysTo(often.last) / often.days - 1);
  const isNow = ({ often }) => often && -daysTo(often.last) >= Math.min(often.days - 1, often.days * 0.8) && -daysTo(often.last) <= often.days * 3 + 7;
  const often = free.filter(isNow).sort((a, b) => far(a) - far(b)).slice(0, MOST);
  const low = free.filter(({ level }) => level).sort((a, b) => share(a) - share(b));
  return { often: often.map(({ id }) => id), low: low.map(({ id }) => id) };
}

/** The tabs step aside and offers rise when the tap is over: what is there then was not there for it. */
const focus = () => setTimeout(() => {
  if (document.activeElement !== field()) return;
  if (!isOn) hold();
  isOn = true;
  show();
}, 60);
/** Shows what the field offers. */
function show() {
  chips ||= offered();
  isOffering = true;
  changed();
}
/** What is typed stays when one looks elsewhere. */
function rest() {
  if (document.getElementById('adds').contains(document.activeElement) && document.hasFocus()) return;
  isOn = isOffering = false;
  chips = null;
  pressed.clear();
  changed();
}

const leaving = () => setTimeout(rest, 150);

function type(text) {
  typed = text;
  chosen = 0;
  isAsked &&= isAmountAlone(text);
  isPasted = false;
  const all = /[,;&+]|\s(and|und)\s/i.test(text) ? linesOf(text) : [];
  lines = all.length > 1 ? all : null;
  show();
}
function empty() {
  typed = '';
  lines = null;
  isOffering = isAsked = false;
  if (field()) field().value = '';
}
/** Several lines become several things; a single one is text as any other. */
function paste(event) {
  const text = event.clipboardData?.getData('text') || '';
  const all = linesOf([typed, text].filter(Boolean).join('\n'));
  if (all.length < 2) return;
  event.preventDefault();
  lines = all;
  isPasted = true;
  isOn = isOffering = false;
  typed = event.target.value = all.map((line) => line.text).join(', ');
  event.target.blur();
  changed();
}

function press(event) {
  const { key } = event;
  const all = lines ? [] : rows();
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    event.preventDefault();
    chosen = (chosen + (key === 'ArrowDown' ? 1 : all.length - 1)) % (all.length || 1);
    changed();
  } else if (key === 'Escape') leave();
  else if (key === 'Enter' && lines) return putLines();
  else if (key === 'Enter' && isAmountAlone(typed)) {
    isAsked = true;
    changed();
  } else if (key === 'Enter' && typed.trim()) return take(all[chosen] || all[0]);
}

/** Puts a wish on the list; the field stays ready for the next one. */
function take({ members, name, all }) {
  empty();
  return telling(make('want', members, t.done.want(all ? `${name}, ${all}` : name)));
}

/** A name with the typed part in bold, at the start of a word if it is there. */
function marked(name, part) {
  const text = fold(name);
  let at = text.indexOf(part);
  for (let next = at; next >= 0; next = text.indexOf(part, next + 1)) {
    if (next && /[\p{L}\p{N}]/u.test(text[next - 1])) continue;
    at = next;
    break;
  }
  return at < 0 || text.length !== name.length ? name : [name.slice(0, at), h('b', name.slice(at, at + part.length)), name.slice(at + part.length)];
}

/** What the typed words may mean; Enter takes the first. What was typed comes first unless a name begins with it. */
function rows() {
  if (!typed.trim() || isAmountAlone(typed)) return [];
  const said = read(typed);
  const part = fold(said.name);
  const found = itemsWith(said.name).slice(0, 6).map(({ item, rank, isExact, alias }) => {
    const wish = wishFor(item, said, said.name);
    return { ...wish, isExact, isFirst: isExact || rank < 2, shown: marked(item.name, part), hint: alias ? [t.list.alsoCalled, marked(alias, part), ` · ${wish.hint}`] : wish.hint };
  });
  if (found[0]?.isExact) return found;
  const first = found.filter(({ isFirst }) => isFirst);
  const own = { ...wishAs(typed, said), shown: t.list.quoted(said.name), hint: said.isUnclear ? t.list.isUnclear : first.length ? t.list.isNew : t.list.asTyped };
  return [...first, own, ...found.filter(({ isFirst }) => !isFirst)];
}

const list = () => h('ul.offer.up', { id: 'offer', key: 'offer', role: 'listbox', 'aria-label': t.list.suggestions, onmousedown: keep }, rows().map((row, index) =>
  h('li', { role: 'option', id: `offer-${index}`, 'aria-selected': `${index === chosen}`, onclick: () => take(row) }, h('span', row.shown, h('small', row.hint)), row.much)));

/** A tap beside the field leaves the keyboard where it is. */
const keep = (event) => isOn && event.preventDefault();

// Chips.

const puts = (item, much) => make('want', { item: item.id, ...much }, t.done.want(much.quantity ? some(much.quantity, much.unit, item.name) : item.name));

function chip(kind, id) {
  const item = find('items', id);
  if (!item) return null;
  const much = kind === 'often' && item.often ? { quantity: item.often.quantity, unit: item.often.unit } : usualOf(item);
  const entry = openEntry(item);
  const shown = entry ? amount(entry.desiredQuantity, entry.unit) : much.quantity && amount(much.quantity, much.unit);
  const toggle = async () => {
    if (!entry) return pressed.set(id, await puts(item, much));
    const record = pressed.get(id);
    pressed.delete(id);
    return record ? undo(record) : make('drop', { entry: entry.id }, t.done.drop(item.name));
  };
  const name = [shown ? `${item.name}, ${shown}` : item.name, entry && t.list.isOn].filter(Boolean).join(': ');
  return button('chip', `${kind}-${id}`, h('span', item.name, shown && h('small.soft', ` ${shown}`)), toggle, { 'aria-pressed': `${!!entry}`, 'aria-label': name });
}

/** All that are low, in one act. */
function allLow() {
  const left = chips.low.map((id) => find('items', id)).filter((item) => item && !openEntry(item));
  const record = pressed.get('all');
  const toggle = async () => {
    if (record) {
      pressed.delete('all');
      return undo(record);
    }
    return left.length && pressed.set('all', await make('want', { lines: left.map((item) => ({ item: item.id, ...usualOf(item) })) }, t.done.wantAll(left.length)));
  };
  return button('chip.go-on', 'all-low', t.list.allLow(chips.low.length), toggle, { 'aria-pressed': `${!!record || !left.length}` });
}

function groups() {
  const { often, low } = chips;
  if (!often.length && !low.length) return null;
  return h('div.offer.up', { key: 'chips', onmousedown: keep, onfocusout: leaving },
    often.length > 0 && [h('h2.cap', t.list.often), h('div.pick', { role: 'group', 'aria-label': t.list.often }, often.map((id) => chip('often', id)))],
    low.length > 0 && [h('h2.cap', t.list.low), h('div.pick', { role: 'group', 'aria-label': t.list.low },
      low.filter((id) => !often.includes(id)).slice(0, MOST).map((id) => chip('low', id)), low.length > 1 && allLow())]);
}
/** How many things are low and not on the list. */
export const lowCount = () => offered().low.length;

// Lines.

function line(one, index, already) {
  const wish = understood(one.text, already);
  if (wish.added && !one.isOff) already.set(wish.item.id, (already.get(wish.item.id) || 0) + wish.added.more);
  const title = wish.item ? wish.name : t.list.quoted(wish.name);
  const hint = one.isHeading ? t.list.isHeading : [wish.isOther && t.list.quoted(one.text), wish.hint].filter(Boolean).join(' · ');
  const toggle = () => {
    one.isOff = !one.isOff;
    changed();
  };
  return h('li.row', { key: `line-${index}` },
    h('label.tick', h('input', { type: 'checkbox', id: `line-${index}`, checked: !one.isOff, 'aria-label': t.list.putOn(wish.name), onclick: toggle })),
    h('span.name', h('span', one.isHeading ? t.list.quoted(one.text) : title), h('small', hint)), !one.isHeading && wish.much && h('span.much', wish.much));
}

/** The ticked lines as one act: two lines of one item are one wish. */
function wishes() {
  const all = new Map();
  for (const { text } of lines.filter(({ isOff }) => !isOff)) {
    const { item, members, added } = understood(text);
    const before = item && all.get(item.id);
    if (before?.quantity && added) before.quantity = tidy(before.quantity + convert(added.quantity, added.unit, before.unit));
    else if (!before || added) all.set(item?.id || text, { ...members });
  }
  return [...all.values()];
}
function putLines() {
  const all = wishes();
  if (!all.length) return;
  empty();
  return telling(make('want', all.length > 1 ? { lines: all } : all[0], t.done.wantAll(all.length)));
}

function several() {
  const count = lines.filter(({ isOff }) => !isOff).length;
  const already = new Map();
  return h('div.offer.up.lines', { key: 'lines', role: 'group', 'aria-labelledby': 'lines-title', onmousedown: keep, onfocusout: leaving },
    h('h2.cap', { id: 'lines-title' }, h('span', isPasted ? t.list.pasted(lines.length) : t.list.things(lines.length)),
      button('icon', 'lines-close', icon('x'), () => {
        empty();
        changed();
      }, { 'aria-label': t.fields.close })),
    h('ul', lines.map((one, index) => line(one, index, already))),
    h('div.pad', button('btn.primary.wide', 'put-lines', t.list.putLines(count), putLines)));
}

/** Closes what is offered. */
export function leave() {
  isOffering = false;
  if (isPasted) empty();
  changed();
}

/** The field, and above it what it offers. */
export function adds() {
  const all = isOffering && !lines ? rows() : [];
  const problem = isAsked && isAmountAlone(typed) && t.list.whatOf(typedAmount());
  document.getElementById('adds').setAttribute('aria-label', t.list.add);
  return [
    lines && (isOffering || isPasted) ? several() : all.length ? list() : isOffering && !typed.trim() && chips && groups(),
    h(isOn ? 'div.find.on' : 'div.find', { key: 'find' }, icon('plus'), h('input.field', {
      id: 'add', type: 'text', role: 'combobox', 'aria-expanded': `${all.length > 0}`, 'aria-controls': 'offer', 'aria-autocomplete': 'list', value: typed,
      'aria-activedescendant': all.length ? `offer-${chosen}` : null, 'aria-label': t.list.add, placeholder: t.list.addHint, enterkeyhint: 'done',
      autocomplete: 'off', autocapitalize: 'off', oninput: ({ target }) => type(target.value), onkeydown: press, onpaste: paste, onfocus: focus,
      onclick: () => isOn && !isOffering && show(), onblur: leaving, ...invalid('add', problem),
    }), canScan && !typed && button('icon', 'add-scan', icon('scan'), () => import('./scan.js').then(({ openScan }) => openScan(true)), { 'aria-label': t.list.scan })),
    fault('add', problem),
  ].filter(Boolean);
}
const typedAmount = () => {
  const { quantity, unit } = parseAmount(typed);
  return amount(quantity, unit);
};

// The keyboard of some phones lies over the page: what is offered is as high as what is left.
const seen = () => document.documentElement.style.setProperty('--seen', `${visualViewport.height}px`);
globalThis.visualViewport?.addEventListener('resize', seen);
