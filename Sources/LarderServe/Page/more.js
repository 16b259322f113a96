// More: what was refused, what waits, what this phone did; the household; and the phone itself.

import { h, icon, button, theme } from './dom.js';
import { page, drawn, find, changed, savePage } from './state.js';
import { amount, digits, some, typedMoney, when, dayOf, today, time } from './format.js';
import { again, drop, dropAll, elsewhere, keeping, reason, recent, refusals, replaceWith, undo, waiting } from './queue.js';
import { ask, soon } from './send.js';
import { forget } from './store.js';
import { openItem, openNew } from './item.js';
import { openEntry } from './entry.js';
import { openSave } from './save.js';
import { openReceipt } from './receipts.js';
import { tell } from './said.js';
import { open } from './sheet.js';
import { choice, warn } from './fields.js';
import { t } from './all-texts.js';

const moment = ({ at }) => (dayOf(at) === today() ? time(at) : when(at));
const ownerOf = ({ item, batch }) => find('items', item) || drawn().items.find(({ batches }) => batches?.some(({ id }) => id === batch));

/** What a refused act would have done, as it is still to be done: "Use: Milk, 9 l". */
function wish({ act, words }) {
  const item = ownerOf(act);
  const name = find('entries', act.entry)?.name || item?.name || act.words || act.fields?.name || act.shop || find('receipts', act.receipt)?.shopName;
  const verb = t.more.verbs[act.kind];
  return verb && name ? `${verb}: ${act.quantity == null ? name : some(act.quantity, act.unit || item?.unit, name)}` : words;
}

/** Opens what made the act, with what was said in it. The refusal stays until another act is made of it. */
function change(record) {
  const { act, because } = record;
  const { kind, entry, quantity, unit, shop, fields, words } = act;
  const owner = ownerOf(act);
  if (kind === 'bought') {
    const lines = Object.fromEntries((act.lines || []).map((line, index) => [line.entry || `new-${index}`, {
      ...line, much: line.quantity == null ? undefined : amount(line.quantity, line.unit), price: typedMoney(line.price), name: line.entry ? undefined : line.name || find('items', line.item)?.name,
    }]));
    openSave({ of: act.id, shop, paid: typedMoney(act.amount), lines, because, record });
  } else if (kind === 'new') openNew('', { of: act.id, ...fields, aliases: fields.aliases?.join(', '), quantity: quantity == null ? undefined : digits(quantity) });
  else if (entry && find('entries', entry)) openEntry(entry);
  else if (owner) openItem(owner.id, false, quantity && amount(quantity, unit || owner.unit));
  else if (act.receipt) openReceipt(act.receipt);
  else if (words) {
    location.hash = '#list';
    setTimeout(() => {
      const field = document.getElementById('add');
      field.value = words;
      field.focus();
      field.dispatchEvent(new Event('input'));
    }, 100);
  } else return tell(t.more.isGone);
  return replaceWith(record);
}

const card = (record) => h('div.note', { key: record.act.id },
  h('p', h('b', wish(record))),
  h('p.mark', warn(), ` ${reason(record)}`), h('p.small.soft', when(record.act.at)),
  h('div.acts',
    button('btn', `again-${record.act.id}`, t.more.again, () => again(record), { 'aria-label': t.more.of(t.more.again, wish(record)) }),
    button('btn', `change-${record.act.id}`, t.more.change, () => change(record), { 'aria-label': t.more.of(t.more.change, wish(record)) }),
    button('btn.away', `drop-${record.act.id}`, t.more.drop, () => drop(record), { 'aria-label': t.more.of(t.more.drop, wish(record)) })));

const row = (record) => h('li.recent', { key: record.act.id },
  h('span', record.words, h('small', [moment(record.act), record.state === 'overtaken' && record.say, record.isUndone && t.more.takenBack].filter(Boolean).join(' · '))),
  !record.isUndone && !record.undoes && record.state !== 'overtaken' && button('btn.bare', `undo-${record.act.id}`, t.frame.undo, () => undo(record), { 'aria-label': t.frame.undoOf(record.words) }));

const rows = (title, id, records) => open(id, () => ({ title, body: h('ul', records().map(row)) }));
const goes = (id, text, small, work, end) => h('li', { key: id }, button('go', id, [h('span', text, small && h('small', small)), end, icon('go')], work));

/** What waits: many of one kind are one row, which opens to show each. */
function waits() {
  const kinds = new Map();
  for (const record of waiting().reverse()) kinds.set(record.act.kind, [...(kinds.get(record.act.kind) || []), record]);
  return [...kinds].map(([kind, records]) => {
    const name = (t.more.kinds[kind] || t.more.kinds.undo)(records.length);
    const own = () => waiting().reverse().filter(({ act }) => act.kind === kind);
    return records.length === 1 ? row(records[0]) : goes(`waits-${kind}`, name, t.more.since(moment(records.at(-1).act)), () => rows(name, 'waits', own));
  });
}

/** What was made for another household is kept for it. */
const strangers = ([home, records]) => h('div.note', { key: home.id },
  h('p', t.more.elsewhere(records.length, home.name)),
  h('div.acts', button('btn.away', `drop-all-${home.id}`, t.more.dropAll, () => dropAll(records))));

let isSyncing = false;
async function sync() {
  isSyncing = true;
  changed();
  const { status, content } = (await ask('sync', {}, null, 40000)) || {};
  isSyncing = false;
  if (status === 200) page.state.household.syncs = content.syncs;
  const failed = content?.syncs?.find(({ say }) => say);
  changed();
  soon();
  tell(!status ? t.more.noAnswer : status !== 200 ? content.say : failed ? t.more.notSynced(failed.say) : t.more.synced);
}

/** How the household itself stands with its other machines, and a way to hurry it. */
function syncs() {
  const all = page.state?.household.syncs || [];
  const say = ({ remote, last, say: why }) => h('span', { key: remote }, t.more.remote(remote), ': ', last ? when(last) : t.more.never, why && h('span.mark', ` · ${why}`));
  return all.length > 0 && h('li', { key: 'sync' }, button('go', 'sync', [h('span', isSyncing ? t.more.syncing : t.more.sync, h('small', { id: 'syncs' }, all.map((one) => h('span.line', say(one))))), icon('both')], sync));
}

const section = (key, title, ...nodes) => h('section', { key }, h('h2.cap', title), nodes);

/** The report is a page of its own, which brings its own style; a link that works once opens it anywhere. */
async function openReport() {
  const shown = window.open('', '_blank');
  const result = await ask('report', {});
  if (result?.status === 200) return (shown || window).location.assign(result.content.address);
  shown?.close();
  return tell(t.more.noReport);
}

const leave = () => open('leave', () => ({
  title: t.more.forget,
  body: h('p.pad', waiting().length > 0 && t.more.isLost(waiting().length), t.more.forgetting),
  foot: button('btn.away.grow', 'forget-do', t.more.forget, async () => {
    await ask('unpair', {});
    await forget();
    localStorage.removeItem('theme');
    location.replace(location.pathname);
  }),
}));

export const head = () => h('h1', page.state?.household.name || t.frame.more);

export function body() {
  const [refused, others, waiting, did] = [refusals(), elsewhere(), waits(), recent()];
  return [
    refused.length > 0 && section('refused', t.more.refused(refused.length), refused.map(card)),
    others.map(strangers),
    waiting.length > 0 && section('waits', t.more.waiting, h('ul', waiting)),
    did.length > 0 && section('recent', t.more.recent, h('ul', did.slice(0, 2).map(row),
      did.length > 2 && goes('all-recent', t.more.all, null, () => rows(t.more.all, 'recent', recent)))),
    page.state && section('household', t.more.household, h('ul', syncs(),
      goes('open-settings', t.more.settings, t.more.settingsMore, async () => (await import('./settings.js')).openSettings()),
      goes('open-back', t.more.back, t.more.backMore, async () => (await import('./back.js')).openBack()),
      goes('report', t.more.report, t.more.reportMore, openReport))),
    section('phone', t.more.phone, h('ul',
      h('li.plain', h('span', t.more.name), h('b', page.state?.phone.name)),
      h('li.plain', h('span', t.more.exchange), h('b', page.heard ? when(page.heard + page.offset) : t.more.none)),
      h('li', h('label.go', h('span', t.more.offline, h('small', t.more.offlineMore)),
        h('input.switch', { id: 'offline', type: 'checkbox', role: 'switch', checked: page.isOffline, onclick: async () => {
          await keeping(() => savePage({ isOffline: !page.isOffline }));
          changed();
          soon();
        } }))),
      h('li', h('label.go', h('span', t.more.colours), choice('chip', { id: 'theme', value: localStorage.getItem('theme') || '', onchange: ({ target }) => {
        localStorage.setItem('theme', target.value);
        theme();
      } }, t.more.asPhone, [['light', t.more.light], ['dark', t.more.dark]]))),
      h('li', button('go.mark', 'forget', h('span', t.more.forget), leave)))),
  ].flat().filter(Boolean);
}
