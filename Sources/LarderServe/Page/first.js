// The first start: the places, three ways to begin, and what is there already, one thing after the other.

import { h, icon, button } from './dom.js';
import { page, drawn, changed } from './state.js';
import { converts, day, fold, isCalled, parseAmount, some, unitName } from './format.js';
import { make, reason, undo } from './queue.js';
import { open, small } from './sheet.js';
import { form, isRight, amountProblem, warn } from './fields.js';
import { pickDay } from './pick.js';
import { unarchive } from './back.js';
import { t } from './all-texts.js';

const flags = { freezer: { isFreezer: true, isColdStorage: true }, fridge: { isColdStorage: true } };
const chosen = new Set(['fridge', 'freezer', 'cupboard']);
const own = []; // names of places that were typed

const nameOf = (key) => t.first.places[key] || key;
const pressed = () => [...Object.keys(t.first.places), ...own].filter((key) => chosen.has(key));

async function makePlaces() {
  for (const key of pressed()) {
    if (drawn().locations.some(({ name }) => fold(name) === fold(nameOf(key)))) continue;
    if (!(await make('place', { fields: { name: nameOf(key), ...flags[key] } }, t.done.place(nameOf(key))))) return;
  }
}

const another = () => small('another-place', t.settings.newPlace, null, [['name', t.settings.name, 'text', { isWide: true, need: t.settings.needName }]], t.first.another, ({ name }) => {
  const key = Object.keys(t.first.places).find((one) => fold(nameOf(one)) === fold(name.trim())) || own.find((one) => fold(one) === fold(name.trim())) || name.trim();
  if (!t.first.places[key] && !own.includes(key)) own.push(key);
  chosen.add(key);
  return true;
});

function toggle(key) {
  if (!chosen.delete(key)) chosen.add(key);
  changed();
}

const places = () => [
  h('div.begin', { key: 'where' }, h('h2', t.first.where), h('p', t.first.tap)),
  h('div.pick', { key: 'places', role: 'group', 'aria-label': t.settings.places },
    [...Object.keys(t.first.places), ...own].map((key) => button('chip', `first-${key}`, nameOf(key), () => toggle(key), { 'aria-pressed': `${chosen.has(key)}` })),
    button('chip.go-on', 'first-another', [icon('plus', 'svg.i'), t.first.another], another)),
  h('div.pad', { key: 'make' }, button('btn.primary.wide', 'first-make', t.first.make(pressed().length), makePlaces)),
];

let installing = null; // the browser's own question, where it has one
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  installing = event;
  changed();
});
addEventListener('appinstalled', () => changed());

/** How this phone's browser puts a page on the home screen; nothing if it runs from there. */
function homeScreen() {
  if (navigator.standalone || matchMedia('(display-mode: standalone)').matches) return null;
  const { userAgent } = navigator;
  const isApple = /iPhone|iPad|Macintosh/.test(userAgent) && navigator.maxTouchPoints > 1;
  const how = installing ? t.first.byQuestion : isApple ? t.first.byShare : /Android/.test(userAgent) ? t.first.byMenu : t.first.byAddress;
  const text = h('span', t.first.home, h('small', how));
  return h('li', { key: 'home' }, installing ? button('go', 'first-home', [text, icon('go')], () => installing.prompt()) : h('div.go', text));
}

/** What a household without an entry and without an item shows. */
export const begin = () => [
  !drawn().locations.length && places(),
  h('section', { key: 'begin' }, h('h2.cap', drawn().locations.length ? t.first.begin : t.first.thenBegin), h('ul',
    h('li', { key: 'need' }, button('go', 'first-need', [h('span', t.first.need, h('small', t.first.needMore)), icon('down')], () => {
      location.hash = '#list';
      setTimeout(() => document.getElementById('add')?.focus(), 50);
    })),
    h('li', { key: 'there' }, button('go', 'first-there', [h('span', t.first.there, h('small', t.first.thereMore)), icon('go')], () => openCount())),
    homeScreen())),
].flat().filter(Boolean);

const itemCalled = (name) => drawn().items.find((item) => isCalled(item, name));

const fields = (place, add) => [
  ['what', t.first.what, 'text', {
    need: t.first.needWhat, enterkeyhint: 'next', autocapitalize: 'sentences',
    onkeydown: ({ key }) => key === 'Enter' && document.getElementById('first-much').focus(),
    check: (text) => {
      const old = !itemCalled(text) && drawn().archived?.find((item) => isCalled(item, text));
      return old && { say: t.first.isArchived(old.name), fix: [t.back.restore, () => unarchive(old)] };
    },
  }],
  ['much', t.first.much, 'text', {
    need: t.fields.howMuch, enterkeyhint: 'done', onkeydown: ({ key }) => key === 'Enter' && add(),
    check: (text, { what }) => {
      const item = itemCalled(what || '');
      const much = parseAmount(text, item?.unit);
      return amountProblem(text, item?.unit) || (item && !converts(much.unit, item.unit) ? t.first.otherUnit(item.name, unitName(item.unit) || t.first.pieces) : null);
    },
  }],
];

/** One thing is there: a new item, or more of one that is. */
async function add(draft, place) {
  if (!isRight(draft, fields())) return changed();
  const name = draft.what.trim();
  const item = itemCalled(name);
  const { quantity, unit } = parseAmount(draft.much, item?.unit);
  const words = t.done.put(some(quantity, unit, item?.name || name));
  const expiry = draft.expiry || null;
  const record = await (item
    ? make('put', { item: item.id, quantity, unit, expiry, ...(place && { location: place.id }) }, words)
    : make('new', { fields: { name, unit, ...(place && { storageLocationId: place.id }) }, quantity, expiry }, words));
  if (!record) return null;
  draft.made = [{ id: record.act.id, place: place?.id, name: some(quantity, unit, item?.name || name), expiry: draft.expiry }, ...(draft.made || [])];
  Object.assign(draft, { what: '', much: '', expiry: null, isAsked: false });
  changed();
  return document.getElementById('first-what')?.focus();
}

function soFar({ id, name, expiry }) {
  const record = page.records.find(({ act }) => act.id === id);
  const isRefused = record?.state === 'refused';
  const isGone = !record || record.isUndone || isRefused;
  const what = isRefused ? [warn(), ` ${reason(record)}`] : isGone ? t.more.takenBack : expiry ? t.first.until(day(expiry, 'short')) : t.first.noDate;
  return h(isGone ? 'li.recent.gone' : 'li.recent', { key: id }, h('span', isGone ? h('s', name) : name, h(isRefused ? 'small.mark' : 'small', what)),
    !isGone && button('btn.bare', `first-undo-${id}`, t.frame.undo, () => undo(record), { 'aria-label': t.frame.undoOf(name) }));
}

/** The fridge comes first, as what is there keeps least. */
function rank({ name }) {
  const at = Object.values(t.first.places).indexOf(name);
  return at < 0 ? 99 : at;
}

/** Opens the screen that asks what is in a place, one thing after the other; the first place, if none is said. */
export function openCount(start) {
  open('count-place', (draft) => {
    const all = [...drawn().locations].sort((a, b) => rank(a) - rank(b));
    const at = Math.max(0, all.findIndex(({ id }) => id === (draft.place || start)));
    const place = all[at];
    const next = all[at + 1];
    const made = (draft.made || []).filter((one) => one.place === place?.id);
    const adding = () => add(draft, place);
    const set = (iso) => {
      draft.expiry = iso;
      changed();
    };
    return {
      title: place ? t.first.inPlace(place.name) : t.first.there, note: t.first.oneByOne,
      body: [
        form('first', draft, fields(place, adding)),
        h('h3.cap', t.first.keeps),
        pickDay('first-until', t.first.keepsOf(draft.what?.trim() || t.first.what), draft.expiry, set),
        made.length > 0 && [h('h3.cap', t.first.soFar(place && t.first.inPlace(place.name), made.length)), h('ul', { key: 'so-far' }, made.map(soFar))],
      ],
      foot: [
        next && button('btn', 'first-next', t.first.next(next.name), () => {
          draft.place = next.id;
          changed();
        }),
        button('btn.primary.grow', 'first-add', t.first.add, adding),
      ],
    };
  }, { of: start });
}
