// Due: what has expired, and what will within the household's days. A row that was dealt with stays, struck, with
// what was done and Undo, in the height that it had.

import { h, button, kept, quiet } from './dom.js';
import { page, drawn, find, place, realID, changed } from './state.js';
import { about, amount, convert, day, dayOf, daysAfter, daysTo, distance, groups, isSoon, monthsAfter, parseAmount, some, time, today } from './format.js';
import { make, undo } from './queue.js';
import { telling } from './said.js';
import { details } from './send.js';
import { open, done } from './sheet.js';
import { amountProblem, fault, step, warn } from './fields.js';
import { frozenFor, pickDay } from './pick.js';
import { dotted, openItem } from './item.js';
import { inPlace } from './parts.js';
import { staying } from './stay.js';
import { t } from './all-texts.js';

const rows = staying();
let since = 0; // when the rows were looked at anew
let told = ''; // what was done last, for who can't see it
let focus = null; // the control that takes the focus when it is there

export function leave() {
  rows.leave();
  since = 0;
  told = '';
}

/** What this phone did with a batch while the rows were looked at, and did not take back. */
const ownDeed = ({ item, batch }) => page.records.findLast(({ act, undoes, isUndone, state }) =>
  !undoes && !isUndone && state !== 'refused' && Date.parse(act.at) >= since && (act.batch ? realID(act.batch) === batch.id : realID(act.item) === item.id && /^(use|spoil|count|archive)$/.test(act.kind)));

/** Where the row of a batch was, its controls are others now: they keep its height, and one of them the focus. */
function hold({ batch }) {
  const row = document.getElementById(`name-${batch.id}`)?.parentElement;
  if (row && !row.style.minHeight) row.style.minHeight = `${row.getBoundingClientRect().height}px`;
}
const focusOn = (id) => {
  focus = id;
  requestAnimationFrame(takeFocus);
};
function takeFocus() {
  const control = focus && !document.querySelector('dialog') && document.getElementById(focus);
  if (!control) return;
  focus = null;
  if (document.activeElement === document.body || document.activeElement.tagName === 'MAIN') control.focus({ preventScroll: true });
}

async function deal(row, kind, members) {
  const { item, batch } = row;
  const unit = batch.unit || item.unit;
  const much = some(batch.quantity, unit, item.name);
  hold(row);
  told = t.due.told(much, t.due.did[kind].toLowerCase());
  if (await make(kind, { batch: batch.id, ...members }, t.done[kind](much))) focusOn(`undo-${batch.id}`);
}

/** What was done with a row that is gone: here, with Undo, or by somebody else. */
function deed(row) {
  const { item, batch } = row;
  const record = ownDeed(row);
  if (!record) {
    const change = details(`item/${item.id}`)?.changes?.find(({ at }) => Date.parse(at) >= since - 1000); // moments of the history are whole seconds
    return h('p.was', change?.by && !change.isOwn ? t.due.byOther(change.by, t.due.didIt[change.kind] || t.due.didIt.other, time(change.at)) : t.due.isGone);
  }
  const { act } = record;
  const isFrozen = act.kind === 'move' && find('locations', act.location)?.isFreezer;
  const words = isFrozen ? t.due.frozen(act.expiry && day(act.expiry)) : t.due.did[act.kind] || record.words;
  return [h('p.was', words), button('btn.bare.undo', `undo-${batch.id}`, t.frame.undo, async () => {
    told = t.frame.takenBack(`${item.name}, ${words.toLowerCase()}`);
    await undo(record);
    focusOn(`${isFrozen ? 'move' : act.kind}-${batch.id}`);
  }, { 'aria-label': t.frame.undoOf(`${item.name}, ${words.toLowerCase()}`) })];
}

function verbs(row, freezer) {
  const { item, batch } = row;
  const { id, quantity } = batch;
  const verb = (kind, text, work, shape = 'btn') => button(shape, `${kind}-${id}`, text, work, { 'aria-label': `${item.name}: ${text.toLowerCase()}` });
  return [
    verb('use', t.due.used, () => deal(row, 'use', { quantity, unit: batch.unit || item.unit })),
    verb('spoil', t.due.away, () => deal(row, 'spoil', {}), 'btn.away'),
    freezer && !find('locations', batch.storageLocationId)?.isFreezer && verb('move', t.due.freeze, () => openFreeze(row, freezer)),
  ];
}

function draw(row, freezer) {
  const { item, batch, isGone } = row;
  const { id, quantity, expiry, openedAt, leftOver } = batch;
  const unit = batch.unit || item.unit;
  const left = daysTo(expiry.isoDate);
  const date = left < 0 && about(expiry) + (left === -1 ? distance(left) : `${day(expiry.isoDate, 'short')}, ${distance(left)}`);
  const struck = (text) => (isGone ? h('s', text) : text);
  return h(isGone ? 'li.due.done' : 'li.due', { key: id },
    button('go', `name-${id}`, [h('span', struck(item.name), h('small', dotted(date, place(batch.storageLocationId), openedAt && t.due.openSince(day(dayOf(openedAt))),
      leftOver > 0 && left >= 0 && t.due.leftOver(amount(leftOver, unit))))), h('b', struck(amount(quantity, unit)))], () => openItem(item.id)),
    h('div.three', isGone ? deed(row) : verbs(row, freezer)));
}

export const head = () => [
  h('h1', t.due.within(page.state.household.expiringWithinDays)),
  h('p.off', { id: 'due-told', role: 'status' }, told),
];

export function body(room) {
  since ||= page.now().getTime();
  const freezer = drawn().locations.find(({ isFreezer }) => isFreezer);
  const group = ({ batch: { expiry } }) => (daysTo(expiry.isoDate) >= 0 ? expiry.isoDate : expiry.isBest ? 'best' : 'expired');
  const wanted = drawn().items.flatMap((item) => (item.batches || []).filter(isSoon).map((batch) => ({ key: batch.id, item, batch })));
  const rank = (row) => `${{ expired: 0, best: 1 }[group(row)] ?? 2}${row.batch.expiry.isoDate}`;
  wanted.sort((a, b) => rank(a).localeCompare(rank(b)) || a.item.name.localeCompare(b.item.name));
  const all = rows.rows(wanted);
  for (const row of all) if (row.isGone) hold(row);
  if (focus) requestAnimationFrame(takeFocus);
  if (!all.length) return quiet(t.due.nothing, t.due.nothingMore);
  return groups(all, group).map(([date, those]) => h('section', { key: date },
    t.due.past[date] ? h('h2.kind.mark', warn(), ` ${t.due.past[date]} `, h('b', those.filter(({ isGone }) => !isGone).length)) : h('h2.kind', `${day(date, 'long')}, ${distance(daysTo(date))}`),
    h('ul', those.filter(() => room.left-- > 0).map((row) =>
      row.isGone ? draw(row) : kept(`due-${row.key}`, [row.item.name, row.batch, freezer, page.state.today], () => draw(row, freezer))))));
}

const NO_DATE = 'none';

/** How long it keeps in the freezer: the months that most say, and as the last time. */
function frozenOptions({ usual }) {
  const months = frozenFor();
  const last = usual?.frozenDays && daysAfter(today(), usual.frozenDays);
  const own = last && !months.some(([, iso]) => Math.abs(daysTo(iso) - usual.frozenDays) <= 3);
  const days = own && t.pick.days(usual.frozenDays);
  const all = own ? [...months, ['last', last, { short: days.long, long: days.long }]].sort((a, b) => a[1].localeCompare(b[1])) : months;
  return [...all, [NO_DATE, null, { short: t.pick.noDate, long: t.pick.noDate }]];
}

/** Asks how much goes into the freezer, and until when it keeps there. */
function openFreeze(row, freezer) {
  const { item, batch } = row;
  const unit = batch.unit || item.unit;
  const last = item.usual?.frozenDays;
  const expiry = last ? frozenOptions(item).find(([, iso]) => iso && Math.abs(daysTo(iso) - last) <= 3)[1] : monthsAfter(today(), 3);
  open('freeze', (draft) => {
    const there = find('items', item.id)?.batches?.find(({ id }) => id === batch.id);
    const total = there || batch;
    const much = parseAmount(draft.much, unit);
    const isTooMuch = much && convert(much.quantity, much.unit, unit) > total.quantity;
    const isAll = much && convert(much.quantity, much.unit, unit) === total.quantity;
    const set = (text) => {
      draft.much = text;
      changed();
    };
    const everything = amount(total.quantity, unit);
    const problem = amountProblem(draft.much, unit) || (isTooMuch && { say: t.due.only(everything), fix: [t.due.allOf(everything), () => set(everything)] });
    const freeze = async () => {
      draft.isAsked = true;
      if (problem) return changed();
      const words = t.done.move(some(much.quantity, much.unit, item.name), freezer.name);
      const making = make('move', { batch: batch.id, location: freezer.id, expiry: draft.expiry, ...(!isAll && much) }, words);
      if (isAll) {
        hold(row);
        told = t.due.told(some(much.quantity, much.unit, item.name), t.due.frozen(draft.expiry && day(draft.expiry)).toLowerCase());
      }
      if (!(await (isAll ? making : telling(making)))) return;
      done('freeze');
      if (isAll) focusOn(`undo-${batch.id}`);
    };
    const shown = draft.isAsked || isTooMuch ? problem : null;
    return {
      title: t.due.freeze, note: item.name,
      body: [
        h('div.pad.do', step('freeze-much', t.due.howMuch(item.name), draft.much, unit, (next) => set(amount(next.quantity, next.unit)), { type: set, problem: shown }),
          h('p.soft.mid', { key: 'there' }, isAll ? t.due.allThere(inPlace(batch.storageLocationId)) : t.due.there(everything))),
        fault('freeze-much', shown),
        h('h3.cap', { key: 'until' }, t.due.thenKeeps),
        pickDay('freeze-day', t.due.thenKeeps, draft.expiry, (iso) => {
          draft.expiry = iso;
          changed();
        }, { options: frozenOptions(item) }),
        h('p.pad.small.soft', { key: 'say' }, [last && draft.expiry === expiry && t.due.asLast, draft.expiry ? t.due.notUntil : t.due.never].filter(Boolean).join(' ')),
      ],
      foot: button('btn.primary.grow', 'freeze-do', draft.expiry ? t.due.freezeUntil(day(draft.expiry)) : t.due.freeze, freeze),
    };
  }, { of: batch.id + today(), much: amount(batch.quantity, unit), expiry });
}
