// What is done with an item, or with a part of it that lies somewhere: small sheets, each with an amount and an act.

import { h, icon, button } from './dom.js';
import { drawn, find, place, changed } from './state.js';
import { amount, convert, converts, day, daysAfter, monthsAfter, parseAmount, some, stepIn, tidy, today, unitName } from './format.js';
import { byExpiry } from './apply.js';
import { make } from './queue.js';
import { telling } from './said.js';
import { open, done, small } from './sheet.js';
import { amountProblem, fault, step } from './fields.js';
import { frozenFor, pickDay, pickPlace } from './pick.js';
import { t } from './all-texts.js';

const MOST = 1e9;

/** Where an item lies: its batches, what is due first in front, and what is in none as a row like the others. */
export function partsOf(item) {
  const { batches = [], unit, storageLocationId } = item;
  const loose = batches.length ? item.loose || 0 : item.quantityInStock;
  const all = batches.map((batch) => ({ ...batch, unit: batch.unit || unit })).sort(byExpiry);
  return loose > 0 ? [...all, { id: 'loose', isLoose: true, quantity: loose, unit, storageLocationId }] : all;
}

/** What one tap on − or + changes, the same everywhere: what is weighed or poured, by a little of it. */
export const tapOf = ({ step: size, unit }) => (stepIn(unit) === 1 ? size : Math.min(size, stepIn(unit)));
/** One pack of an item, if it is counted or its packs are known; else what a pack holds at most. */
const packOf = ({ step: size, unit }) => (stepIn(unit) === 1 || size !== stepIn(unit) ? size : convert(1, /gram$/.test(unit) ? 'kilogram' : 'liter', unit));

/** "in the fridge"; the name alone, as it stands, of a place that no language knows. */
export const inPlace = (id) => t.item.at(place(id));
/** "In the fridge". */
export const lies = (id) => inPlace(id)?.replace(/^./, (first) => first.toUpperCase());

const whole = ({ quantity, unit }) => amount(quantity, unit);
const aim = (item, part) => (!part ? { item: item.id } : part.isLoose ? { item: item.id, loose: true } : { batch: part.id });
/** A part as it is now: another phone may have taken of it. */
const now = (item, part) => part && (partsOf(find('items', item.id) || item).find(({ id }) => id === part.id) || part);

/** Makes an act of an amount of an item, or of a part of it, and says it. Taps within `pause` are one act. */
export function act(kind, item, much, { part, pause, end = '', ...more } = {}) {
  const words = ({ quantity, unit }) => t.done[kind](some(quantity, unit || item.unit, item.name)) + end;
  return telling(make(kind, { ...aim(item, part), ...much, ...more }, words, pause));
}

/** Of a part, or of all that is there. All of it has no amount in the act: what somebody put there meanwhile goes along. */
function onPart(kind, item, part, much, { words, ...more } = {}) {
  const isAll = tidy(convert(much.quantity, much.unit, part.unit)) === part.quantity;
  const what = some(much.quantity, much.unit, item.name);
  return telling(make(kind, { ...aim(item, part), ...more, ...(!isAll && much) }, words ? words(what) : t.done[kind](what)));
}

/** What is wrong with an amount that shall be put somewhere. */
export const sizeProblem = (text, unit) => {
  const problem = amountProblem(text, unit);
  if (problem) return problem;
  const { quantity, unit: own } = parseAmount(text, unit);
  // How much is in a package, the household may know.
  if (!converts(own, unit) && (own === 'piece' || stepIn(own) !== 1)) return t.item.otherUnit(unitName(own), unitName(unit) || t.item.pieces);
  return quantity <= 0 ? t.fields.howMuch : quantity < MOST ? null : t.item.tooMuch;
};
/** What is wrong with an amount that shall be taken: more than is there. `take` does it with all there is. */
export function takeProblem(text, { quantity, unit }, verb, take) {
  const problem = sizeProblem(text, unit);
  if (problem) return problem;
  const much = parseAmount(text, unit);
  if (convert(much.quantity, much.unit, unit) <= quantity) return null;
  return { say: t.item.only(amount(quantity, unit)), fix: quantity > 0 && verb && [verb(amount(quantity, unit)), () => take({ quantity, unit })] };
}

/** A sheet that takes an amount of an item or of a part of it. */
function takeSheet(kind, item, part, { much, fields = [], shape }) {
  const { title, verb } = t.item[kind];
  const from = () => now(item, part) || { quantity: (find('items', item.id) || item).quantityInStock, unit: item.unit };
  const doing = (much, draft = {}) => act(kind, item, much, { part, ...(draft.note && { note: draft.note }) });
  const check = (text, draft) => takeProblem(text, from(), verb, async (all) => (await doing(all, draft)) && done(kind));
  return small(kind, title(item.name), whole(from()) && t.item.there(whole(from())), [['much', t.item.howMuch, 'amount', { unit: from().unit, check, size: tapOf(item) }], ...fields],
    verb(), (draft) => doing(parseAmount(draft.much, from().unit), draft), { much, of: part?.id + item.id }, { shape });
}

export const openSpoil = (item, part, much) =>
  takeSheet('spoil', item, part, { much: part ? whole(part) : much, shape: 'away', fields: [['note', t.item.why, 'text', { isWide: true, placeholder: t.item.whyHint }]] });
export const openUse = (item, part) => takeSheet('use', item, part, { much: whole(part) });

export function openCount(item) {
  const { unit, name } = item;
  const there = amount(item.quantityInStock, unit);
  const check = (text) => parseAmount(text, unit).quantity >= MOST && t.item.tooMuch;
  small('count', t.item.count.title(name), t.item.there(there), [['much', t.item.howMuch, 'amount', { unit, check }]], t.item.count.verb(),
    (draft) => act('count', item, parseAmount(draft.much, unit)), { much: there, of: item.id });
}

/** Opens a part at once: a pack of it, if it is more than one; of what is more than any pack, it asks how much. */
export function openPart(item, part) {
  const pack = convert(packOf(item), item.unit, part.unit);
  const isKnown = packOf(item) === item.step;
  const much = { quantity: Math.min(pack, part.quantity), unit: part.unit };
  if (isKnown || part.quantity <= pack) return onPart('open', item, part, much);
  const check = (text) => takeProblem(text, now(item, part));
  return small('open', t.item.open.title(item.name), t.item.there(whole(part)), [['much', t.item.howMuch, 'amount', { unit: part.unit, check }]], t.item.open.verb(),
    (draft) => onPart('open', item, now(item, part), parseAmount(draft.much, part.unit)), { much: whole(part), of: part.id + item.id });
}

/** A chip that asks for a name and makes the place. */
export const newPlace = (id, set) => button('chip.go-on', `${id}-new`, icon('plus', 'svg.i'), () =>
  small('place', t.item.newPlace, null, [['name', t.item.placeName, 'text', { isWide: true, need: t.item.placeNeed, check: (text) => drawn().locations.some(({ name }) => name.toLowerCase() === text.toLowerCase()) && t.item.placeThere(text) }]],
    t.item.makePlace, async ({ name }) => {
      const record = await telling(make('place', { fields: { name: name.trim() } }, t.item.madePlace(name.trim())));
      if (record) set(record.act.id);
      return record;
    }), { 'aria-label': t.item.newPlace });

/** Where, and until when, as chips; each group under its title. */
export function whereAndWhen(id, name, draft, { usual, options, isMoving, problem } = {}) {
  const set = (key) => (value) => {
    draft[key] = value;
    draft[`${key}IsChosen`] = true;
    draft.problem = null;
    changed();
  };
  return [
    'place' in draft && [h('h3.cap', { key: 'where' }, t.item.where), pickPlace(`${id}-place`, t.item.placeOf(name), draft.place, set('place'), newPlace(`${id}-place`, set('place'))), fault(`${id}-place`, problem)],
    'date' in draft && [h('h3.cap', { key: 'when' }, isMoving ? t.item.thenKeeps : t.item.keeps), pickDay(`${id}-date`, t.item.keepsOf(name), draft.date, set('date'), { usual, options })],
  ];
}

/** A sheet with an amount, a place, a day, and a button that says all of it. */
function choosing(id, describe, initial) {
  open(id, (draft) => {
    const { title, note, unit, size, name, check, words, act, hint, ...chips } = describe(draft);
    const problem = draft.isAsked && check?.(draft.much);
    const much = parseAmount(draft.much || '', unit);
    const type = (text) => {
      draft.much = text;
      changed();
    };
    const doing = async () => {
      draft.isAsked = true;
      draft.problem = null;
      const made = !check?.(draft.much) && (await act(draft, much));
      if (typeof made === 'string') draft.problem = made;
      if (made && !draft.problem) done(id);
      else changed();
    };
    return {
      title, note,
      body: [
        check && h('div.pad.do', step(`${id}-much`, t.item.howMuchOf(name), draft.much, unit, (next) => type(amount(next.quantity, next.unit)), { size, type, problem })),
        check && fault(`${id}-much`, problem),
        whereAndWhen(id, name, draft, { ...chips, problem: draft.problem }),
        hint && h('p.pad.small.soft', { key: 'hint' }, hint),
      ],
      foot: button('btn.primary.grow', `${id}-do`, words(draft, much), doing),
    };
  }, initial);
}

const sooner = (days) => (days == null ? null : daysAfter(today(), days));
const freezes = (to, from) => !!find('locations', to)?.isFreezer && !find('locations', from)?.isFreezer;
/** Until when what comes into a freezer keeps: as the last time, else three months. */
const frozenUntil = ({ usual }) => (usual?.frozenDays ? sooner(usual.frozenDays) : monthsAfter(today(), 3));

/** Where and until when a put goes that nobody chooses. What is usual of the item itself is left out: the household says it. */
export function usualPut({ storageLocationId: home, usual = {}, keepsDays }) {
  const isOther = usual.location && usual.location !== home;
  return { ...(isOther && { location: usual.location }), ...(keepsDays == null && usual.days != null && { expiry: sooner(usual.days) }) };
}

/** Puts more of an item into the stock. It has the place and the date that it had the last time. */
export function openPut(item, typed) {
  const { id, name, unit, keepsDays, usual = {}, often } = item;
  const home = item.storageLocationId;
  const days = keepsDays ?? usual.days;
  const much = typed || amount(often?.quantity ?? item.step, often?.unit || unit);
  const last = usual.location ?? home ?? null;
  const isUsual = (last && last !== home) || (days != null && keepsDays == null);
  choosing('put', (draft) => {
    const isFrozen = freezes(draft.place, last);
    if (!draft.dateIsChosen) draft.date = isFrozen ? frozenUntil(item) : sooner(days);
    const { quantityInStock: there } = find('items', id) || item;
    return {
      title: t.item.put.title, note: `${name} · ${there > 0 ? t.item.there(amount(there, unit)) : t.item.noneLeft}`, name, unit, size: tapOf(item),
      check: (text) => sizeProblem(text, unit),
      usual: isFrozen ? usual.frozenDays : days, options: isFrozen ? frozenFor() : undefined,
      hint: isUsual ? t.item.asLast : home && keepsDays != null ? null : t.item.isKept,
      words: (draft, much) => t.item.put.all(much && amount(much.quantity, much.unit), place(draft.place), draft.date && day(draft.date)),
      // What is usual is left out: the household guesses its day, and it may guess better later.
      act: (draft, much) => act('put', item, much, {
        ...(draft.place !== (home ?? null) && { location: draft.place }),
        ...(draft.date !== sooner(keepsDays) && { expiry: draft.date }),
      }),
    };
  }, { of: id + today(), much, place: last, date: null });
}

export function openMove(item, part) {
  const { name, usual = {} } = item;
  const own = part.expiry?.isoDate ?? null;
  choosing('move', (draft) => {
    const isFrozen = freezes(draft.place, part.storageLocationId);
    if (!draft.dateIsChosen) draft.date = isFrozen ? frozenUntil(item) : own;
    return {
      title: t.item.move.title, note: `${name} · ${t.item.there(whole(part))}`, name, unit: part.unit, size: tapOf(item), isMoving: isFrozen,
      check: (text) => takeProblem(text, now(item, part)),
      usual: isFrozen ? usual.frozenDays : undefined, options: isFrozen ? frozenFor() : undefined,
      words: (draft, much) => t.item.move.all(much && amount(much.quantity, much.unit), draft.place !== part.storageLocationId && place(draft.place), draft.date && draft.date !== own && day(draft.date)),
      act(draft, much) {
        if (!draft.place) return t.item.whereTo;
        if (draft.place === part.storageLocationId) return t.item.isThereAlready(place(draft.place));
        const expected = isFrozen ? null : own;
        return onPart('move', item, now(item, part), much, {
          location: draft.place, ...(draft.date !== expected && { expiry: draft.date }), words: (what) => t.done.move(what, place(draft.place)),
        });
      },
    };
  }, { of: part.id + item.id + today(), much: whole(part), place: part.storageLocationId ?? null, date: own });
}

export function openDate(item, part) {
  const { name, keepsDays, usual } = item;
  const own = part.expiry?.isoDate ?? null;
  choosing('date', () => ({
    title: t.item.date.title, note: `${name} · ${whole(part)}`, name, unit: part.unit, size: tapOf(item), usual: keepsDays ?? usual?.days,
    // A batch has one date.
    check: part.isLoose && ((text) => takeProblem(text, now(item, part))),
    words: ({ date }) => t.item.date.all(date && day(date)),
    act: ({ date }, much) => date === own || onPart('edit', item, now(item, part), part.isLoose ? much : now(item, part), {
      fields: { expiry: date, ...(part.isLoose && date && { storageLocationId: part.storageLocationId ?? null }) }, words: () => t.item.date.made(name, date && day(date)),
    }),
  }), { of: part.id + item.id, much: whole(part), date: own });
}
