// Amounts, and what people type for them. Pure but for the language.

import { t } from './texts.js';

const short = { piece: '', gram: 'g', kilogram: 'kg', milliliter: 'ml', liter: 'l' };
const sizes = { gram: 1, kilogram: 1000, milliliter: 1, liter: 1000 };
const words = {
  piece: 'piece pieces pc pcs Stück Stücke Stk St', gram: 'g gr gram grams gramme grammes Gramm', kilogram: 'kg kgs kilo kilos kilogram kilograms Kilogramm',
  milliliter: 'ml milliliter milliliters millilitre millilitres', liter: 'l ltr liter liters litre litres Litern',
  pack: 'pack packs packet packets package packages pkg pkgs Packung Packungen Paket Pakete Pck', lb: 'lb lbs pound pounds', oz: 'oz ounce ounces',
};
/** Words that are so many of a unit. */
const multiples = { dozen: ['piece', 12], dozens: ['piece', 12], dutzend: ['piece', 12], pfund: ['gram', 500], cl: ['milliliter', 10], dl: ['milliliter', 100] };
/** Packages in another language than the page's: they stay as they are written. */
const foreign = new Set(`beutel becher dose dosen flasche flaschen glas gläser kiste kisten rolle rollen scheibe scheiben tafel tafeln tube tuben
  tüte tüten`.split(/\s+/));
const packages = `pack bag bar bottle box bunch can carton case crate cup dose glass head jar loaf net pair portion pot pouch punnet roll sachet
  sheet slice stick tablet tin tray tub tube`.split(/\s+/);
const plural = (word) => (word.endsWith('f') ? `${word.slice(0, -1)}ves` : word + (/(x|s|ch)$/.test(word) ? 'es' : 's'));
const singulars = new Map(packages.map((word) => [plural(word), word]));
const units = new Map(Object.entries(words).flatMap(([unit, all]) => all.split(' ').map((word) => [word.toLowerCase(), unit])));
const known = (word) =>
  units.get(word) || singulars.get(word) || (packages.includes(word) && word) || Object.entries(t.units).find(([, forms]) => forms.some((form) => form.toLowerCase() === word))?.[0];
/** The unit that a word means, in English or in the phone's language. */
export const unitOf = (word) => known(word.toLowerCase()) || word.toLowerCase();
export const unitName = (unit) => short[unit] || t.units[unit]?.[0] || unit;

/** A number as people here write it, with the phone's decimal sign. */
export function digits(number, decimals = 0) {
  const options = { useGrouping: false, minimumFractionDigits: decimals, maximumFractionDigits: Math.max(decimals, 6), numberingSystem: 'latn' };
  return (formats[decimals] ||= new Intl.NumberFormat(undefined, options)).format(number);
}
const formats = {};

/** Sums of decimals, without the dust of binary fractions. */
export const tidy = (number) => Math.round(number * 1e6) / 1e6;

/** A quantity in another unit; 0 where one can't become the other. */
export function convert(quantity, from, to) {
  if (!from || !to || from === to) return quantity;
  return sizes[from] && sizes[to] && from.endsWith('gram') === to.endsWith('gram') ? tidy((quantity * sizes[from]) / sizes[to]) : 0;
}

/** Whether an amount in one unit says how much it is in another. */
export const converts = (from, to) => convert(1, from, to) > 0;
/** A quantity when its unit is changed: as much, or as many of what is counted, or one of what nobody can say. */
export const inUnit = (quantity, from, to) =>
  converts(from, to) ? convert(quantity, from, to) : sizes[from] || sizes[to] ? 1 : quantity;

/** What − and + change of an amount in a unit. */
export const stepIn = (unit) => ({ gram: 50, milliliter: 50, kilogram: 0.25, liter: 0.25 })[unit] || 1;

/** "3.25 kg", "2 tins", "7". */
export function amount(quantity, unit) {
  const [one, many] = t.units[unit] || [unit, packages.includes(unit) ? plural(unit) : unit];
  return `${digits(tidy(quantity))} ${short[unit] ?? (quantity === 1 ? one : many) ?? ''}`.trim();
}
/** "Milk, 0.25 l". */
export const some = (quantity, unit, name) => `${name}, ${amount(quantity, unit)}`;

/** Reads "1,5" as "1.5", "1/4", "½" and "1 ½"; nothing for what is no number, so that it is no member of an act. */
export function number(text) {
  const plain = `${text ?? ''}`.replace(/[¼-¾⅐-⅞]/, ' $&').normalize('NFKD').trim().replace(',', '.').replace('−', '-').replace('⁄', '/');
  const [, whole = 0, over, under] = plain.match(/^(?:(\d+)\s+)?(\d+)\/([1-9]\d*)$/) || [];
  if (under) return tidy(+whole + over / under);
  return /^-?\d*\.?\d+$/.test(plain) ? tidy(+plain) : undefined;
}
const NUMBER = '(?:\\d+ )?\\d+/\\d+|\\d+ ?[¼-¾⅐-⅞]|[¼-¾⅐-⅞]|[\\d.,]+';
const onlyAmount = new RegExp(`^(${NUMBER})\\s*([^\\d\\s]\\S*)?$`);
const amountFirst = new RegExp(`^x?(${NUMBER})(x(?= )| x(?= ))?( ?)(\\S+)(?: (?:(?:of|von|vom|de) )?(.+))?$`, 'i');
const amountLast = new RegExp(`^(.+?)(?: |(?<=\\S)x)(?:x ?)?(${NUMBER})(?: ?([^\\d\\s]\\S*))?$`, 'i');

/** Reads "750 g", or "2" in the unit that is meant; null without a number. */
export function parseAmount(text, unit) {
  const [, digits, word] = text.trim().match(onlyAmount) || [];
  const quantity = digits && number(digits);
  return quantity == null ? null : { quantity, unit: word ? unitOf(word) : unit || 'piece' };
}
/** A number with the word behind it, if that is a unit; `isUnclear` if it may be a thousand times as much. */
function counted(digits, word) {
  const quantity = number(digits);
  if (quantity == null) return null;
  const small = word?.toLowerCase();
  const [unit, times] = multiples[small] || [known(small) || (foreign.has(small) && small), 1];
  const isUnclear = /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) && !/^(kilogram|liter)$/.test(unit);
  return { quantity: tidy(quantity * times), unit: unit || undefined, isUnclear };
}
/** Reads "2 l milk", "3 tins of beans", "milk 2 l", "eggs 12" or "bread": a name, and how much if it was said. */
export function parseWords(text) {
  const all = text.trim().replace(/\s+/g, ' ').replaceAll('×', 'x');
  const [, first, times, space, word, rest] = all.match(amountFirst) || [];
  const leading = first && counted(first, times ? undefined : word);
  const isNamed = leading && (leading.unit ? rest : (times || space) && !parseAmount(word));
  // "8 rolls" are 8 of rolls; nobody buys litres of nothing.
  const isThing = leading && !rest && space && !(sizes[leading.unit] || multiples[word.toLowerCase()]);
  const [, name, last, unitWord] = (!isNamed && !isThing && all.match(amountLast)) || [];
  const trailing = last && counted(last, unitWord);
  const found = isNamed ? { ...leading, name: leading.unit ? rest : [word, rest].filter(Boolean).join(' ') }
    : isThing ? { ...leading, unit: undefined, name: word }
    : trailing && (!unitWord || trailing.unit || unitWord === 'x') ? { ...trailing, name } : null;
  if (!found) return { name: all };
  const { isUnclear, ...read } = found;
  return isUnclear ? { name: all, isUnclear } : read;
}
/** Things by a title that each has: `[title, things]`, in the order in which titles come. */
export function groups(things, titleOf) {
  const found = new Map();
  for (const thing of things) found.set(titleOf(thing), [...(found.get(titleOf(thing)) || []), thing]);
  return [...found];
}
/** A text for comparisons, without case and accents. */
export const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');

/** A folded name without the plural's s, as the server compares names. */
const singular = (name) => {
  const [, stem, end] = name.match(/^(..+?)(ies|oes|xes|ches|shes|sses)$/) || [];
  if (stem) return stem + (end === 'ies' ? 'y' : end.slice(0, -2));
  return name.length > 3 && /[^siu]s$/.test(name) ? name.slice(0, -1) : name;
};
/** Whether words are the whole name of a thing, or another name of it. */
export const isCalled = ({ name, aliases }, words) => [name, ...(aliases || [])].some((one) => singular(fold(one)) === singular(fold(words || '')));

export const daysAfter = (iso, days) => new Date(Date.parse(iso) + days * 864e5).toISOString().slice(0, 10);
/** The same day of a month that is so many months later, or its last day. */
export function monthsAfter(iso, months) {
  const [year, month, day] = iso.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
}
