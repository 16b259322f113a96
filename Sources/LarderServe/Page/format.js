// Money and days, as people of this household read them.

import { page } from './state.js';
import { digits } from './amounts.js';
import { t } from './texts.js';

export * from './amounts.js';

/** Money in the household's currency; roughly without its pennies. */
export function money(value, isRough, currency = page.state?.household.currency) {
  if (!currency) return digits(value, 2);
  const digits = isRough && { maximumFractionDigits: 0 };
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...digits }).format(value);
}

/** What was paid, if that is known. */
export const paid = (value, currency) => (value == null ? '–' : money(value, false, currency));

const formats = new Map();
function format(options) {
  const key = JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(options.numberingSystem && 'en', options));
  return formats.get(key);
}
const written = (moment, options) => format(options).format(moment).replaceAll(',', '');
const zone = () => page.state?.household.timeZone;
/** The day of a moment in the household, as files write it. No language writes it so in every browser. */
export function dayOf(moment) {
  const options = { timeZone: zone(), year: 'numeric', month: '2-digit', day: '2-digit', calendar: 'gregory', numberingSystem: 'latn' };
  const parts = Object.fromEntries(format(options).formatToParts(new Date(moment)).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}
let known = { until: 0 };
/** The day it is in the household. Rows ask often, so it is looked up once a second. */
export function today() {
  if (Date.now() > known.until) known = { until: Date.now() + 1000, day: dayOf(page.now()) };
  return known.day;
}
export const time = (moment) => written(new Date(moment), { timeZone: zone(), hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** "Fri 20 Nov", "20 Nov" without a weekday, and with the year if it is another. */
export function day(iso, weekday, year) {
  const isOther = iso.slice(0, 4) !== today().slice(0, 4);
  return written(Date.parse(iso), {
    timeZone: 'UTC', day: 'numeric', month: 'short', weekday: isOther ? undefined : weekday, year: isOther || year ? 'numeric' : undefined,
  });
}
export const month = (iso) => written(Date.parse(iso), { timeZone: 'UTC', month: 'long', year: 'numeric' });
/** "Fri 20, 18:31". */
export const inMonth = (moment) => `${written(new Date(moment), { timeZone: zone(), weekday: 'short', day: 'numeric' })}, ${time(moment)}`;
/** "today, 17:41". */
export const when = (moment) => `${dayOf(moment) === today() ? t.days.today : day(dayOf(moment))}, ${time(moment)}`;

/** The last day of a batch, if it has one: the household says which counts. */
export const lastDay = ({ expiry }) => expiry?.isoDate;
/** Whether a batch, or some of an item, has expired or will within the household's days. */
export const isSoon = (batch) => lastDay(batch) && daysTo(lastDay(batch)) <= page.state.household.expiringWithinDays;
export const isDue = ({ batches }) => !!batches?.some(isSoon);

/** "about " before a guessed day. */
export const about = ({ isGuess }) => (isGuess ? t.days.about : '');
export const daysTo = (iso) => Math.round((Date.parse(iso) - Date.parse(today())) / 864e5);
/** "in 3 days", "yesterday". */
export const distance = (days) => t.days.near[days] || (days < 0 ? t.days.ago(-days) : t.days.ahead(days));
/** Money as somebody types it: "3,10". */
export const typedMoney = (value) => (value == null ? undefined : digits(value, 2));
