// What was archived, taken off the list, or taken back, and the way back of each.

import { h, button } from './dom.js';
import { page, drawn, changed } from './state.js';
import { amount, day, dayOf, isCalled, paid, some, time, today } from './format.js';
import { make, undo } from './queue.js';
import { details, silence } from './send.js';
import { open } from './sheet.js';
import { staying } from './stay.js';
import { warn } from './fields.js';
import { t } from './all-texts.js';

const dated = (moment) => (dayOf(moment) === today() ? `${t.days.today} ${time(moment)}` : day(dayOf(moment)));
/** "by Tom, 14 Nov". */
const made = ({ by, at }) => (by === page.state.phone.name ? t.back.byYou(dated(at)) : by ? t.back.by(by, dated(at)) : dated(at));
const isTaken = (name) => drawn().items.some((item) => isCalled(item, name));

/** The name under which an archived item comes back: its own, or the next free one. */
function nameFor({ name }) {
  let number = 1;
  while (isTaken(number === 1 ? name : `${name} ${number}`)) number += 1;
  return number === 1 ? name : `${name} ${number}`;
}

/** Brings an archived item back; told with Undo. */
export function unarchive(item) {
  const name = nameFor(item);
  return make('unarchive', { item: item.id, ...(name !== item.name && { name }) }, t.done.unarchive(name));
}

function archivedRow(item) {
  const { id, name, category, quantityInStock: there, unit } = item;
  const next = nameFor(item);
  return {
    key: id, name, more: [category, there > 0 ? t.back.comesBack(amount(there, unit)) : t.back.none, made(item)],
    note: next !== name && t.back.isTaken(name, next), restore: () => unarchive(item),
  };
}
function droppedRow({ id, name, quantity, unit, ...rest }) {
  const words = quantity == null ? name : some(quantity, unit, name);
  const isArchived = page.state.archived?.some((item) => isCalled(item, name));
  return { key: id, name: words, more: [made(rest), isArchived && t.back.itemIsArchived], restore: () => make('restore', { entry: id }, t.done.restore(words)) };
}
function receiptRow({ id, shopName, timestamp, amount: sum, currency, names, ...rest }) {
  const words = sum == null ? shopName : `${shopName}, ${paid(sum, currency)}`;
  return {
    key: id, name: words, more: [`${dated(timestamp)}${dayOf(timestamp) === today() ? '' : `, ${time(timestamp)}`}`, names?.join(', '), made(rest)],
    label: `${words}, ${day(dayOf(timestamp))}`, restore: () => make('unvoid', { receipt: id }, t.done.unvoid(words)),
  };
}

function drawRow({ key, name, label = name, more, note, restore, isGone }, records) {
  const record = page.records.find(({ act, isUndone }) => act.id === records.get(key) && !isUndone);
  const doing = async () => {
    const own = await restore();
    if (own) records.set(key, own.act.id);
    changed();
    document.getElementById(`unrestore-${key}`)?.focus();
  };
  const undoing = async () => {
    await undo(record);
    records.delete(key);
    changed();
    document.getElementById(`restore-${key}`)?.focus();
  };
  const isBack = record || isGone;
  return h(isBack ? 'li.recent.gone' : 'li.recent', { key },
    h('span', isBack ? h('s', name) : name, h('small', isBack ? t.back.restored : more.filter(Boolean).join(' · ')), !isBack && note && h('small.mark', warn(), ` ${note}`)),
    record ? button('btn.bare', `unrestore-${key}`, t.frame.undo, undoing, { 'aria-label': t.frame.undoOf(t.more.of(t.back.restored, label)) })
      : !isGone && button('btn.bare', `restore-${key}`, t.back.restore, doing, { 'aria-label': t.more.of(t.back.restore, label) }));
}

const parts = [['archived', archivedRow], ['dropped', droppedRow], ['receipts', receiptRow]].map(([name, rowOf]) => ({ name, rowOf, stay: staying() }));

/** Opens what can be brought back. What was restored stays where it is, struck, until the sheet is closed. */
export function openBack() {
  const records = new Map();
  parts.forEach(({ stay }) => stay.leave());
  open('back', () => {
    const known = details('back');
    const shown = known && parts.map(({ name, rowOf, stay }) => [name, stay.rows((known[name] || []).map(rowOf))]).filter(([, rows]) => rows.length);
    return {
      title: t.more.back,
      body: !known ? h('p.pad.soft', { key: 'reading', role: 'status' }, page.isOffline || (silence && Date.now() - silence > 3000) ? t.back.later : t.frame.reading)
        : !shown.length ? h('div.quiet', { key: 'quiet' }, h('h3', t.back.nothing))
        : [shown.map(([name, rows]) => h('section', { key: name }, h('h3.cap', t.back[name](rows.length)), h('ul', rows.map((row) => drawRow(row, records))))),
          h('p.pad.small.soft', { key: 'stays' }, t.back.stays)],
    };
  });
}
