// Receipts by month, and the sheet of one: its lines, corrected or taken back.

import { h, icon, button, kept, quiet } from './dom.js';
import { page, drawn, find, changed, realID } from './state.js';
import { amount, day, dayOf, groups, inMonth, money, paid, month, number, parseAmount, some, time, typedMoney } from './format.js';
import { make } from './queue.js';
import { telling } from './said.js';
import { ask, details } from './send.js';
import { open, close, small } from './sheet.js';
import { openSave, openLine, lineOf } from './save.js';
import { withFields } from './apply.js';
import { t } from './all-texts.js';

let older = [];
let isAll = false;

function row({ id, shopName, timestamp, amount: sum, currency, names, lines }) {
  const most = lines > 6 ? 2 : 3;
  const shown = lines > 4 ? t.receipts.more(names.slice(0, most).join(', '), lines - most) : names.join(', ');
  return h('li', { key: id }, button('go', `receipt-${id}`, [h('span', shopName, h('small', `${inMonth(timestamp)} · ${shown}`)),
    h('b', paid(sum, currency)), icon('go')], () => openReceipt(id)));
}

export const head = () => [
  h('h1.grow', t.frame.receipts),
  button('btn', 'new-receipt', [icon('plus', 'svg.i'), t.receipts.new], () => openSave()),
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
  if (!all.length) return quiet(t.receipts.nothing, t.receipts.nothingMore);
  const sections = groups(all, ({ timestamp }) => dayOf(timestamp).slice(0, 7)).map(([key, receipts]) => {
    const rows = receipts.filter(() => room.left-- > 0);
    const sum = receipts.reduce((total, { amount: one, currency }) => total + (!currency || currency === page.state.household.currency ? one || 0 : 0), 0);
    return rows.length && h('section', { key }, h('h2.month', h('span', month(`${key}-15`)), h('b', money(sum))),
      h('ul', rows.map((receipt) => kept(`receipt-${receipt.id}`, [receipt], () => row(receipt)))));
  });
  return [...sections, !isAll && room.left > 0 && h('div.pad', { key: 'older' }, button('btn', 'older', t.receipts.older, () => readOlder(all.at(-1).timestamp)))].filter(Boolean);
}

/** A receipt with the corrections that were made since the household told it. */
function corrected(receipt, asked = 0) {
  const isNew = ({ state, answered, isUndone }) => !isUndone && (state === 'waiting' || (state === 'done' && answered > asked));
  const pending = page.records.filter((record) => record.act.kind === 'correct' && isNew(record) && realID(record.act.receipt) === receipt.id);
  return pending.reduce((all, { act }) => {
    if (act.lines) return { ...all, items: all.items?.map((line) => withFields(line, act.lines.find((one) => one.line === line.id)?.fields)) };
    if (act.fields && !act.line) return withFields(all, act.fields);
    if (!all.items) return all;
    if (act.add) return { ...all, items: [...all.items, { id: act.id, itemName: act.add.name || find('items', act.add.item)?.name, itemId: act.add.item, ...act.add }] };
    return { ...all, items: all.items.flatMap((line) => (line.id !== act.line ? line : act.remove ? [] : withFields(line, act.fields))) };
  }, receipt);
}

/** The sheet of a receipt; another's beside a form is only shown. */
export function openReceipt(id, isShown) {
  open('receipt', () => {
    const short = drawn().receipts.find((one) => one.id === id || one.id === realID(id)) || older.find((one) => one.id === id);
    if (!short) return null;
    // The household knows nothing of one that was saved without reception: its lines are those of the act.
    const isOwn = !!short.items;
    const told = isOwn ? null : details(`receipt/${short.id}`);
    const { shopName, timestamp, amount: sum, currency, items } = corrected(told?.receipt || short, told?.asked);
    const by = short.by || told?.by;
    const count = items ? items.length : short.lines;
    const correct = (members, words) => telling(make('correct', { receipt: short.id, ...members }, words));
    const edit = (line) => openLine(line.itemName, { of: line.id, much: amount(line.quantity, line.unit), price: typedMoney(line.price), location: line.location, expiry: line.expiry },
      { fixed: true, isWhole: true, verb: t.receipts.correct, remove: () => correct({ line: line.id, remove: true }, t.receipts.removed(line.itemName)) }, (typed) => {
        const { quantity, unit } = parseAmount(typed.much, line.unit);
        const fields = { quantity, unit, price: number(typed.price) ?? null, location: typed.location || null, expiry: typed.expiry || null };
        return correct({ line: line.id, fields }, t.receipts.didLine(some(quantity, unit, line.itemName)));
      });
    const addLine = () => openLine(t.receipts.add, {}, { isWhole: true, verb: t.receipts.addIt }, (typed) => correct({ add: lineOf(typed) }, t.receipts.added(typed.name.trim())));
    const editHead = () => small('receipt-edit', t.receipts.title, '', [['shop', t.receipts.shop, 'text', { isWide: true, options: page.state.shops, need: t.receipts.which }], ['amount', t.receipts.paid, 'decimal']], t.receipts.correct,
      (draft) => {
        const name = draft.shop.trim();
        return correct({ fields: { shopName: name, amount: number(draft.amount) ?? null } }, t.receipts.did(name));
      }, { of: short.id, shop: shopName, amount: typedMoney(sum) });
    const say = (line) => [h('span', line.itemName, h('small', `${amount(line.quantity, line.unit)}${line.itemId ? '' : ` · ${t.receipts.notItem}`}`)), h('b', paid(line.price, currency))];
    const isFixed = isShown || isOwn;
    return {
      title: shopName, note: `${day(dayOf(timestamp), 'short', true)}, ${time(timestamp)}${by ? t.receipts.savedBy(by) : ''}`,
      aside: !isShown && button('btn.bare', 'receipt-head', t.receipts.edit, editHead),
      body: [
        short.toPutAway && !isShown && h('ul', { key: 'away' }, h('li', button('go', 'receipt-away', [h('b.act.grow', t.receipts.putAway(short.toPutAway.filter(({ usedUp }) => !usedUp).length)), icon('go')],
          () => import('./away.js').then(({ openAway }) => openAway(short.id))))),
        items ? h('ul', { key: 'lines' }, items.map((line) => (isFixed ? h('li.plain', { key: line.id }, say(line))
          : h('li', { key: line.id }, button('go', `line-${line.id}`, [...say(line), icon('go')], () => edit(line))))))
          : h('p.pad.soft', { key: 'wait' }, t.receipts.wait(short.names.join(', '))),
        h('p.month', { key: 'sum' }, h('span', t.receipts.lines(count)), h('b', paid(sum, currency))),
      ],
      foot: !isShown && [
        !isOwn && button('btn', 'receipt-add', [icon('plus', 'svg.i'), t.receipts.add], addLine),
        button('btn.away', 'receipt-void', t.receipts.void, async () => {
          if (await telling(make('void', { receipt: short.id }, t.receipts.voided(shopName)))) close('receipt');
        }),
      ],
    };
  });
}
