// The sheet of an item: how much there is, use and put, where it lies, and what was changed last.

import { h, icon, button } from './dom.js';
import { page, find, changed } from './state.js';
import { about, amount, day, dayOf, daysTo, lastDay, parseAmount, when } from './format.js';
import { make } from './queue.js';
import { telling } from './said.js';
import { details } from './send.js';
import { open } from './sheet.js';
import { fault, step, warn } from './fields.js';
import { act, inPlace, lies, openCount, openDate, openMove, openPart, openPut, openSpoil, openUse, partsOf, sizeProblem, takeProblem, tapOf } from './parts.js';
import { t } from './all-texts.js';

const edit = () => import('./edit.js');
/** Opens the sheet of a new item; see edit.js. */
export const openNew = async (...all) => (await edit()).openNew(...all);

/** "expired yesterday", "past its best about 21 Nov", "until Sun 29 Nov"; with a weekday if it is soon. */
export function until(batch, weekday) {
  const last = lastDay(batch);
  if (!last) return null;
  const left = daysTo(last);
  const isSoon = left >= 0 && left <= page.state.household.expiringWithinDays;
  const text = about(batch.expiry) + (t.days.near[left] || day(last, weekday || (isSoon ? 'short' : undefined)));
  return left < 0 ? h('span.mark', warn(), ` ${batch.expiry.isBest ? t.item.pastBest(text) : t.item.expired(text)}`) : t.item.until(text);
}

/** Nodes with a dot between those that are there. */
export const dotted = (...nodes) => nodes.filter(Boolean).flatMap((node, index) => (index ? [' · ', node] : [node]));

const partRow = (item, part, draft) => {
  const { id, openedAt, storageLocationId } = part;
  const isOpen = draft.part === id;
  const toggle = () => {
    draft.part = isOpen ? null : id;
    changed();
  };
  const verbs = { use: openUse, open: !openedAt && openPart, move: openMove, date: openDate, spoil: openSpoil };
  const place = lies(storageLocationId) || t.item.noPlace;
  return h(isOpen ? 'li.open' : 'li', { key: id },
    button('go', `part-${id}`, [h('span', openedAt ? t.item.openSince(place, day(dayOf(openedAt))) : place, h('small', until(part, 'short') || t.item.noDate)),
      h('span.much', amount(part.quantity, part.unit)), icon(isOpen ? 'down' : 'go')], toggle, { 'aria-expanded': `${isOpen}` }),
    isOpen && h('div.three', Object.entries(verbs).map(([verb, work]) =>
      work && button(verb === 'spoil' ? 'btn.away' : 'btn', `${verb}-${id}`, t.item.verbs[verb], () => work(item, part)))));
};

/** "You used 0.5 l", "Mira put 2 l in the fridge". */
function saying({ by, isOwn, byHand, kind, quantity, unit, location, say }, item) {
  const verb = t.item.changed[byHand ? 'byHand' : kind];
  const much = quantity == null ? '' : amount(quantity, unit || item.unit);
  const who = isOwn ?? by === page.state.phone.name ? t.item.you : by || t.item.somebody;
  return verb ? t.item.who(who, verb(much, location && inPlace(location), item.name)) : `${who}: ${say}`;
}

const tempo = (pace) => pace?.lastsDays != null && t.item.lasts(pace.lastsDays);

export function openItem(id, isInstead, amountTyped) {
  open('item', (draft) => {
    const item = find('items', id);
    if (!item) return null;
    const { name, unit, category, note, quantityInStock: there, quantityFullStock: full, quantityMinimum: least, storageLocationId } = item;
    const { pace, changes = [] } = details(`item/${item.id}`) || {};
    const much = draft.much ?? amount(there > 0 ? Math.min(tapOf(item), there) : tapOf(item), unit);
    const type = (text) => {
      draft.much = text;
      changed();
    };
    const parts = partsOf(item);
    const use = async (wanted) => {
      if (!(await act('use', item, wanted, { end: parts[0]?.openedAt && parts.length > 1 ? t.item.ofOpen : '' }))) return;
      draft.asked = draft.much = null;
      changed();
    };
    const problemOf = { use: () => takeProblem(much, { quantity: there, unit }, t.item.use.verb, use), put: () => sizeProblem(much, unit) };
    const problem = problemOf[draft.asked]?.();
    const asking = (verb, work) => () => {
      draft.asked = verb;
      if (!problemOf[verb]()) return work();
      return changed();
    };
    const quiet = dotted(find('locations', storageLocationId)?.name, least > 0 && t.item.lowBelow(amount(least, unit)), note && t.item.quoted(note));
    return {
      title: name, note: category,
      aside: button('btn.bare', 'item-edit', t.item.edit, async () => (await edit()).openEdit(item)),
      body: [
        h('div.pad', h('p.sum', h('b', amount(there, unit)), h('span.soft', there > 0 ? dotted(full && t.item.of(amount(full, unit)), tempo(pace)) : t.item.noneLeft)),
          full && h('svg.level', { viewBox: '0 0 100 2', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
            h('rect', { width: 100, height: 2 }), h('rect', { width: Math.max(0, Math.min(100, (100 * there) / full)), height: 2 })),
          quiet.length > 0 && h('p.small.soft', quiet)),
        h('div.pad.do', there > 0 && [step('item-amount', t.item.howMuch, much, unit, (next) => type(amount(next.quantity, next.unit)), { size: tapOf(item), type, problem }),
          button('btn.primary', 'item-use', t.item.verbs.use, asking('use', () => use(parseAmount(much, unit))))],
          button('btn', 'item-put', t.item.verbs.put, asking('put', () => openPut(item, draft.much)))),
        fault('item-amount', there > 0 && problem),
        h('div.pad.acts',
          button('btn', 'item-want', t.item.onList, () => telling(make('want', { item: id }, t.item.wanted(name)))),
          button('btn', 'item-count', t.item.verbs.count, () => openCount(item)),
          there > 0 && button('btn.away', 'item-spoil', t.item.verbs.spoil, () => openSpoil(item, null, much))),
        parts.length > 0 && [h('h3.cap', t.item.lies), h('ul', { key: 'parts' }, parts.map((part) => partRow(item, part, draft)))],
        changes.length > 0 && [h('h3.cap', t.item.last), h('ul', { key: 'changes' }, changes.map((change) =>
          h('li.plain', h('span', saying(change, item)), h('time', when(change.at)))))],
      ],
    };
  }, { of: id + (amountTyped || ''), much: amountTyped }, isInstead);
}
