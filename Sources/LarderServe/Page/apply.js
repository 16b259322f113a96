// What each kind of act does to the state, so that it shows before anyone has answered. Pure: what does not
// change stays the same object. The server's rules are the true ones; its next state replaces all this.

import { convert, daysAfter, groups, isCalled, parseWords, fold, tidy } from './amounts.js';

/** Replaces one of a list's things; nothing takes it out. */
const change = (state, list, id, edit) =>
  ({ ...state, [list]: state[list].flatMap((thing) => (thing.id === id ? edit(thing) || [] : thing)) });

export const withFields = (thing, fields) =>
  Object.fromEntries(Object.entries({ ...thing, ...fields }).filter(([, value]) => value != null));

const looseOf = (item) => (item.batches?.length ? item.loose || 0 : item.quantityInStock);

/** An item with other batches and loose stock: its sum and level follow. */
function stocked(item, batches, loose) {
  const left = batches.filter(({ quantity }) => quantity > 0);
  const sum = tidy(left.reduce((all, { quantity, unit }) => all + convert(quantity, unit, item.unit), loose));
  const { quantityMinimum: least, quantityFullStock: full } = item;
  const isLow = least != null ? sum < least : 2 * sum < (full || 0);
  return { ...item, quantityInStock: sum, batches: left, loose: left.length ? tidy(loose) : 0, level: sum <= 0 ? 'none' : isLow ? 'low' : undefined };
}

export const byExpiry = (a, b) => (a.expiry?.isoDate || '9').localeCompare(b.expiry?.isoDate || '9');

/** Takes from what expires first, then from undated batches, then from what lies loose. */
function take(item, quantity) {
  let rest = quantity;
  const batches = [...(item.batches || [])].sort(byExpiry).map((batch) => {
    const part = Math.min(convert(batch.quantity, batch.unit, item.unit), rest);
    rest = tidy(rest - part);
    return { ...batch, quantity: tidy(batch.quantity - convert(part, item.unit, batch.unit)) };
  });
  return stocked(item, batches, Math.max(0, looseOf(item) - rest));
}

/** Where and until when something is kept if nobody says it; null says that it has no place, or no day. */
export function usual(item, { location, expiry }, today) {
  const guess = expiry === undefined && item.keepsDays != null;
  const isoDate = guess ? daysAfter(today, item.keepsDays) : expiry;
  return { storageLocationId: (location === undefined ? item.storageLocationId : location) || undefined, expiry: isoDate && { isoDate, kind: 'expiry', ...(guess && { confidence: 0.5, isGuess: true, isBest: true }) } || undefined };
}

function put(item, act, today) {
  const quantity = convert(act.quantity, act.unit, item.unit);
  const details = usual(item, act, today);
  if (!details.storageLocationId && !details.expiry) return stocked(item, item.batches || [], looseOf(item) + quantity);
  return stocked(item, [...(item.batches || []), { id: act.id, quantity, ...details }], looseOf(item));
}

function onBatch(state, act, edit) {
  const item = state.items.find(({ batches }) => batches?.some(({ id }) => id === act.batch));
  if (!item) return state;
  const batches = item.batches.flatMap((batch) => (batch.id === act.batch ? edit(batch, item) : batch));
  return change(state, 'items', item.id, () => stocked(item, batches, looseOf(item)));
}
const onItem = (state, act, edit) => change(state, 'items', act.item, edit);
const onEntry = (state, act, edit) => change(state, 'entries', act.entry, edit);

/** What stays of a batch; nothing if the act is about all of it. */
const rest = ({ quantity, unit }, act, item) =>
  act.quantity == null ? 0 : tidy(quantity - convert(act.quantity, act.unit, unit || item.unit));

function less(state, act) {
  if (act.loose) return onLoose(state, act);
  if (!act.batch) return onItem(state, act, (item) => take(item, convert(act.quantity, act.unit, item.unit)));
  return onBatch(state, act, (batch, item) => ({ ...batch, quantity: rest(batch, act, item) }));
}

/** Takes an amount, or all, of what lies loose; with fields it becomes a batch. */
const onLoose = (state, act, fields) =>
  onItem(state, act, (item) => {
    const quantity = act.quantity == null ? looseOf(item) : convert(act.quantity, act.unit, item.unit);
    const batches = [...(item.batches || []), ...(fields ? [{ id: act.id, quantity, ...fields }] : [])];
    return stocked(item, batches, Math.max(0, tidy(looseOf(item) - quantity)));
  });
const dated = (isoDate) => (isoDate ? { isoDate, kind: 'expiry' } : undefined);

/** Changes a batch; a part of it becomes a batch of its own, which has the act's id until the server names it. */
const onPart = (state, act, fieldsOf) => act.loose ? onLoose(state, act, fieldsOf({})) : onBatch(state, act, (batch, item) => {
    const [stays, fields] = [rest(batch, act, item), fieldsOf(batch)];
    if (stays <= 0) return { ...batch, ...fields };
    return [{ ...batch, quantity: stays }, { ...batch, id: act.id, quantity: tidy(batch.quantity - stays), ...fields, leftOver: undefined }];
  });

/** The price of an entry follows how much of it is wanted. */
function priced(next, entry) {
  const share = entry?.price != null && convert(next.desiredQuantity, next.unit, entry.unit) / entry.desiredQuantity;
  return withFields(next, { price: share > 0 ? Math.round(entry.price * share * 100) / 100 : null });
}

function want(state, act) {
  if (act.lines) return act.lines.reduce((all, line, index) => want(all, { ...line, id: act.id + (index || ''), at: act.at }), state);
  const said = act.words ? parseWords(act.words) : {};
  const item = state.items.find((one) => (act.item ? one.id === act.item : isCalled(one, said.name)));
  const entry = state.entries.find(item ? ({ itemId }) => itemId === item.id : ({ name }) => fold(name) === fold(said.name));
  const missing = item && item.quantityFullStock - item.quantityInStock;
  const next = {
    id: act.id, name: item?.name || said.name, itemId: item?.id, category: item?.category, createdAt: act.at, ...entry,
    desiredQuantity: act.quantity ?? said.quantity ?? entry?.desiredQuantity ?? (missing > 0 ? tidy(missing) : item?.step ?? 1),
    unit: act.unit || said.unit || entry?.unit || item?.unit || 'piece',
    content: undefined, isCompleted: false,
  };
  if (act.note) next.note = act.note;
  return entry ? change(state, 'entries', entry.id, () => priced(next, entry)) : { ...state, entries: [...state.entries, next] };
}

function bought(state, act) {
  const given = (act.lines || []).filter(({ entry }) => !entry);
  const lines = act.entries.flatMap((id) => {
    const entry = state.entries.find((one) => one.id === id);
    const line = act.lines?.find((one) => one.entry === id);
    const listed = entry?.content == null ? { quantity: entry?.desiredQuantity, unit: entry?.unit } : { quantity: entry.content, unit: state.items.find((one) => one.id === entry.itemId)?.unit };
    return entry ? { ...listed, ...line, item: entry.itemId, name: entry.name } : [];
  }).concat(given);
  const items = state.items.map((item) => lines.reduce(
    (all, line, index) => (line.item === item.id ? put(all, { ...line, id: act.id + index }, state.today) : all), item));
  const names = lines.slice(0, 4).map(({ name, item }) => name || state.items.find(({ id }) => id === item)?.name);
  const told = lines.map((line, index) => {
    const item = state.items.find(({ id }) => id === line.item);
    return { ...line, id: act.id + index, itemId: line.item, itemName: line.name || item?.name, location: line.location || item?.storageLocationId };
  });
  const left = state.entries.filter(({ id }) => !act.entries.includes(id));
  // What joins another's receipt brings nothing in again that was in the basket.
  if (act.joins) return { ...state, entries: left };
  const receipt = {
    id: act.id, shopName: act.shop, timestamp: act.timestamp || act.at, amount: act.amount, currency: state.household.currency, lines: lines.length, names,
    by: state.phone?.name, entries: act.entries, items: told,
    toPutAway: toPutAway(state, told),
  };
  return { ...state, items, entries: left, receipts: [receipt, ...state.receipts] };
}

/** What a receipt brought, if some of it lacks a place or a date. Its lines have the ids of their items until the household names them. */
function toPutAway(state, lines) {
  const all = groups(lines.filter(({ itemId }) => itemId), ({ itemId }) => itemId).flatMap(([id, those]) => {
    const item = state.items.find((one) => one.id === id);
    if (!item) return [];
    const { storageLocationId: location, expiry } = usual(item, those[0], state.today);
    const quantity = tidy(those.reduce((sum, line) => sum + convert(line.quantity, line.unit, item.unit), 0));
    return { line: id, item: id, name: item.name, quantity, unit: item.unit, location, expiry: expiry?.isoDate, isSettled: location && (expiry || item.usual?.hasNoDate) };
  });
  return all.some(({ isSettled }) => !isSettled) ? all : undefined;
}

/** Puts what lines brought where it goes. It is the batch that has their place and date, or it lies loose. */
function putAway(state, { id, lines = [] }, { toPutAway: all = [] }) {
  return lines.reduce((now, { line, fields }, index) => {
    const known = all.find((one) => one.line === line);
    const batch = now.items.find((item) => item.id === known?.item)?.batches?.find(({ quantity, storageLocationId, expiry }) =>
      quantity === known.quantity && storageLocationId === known.location && expiry?.isoDate === known.expiry);
    const next = { storageLocationId: ('location' in fields ? fields.location : known?.location) || undefined, expiry: dated('expiry' in fields ? fields.expiry : known?.expiry) };
    if (!known || known.usedUp) return now;
    return batch ? onBatch(now, { batch: batch.id }, (one) => ({ ...one, ...next })) : onLoose(now, { ...known, id: `${id}${index}` }, next);
  }, state);
}

const byName = (a, b) => a.name.localeCompare(b.name);
const kinds = {
  got: (state, act) => onEntry(state, act, (entry) => ({ ...entry, isCompleted: true })),
  ungot: (state, act) => onEntry(state, act, (entry) => ({ ...entry, isCompleted: false })),
  want,
  drop: (state, act) => onEntry(state, act, () => null),
  put: (state, act) => onItem(state, act, (item) => put(item, act, state.today)),
  use: less,
  spoil: less,
  count: (state, act) =>
    act.batch ? onBatch(state, act, (batch) => ({ ...batch, quantity: act.quantity })) : onItem(state, act, (item) => {
      const more = convert(act.quantity, act.unit, item.unit) - item.quantityInStock;
      return more < 0 ? take(item, -more) : stocked(item, item.batches || [], looseOf(item) + more);
    }),
  move: (state, act) => onPart(state, act, (batch) => {
    const isFreezer = (place) => state.locations.find(({ id }) => id === place)?.isFreezer;
    const isFrozen = isFreezer(act.location) && !isFreezer(batch.storageLocationId);
    const expiry = 'expiry' in act ? dated(act.expiry) : undefined;
    return { storageLocationId: act.location, ...((isFrozen || 'expiry' in act) && { expiry, leftOver: undefined }) };
  }),
  open: (state, act) => onPart(state, act, () => ({ openedAt: act.at })),
  edit(state, act) {
    if (act.entry) return onEntry(state, act, (entry) => priced(withFields(entry, { ...('desiredQuantity' in act.fields && { content: null }), ...act.fields }), entry));
    if (act.loose) return onLoose(state, act, { storageLocationId: act.fields.storageLocationId || undefined, expiry: dated(act.fields.expiry) });
    if (act.batch) return onBatch(state, act, (batch) => ({ ...batch, ...('expiry' in act.fields ? { expiry: dated(act.fields.expiry) } : act.fields) }));
    return onItem(state, act, (item) => {
      const next = withFields(item, act.fields);
      return stocked(next, next.batches || [], looseOf(next));
    });
  },
  new: (state, act) => {
    const item = put({ step: 1, unit: 'piece', ...act.fields, id: act.id, quantityInStock: 0 }, { id: act.id + 0, quantity: act.quantity || 0, expiry: act.expiry }, state.today);
    return { ...state, items: [...state.items, item].sort(byName) };
  },
  archive: (state, act) => {
    const item = state.items.find(({ id }) => id === act.item);
    return item ? { ...onItem(state, act, () => null), archived: [...(state.archived || []), item].sort(byName) } : state;
  },
  unarchive: (state, act) => {
    const item = state.archived?.find(({ id }) => id === act.item);
    if (!item) return state;
    const items = [...state.items, { step: 1, ...item, ...(act.name && { name: act.name }) }].sort(byName);
    return { ...state, items, archived: state.archived.filter((one) => one !== item) };
  },
  bought,
  correct: (state, act) => change(act.isPutAway ? putAway(state, act, state.receipts.find(({ id }) => id === act.receipt) || {}) : state, 'receipts', act.receipt, (receipt) => {
    const next = act.line || act.add || !act.fields ? receipt : withFields(receipt, act.fields);
    return act.isPutAway ? { ...next, toPutAway: undefined } : next;
  }),
  void: (state, act) => change(state, 'receipts', act.receipt, () => null),
  place: (state, act) =>
    act.location ? change(state, 'locations', act.location, (place) => withFields(place, act.fields))
      : { ...state, locations: [...state.locations, { ...act.fields, id: act.id }] },
  unplace: (state, act) => change(state, 'locations', act.location, () => null),
  settings: (state, act) => ({ ...state, household: withFields(state.household, act.fields) }),
  barcode: (state, act) => onItem(state, act, (item) => ({ ...item, barcodes: [...(item.barcodes || []), { number: act.number, quantity: act.quantity, unit: act.unit }] })),
};

/** The state after an act. An act that takes another one back brings what that had changed. */
export function apply(state, act, back) {
  return back ? back.reduce(takeBack, state) : kinds[act.kind]?.(state, act) || state;
}

/** What an act changed: enough to take it back later, from a state that others have changed since. */
export function difference(before, after) {
  return ['items', 'entries', 'receipts'].flatMap((list) => {
    if (before[list] === after[list]) return [];
    const [old, now] = [before, after].map((state) => new Map(state[list].map((thing) => [thing.id, thing])));
    return [...new Set([...old.keys(), ...now.keys()])].map((id) => ({ list, id, from: old.get(id), to: now.get(id) }))
      .filter(({ from, to }) => from !== to);
  });
}

/** Stock goes back by what it had changed by, everything else to what it was. */
function takeBack(state, { list, id, from, to }) {
  if (from && !to) return { ...state, [list]: [...state[list].filter((thing) => thing.id !== id), from].sort(list === 'items' ? byName : () => 0) };
  return change(state, list, id, (thing) => {
    if (!from) return null;
    const fields = Object.keys({ ...from, ...to }).filter((name) => from[name] !== to[name])
      .map((name) => [name, name === 'quantityInStock' ? tidy(thing[name] + from[name] - to[name]) : from[name]]);
    return withFields(thing, Object.fromEntries(fields));
  });
}
