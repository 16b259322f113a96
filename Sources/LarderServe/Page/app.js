// The frame: which screen is shown, the line of the connection, the tabs; and the start.

import './taps.js';
import { h, icon, button, patch, theme } from './dom.js';
import { page, drawn, load, onChange, changed } from './state.js';
import { isSoon, time, when } from './format.js';
import { refusals, seen, waiting } from './queue.js';
import { refusal } from './store.js';
import { look, silence, soon } from './send.js';
import { t, speak } from './texts.js';
import * as list from './list.js';

/** The list is there at once; the other screens come when they are looked at, or when the phone has time for them. */
const screens = { list };
const loading = {
  stock: () => import('./stock.js'), due: () => import('./due.js'), receipts: () => import('./receipts.js'), more: () => import('./more.js'),
  pairing: () => import('./pair.js'),
};
const tabs = ['list', 'stock', 'due', 'receipts', 'more'];
const fetched = async (name) => (screens[name] ||= await loading[name]());
const at = (id) => document.getElementById(id);
const MORE_ROWS = 20;

let screen = 'list';
let rows = MORE_ROWS; // as many as are built; more when one scrolls to the end
let isLong = false;
let isSlow = false; // the first state takes longer than a blink

/** One line above the tabs when something keeps the acts here, or at the server. */
function net() {
  if (refusal) return [refusal];
  const count = waiting().length;
  const waits = count ? ` · ${t.frame.waiting(count)}` : '';
  if (page.isOld) return [t.frame.isOld, button('btn.bare', 'reload', t.frame.reload, () => location.reload())];
  if (page.isOffline) return [t.frame.isOffline + waits];
  if (silence && Date.now() - silence > 3000) return [(page.heard ? t.frame.silentSince(time(page.heard + page.offset)) : t.frame.silent) + waits];
  const trouble = page.say || page.state?.household.trouble;
  if (trouble) return [trouble.replace(/\.$/, '') + waits];
  const apart = page.state?.household.notSynced;
  return apart ? [t.frame.notSynced(apart.since && when(apart.since), apart.say)] : null;
}

/** The number on a tab: what is due, and what needs the person. */
function badge(name) {
  const count = name === 'more' ? refusals().length : name === 'due' && page.state ? drawn().items.flatMap(({ batches = [] }) => batches.filter(isSoon)).length : 0;
  return count > 0 && h(name === 'more' ? 'i' : 'i.calm', count, h('span.off', name === 'more' ? t.frame.needYou : t.frame.areDue));
}

function draw(isOwn) {
  const focused = document.activeElement;
  const isPaired = !!page.token;
  const shown = screens[screen];
  const room = { left: rows, first: MORE_ROWS };
  const isReady = page.state || screen === 'more';
  let head = [];
  let body = isSlow ? [h('div.quiet', { key: 'reading', role: 'status' }, h('p.soft', t.frame.reading))] : [];
  if (!isPaired) body = screens.pairing ? [screens.pairing.body()] : (fetched('pairing').then(draw), []);
  else if (isReady) {
    head = [shown.head()].flat();
    body = [shown.body(room, isOwn)].flat();
  }
  if (room.isAnew) rows = MORE_ROWS; // other rows than before
  isLong = room.left <= 0;
  if (isLong && rows === MORE_ROWS) requestAnimationFrame(fill);
  at('top').hidden = !head.length;
  patch(at('top'), head);
  patch(at('main'), body);
  const isShown = isPaired && page.state;
  const adds = isShown && shown.adds?.();
  at('adds').hidden = !adds;
  patch(at('adds'), adds || []);
  const bar = isShown && shown.bar?.();
  at('bar').hidden = !bar;
  patch(at('bar'), bar || []);
  const line = isPaired && net();
  at('net').hidden = !line;
  patch(at('net'), line ? [icon(silence && !refusal ? 'cut' : 'warn', 'svg.i'), h('span', line)] : []);
  at('tabs').hidden = !isPaired;
  patch(at('tabs'), tabs.map((name) => h('a', { id: `tab-${name}`, href: `#${name}`, 'aria-current': name === screen && 'page' },
    icon(name), t.frame[name], badge(name))));
  at('tabs').setAttribute('aria-label', t.frame.screens);
  document.title = !isPaired ? t.frame.title : `${t.frame[screen]}${page.state ? ` – ${page.state.household.name}` : ''}`;
  // What stands where the focus was takes it over; a field does not, as it would bring the keyboard.
  if (focused?.id && !focused.isConnected) {
    const next = at(focused.id);
    (next?.tagName === focused.tagName ? next : at(`${focused.id}-more`))?.focus({ preventScroll: true });
  }
}

let lock = null;
/** In the shop the screen stays on, where the phone allows it. */
async function stayAwake() {
  await lock?.release();
  lock = (!document.hidden && screen === 'list' && (await navigator.wakeLock?.request('screen').catch(() => null))) || null;
}

async function go() {
  const name = location.hash.slice(1);
  if (!tabs.includes(name) || name === screen) return;
  await fetched(name);
  if (name !== location.hash.slice(1) || name === screen) return;
  if (screen === 'list') seen();
  screens[screen].leave?.();
  screen = name;
  rows = MORE_ROWS;
  list.settle();
  draw();
  at('main').scrollTop = at('scroll').scrollTop = 0;
  soon();
  stayAwake();
}

/** A code may come with the address. Without a household, pairing is what is shown. */
async function pair() {
  if (page.token && !/^#pair=/.test(location.hash)) return;
  (await fetched('pairing')).readAddress();
  draw();
}
addEventListener('hashchange', async () => {
  await pair();
  go();
});

/** A tall screen without a scroll bar would never ask for more. */
const fill = () => at('main').scrollHeight <= at('main').clientHeight && grow({ target: at('main') });

/** Builds more rows when the last ones come near: some with each picture, so that the screen goes on scrolling. */
function grow({ target }) {
  if (!isLong || !target.clientHeight || target.scrollHeight - target.scrollTop > 3 * target.clientHeight) return;
  rows += MORE_ROWS;
  draw();
  requestAnimationFrame(() => grow({ target }));
}
document.addEventListener('scroll', grow, { capture: true, passive: true });
addEventListener('resize', fill);
addEventListener('online', look);
addEventListener('pageshow', look);
for (const react of [look, stayAwake]) document.addEventListener('visibilitychange', react);
onChange(draw);

history.replaceState(null, ''); // no sheet is open, whatever was open before
theme();
await speak();
setTimeout(() => {
  isSlow = true;
  changed();
}, 300);
// What the phone refuses to keep is told, whoever wanted it kept.
addEventListener('unhandledrejection', () => refusal && changed());
await load().catch((error) => {
  if (!refusal) throw error;
});
await pair();
await go();
draw();
soon();
stayAwake();
// What is not seen at once comes when the phone has time for it: on plain http it is not there later.
const idle = window.requestIdleCallback || ((work) => setTimeout(work, 1000));
idle(() => Promise.all([...Object.keys(loading).map(fetched), import('./offers.js'), import('./entry.js'), import('./save.js'), import('./away.js'), import('./edit.js'), import('./scan.js'), import('./back.js'), import('./settings.js'), import('./first.js')]).catch(() => {}));
// It keeps the page itself, on https and on this machine; on plain http there is none, and More says so.
navigator.serviceWorker?.register('sw.js');
navigator.storage?.persist?.();
