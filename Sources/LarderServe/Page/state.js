// What the page knows, and draws: the server's last state, and the acts that may not be in it yet.

import { apply } from './apply.js';
import { recall, keep, forgetState, readActs } from './store.js';

/** The number of the state's form that this page reads. */
export const FORM = 1;

export const page = {
  token: null, // without one the phone has to be paired
  home: null, // id and name of the household with which it is paired
  state: null, // as the server sent it last
  etag: null,
  offset: 0, // from this phone's clock to the server's
  heard: 0, // when the server answered last
  isOffline: false, // because the person wants it
  prices: {}, // typed for entries, until their receipt
  records: [], // of acts, oldest first
  say: null, // why the server takes nothing now
  isOld: false, // the household's program is newer than this page
  now: () => new Date(Date.now() + page.offset),
};

const listeners = [];
/** Calls back when the page knows something else; with true if a tap here has caused it. */
export const onChange = (listener) => listeners.push(listener);
export const changed = (isOwn) => listeners.forEach((listener) => listener(isOwn));

/** Reads what the phone keeps: at the start, and when another tab has written. */
export async function load() {
  const old = page.state;
  const [kept, state] = await Promise.all([recall('page'), recall('state')]);
  // What came in the meantime is newer.
  if (page.state === old) {
    Object.assign(page, kept);
    if (state?.format <= FORM) page.state = merged(state);
    if (page.state) page.home ||= homeOf(page.state.household);
  }
  setRecords(await readActs());
}

/** Keeps what changes, and only then takes it for true. */
export async function savePage(changes) {
  const { token, home, etag, offset, heard, isOffline, prices } = { ...page, ...changes };
  await keep('page', { token, home, etag, offset, heard, isOffline, prices });
  Object.assign(page, changes);
}

const homeOf = ({ id, name }) => ({ id, name });

/** The phone is paired with a household. What it knows of another one is nothing to show. */
export async function settleIn(token, household) {
  const isOther = page.home && page.home.id !== household.id;
  if (isOther) {
    page.state = drawing = null;
    await forgetState();
  }
  await savePage({ token, home: homeOf(household), etag: null });
}
/** Whether a record was made in the household with which this phone is paired. */
export const isHere = ({ home }) => !home || !page.home || home.id === page.home.id;

export function saveState(state) {
  page.state = merged(state);
  page.home = homeOf(state.household);
  return keep('state', state);
}

/** What is equal stays the same object, and is not drawn again. */
function merged(state) {
  for (const list of page.state ? ['items', 'entries', 'receipts'] : []) {
    const known = new Map(page.state[list].map((thing) => [JSON.stringify(thing), thing]));
    state[list] = state[list].map((thing) => known.get(JSON.stringify(thing)) || thing);
  }
  return state;
}

export function setRecords(records) {
  page.records = records;
  drawing = null;
}

/** An id that the server knows: what an act of this phone made has the act's until then. */
export const realID = (id) => page.records.find(({ act, made }) => made && act.id === id)?.made || id;

function resolved(act) {
  const known = { ...act };
  for (const name of ['entry', 'item', 'batch', 'receipt', 'location']) if (act[name]) known[name] = realID(act[name]);
  if (act.entries) known.entries = act.entries.map(realID);
  if (act.lines) known.lines = act.lines.map(resolved);
  return known;
}

export const applied = (state, { act, back }) =>
  apply(state, resolved(act), back?.map((one) => ({ ...one, id: realID(one.id) })));

let drawing = null;
/** The state as it is drawn; null before there is one. `without` a record, as it was before its taps. */
export function drawn(without) {
  if (!page.state) return null;
  if (!without && drawing?.state === page.state) return drawing.result;
  const pending = page.records.filter((record) => isHere(record) && record.n !== without?.n && (record.state === 'waiting' || record.isFresh));
  // An act and its taking back, both unknown to the state, are nothing.
  const ids = new Set(pending.map(({ act }) => act.id));
  const undone = new Set(pending.map(({ undoes }) => undoes));
  const result = pending.filter(({ act, undoes }) => !undone.has(act.id) && !ids.has(undoes)).reduce(applied, page.state);
  if (!without) drawing = { state: page.state, result };
  return result;
}

export const find = (list, id) => drawn()?.[list].find((thing) => thing.id === realID(id));
export const place = (id) => drawn()?.locations.find((one) => one.id === realID(id))?.name;
