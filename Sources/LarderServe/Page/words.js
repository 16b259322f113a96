// What is typed or pasted for the list, as wishes: which item is meant, how much, and what it does to the entry.

import { drawn } from './state.js';
import { amount, convert, converts, fold, parseAmount, parseWords, singular, sizes, tidy } from './format.js';
import { t } from './texts.js';

const texts = new WeakMap();
/** The name of an item and its other names, folded, and without the plural's s: worked out once. */
function namesOf(item) {
  if (!texts.has(item)) {
    const names = [item.name, ...(item.aliases || [])].map(fold);
    texts.set(item, { names, roots: names.map(singular) });
  }
  return texts.get(item);
}
const calls = new WeakMap();
/** The item that is called so. */
function itemCalled(text) {
  const { items } = drawn();
  if (!calls.has(items)) {
    const all = new Map();
    for (const item of items) for (const root of namesOf(item).roots) if (!all.has(root)) all.set(root, item);
    calls.set(items, all);
  }
  return calls.get(items).get(singular(fold(text.trim())));
}
const isLetter = (sign) => /[\p{L}\p{N}]/u.test(sign || '');

/** Where a part stands in a text: 0 at its start, 1 at the start of a word, 2 inside a word, nothing if it is not there. */
function placeIn(text, part) {
  let found;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!at) return 0;
    if (!isLetter(text[at - 1])) return 1;
    found = 2;
  }
  return found;
}

/** The items in whose names a text is, the nearest first: `{ item, rank, isExact, alias }`. A rank below 2 begins with it. */
export function itemsWith(text) {
  const part = fold(text.trim());
  const root = singular(part);
  if (!root) return [];
  return drawn().items.flatMap((item) => {
    const { names, roots } = namesOf(item);
    if (!names.some((name) => name.includes(root))) return [];
    const isExact = roots.includes(root);
    const ranks = names.map((name, index) => placeIn(name, part) * 2 + (index > 0));
    const rank = Math.min(...ranks.map((one) => (Number.isNaN(one) ? 9 : one)));
    const alias = rank % 2 && rank < 9 ? item.aliases[ranks.indexOf(rank) - 1] : undefined;
    return rank < 9 || isExact ? [{ item, rank, isExact, alias }] : [];
  }).sort((a, b) => b.isExact - a.isExact || a.rank - b.rank);
}

/** A name and an amount; a name that has a number in it stays whole. */
export const read = (text) => (itemCalled(text) ? { name: text.trim() } : parseWords(text));

/** Whether a text is an amount of nothing: "2 kg". */
export function isAmountAlone(text) {
  const much = parseAmount(text);
  return !!much && (much.unit === 'piece' || much.unit === 'pack' || much.unit in sizes);
}

/** What is bought of an item if nobody says how much: what is missing, or what is usual. */
export const usualOf = ({ quantityFullStock: full, quantityInStock: there, unit, often }) =>
  full - there > 0 ? { quantity: tidy(full - there), unit } : often?.quantity ? { quantity: often.quantity, unit: often.unit } : {};

/**
 * What a wish for an item means: how much will be on the list, and in words what is there now. `already` of it, in the
 * entry's unit, come with wishes before.
 */
export function wishFor(item, { quantity, unit }, name, already = 0) {
  const entry = drawn().entries.find(({ itemId }) => itemId === item.id);
  const isOpen = entry && !entry.isCompleted;
  const there = entry && tidy(entry.desiredQuantity + already);
  const kind = unit?.startsWith(item.unit) && unit.length - item.unit.length < 3 ? item.unit : unit || (isOpen ? entry : item).unit;
  const isMore = isOpen && quantity && converts(kind, entry.unit);
  const all = isMore ? { quantity: tidy(there + convert(quantity, kind, entry.unit)), unit: entry.unit } : quantity ? { quantity, unit: kind } : isOpen || entry ? {} : usualOf(item);
  const much = entry && amount(there, entry.unit);
  const shown = quantity ? amount(quantity, kind) : all.quantity && amount(all.quantity, all.unit);
  return {
    item, name: item.name, much: shown, all: all.quantity ? amount(all.quantity, all.unit) : much, members: { item: item.id, ...all },
    added: quantity && { quantity, unit: kind, more: isMore ? convert(quantity, kind, entry.unit) : 0 },
    hint: !entry ? t.list.atHome(amount(item.quantityInStock, item.unit)) : isOpen ? t.list.onList(much, isMore && amount(all.quantity, all.unit)) : t.list.isInBasket(much),
    isOther: singular(fold(item.name)) !== singular(fold(name)),
  };
}

/** What was typed, as it is typed. */
export const wishAs = (text, { name, quantity, unit = 'piece' }) => ({
  name, much: quantity && amount(quantity, unit), all: quantity && amount(quantity, unit), members: quantity ? { words: name, quantity, unit } : { words: text.trim() },
});

/** The item that a pasted line means: its whole name, or the only name that begins with these words. */
function meant(name) {
  const found = itemsWith(name);
  if (found[0]?.isExact) return found[0].item;
  const part = fold(name);
  const begin = found.filter(({ item }) => namesOf(item).names.some((one) => one.startsWith(part) && !isLetter(one[part.length])));
  return begin.length === 1 ? begin[0].item : null;
}

export function understood(line, already) {
  const said = read(line);
  const item = meant(said.name);
  return item ? wishFor(item, said, said.name, already?.get(item.id)) : { ...wishAs(line, said), hint: said.isUnclear ? t.list.isUnclear : t.list.isNew };
}

const BULLET = /^\s*(?:[-*•·–▪◦‣]\s+|\d+[.)]\s+|#+\s+)?(?:(\[[xX✓]\]|[☑☒✅✓✔])|\[ ?\]|[☐◻▢□])?\s*/u;
const isKnown = (text) => itemCalled(text) || read(text).quantity != null;

/** One line's things: at commas, and at "and" between what is known or has an amount. */
function things(line) {
  if (itemCalled(line)) return [line];
  const parts = line.split(/,(?!\d)|;/).map((part) => part.trim()).filter(Boolean);
  const joined = [];
  for (const part of parts) {
    const before = joined.at(-1);
    // A comma in a name, and "crisps, 2 bags".
    if (before && (itemCalled(read(`${before}, ${part}`).name) || (parseAmount(part) && read(before).quantity == null && !itemCalled(part)))) {
      joined[joined.length - 1] = itemCalled(read(`${before}, ${part}`).name) ? `${before}, ${part}` : `${before} ${part}`;
    } else joined.push(part);
  }
  return joined.flatMap((part) => {
    const pair = itemCalled(read(part).name) ? [part] : part.split(/\s+(?:and|und|&|\+)\s+/i);
    return pair.length > 1 && pair.every(isKnown) ? pair : [part];
  });
}

/** The lines of a text, as `{ text, isOff, isHeading }`: headings and what is crossed off are left out at first. */
export function linesOf(text) {
  const { categories = [] } = drawn();
  const all = text.split(/\r?\n/).filter((line) => line.trim());
  const isBullet = (line) => line.match(BULLET)[0].trim() !== '';
  const areBullets = all.filter(isBullet).length * 2 > all.length;
  return all.flatMap((line) => {
    const [mark, isCrossed] = line.match(BULLET);
    const words = line.slice(mark.length).replace(/\s*\|\s*/g, ' ').replace(/\s*\(([\d.,]+)\)$/, ' $1').trim();
    if (!words) return [];
    const isTitle = (areBullets && !isBullet(line)) || /^#/.test(mark.trim()) || categories.some((name) => fold(name) === fold(words) && !itemCalled(words));
    if (/:$/.test(words) || (all.length > 1 && isTitle && read(words).quantity == null)) return [{ text: words, isOff: true, isHeading: true }];
    return things(words).map((one) => ({ text: one, isOff: !!isCrossed || !!read(one).isUnclear, isHeading: false }));
  });
}
