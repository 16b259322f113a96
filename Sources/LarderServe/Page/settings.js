// The household's settings, and the places where it keeps things.

import { h, icon, button } from './dom.js';
import { drawn, changed } from './state.js';
import { fold, number } from './format.js';
import { make } from './queue.js';
import { telling } from './said.js';
import { open, done } from './sheet.js';
import { form, isRight } from './fields.js';
import { t } from './all-texts.js';

const isZone = (name) => {
  try {
    return !!Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
};
const fields = () => [
  ['name', t.settings.name, 'text', { isWide: true, need: t.settings.needName }],
  ['currency', t.settings.currency, 'text', { maxlength: 3, autocapitalize: 'characters', check: (text) => (!text || /^[a-z]{3}$/i.test(text) ? null : t.settings.noCurrency) }],
  ['expiringWithinDays', t.settings.days, 'numeric', { need: t.fields.howMuch, check: (text) => (/^\d{1,3}$/.test(text) ? null : t.settings.noDays) }],
  ['timeZone', t.settings.zone, 'text', { isWide: true, need: t.settings.noZone, options: Intl.supportedValuesOf?.('timeZone'), check: (text) => (isZone(text) ? null : t.settings.noZone) }],
];
const values = { expiringWithinDays: number, currency: (text) => text.toUpperCase() };

/** Keeps what was changed, and nothing else. */
async function keep(draft) {
  if (!isRight(draft, fields())) return changed();
  const { household } = drawn();
  const all = fields().map(([name]) => {
    const text = `${draft[name] ?? ''}`.trim();
    return [name, text ? (values[name]?.(text) ?? text) : null];
  });
  const changes = Object.fromEntries(all.filter(([name, value]) => value !== (household[name] ?? null)));
  if (!Object.keys(changes).length || (await telling(make('settings', { fields: changes }, t.done.settings)))) done('settings');
  return null;
}

const isTaken = (name, but) => drawn().locations.find((place) => place.id !== but && fold(place.name) === fold(name));

/** A switch that writes into a draft. */
const flag = (draft, name, text, more) => h('label.go', { key: name }, h('span', text, h('small', more)),
  h('input.switch', { id: `place-${name}`, type: 'checkbox', role: 'switch', checked: !!draft[name], onclick: () => {
    draft[name] = !draft[name];
    changed();
  } }));

/** One place, or a new one. */
function openPlace(place = {}) {
  const { id, name } = place;
  const own = [['name', t.settings.name, 'text', { isWide: true, need: t.settings.needName, check: (text) => (isTaken(text, id) ? t.settings.placeIsThere(text) : null) }]];
  const keepPlace = async (draft) => {
    if (!isRight(draft, own)) return changed();
    const text = draft.name.trim();
    const made = { name: text, isColdStorage: !!draft.isColdStorage };
    const isSame = id && Object.keys(made).every((key) => made[key] === (place[key] ?? false));
    if (isSame || (await telling(make('place', { ...(id && { location: id }), fields: made }, id ? t.done.placeChanged(text) : t.done.place(text))))) done('place');
    return null;
  };
  const remove = async () => (await telling(make('unplace', { location: id }, t.done.unplace(name)))) && done('place');
  open('place', (draft) => ({
    title: name || t.settings.newPlace,
    body: [form('place', draft, own), flag(draft, 'isColdStorage', t.settings.cold, t.settings.coldMore), h('p.pad.small.soft', t.settings.freezerMore)],
    foot: [
      id && (place.inUse ? h('p.small.soft', t.settings.inUse) : button('btn.away', 'place-remove', t.settings.remove, remove)),
      button('btn.primary.grow', 'place-do', id ? t.settings.keep : t.settings.make, () => keepPlace(draft)),
    ],
  }), { of: id || 'new', ...place });
}

/** Opens the settings. */
export function openSettings() {
  open('settings', (draft) => ({
    title: t.more.settings,
    body: [
      form('settings', draft, fields()),
      h('h3.cap', t.settings.places),
      h('ul', drawn().locations.map((place) => h('li', { key: place.id }, button('go', `place-${place.id}`, [
        h('span', place.name, h('small', [place.isFreezer ? fold(place.name) !== fold(t.settings.freezer) && t.settings.freezer : place.isColdStorage && t.settings.cold, place.inUse === undefined ? null : !place.inUse && t.settings.isEmpty].filter(Boolean).join(' · '))), icon('go'),
      ], () => openPlace(place))))),
      h('div.pad', button('btn', 'place-new', [icon('plus', 'svg.i'), t.settings.another], () => openPlace())),
    ],
    foot: button('btn.primary.grow', 'settings-do', t.settings.keep, () => keep(draft)),
  }), { of: JSON.stringify(drawn().household.name), ...drawn().household });
}
