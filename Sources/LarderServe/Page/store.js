// What the phone keeps, in IndexedDB: `kept` has values by name, `acts` the queue and what became of it.

import { t } from './texts.js';

const open = () => new Promise((resolve, reject) => {
  // A page with another form raises the number, and reads what this one wrote.
  const request = indexedDB.open('larder', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('kept');
    request.result.createObjectStore('acts', { keyPath: 'n', autoIncrement: true });
  };
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    request.result.onversionchange = () => request.result.close();
    hasOpened = true;
    resolve(request.result);
  };
});
let opening = null;
let hasOpened = false;

/** Why the phone keeps nothing now, and what to do; null while it does. */
export let refusal = null;

/** Does work in one transaction; what `is` was given is returned when all is on the disk. */
async function within(name, mode, work) {
  const own = (opening ||= open());
  try {
    const transaction = (await own).transaction(name, mode);
    const done = await new Promise((resolve, reject) => {
      let result;
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(transaction.error);
      work(transaction.objectStore(name), (value) => (result = value));
    });
    if (mode === 'readwrite') refusal = null;
    return done;
  } catch (error) {
    // A full disk has many names. The browser closes what it could not write; the next time it is opened anew.
    refusal = hasOpened || error.name === 'QuotaExceededError' ? t.frame.isFull : t.frame.isPrivate;
    if (opening === own) opening = null;
    own.then((database) => database.close(), () => null);
    throw error;
  }
}
const read = (name, ask) =>
  within(name, 'readonly', (store, is) => {
    ask(store).onsuccess = ({ target }) => is(target.result);
  });

export const recall = (key) => read('kept', (store) => store.get(key));
export const keep = (key, value) => within('kept', 'readwrite', (store) => store.put(value, key));
export const readActs = () => read('acts', (store) => store.getAll());

/** Forgets what is known of a household, but not what is still to be sent. */
export const forgetState = () =>
  within('kept', 'readwrite', (store) => ['state', 'details'].forEach((key) => store.delete(key)));

const LOOKED_AT = 100;
/** Keeps what the server told of an item or a receipt, and forgets it of those that were looked at long ago. */
export const keepDetails = (path, details) =>
  within('kept', 'readwrite', (store) => {
    store.get('details').onsuccess = ({ target: { result } }) => {
      const kept = [...(result || [])].filter(([other]) => other !== path);
      store.put(new Map([...kept, [path, details]].slice(-LOOKED_AT)), 'details');
    };
  });

/** Writes records of acts, and removes some; a new one gets its place in the queue. */
export const writeActs = (records, gone = []) =>
  within('acts', 'readwrite', (store) => {
    gone.forEach(({ n }) => store.delete(n));
    for (const record of records) store.put(record).onsuccess = ({ target }) => (record.n = target.result);
  });

export const forget = () =>
  Promise.all(['acts', 'kept'].map((name) => within(name, 'readwrite', (store) => store.clear())));

/** Takes the lease if nobody else holds it; it ends by itself should its tab be closed. */
export const lease = (owner, until) =>
  within('kept', 'readwrite', (store, is) => {
    store.get('lease').onsuccess = ({ target: { result } }) => {
      const isFree = !result || result.until < Date.now() || result.owner === owner;
      if (isFree) store.put({ owner, until }, 'lease');
      is(isFree);
    };
  });

/** A UUID. crypto.randomUUID is missing on plain http. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
