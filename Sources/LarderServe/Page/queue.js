// The acts of this phone. Each is written down before it is shown, shown before it is sent, and remembered after
// its answer, so that it can be taken back. A record has the `act` as it is sent, the `words` for people, its
// place `n`, what it `change`d, and its `state`: waiting, done, overtaken or refused. `isFresh`: done, but the
// last state is older. `answered` is when. `undoes` names the act that it takes back; `pause` ends when no tap is
// waited for.

import { page, changed, drawn, applied, setRecords, realID } from './state.js';
import { difference } from './apply.js';
import { newID, refusal, writeActs } from './store.js';
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

/**
 * Makes an act, and returns its record; null if the phone can't keep it. With `pause`, a tap on the same field
 * within so many milliseconds makes it one act.
 */
export async function make(kind, members, words, pause) {
  const record = { act: request(kind, members), words, state: 'waiting', pause: pause && Date.now() + pause };
  const last = page.records.at(-1);
  const isSame = last?.pause > Date.now() && [last, record].map(({ act }) => act.kind + (act.entry || act.item) + Object.keys(act.fields || {}));
  if (isSame && isSame[0] === isSame[1]) {
    return add({ ...last, ...record, act: { ...record.act, id: last.act.id } }, pause);
  }
  const before = drawn();
  record.change = difference(before, applied(before, record));
  const made = await add(record, pause);
  if (made && changing && targetOf(changing.act) === targetOf(made.act)) {
    await drop(changing);
    changing = null;
  }
  return made;
}

const opposite = { got: 'ungot', ungot: 'got', drop: 'restore', archive: 'unarchive' };

/** Takes an act back: by an act, as everything else. */
export async function undo({ n, act, words, change }) {
  const kind = opposite[act.kind];
  const own = kind ? request(kind, { [act.entry ? 'entry' : 'item']: act.entry || act.item }) : request('undo', { act: act.id });
  if (await add({ act: own, words: t.frame.takenBack(words), state: 'waiting', undoes: act.id, back: change })) {
    await revise((record) => (record.n === n ? { ...record, isUndone: true } : record), true);
  }
}

export const drop = ({ n }) => keeping(() => revise((record) => (record.n === n ? null : record), true));

/** A refused act again: it means now, and is another act. */
export async function again(record) {
  await add({ act: { ...record.act, ...request(record.act.kind) }, words: record.words, state: 'waiting', change: record.change });
  await drop(record);
}

/** Writes down what the server said of acts that were sent. */
export function answered(answers, sent) {
  const told = new Map(answers.map((answer) => [answer.id, answer]));
  const sentAt = new Map(sent.map(({ act }) => [act.id, act.at]));
  const isRefused = (id) => told.get(id)?.answer === 'refused';
  for (const { id, say } of answers) if (isRefused(id)) untell(id, say);
  let surplus = page.records.filter(isAnswered).length - REMEMBERED;
  return revise((record) => {
    const { act, undoes, isUndone, state } = record;
    // To take back what was refused is nothing to tell anyone.
    if (isRefused(undoes) || (isUndone && isRefused(act.id))) return null;
    if (isAnswered(record) && !record.isFresh && surplus-- > 0) return null;
    const answer = state === 'waiting' && told.get(act.id);
    if (!answer) return record;
    // A tap that came while it was sent is an act of its own.
    if (act.at !== sentAt.get(act.id)) return { ...record, act: { ...act, id: newID() } };
    const next = { ...record, state: answer.answer === 'repeated' ? 'done' : answer.answer, say: answer.say, made: answer.made, answered: Date.now() };
    next[next.state === 'done' ? 'isFresh' : 'isNew'] = true;
    return next;
  });
}

export const waiting = () => page.records.filter(({ state }) => state === 'waiting');
export const refusals = () => page.records.filter(({ state }) => state === 'refused');
export const recent = () => page.records.filter((record) => isAnswered(record) && !record.undoes).reverse();

/** What a row has to say: an act on this thing was refused, or overtaken and nobody has left the list since. */
export function noteOn({ id, batches = [] }) {
  return page.records.findLast(({ state, isNew, act }) => {
    if (state !== 'refused' && !(state === 'overtaken' && isNew)) return false;
    const target = realID(act.entry || act.item || act.batch);
    return target === id || batches.some((batch) => batch.id === target);
  });
}
export const seen = () => revise((record) => (record.state === 'overtaken' && record.isNew ? { ...record, isNew: false } : record));
