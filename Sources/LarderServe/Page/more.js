// More: what was refused, what waits, what this phone did; and the phone itself.

import { h, icon, button } from './dom.js';
import { page, find, changed, savePage } from './state.js';
import { amount, when, dayOf, today, time } from './format.js';
import { again, drop, keeping, recent, refusals, replaceWith, undo, waiting } from './queue.js';
import { ask, soon } from './send.js';
import { forget } from './store.js';
import { openItem, openNew } from './item.js';
import { openEntry } from './entry.js';
import { openSave } from './save.js';
import { openReceipt } from './receipts.js';
import { tell } from './said.js';
import { open } from './sheet.js';
import { choice, warn } from './fields.js';

const moment = ({ at }) => (dayOf(at) === today() ? time(at) : when(at));
/** What was refused is still to be done: "Use 9 l of Milk". */
const verbs = { Used: 'Use', Threw: 'Throw', Counted: 'Count', Moved: 'Move', Opened: 'Open', Saved: 'Save', Corrected: 'Correct', Changed: 'Change', Took: 'Take', Archived: 'Archive' };
const toDo = (words) => words.replace(/^\w+/, (verb) => verbs[verb] || verb);

/** Opens what made the act, with what was said in it. The refusal stays until another act is made of it. */
function change(record) {
  const { act } = record;
  const { kind, item, entry, batch, quantity, unit, shop, fields, words } = act;
  const owner = item || page.state.items.find(({ batches }) => batches?.some(({ id }) => id === batch))?.id;
  if (kind === 'bought') {
    const lines = Object.fromEntries((act.lines || []).map((line, index) => [line.entry || `new-${index}`, {
      ...line, much: amount(line.quantity, line.unit), price: line.price?.toFixed(2), name: line.entry ? undefined : line.name || find('items', line.item)?.name,
    }]));
    openSave({ of: act.id, shop, paid: act.amount?.toFixed(2), lines });
  } else if (kind === 'new') openNew('', { of: act.id, ...fields, aliases: fields.aliases?.join(', '), quantity });
  else if (entry && find('entries', entry)) openEntry(entry);
  else if (owner && find('items', owner)) openItem(owner, false, quantity && amount(quantity, unit || find('items', owner).unit));
  else if (act.receipt) openReceipt(act.receipt);
  else if (words) {
    location.hash = '#list';
    setTimeout(() => {
      const field = document.getElementById('add');
      field.value = words;
      field.focus();
      field.dispatchEvent(new Event('input'));
    }, 100);
  } else return tell('What it was about is gone.');
  return replaceWith(record);
}

const card = (record) => h('div.note', { key: record.act.id },
  h('p', h('b', toDo(record.words))),
  h('p.mark', warn(), ` ${record.say}`), h('p.small.soft', when(record.act.at)),
  h('div.acts',
    button('btn', `again-${record.act.id}`, 'Try again', () => again(record)),
    button('btn', `change-${record.act.id}`, 'Change', () => change(record)),
    button('btn.away', `drop-${record.act.id}`, 'Drop it', () => drop(record))));

const row = (record) => h('li.recent', { key: record.act.id },
  h('span', record.words, h('small', [moment(record.act), record.state === 'overtaken' && record.say, record.isUndone && 'taken back'].filter(Boolean).join(' · '))),
  !record.isUndone && !record.undoes && record.state !== 'overtaken' && button('btn.bare', `undo-${record.act.id}`, 'Undo', () => undo(record), { 'aria-label': `Undo: ${record.words}` }));

const section = (title, ...nodes) => h('section', { key: title.split(':')[0] }, h('h2.cap', title), nodes);

export function theme(choice = localStorage.getItem('theme')) {
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
}

/** The report is a page of its own, which brings its own style; a link that works once opens it anywhere. */
async function openReport() {
  const shown = window.open('', '_blank');
  const result = await ask('report', {});
  if (result?.status === 200) return (shown || window).location.assign(result.content.address);
  shown?.close();
  return tell('The report comes from the household, which does not answer now.');
}

const leave = () => open('leave', () => ({
  title: 'Forget this phone',
  body: h('p.pad', waiting().length ? `${waiting().length} that wait to be sent are lost with it. ` : '', 'What this phone keeps is removed, and it has to be paired again.'),
  foot: button('btn.away.grow', 'forget-do', 'Forget this phone', async () => {
    await ask('unpair', {});
    await forget();
    localStorage.removeItem('theme');
    location.replace(location.pathname);
  }),
}));

export const head = () => h('h1', page.state?.household.name || 'More');

export function body() {
  const [refused, waits, did] = [refusals(), waiting().reverse(), recent()];
  return [
    refused.length > 0 && section(`Refused: ${refused.length}`, refused.map(card)),
    waits.length > 0 && section(`Waiting to be sent: ${waits.length}`, h('ul', waits.map(row))),
    did.length > 0 && section('Recent', h('ul', did.slice(0, 2).map(row), did.length > 2 && h('li', { key: 'all' },
      button('go', 'all-recent', [h('span', 'All that this phone did'), icon('go')], () => open('recent', () => ({ title: 'All that this phone did', body: h('ul', recent().map(row)) })))))),
    section('This phone', h('ul',
      h('li.plain', h('span', 'Name'), h('b', page.state?.phone.name)),
      h('li.plain', h('span', 'Last exchange'), h('b', page.heard ? when(page.heard + page.offset) : 'none yet')),
      h('li', h('label.go', h('span', 'Offline only', h('small', 'send nothing until I turn this off')),
        h('input.switch', { id: 'offline', type: 'checkbox', role: 'switch', checked: page.isOffline, onclick: async () => {
          await keeping(() => savePage({ isOffline: !page.isOffline }));
          changed();
          soon();
        } }))),
      h('li', h('label.go', h('span', 'Colours'), choice('chip', { id: 'theme', value: localStorage.getItem('theme') || '', onchange: ({ target }) => {
        localStorage.setItem('theme', target.value);
        theme();
      } }, 'As the phone', [['light', 'Light'], ['dark', 'Dark']]))),
      !isSecureContext && h('li.plain', h('span', 'Plain http', h('small', ' works while it is open; https lets it open without reception'))),
      h('li', button('go', 'report', [h('span', 'Report', h('small', 'spending, prices, waste')), icon('go')], openReport)),
      h('li', button('go.mark', 'forget', h('span', 'Forget this phone'), leave)))),
  ].filter(Boolean);
}
