// The acts of this phone. Each is written down before it is shown, shown before it is sent, and remembered after
// its answer, so that it can be taken back. A record has the `act` as it is sent, the `words` for people, its
// place `n`, what it `change`d, and its `state`: waiting, done, overtaken or refused. `isFresh`: done, but the
// last state is older. `answered` is when. `undoes` names the act that it takes back; `pause` ends when no tap is
// waited for. `home` is the household in which it was made: the acts of another one stay here until this phone is
// paired with that one again.

import { page, changed, drawn, find, applied, isHere, setRecords, realID } from './state.js';
import { difference } from './apply.js';
import { newID, refusal, writeActs } from './store.js';
import { amount, convert, tidy, when } from './format.js';
import { soon, tellTabs } from './send.js';
import { untell, tell } from './said.js';
import { t } from './texts.js';

const REMEMBERED = 300;
const isAnswered = ({ state }) => state === 'done' || state === 'overtaken';

/** Writes records anew: `edit` returns another one for what changes, and null for what is forgotten. */
export async function revise(edit, isOwn) {
  const edited = new Map(page.records.map((record) => [record.n, edit(record)]));
  const old = page.records.filter((record) => edited.get(record.n) !== record);
  if (!old.length) return;
  await writeActs(old.map(({ n }) => edited.get(n)).filter(Boolean), old.filter(({ n }) => !edited.get(n)));
  // A tap may have come in the meantime.
  setRecords(page.records.flatMap((record) => (edited.has(record.n) ? edited.get(record.n) || [] : record)));
  tellTabs();
  changed(isOwn);
}

/** Keeps what somebody has tapped. If the phone can't, it says so, and null comes back. */
export async function keeping(work) {
  try {
    return (await work()) ?? true;
  } catch (error) {
    if (!refusal) throw error;
    tell(t.frame.nothingChanged(refusal));
    changed(true);
    return null;
  }
}

async function add(record, pause = 0) {
  if (!(await keeping(() => writeActs([record])))) return null;
  setRecords([...page.records.filter(({ n }) => n !== record.n), record]);
  tellTabs();
  changed(true);
  soon(pause);
  return record;
}

let latest = 0;
/** The moment of a tap. It is later than the tap before, though what is known of the server's clock may change. */
function moment() {
  const now = page.now().getTime();
  latest = now <= latest && latest - now < 60000 ? latest + 1 : now;
  return new Date(latest).toISOString();
}
const request = (kind, members) => ({ id: newID(), at: moment(), kind, ...members });

const targetOf = ({ kind, item, entry, batch, receipt }) => [kind, item, entry, batch, receipt].join();
let changing = null;
/** A refused act is being made anew in another way: the next one of its kind, on the same thing, replaces it. */
export const replaceWith = (record) => (changing = record);

/** What the same control makes again: the same fields of the same thing, or more of it. */
const aimOf = ({ kind, item, entry, batch, loose, location, expiry, fields }) => JSON.stringify([kind, item, entry, batch, loose, location, expiry, Object.keys(fields || {})]);
const isCounted = ({ kind }) => kind === 'use' || kind === 'put';

/** An act with what was tapped before it. */
function gathered(act, before) {
  if (!isCounted(act)) return { ...act, id: before.id };
  const quantity = tidy(before.quantity + convert(act.quantity, act.unit, before.unit));
  return { ...before, at: act.at, quantity };
}

/**
 * Makes an act, and returns its record; null if the phone can't keep it. `words` may be a function of the act. With
 * `pause`, what the same control makes within so many milliseconds is one act: a field has its last value, what was
 * used or put adds up.
 */
export function make(kind, members, words, pause) {
  const record = { act: request(kind, members), state: 'waiting', pause: pause && Date.now() + pause, home: page.home };
  const made = making.then(() => writeDown(record, words, pause));
  making = made.catch(() => {});
  return made;
}

let making = Promise.resolve(); // one after the other: a quick tap counts on what the one before it wrote
async function writeDown(record, words, pause) {
  const last = page.records.at(-1);
  const isSame = last?.pause > Date.now() && aimOf(last.act) === aimOf(record.act) && convert(1, record.act.unit, last.act.unit) > 0;
  if (isSame) Object.assign(record, { n: last.n, act: gathered(record.act, last.act) });
  record.words = typeof words === 'function' ? words(record.act) : words;
  const before = isSame ? drawn(last) : drawn();
  record.change = difference(before, applied(before, record));
  const made = await add(record, pause);
  if (made && changing && targetOf(changing.act) === targetOf(made.act)) {
    await drop(changing);
    changing = null;
  }
  return made;
}

const opposite = { got: 'ungot', ungot: 'got', drop: 'restore', archive: 'unarchive', void: 'unvoid' };

const targetIn = (act) => Object.fromEntries(['entry', 'item', 'receipt'].filter((name) => act[name]).map((name) => [name, act[name]]));

/** Takes an act back: by an act, as everything else. */
export async function undo({ n, act, words, change }) {
  const kind = opposite[act.kind];
  const own = kind ? request(kind, targetIn(act)) : request('undo', { act: act.id });
  if (await add({ act: own, words: t.frame.takenBack(words), state: 'waiting', undoes: act.id, back: change, home: page.home })) {
    await revise((record) => (record.n === n ? { ...record, isUndone: true } : record), true);
  }
}

export const drop = ({ n }) => keeping(() => revise((record) => (record.n === n ? null : record), true));

/** A refused act again: it means now, and is another act. */
export async function again(record) {
  await add({ act: { ...record.act, ...request(record.act.kind) }, words: record.words, state: 'waiting', change: record.change, home: page.home });
  await drop(record);
}

/** Why an act was refused, in words for people. */
export function reason({ say, because }) {
  const { kind, there, unit, item, isArchived, by, at } = because || {};
  const name = item && (find('items', item) || drawn().archived?.find(({ id }) => id === item))?.name;
  if (kind === 'short') return there > 0 ? t.refused.short(amount(there, unit)) : t.refused.noneThere;
  if (kind === 'taken' && name) return isArchived ? t.refused.takenArchived(name) : t.refused.taken(name);
  if (kind === 'saved') return t.refused.saved(by, when(at));
  return kind === 'gone' ? t.refused.gone : say;
}

/** Writes down what the server said of acts that were sent. */
export function answered(answers, sent) {
  const told = new Map(answers.map((answer) => [answer.id, answer]));
  const sentAs = new Map(sent.map(({ act }) => [act.id, act]));
  const isRefused = (id) => told.get(id)?.answer === 'refused';
  for (const answer of answers) if (isRefused(answer.id)) untell(answer.id, reason(answer));
  let surplus = page.records.filter(isAnswered).length - REMEMBERED;
  return revise((record) => {
    const { act, undoes, isUndone, state } = record;
    // To take back what was refused is nothing to tell anyone.
    if (isRefused(undoes) || (isUndone && isRefused(act.id))) return null;
    if (isAnswered(record) && !record.isFresh && surplus-- > 0) return null;
    const answer = state === 'waiting' && told.get(act.id);
    if (!answer) return record;
    const was = sentAs.get(act.id);
    // A tap that came while it was sent is an act of its own; what was sent is not counted again.
    if (act.at !== was.at) return { ...record, act: { ...act, id: newID(), ...(isCounted(act) && { quantity: tidy(act.quantity - was.quantity) }) } };
    const next = { ...record, state: answer.answer === 'repeated' ? 'done' : answer.answer, say: answer.say, because: answer.because, made: answer.made, answered: Date.now() };
    next[next.state === 'done' ? 'isFresh' : 'isNew'] = true;
    return next;
  });
}

const here = (state) => page.records.filter((record) => record.state === state && isHere(record));
export const waiting = () => here('waiting');
export const refusals = () => here('refused');
export const recent = () => page.records.filter((record) => isHere(record) && isAnswered(record) && !record.undoes).reverse();
/** What can be sent now: the last one may still be gathering taps. */
export const ready = () => waiting().filter(({ pause }, index, all) => index < all.length - 1 || !(pause > Date.now()));

/** What waits for other households than the one this phone is paired with: `[home, records]`. */
export function elsewhere() {
  const homes = new Map();
  for (const record of page.records) {
    if (record.state !== 'waiting' || isHere(record)) continue;
    const home = [...homes.keys()].find(({ id }) => id === record.home.id) || record.home;
    homes.set(home, [...(homes.get(home) || []), record]);
  }
  return [...homes];
}
export const dropAll = (records) => keeping(() => revise((record) => (records.some(({ n }) => n === record.n) ? null : record), true));

/** Whether something that a person did with a thing has no answer yet. */
export function isWaiting({ id, batches = [] }) {
  return waiting().some(({ act }) => {
    const targets = [act.entry, act.item, act.batch, act.receipt, act.id, ...(act.entries || [])].filter(Boolean).map(realID);
    return targets.includes(id) || batches.some((batch) => targets.includes(batch.id));
  });
}

/** What a row has to say: an act on this thing was refused, or overtaken and nobody has left the list since. */
export function noteOn({ id, batches = [] }) {
  return page.records.findLast((record) => {
    const { state, isNew, act } = record;
    if (!isHere(record)) return false;
    if (state !== 'refused' && !(state === 'overtaken' && isNew)) return false;
    const target = realID(act.entry || act.item || act.batch);
    return target === id || batches.some((batch) => batch.id === target);
  });
}
export const seen = () => revise((record) => (record.state === 'overtaken' && record.isNew ? { ...record, isNew: false } : record));
