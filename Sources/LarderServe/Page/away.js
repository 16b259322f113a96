// Put away: where the things of a receipt go, and until when they keep. What is usual is chosen already; what is
// chosen is kept on this phone until all is right.

import { h, icon, button } from './dom.js';
import { drawn, find, realID, changed } from './state.js';
import { about, amount, day, dayOf, daysAfter, groups, when } from './format.js';
import { make } from './queue.js';
import { telling } from './said.js';
import { open, close, done } from './sheet.js';
import { pickDay, pickPlace } from './pick.js';
import { recall, keep } from './store.js';
import { t } from './all-texts.js';

const CHOOSE = 'choose';
const MOST = 3; // names in the foot: it has two lines at most, and never grows under a thumb

// A receipt of this phone has its act's id until the household has told it.
const receiptOf = (id) => drawn().receipts.find((one) => one.id === id || one.id === realID(id));

/** The lines with what is usual: `place` and `date`, and whether each of them is asked. */
function linesOf(receipt) {
  const seen = {};
  const came = dayOf(receipt.timestamp);
  return (receipt.toPutAway || []).filter(({ usedUp }) => !usedUp).map((line) => {
    const { usual = {}, keepsDays, storageLocationId } = find('items', line.item) || {};
    const days = usual.days ?? keepsDays;
    const nth = (seen[line.item] = (seen[line.item] || 0) + 1);
    return {
      ...line, key: nth > 1 ? `${line.item}-${nth}` : line.item, usual: { ...usual, days },
      place: line.location ?? usual.location ?? storageLocationId ?? null,
      date: line.expiry ?? (days == null ? null : daysAfter(came, days)),
      isAbout: days != null && (usual.isAbout || line.expiry === daysAfter(came, days) || !line.expiry),
      isNew: !usual.location && !storageLocationId && days == null && !usual.hasNoDate,
    };
  });
}

/** A line with what somebody chose for it. */
function chosen(line, choices) {
  const choice = choices[line.key] || {};
  const place = choice.place === undefined ? line.place : choice.place;
  const date = choice.date === undefined ? line.date : choice.date;
  const isSaid = choice.date !== undefined;
  return { ...line, place, date, isSaid, isAbout: line.isAbout && !isSaid, lacksPlace: !place && choice.place === undefined, lacksDate: !date && !isSaid && !line.usual.hasNoDate };
}

function say({ place, date, isAbout, isNew, lacksPlace, lacksDate }) {
  const { whereAndWhen, where, until, noDate, isNew: fresh } = t.away;
  const question = lacksPlace && lacksDate ? whereAndWhen : lacksPlace ? where : lacksDate ? t.away.when : null;
  if (question) return isNew && !place && !date ? fresh(question) : question;
  return date ? until(about({ isGuess: isAbout }) + day(date, isAbout ? undefined : 'short')) : noDate;
}

/** Opens the things of a receipt; `isInstead` of the sheet on top. */
export async function openAway(id, isInstead) {
  const kept = await recall('away').catch(() => null);
  const isSame = kept && (kept.receipt === id || realID(kept.receipt) === realID(id));
  if (isInstead && !receiptOf(id)?.toPutAway) return close();
  open('away', (draft) => {
    const receipt = receiptOf(id);
    if (!receipt) return null;
    // What the household told in the meantime moves no row; nor does what it has settled close the sheet.
    const told = linesOf(receipt);
    draft.lines = told.length ? told : draft.lines;
    if (!draft.lines) return null;
    const lines = draft.lines.map((line) => chosen(line, draft.choices));
    for (const { key, lacksPlace, lacksDate, place } of lines) {
      draft.groups[key] ||= lacksPlace || lacksDate ? CHOOSE : place || 'none';
      draft.isOpen[key] ??= draft.groups[key] === CHOOSE;
    }
    const order = [CHOOSE, ...drawn().locations.map((one) => one.id)];
    const rank = ({ key }) => (order.indexOf(draft.groups[key]) + 1 || order.length + 1);
    const sorted = [...lines].sort((a, b) => rank(a) - rank(b) || (draft.groups[a.key] === CHOOSE ? 0 : a.name.localeCompare(b.name)));
    const titleOf = (group) => (group === CHOOSE ? t.away.choose : find('locations', group)?.name || t.away.noPlace);
    const choose = ({ key }, name) => (value) => {
      draft.choices = { ...draft.choices, [key]: { ...draft.choices[key], [name]: value } };
      changed();
      return keep('away', { receipt: id, choices: draft.choices });
    };
    const row = (line) => {
      const { key, name, quantity, unit, place, date, usual } = line;
      const isOpen = draft.isOpen[key];
      return h(isOpen ? 'li.away.open' : 'li.away', { key },
        button('go', `away-${key}`, [h('span', name, h('small', say(line))), h('span.much', amount(quantity, unit)), icon(isOpen ? 'down' : 'go')], () => {
          draft.isOpen[key] = !isOpen;
          changed();
        }, { 'aria-expanded': `${!!isOpen}` }),
        isOpen && pickPlace(`where-${key}`, t.away.placeOf(name), place, choose(line, 'place')),
        isOpen && pickDay(`until-${key}`, t.away.dayOf(name), date, choose(line, 'date'), { usual: usual.days }));
    };
    const undated = lines.filter(({ lacksDate }) => lacksDate).map(({ name }) => name).sort((a, b) => a.localeCompare(b));
    const isTouched = Object.keys(draft.choices).length > 0;
    const names = undated.length > MOST + 1 ? t.away.more(undated.slice(0, MOST).join(', '), undated.length - MOST) : undated.join(', ');
    const settled = lines.filter(({ lacksPlace, lacksDate }) => !lacksPlace && !lacksDate).length;
    return {
      title: t.away.title(lines.length), note: t.away.from(receipt.shopName, when(receipt.timestamp)),
      body: groups(sorted, ({ key }) => draft.groups[key]).map(([group, all]) => h('section', { key: group },
        h('h3.kind', `${titleOf(group)} `, h('b', all.length)), h('ul', all.map(row)))),
      foot: [
        h('p.small.soft.two', undated.length && !isTouched ? t.away.undated(names) : t.away.settled(settled)),
        button('btn.primary.grow', 'away-do', t.away.allRight, () => settle(receipt, lines)),
      ],
    };
  }, { of: {}, choices: (isSame && kept.choices) || {}, groups: {}, isOpen: {} }, isInstead);
}

/** Writes at once what is chosen of all lines, as far as it is not there already. */
async function settle(receipt, lines) {
  const changes = lines.flatMap(({ line, location = null, expiry = null, place, date }) => {
    const fields = { ...(place !== location && { location: place }), ...(date !== expiry && { expiry: date }) };
    return Object.keys(fields).length ? { line, fields } : [];
  });
  const made = await telling(make('correct', { receipt: receipt.id, ...(changes.length && { lines: changes }), isPutAway: true }, t.away.did(lines.length)));
  if (!made) return;
  done('away');
  await keep('away', null);
}
