// Due: what has expired, and what will within the household's days.

import { h, button, kept, quiet } from './dom.js';
import { page, drawn, find, place } from './state.js';
import { about, amount, day, dayOf, daysTo, distance, groups, lastDay, some } from './format.js';
import { make } from './queue.js';
import { telling } from './said.js';
import { warn } from './fields.js';
import { dotted, openItem } from './item.js';

const isSoon = (batch) => lastDay(batch) && daysTo(lastDay(batch)) <= page.state.household.expiringWithinDays;
export const isDue = ({ batches }) => !!batches?.some(isSoon);

function row(item, batch, freezer) {
  const { id, quantity, expiry, openedAt, leftOver } = batch;
  const unit = batch.unit || item.unit;
  const much = some(quantity, unit, item.name);
  const left = daysTo(expiry.isoDate);
  const date = left < 0 && about(expiry) + (left === -1 ? 'yesterday' : `${day(expiry.isoDate, 'short')}, ${distance(left)}`);
  const doing = (kind, members, text, words, shape = 'btn') =>
    button(shape, `${kind}-${id}`, text, () => telling(make(kind, { batch: id, ...members }, words)), { 'aria-label': `${item.name}: ${text.toLowerCase()}` });
  return h('li.due', { key: id },
    button('go', `name-${id}`, [h('span', item.name, h('small', dotted(date, place(batch.storageLocationId), openedAt && `opened ${day(dayOf(openedAt))}`,
      leftOver > 0 && left >= 0 && `about ${amount(leftOver, unit)} will be left over`))), h('b', amount(quantity, unit))], () => openItem(item.id)),
    h('div.three',
      doing('use', { quantity, unit }, 'Used', `Used ${much}`),
      doing('spoil', {}, 'Thrown away', `Threw away ${much}`, 'btn.away'),
      freezer && !find('locations', batch.storageLocationId)?.isFreezer && doing('move', { location: freezer.id }, 'To the freezer', `Moved ${much} to the ${freezer.name}`)));
}

/** How many things are due. */
export const count = () => drawn().items.flatMap(({ batches = [] }) => batches.filter(isSoon)).length;

export const head = () => h('h1', `Due within ${page.state.household.expiringWithinDays} days`);

export function body(room) {
  const freezer = page.state.locations.find(({ isFreezer }) => isFreezer);
  const due = drawn().items.flatMap((item) => (item.batches || []).filter(isSoon).map((batch) => ({ item, batch, date: batch.expiry.isoDate })))
    .sort((a, b) => a.date.localeCompare(b.date) || a.item.name.localeCompare(b.item.name));
  if (!due.length) return quiet('Nothing is due', 'What expires soon stands here, day by day.');
  const past = { expired: 'Expired', best: 'Past its best' };
  const group = ({ batch, date }) => (daysTo(date) >= 0 ? date : batch.expiry.isBest ? 'best' : 'expired');
  due.sort((a, b) => (group(b) === 'expired') - (group(a) === 'expired'));
  return groups(due, group).map(([date, all]) => h('section', { key: date },
    past[date] ? h('h2.kind.mark', warn(), ` ${past[date]} `, h('b', all.length)) : h('h2.kind', `${day(date, 'long')}, ${distance(daysTo(date))}`),
    h('ul', all.filter(() => room.left-- > 0).map(({ item, batch }) =>
      kept(`due-${batch.id}`, [item.name, batch, freezer, page.state.today], () => row(item, batch, freezer))))));
}
