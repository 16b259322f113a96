// Save receipt: what of the basket was bought where, for how much, and where it is put.

import { h, icon, button } from './dom.js';
import { page, drawn, find, place, changed, savePage } from './state.js';
import { about, amount, converts, day, dayOf, fold, number, parseAmount, time, unitName, when } from './format.js';
import { usual } from './apply.js';
import { make } from './queue.js';
import { telling } from './said.js';
import { open, done, small } from './sheet.js';
import { warn } from './fields.js';
import { priceOf } from './list.js';

/** "Fridge, until about 17 Dec": where a line goes, as far as anyone said. */
function goal(item, line) {
  if (!item) return 'not an item, no stock';
  const { storageLocationId, expiry } = usual(item, line, page.state.today);
  const date = expiry && `until ${about(expiry)}${day(expiry.isoDate)}`;
  return [place(storageLocationId) || (!date && 'no place'), date || (!storageLocationId && 'no date')].filter(Boolean).join(', ');
}

/** One line's name, amount, price, place and date; `keep` takes it. */
export const openLine = (title, line, fixed, verb, keep, remove) => small('line', title, '', [
  !fixed && ['name', 'What', 'text', { isWide: true, options: drawn().items.map(({ name }) => name) }],
  ['much', 'How much', 'text', { placeholder: '2, 750 g' }], ['price', 'Price of all', 'decimal'],
  ['location', 'Place', 'place'], ['expiry', 'Keeps until', 'date'],
], verb, (draft) => {
  const isRight = (fixed || draft.name?.trim()) && parseAmount(draft.much || '');
  return isRight ? keep({ ...draft }) : 'A line needs a name, and an amount such as “2” or “750 g”.';
}, line, { other: remove && button('btn.away', 'line-remove', 'Take it off', async () => (await remove()) && done()) });

export const itemNamed = (name) => drawn().items.find((item) => fold(item.name) === fold(name.trim()));

/** Whether an entry says nothing of the stock: it is in another unit than its item. */
const isOdd = ({ entry, item }) => entry && item && !converts(entry.unit, item.unit);
const unitIn = (line) => (isOdd(line) ? line.item : line.entry || line.item)?.unit;
/** The amount of a line as it is proposed; nothing where somebody has to say it. */
const proposed = (line) => {
  const { entry } = line;
  return !isOdd(line) ? amount(entry.desiredQuantity, entry.unit) : entry.content == null ? '' : amount(entry.content, line.item.unit);
};
/** Whether the amount of a line can't be read, or does not say how much comes into the stock. */
const isVague = (line) => {
  const much = parseAmount(line.much, unitIn(line));
  return !much || (isOdd(line) && !converts(much.unit, line.item.unit));
};

/** What was typed for a line, as a member of an act. */
export function lineOf({ name, much, price, location, expiry }, item = itemNamed(name), entry) {
  const thing = entry ? { entry: entry.id } : item ? { item: item.id } : { name: name.trim() };
  return { ...thing, ...parseAmount(much, unitIn({ entry, item })), price: number(price), location: location || undefined, expiry: expiry || undefined };
}

export const openSave = (given) => open('save', (draft) => {
  const state = drawn();
  draft.lines ||= {};
  const all = [
    ...state.entries.filter(({ isCompleted }) => isCompleted).map((entry) => ({ key: entry.id, entry, name: entry.name, item: find('items', entry.itemId) })),
    ...Object.entries(draft.lines).filter(([, { name }]) => name).map(([key, { name }]) => {
      const item = itemNamed(name);
      return { key, name, item };
    }),
  ].map((line) => {
    const typed = (draft.lines[line.key] ||= {});
    return { ...line, typed, much: typed.much ?? proposed(line), price: typed.price ?? (line.entry ? page.prices[line.key]?.toFixed(2) : '') ?? '' };
  });
  const lines = all.filter(({ typed }) => !typed.isOff);
  const prices = lines.map(({ price }) => number(price)).filter((price) => price != null);
  const sum = prices.reduce((total, price) => total + price, 0);
  const paid = number(draft.paid);
  const rest = paid != null && prices.length ? paid - sum : 0;
  const stocked = lines.filter(({ item }) => item).length;
  const vague = lines.find((line) => isOdd(line) && isVague(line));
  const wrong = lines.find((line) => isVague(line) || (line.price && number(line.price) == null)) || (draft.paid && paid == null);
  const set = (typed, name) => ({ target }) => {
    typed[name] = target.value;
    changed();
  };
  const save = async () => {
    draft.isAsked = true;
    if (!draft.shop?.trim() || wrong || !lines.length) return changed();
    const entries = lines.filter(({ entry }) => entry).map(({ key }) => key);
    const made = await telling(make('bought', {
      shop: draft.shop.trim(), entries, amount: paid, timestamp: draft.at && momentOf(draft.at),
      lines: lines.map(({ entry, item, name, typed, much, price }) => lineOf({ ...typed, name, much, price }, item, entry)),
    }, `Saved a receipt of ${draft.shop.trim()}`));
    if (!made) return;
    done();
    const prices = Object.entries(page.prices).filter(([id]) => !entries.includes(id));
    await savePage({ prices: Object.fromEntries(prices) });
  };
  const place = (line) => openLine(line.name, { of: line.key, much: line.much, price: line.price, location: line.typed.location ?? line.item?.storageLocationId, expiry: line.typed.expiry }, true, 'Keep these',
    ({ much, price, location, expiry }) => Object.assign(line.typed, { much, price, location, expiry }));
  const field = (name, label, props) => h('input.field', { id: `save-${name}`, value: draft[name] ?? '', oninput: set(draft, name), autocomplete: 'off', ...props });
  return {
    title: 'Save receipt',
    body: [
      h('div.form',
        h('label.all', 'Shop', field('shop', 'Shop', { list: 'shops' }), h('datalist', { id: 'shops' }, state.shops.map((value) => h('option', { value, key: value })))),
        h('label', `Paid${state.household.currency ? ` (${state.household.currency})` : ''}`, field('paid', 'Paid', { inputmode: 'decimal' })),
        h('label', 'When', draft.at == null
          ? button('field', 'save-when', when(page.now()), () => {
            draft.at = localNow();
            changed();
          })
          : field('at', 'When', { type: 'datetime-local' }))),
      h('div.heads', h('h3', 'What was bought'), h('span', 'how much'), h('span', 'price')),
      h('ul', all.map((line) => {
        const { key, name, item, entry, typed, much, price } = line;
        const guess = entry && priceOf(entry);
        return h('li.line3', { key },
          h('label.tick', h('input', { type: 'checkbox', id: `on-${key}`, checked: !typed.isOff, 'aria-label': `${name}: on this receipt`, onclick: () => {
            typed.isOff = !typed.isOff;
            changed();
          } })),
          button('what', `where-${key}`, [name, h('small', isOdd(line) && `${amount(entry.desiredQuantity, entry.unit)} · `, goal(item, typed))], () => place(line)),
          h('input.field.n', { id: `much-${key}`, 'aria-label': `${name}: how much`, value: much, placeholder: unitName(unitIn(line)), oninput: set(typed, 'much'), 'aria-invalid': isVague(line) && 'true' }),
          h('input.field.n', { id: `price-${key}`, inputmode: 'decimal', 'aria-label': `${name}: price`, value: price, placeholder: guess ? guess.toFixed(2) : '–', oninput: set(typed, 'price') }));
      })),
      h('div.pad', button('btn', 'save-line', [icon('plus', 'svg.i'), 'Another line'], () => openLine('Another line', {}, false, 'On the receipt', (line) => {
        draft.lines[`new-${Object.keys(draft.lines).length}`] = line;
        return true;
      }))),
    ],
    foot: [
      draft.isAsked && (!draft.shop?.trim() || wrong || !lines.length)
        ? h('p.small.mark', { role: 'alert' }, warn(), ` ${!lines.length ? 'There is nothing on this receipt yet.' : vague ? `How much is ${amount(vague.entry.desiredQuantity, vague.entry.unit)} of ${vague.name}, in ${unitName(vague.item.unit)}?` : wrong ? 'An amount or a price can’t be read.' : 'Which shop was it?'}`)
        : Math.abs(rest) >= 0.005 && h('p.small', h('b', `Lines ${sum.toFixed(2)}, paid ${paid.toFixed(2)}.`), ' ',
          h('span.soft', rest > 0 ? `${rest.toFixed(2)} has no line; that is fine.` : `The lines are ${(-rest).toFixed(2)} more; that is fine.`)),
      button('btn.primary', 'save-do', `Save: ${stocked} into the stock`, save),
    ],
  };
}, given || { shop: page.state.shops[0] });

// A field of date and time has no zone: it shows, and means, the household's.
const localNow = () => `${dayOf(page.now())}T${time(page.now())}`;
function momentOf(local) {
  const asUTC = Date.parse(`${local}Z`);
  const shown = Date.parse(`${dayOf(asUTC)}T${time(asUTC)}Z`);
  return new Date(2 * asUTC - shown).toISOString();
}
