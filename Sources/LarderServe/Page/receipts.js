// Receipts by month, and the sheet of one: its lines, corrected or taken back.

import { h, icon, button, kept, quiet } from './dom.js';
import { page, drawn, find, changed, realID } from './state.js';
import { amount, day, dayOf, groups, inMonth, money, paid, month, number, parseAmount, time } from './format.js';
import { make } from './queue.js';
import { telling } from './said.js';
import { ask, details } from './send.js';
import { open, close, small } from './sheet.js';
import { openSave, openLine, lineOf } from './save.js';
import { withFields } from './apply.js';

let older = [];
let isAll = false;

function row({ id, shopName, timestamp, amount: sum, currency, names, lines }) {
  const shown = lines > 4 ? `${names.slice(0, lines > 6 ? 2 : 3).join(', ')} and ${lines - (lines > 6 ? 2 : 3)} more` : names.join(', ');
  return h('li', { key: id }, button('go', `receipt-${id}`, [h('span', shopName, h('small', `${inMonth(timestamp)} · ${shown}`)),
    h('b', paid(sum, currency)), icon('go')], () => openReceipt(id)));
}

export const head = () => [
  h('h1.grow', 'Receipts'),
  button('btn', 'new-receipt', [icon('plus', 'svg.i'), 'New receipt'], () => openSave()),
];

async function readOlder(last) {
  const result = await ask(`receipts?before=${encodeURIComponent(last)}`);
  if (result?.status !== 200) return;
  older = older.concat(result.content.receipts);
  isAll = result.content.receipts.length < 100;
  changed();
}

export function body(room) {
  const own = drawn().receipts;
  const all = own.concat(older.filter(({ id }) => !own.some((one) => one.id === id)));
  if (!all.length) return quiet('No receipts yet', 'Tick on the list what is in your basket, then save the receipt: the stock fills by itself.');
  const sections = groups(all, ({ timestamp }) => dayOf(timestamp).slice(0, 7)).map(([key, receipts]) => {
    const rows = receipts.filter(() => room.left-- > 0);
    const sum = receipts.reduce((total, { amount: one, currency }) => total + (!currency || currency === page.state.household.currency ? one || 0 : 0), 0);
    return rows.length && h('section', { key }, h('h2.month', h('span', month(`${key}-15`)), h('b', money(sum))),
      h('ul', rows.map((receipt) => kept(`receipt-${receipt.id}`, [receipt], () => row(receipt)))));
  });
  return [...sections, !isAll && room.left > 0 && h('div.pad', { key: 'older' }, button('btn', 'older', 'Older receipts', () => readOlder(all.at(-1).timestamp)))].filter(Boolean);
}

/** A receipt with the corrections that were made since the household told it. */
function corrected(receipt, asked = 0) {
  const isNew = ({ state, answered, isUndone }) => !isUndone && (state === 'waiting' || (state === 'done' && answered > asked));
  const pending = page.records.filter((record) => record.act.kind === 'correct' && isNew(record) && realID(record.act.receipt) === receipt.id);
  return pending.reduce((all, { act }) => {
    if (act.fields && !act.line) return withFields(all, act.fields);
    if (!all.items) return all;
    if (act.add) return { ...all, items: [...all.items, { id: act.id, itemName: act.add.name || find('items', act.add.item)?.name, itemId: act.add.item, ...act.add }] };
    return { ...all, items: all.items.flatMap((line) => (line.id !== act.line ? line : act.remove ? [] : withFields(line, act.fields))) };
  }, receipt);
}

export function openReceipt(id) {
  open('receipt', () => {
    const short = find('receipts', id) || older.find((one) => one.id === id);
    if (!short) return null;
    const told = details(`receipt/${short.id}`);
    const { shopName, timestamp, amount: sum, currency, by, items } = corrected(told?.receipt || short, told?.asked);
    const count = items ? items.length : short.lines;
    const correct = (members, words) => telling(make('correct', { receipt: short.id, ...members }, words));
    const edit = (line) => openLine(line.itemName, { of: line.id, much: amount(line.quantity, line.unit), price: line.price?.toFixed(2), location: line.location, expiry: line.expiry }, true, 'Correct', (typed) => {
      const { quantity, unit } = parseAmount(typed.much, line.unit);
      const fields = { quantity, unit, price: number(typed.price) ?? null, location: typed.location || null, expiry: typed.expiry || null };
      return correct({ line: line.id, fields }, `Corrected ${line.itemName}: ${amount(quantity, unit)}`);
    }, () => correct({ line: line.id, remove: true }, `${line.itemName} is off the receipt`));
    const addLine = () => openLine('Add a line', {}, false, 'Add it', (typed) =>
      correct({ add: lineOf(typed) }, `${typed.name.trim()} is on the receipt`));
    const editHead = () => small('receipt-edit', 'Correct', '', [['shop', 'Shop', 'text', { isWide: true, options: page.state.shops, need: 'Which shop was it?' }], ['amount', 'Paid', 'decimal']], 'Correct',
      (draft) => {
        const name = draft.shop.trim();
        return correct({ fields: { shopName: name, amount: number(draft.amount) ?? null } }, `Corrected the receipt of ${name}`);
      }, { of: short.id, shop: shopName, amount: sum?.toFixed(2) });
    return {
      title: shopName, note: `${day(dayOf(timestamp), 'short', true)}, ${time(timestamp)}${by ? ` · saved by ${by}` : ''}`,
      aside: button('btn.bare', 'receipt-head', 'Edit', editHead),
      body: [
        items ? h('ul', items.map((line) => h('li', { key: line.id }, button('go', `line-${line.id}`, [
          h('span', line.itemName, h('small', `${amount(line.quantity, line.unit)}${line.itemId ? '' : ' · not an item'}`)),
          h('b', paid(line.price, currency)), icon('go')], () => edit(line)))))
          : h('p.pad.soft', `${short.names.join(', ')}. The lines come when the household answers.`),
        h('p.month', h('span', `${count} ${count === 1 ? 'line' : 'lines'}`), h('b', paid(sum, currency))),
      ],
      foot: [
        button('btn', 'receipt-add', [icon('plus', 'svg.i'), 'Add a line'], addLine),
        button('btn.away', 'receipt-void', 'Take it back', () => {
          telling(make('void', { receipt: short.id }, `Took back the receipt of ${shopName}`));
          close();
        }),
      ],
    };
  });
}
