// Chips to choose from: places, and days as distances. One that is pressed and tapped again is let go.

import { h, icon, button } from './dom.js';
import { drawn } from './state.js';
import { day, daysTo, today } from './format.js';
import { daysAfter, monthsAfter } from './amounts.js';
import { t } from './all-texts.js';

/** Arrow keys go from chip to chip; one of them is reached with the Tab key. */
function walk(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const chips = [...event.currentTarget.querySelectorAll('.chip')];
  const next = chips[(chips.indexOf(event.target.closest('.chip')) + step + chips.length) % chips.length];
  event.preventDefault();
  (next.querySelector('input') || next).focus();
}

/** A row of chips: `options` are `[value, text, name]`; `set` gets the value, or null when it is let go. */
export function pick(id, label, options, value, set, ...more) {
  const reached = options.find(([option]) => option === value)?.[0] ?? options[0]?.[0];
  return h('div.pick', { key: id, role: 'group', 'aria-label': label, onkeydown: walk },
    options.map(([option, text, name]) => button('chip', `${id}-${option}`, text, () => set(option === value ? null : option),
      { 'aria-pressed': `${option === value}`, 'aria-label': name, tabindex: option === reached ? 0 : -1 })),
    more);
}

/** The places of the household, the most used first. */
export const pickPlace = (id, label, value, set, ...more) =>
  pick(id, label, drawn().locations.map(({ id: place, name }) => [place, name]), value, set, ...more);

const distances = () => [
  ['d3', daysAfter(today(), 3), t.pick.days(3)], ['w1', daysAfter(today(), 7), t.pick.weeks(1)],
  ['w2', daysAfter(today(), 14), t.pick.weeks(2)], ['m1', monthsAfter(today(), 1), t.pick.months(1)],
];
export const frozenFor = () => [1, 3, 6].map((count) => [`m${count}`, monthsAfter(today(), count), { short: t.pick.months(count).long, long: t.pick.months(count).long }]);

/**
 * Chips for a day: `value` is an ISO day or null, `usual` a number of days that has a chip of its own. The calendar's
 * chip shows a day that no other one has. `set` gets a day, or null.
 */
export function pickDay(id, label, value, set, { usual, options = distances() } = {}) {
  const own = usual > 0 && daysAfter(today(), usual);
  const all = own && !options.some(([, iso]) => iso === own) ? [...options, ['own', own, t.pick.days(usual)]].sort((a, b) => a[1].localeCompare(b[1])) : options;
  const key = all.find(([, iso]) => iso === value)?.[0];
  const isOther = value && !key;
  const calendar = h('label.chip', { key: `${id}-other`, 'aria-pressed': null, 'data-on': isOther ? 'true' : null },
    icon('cal', 'svg.i'), isOther && h('span', day(value, 'short')), h('span.off', t.pick.otherDay),
    h('input', { id: `${id}-other`, type: 'date', value: isOther ? value : '', 'aria-label': `${label}: ${t.pick.otherDay}`, tabindex: isOther ? 0 : -1,
      onclick: ({ target }) => target.showPicker?.(), oninput: ({ target }) => target.value && set(target.value) }));
  const days = pick(id, label, all.map(([name, , text]) => [name, text.short, text.long]), key, (name) => set(all.find(([one]) => one === name)?.[1] ?? null), calendar);
  const isPast = value && daysTo(value) < 0;
  return isPast ? [days, h('p.err', { key: `${id}-past`, role: 'status' }, icon('warn', 'svg.i'), h('span', t.pick.past(daysTo(value))))] : [days];
}
