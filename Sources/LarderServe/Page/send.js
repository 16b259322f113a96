// The exchange with the server: first the acts in their order, then the news. One tab at a time does it, and the
// two never overlap: a state never lacks what was answered before it was asked for.

import { page, changed, load, savePage, saveState, setRecords, FORM } from './state.js';
import { answered, ready, waiting, revise } from './queue.js';
import { keep, keepDetails, lease, newID, readActs, recall, refusal } from './store.js';
import { t } from './texts.js';

const POLL = 4000;
const PATIENCE = 10000;
const NEWS = 30000;
const MOST = 200;
const me = newID();
const tabs = new BroadcastChannel('larder');
tabs.onmessage = () => load().then(() => changed());
export const tellTabs = () => tabs.postMessage(0);

let timer = 0;
let due = 0;
let isBusy = false;
let failures = 0;
let most = MOST;
/** Since when an answer is missing. The line that says so comes after three seconds. */
export let silence = 0;
let line = 0;

/** Exchanges in so many milliseconds, or sooner if that was meant already. */
export function soon(pause = 0) {
  if (timer && due <= Date.now() + pause) return;
  clearTimeout(timer);
  due = Date.now() + pause;
  timer = setTimeout(run, pause);
}

/** Asks the server. Nothing comes back where no answer came; one that takes long by nature is no silence. */
export async function ask(path, body, tag, patience) {
  if (page.isOffline && path !== 'unpair') return null;
  const headers = {};
  if (page.token) headers.Authorization = `Bearer ${page.token}`;
  if (body) headers['Content-Type'] = 'application/json';
  if (tag) headers['If-None-Match'] = tag;
  const begun = Date.now();
  if (!silence && !patience) line = setTimeout(changed, 3050);
  if (!patience) silence ||= begun;
  try {
    const options = { method: body ? 'POST' : 'GET', body: body && JSON.stringify(body), headers, cache: 'no-store', signal: AbortSignal.timeout(patience || PATIENCE) };
    const response = await fetch('api/1/' + path, options);
    // A page of somebody else in between, as of a hotel's network, is not JSON, and no answer.
    const content = response.status === 304 ? {} : await response.json();
    page.heard = Date.now();
    silence = 0;
    clearTimeout(line);
    // The server's clock is ahead by something between these. What is known already stays if it is, as a slow answer tells little.
    if (content.now) page.offset = Math.min(Math.max(page.offset, Date.parse(content.now) - page.heard), Date.parse(content.now) - begun);
    return { status: response.status, content, tag: response.headers.get('ETag') };
  } catch {
    return null;
  }
}

const known = new Map(); // by path, as they were told, and `asked` for
const versions = new Map(); // of the household, for which was asked

async function learn(path) {
  if (!known.has(path)) {
    known.set(path, (await recall('details'))?.get(path));
    changed();
  }
  const asked = Date.now();
  const result = await ask(path);
  if (result?.status !== 200) return setTimeout(() => versions.delete(path), POLL);
  known.set(path, { asked, ...result.content });
  changed();
  return keepDetails(path, known.get(path));
}

/** What is known of `item/ID` or `receipt/ID` beyond the state; it is asked for when the household has changed. */
export function details(path) {
  const version = page.state.version + page.state.today;
  if (versions.get(path) !== version) {
    versions.set(path, version);
    learn(path);
  }
  return known.get(path);
}

/** Does work while no other tab does. Web Locks are there on https alone. */
async function alone(work) {
  if (navigator.locks) return navigator.locks.request('larder', work);
  if (!(await lease(me, Date.now() + 3 * PATIENCE))) return true;
  try {
    return await work();
  } finally {
    await lease(me, 0);
  }
}

async function run() {
  timer = 0;
  if (isBusy) return soon(200);
  if (!page.token || page.isOffline || (document.hidden && !waiting().length)) return;
  isBusy = true;
  let isWell = false;
  try {
    isWell = await alone(exchange);
  } catch (error) {
    if (!refusal) page.say = t.frame.unread(error.message);
  }
  isBusy = false;
  failures = isWell ? 0 : failures + 1;
  changed();
  const last = waiting().at(-1);
  if (!isWell) soon(Math.min(60000, 500 * 2 ** failures) * (0.8 + 0.4 * Math.random()));
  else if (last) soon(Math.max(150, ready().length ? 0 : last.pause - Date.now()));
  else if (!document.hidden) wait();
}

let isWaiting = false;
/** Waits until the server has news, and asks for them; without an answer, some seconds. */
async function wait() {
  if (isWaiting) return;
  isWaiting = true;
  let pause = POLL;
  if (page.etag) {
    try {
      const headers = { Authorization: `Bearer ${page.token}`, 'If-None-Match': page.etag };
      const response = await fetch('api/1/news', { headers, cache: 'no-store', signal: AbortSignal.timeout(NEWS) });
      if (response.ok || response.status === 304) pause = 0;
    } catch {
      pause = 0; // the next question finds out
    }
  }
  isWaiting = false;
  soon(pause);
}

async function exchange() {
  setRecords(await readActs());
  const batch = ready().slice(0, most);
  const isWell = !batch.length || (await send(batch));
  // What got no answer may be in the next state, and would be drawn twice.
  if (isWell == null || !page.token) return isWell;
  return (await news()) && isWell;
}

async function send(batch) {
  const result = await ask('acts', { household: page.home?.id, acts: batch.map(({ act }) => act) });
  if (!result) {
    // A slow machine at home answers fewer at once in time.
    most = Math.max(10, most >> 1);
    return null;
  }
  const { status, content } = result;
  page.say = status === 200 ? null : content.say || t.frame.answered(status);
  if (status === 200) {
    most = Math.min(MOST, 2 * most);
    await answered(content.answers, batch);
  } else if (status === 401) await forgotten();
  else if (status === 413 && batch.length > 1) most = batch.length >> 1;
  else if (status === 400 || status === 413) {
    // A fault of this page. Nothing is dropped in silence: the person reads of it under More.
    const index = content.at?.match(/^acts\[(\d+)/)?.[1] || 0;
    await answered([{ id: batch[index].act.id, answer: 'refused', say: page.say }], batch);
  } else return false;
  return true;
}

async function news() {
  const fresh = new Set(page.records.filter(({ isFresh }) => isFresh).map(({ n }) => n));
  const result = await ask('state', null, page.state && page.etag);
  if (!result) return false;
  const { status, content, tag } = result;
  if (status === 401) return forgotten();
  if (status !== 304 && status !== 200) {
    page.say = content.say;
    return false;
  }
  if (status === 200) {
    page.isOld = content.format > FORM;
    if (page.isOld) return true;
    await saveState(content);
    page.etag = tag;
    page.say = waiting().length ? page.say : null;
    tellTabs();
  }
  await savePage();
  // It was asked for after their answers, so it has them.
  await revise((record) => (fresh.has(record.n) ? { ...record, isFresh: false } : record));
  return true;
}

/** The server does not know this phone any more: it asks for pairing, and keeps its acts. */
async function forgotten() {
  page.say = null;
  known.clear();
  await Promise.all([savePage({ token: null }), keep('details', null)]);
  return true;
}

/** Somebody looks, or there may be a network again. */
export function look() {
  if (document.hidden) return;
  failures = 0;
  load().then(() => {
    changed();
    soon();
  });
}
