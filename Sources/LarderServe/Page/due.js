// Due: what has expired, and what will within the household's days.

import { h, button, kept, quiet } from './dom.js';
import { page, drawn, place } from './state.js';
import { amount, day, dayOf, daysTo, distance, groups, lastDay, some } from './format.js';
import { make } from './queue.js';
import { telling } from './said.js';
import { warn } from './sheet.js';
import { dotted, openItem } from './item.js';

const isSoon = (batch) => lastDay(batch) && daysTo(lastDay(batch)) <= page.state.household.expiringWithinDays;
export const isDue = ({ batches }) => !!batches?.some(isSoon);

function row(item, batch, freezer) {
  const { id, quantity, expiry, openedAt, leftOver } = batch;
  const unit = batch.unit || item.unit;
  const much = some(quantity, unit, item.name);
  const left = daysTo(expiry.isoDate);
  const about = expiry.confidence < 1 ? 'about ' : '';
  const date = left < 0 && about + (left === -1 ? 'yesterday' : `${day(expiry.isoDate, 'short')}, ${distance(left)}`);
  const doing = (kind, members, text, words, shape = 'btn') =>
    button(shape, `${kind}-${id}`, text, () => telling(make(kind, { batch: id, ...members }, words)), { 'aria-label': `${item.name}: ${text.toLowerCase()}` });
  return h('li.due', { key: id },
    button('go', `name-${id}`, [h('span', item.name, h('small', dotted(date, place(batch.storageLocationId), openedAt && `opened ${day(dayOf(openedAt))}`,
      leftOver > 0 && left >= 0 && `about ${amount(leftOver, unit)} will be left over`))), h('b', amount(quantity, unit))], () => openItem(item.id)),
    h('div.three',
      doing('use', { quantity, unit }, 'Used', `Used ${much}`),
      doing('spoil', {}, 'Thrown away', `Threw away ${much}`, 'btn.away'),
      freezer && batch.storageLocationId !== freezer.id && doing('move', { location: freezer.id }, 'To the freezer', `Moved ${much} to the ${freezer.name}`)));
}

export const head = () => h('h1', `Due within ${page.state.household.expiringWithinDays} days`);

export function body(room) {
  const freezer = page.state.locations.find(({ isFreezer }) => isFreezer);
  const due = drawn().items.flatMap((item) => (item.batches || []).filter(isSoon).map((batch) => ({ item, batch, date: batch.expiry.isoDate })))
    .sort((a, b) => a.date.localeCompare(b.date) || a.item.name.localeCompare(b.item.name));
  if (!due.length) return quiet('Nothing is due', 'What expires soon stands here, day by day.');
  return groups(due, ({ date }) => (daysTo(date) < 0 ? '' : date)).map(([date, all]) => h('section', { key: date || 'expired' },
    date ? h('h2.kind', `${day(date, 'long')}, ${distance(daysTo(date))}`) : h('h2.kind.mark', warn(), ' Expired ', h('b', all.length)),
    h('ul', all.filter(() => room.left-- > 0).map(({ item, batch }) =>
      kept(`due-${batch.id}`, [item.name, batch, freezer, page.state.today], () => row(item, batch, freezer))))));
}
