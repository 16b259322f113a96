// Save receipt: what of the basket was bought where, and for how much. What nobody typed is a guess, and is not sent.
// If another one saved the basket meanwhile, all that was typed here can be added to that receipt.

import { h, icon, button } from './dom.js';
import { page, drawn, find, changed, realID, savePage } from './state.js';
import { amount, convert, converts, dayOf, digits, fold, money, number, parseAmount, tidy, time, typedMoney, unitName, when } from './format.js';
import { make } from './queue.js';
import { telling } from './said.js';
import { open, done, small } from './sheet.js';
import { amountProblem, fault, invalid, warn } from './fields.js';
import { pick } from './pick.js';
import { openReceipt } from './receipts.js';
import { t } from './all-texts.js';

/** One line's name, amount and price; with `isWhole` its place and date. `keep` takes it. */
export const openLine = (title, line, { fixed, isWhole, verb, remove }, keep) => small('line', title, '', [
  !fixed && ['name', t.receipts.line.what, 'text', { isWide: true, need: t.receipts.line.need, options: drawn().items.map(({ name }) => name) }],
  ['much', t.receipts.line.much, 'text', { placeholder: t.receipts.line.hint, need: t.fields.howMuch, check: (text) => amountProblem(text) }],
  ['price', t.receipts.line.price, 'decimal'],
  isWhole && ['location', t.receipts.line.place, 'place'], isWhole && ['expiry', t.receipts.line.until, 'date'],
], verb, (draft) => keep({ ...draft }), line, { other: remove && button('btn.away', 'line-remove', t.receipts.line.remove, async () => (await remove()) && done('line')) });

export const itemNamed = (name) => drawn().items.find((item) => fold(item.name) === fold(name.trim()));

/** Whether an entry says nothing of the stock: it is in another unit than its item. */
const isOdd = ({ entry, item }) => entry && item && !converts(entry.unit, item.unit);
const unitIn = (line) => (isOdd(line) ? line.item : line.entry || line.item)?.unit;

/** The amount that the list has of a line; nothing where somebody has to say it. */
function listed(line) {
  const { entry, item } = line;
  if (!entry) return null;
  if (!isOdd(line)) return { quantity: entry.desiredQuantity, unit: entry.unit };
  return entry.content == null ? null : { quantity: entry.content, unit: item.unit };
}

/** What was typed for a line that is on no list, as a member of an act. */
export function lineOf({ name, much, price, location, expiry }, item = itemNamed(name)) {
  return { ...(item ? { item: item.id } : { name: name.trim() }), ...parseAmount(much, item?.unit), price: number(price), location: location || undefined, expiry: expiry || undefined };
}

/** What the last time says of a price, for as much as there is now. */
function guessOf(line) {
  const { entry, much } = line;
  const own = listed(line);
  if (entry?.price == null || !own) return entry?.price ?? null;
  const now = parseAmount(much, own.unit);
  return now && Math.round((100 * entry.price * convert(now.quantity, now.unit, own.unit)) / own.quantity) / 100;
}

/** The receipt on which another one has saved what is in this form. */
function otherOf({ isMine, because }, lines) {
  if (isMine) return null;
  const entries = Object.fromEntries(lines.map(({ key, entry }) => [key, entry]));
  const isOwn = (id) => page.records.some((record) => record.act.id === id || record.made === id);
  const found = drawn().receipts.find((receipt) => (because?.receipt === receipt.id || receipt.entries?.some((id) => entries[id])) && !isOwn(receipt.id));
  return found && { ...found, at: because?.at || found.timestamp, by: found.by || because?.by };
}
/** "Mira", of "Mira's phone". */
const whose = (name) => name?.match(/^(.+?)['’]s\b/)?.[1] || name || t.save.somebody;

const looked = new Set(); // what was in the basket since the form was opened
/** The lines: the basket, what was in it when it was seen last, and what was typed beside. */
function linesOf(draft) {
  const state = drawn();
  for (const entry of state.entries) {
    if (!entry.isCompleted) continue;
    draft.entries[entry.id] = entry;
    looked.add(entry.id);
  }
  const hasTyped = draft.paid || Object.values(draft.lines).some(({ much, price, name }) => much || price || name);
  const there = new Set(state.entries.filter(({ isCompleted }) => isCompleted).map(({ id }) => id));
  const saved = new Set(state.receipts.flatMap(({ entries = [] }) => entries));
  const isClosed = ({ id }) => (saved.has(id) && (hasTyped || looked.has(id))) || draft.because?.kind === 'saved';
  const listedLines = Object.values(draft.entries).filter((entry) => there.has(entry.id) || isClosed(entry) || draft.record)
    .map((entry) => ({ key: entry.id, entry, name: entry.name, item: find('items', entry.itemId), isGone: !there.has(entry.id) }));
  const more = Object.entries(draft.lines).filter(([, { name }]) => name).map(([key, { name }]) => ({ key, name, item: itemNamed(name) }));
  return [...listedLines, ...more].map((line) => {
    const typed = (draft.lines[line.key] ||= {});
    const own = listed(line);
    const much = typed.much ?? (own ? amount(own.quantity, own.unit) : '');
    const known = { ...line, typed, much, price: typed.price ?? (line.entry && page.prices[line.key] != null ? typedMoney(page.prices[line.key]) : '') };
    return { ...known, guess: known.price || typed.price != null ? null : guessOf(known) };
  });
}

function problemsOf(line) {
  const { much, entry, item, price } = line;
  const read = parseAmount(much, unitIn(line));
  const isVague = isOdd(line) && !(read && converts(read.unit, item.unit));
  return {
    much: isVague && (read || !much) ? t.save.howMuchIs(amount(entry.desiredQuantity, entry.unit), unitName(item.unit)) : amountProblem(much, unitIn(line)),
    price: price && number(price) == null ? t.fields.noNumber(price) : null,
  };
}

/** A line as it is sent: only what somebody typed. Nothing if the list says it all. */
function sent(line, isOnList) {
  const { entry, item, name, typed, much, price } = line;
  const own = listed(line);
  const read = parseAmount(much, unitIn(line));
  const details = { price: number(price), location: typed.location || undefined, expiry: typed.expiry || undefined };
  if (!entry || !isOnList) return { ...(item ? { item: item.id } : { name }), ...read, ...details };
  const isTyped = !own || convert(read.quantity, read.unit, own.unit) !== own.quantity;
  // A line has its amount; one as the list has it counts as said by nobody.
  return isTyped || Object.values(details).some((value) => value != null) ? { entry: entry.id, ...read, ...details } : null;
}

const symbol = (currency) => currency && new Intl.NumberFormat(undefined, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).formatToParts(0).find(({ type }) => type === 'currency').value;
const listOf = (names) => (names.length > 1 ? names.slice(0, -1).join(', ') + t.save.and + names.at(-1) : names[0]);

/** What somebody typed here, in words: the sum, prices, further lines. */
function typedWords(draft, lines) {
  const prices = lines.filter(({ typed, entry }) => entry && typed.price).length;
  const more = lines.filter(({ entry }) => !entry).map(({ name }) => name);
  const parts = [number(draft.paid) != null && money(number(draft.paid)), prices > 0 && t.save.prices(prices), more.length > 0 && t.save.linesMore(more.length, listOf(more))].filter(Boolean);
  return parts.length ? listOf(parts) : '';
}

/** The box on top when another one has saved this basket. */
const box = (draft, other, lines) => h('div.note', { key: 'other', role: 'alert' },
  h('p', h('b', t.save.saved(whose(other.by), time(other.at), [other.shopName, other.amount != null && money(other.amount)].filter(Boolean).join(', ')))),
  h('p.small', t.save.theirs(other.lines, typedWords(draft, lines))),
  h('div.acts', button('btn', 'save-show', t.save.show, () => openReceipt(other.id, true)),
    button('btn', 'save-mine', t.save.mine, () => {
      draft.isMine = true;
      changed();
    })));

/** Enter goes down the column; the last one leaves the keyboard. */
function down(event, next) {
  const isEnter = event.key === 'Enter';
  if (!isEnter) return;
  event.preventDefault();
  const found = next && document.getElementById(next);
  if (found) found.focus();
  else event.target.blur();
}

/** The foot's sentence: what is left of the sum, and where things go. */
function sums(lines, rest, isSum) {
  const empty = lines.filter(({ price, guess }) => !price && guess == null).map(({ name }) => name);
  const stocked = lines.filter(({ item }) => item);
  const undated = stocked.filter(({ item: { keepsDays, usual = {} } }) => keepsDays == null && usual.days == null && !usual.hasNoDate).length;
  const left = isSum == null ? t.save.noSum : !isSum ? null : Math.abs(rest) < 0.005 ? null : rest < 0 ? t.save.over(money(-rest)) : empty.length ? t.save.left(money(rest), listOf(empty)) : t.save.noLine(money(rest));
  return h('p.small.two', { key: 'sums' }, left && [h('b', left), ' '], stocked.length > 0 && h('span.soft', t.save.goes(stocked.length, undated)));
}

/** Chips of the last three shops, a field for another one, and when it was. */
function shopChips(draft, shops, shop) {
  const known = shops.slice(0, 3);
  const set = (value) => {
    // The guess that is tapped is said; what was said and is tapped again is let go.
    draft.shop = value == null ? (draft.shop == null ? shop : '') : known[value];
    draft.isOther = false;
    changed();
  };
  const isOther = draft.isOther || (shop && !known.includes(shop));
  const another = isOther
    ? h('input.field', { key: 'save-shop', id: 'save-shop', 'aria-label': t.save.shop, value: draft.shop ?? '', list: 'shops', autocomplete: 'off', enterkeyhint: 'next', oninput: ({ target }) => {
      draft.shop = target.value;
      changed();
    }, onkeydown: (event) => down(event, document.querySelector('#save .line3 .n.price')?.id) })
    : button('chip.go-on', 'save-another', [icon('plus', 'svg.i'), t.save.another], () => {
      Object.assign(draft, { isOther: true, shop: '' });
      changed();
      document.getElementById('save-shop').focus();
    });
  const at = draft.at == null ? page.now() : momentOf(draft.at);
  const moment = h('label.chip.when', { key: 'save-when' }, icon('cal', 'svg.i'), when(at),
    h('input', { id: 'save-at', type: 'datetime-local', value: localTime(at), 'aria-label': t.save.when(when(at)), onclick: ({ target }) => target.showPicker?.(), onchange: ({ target }) => {
      draft.at = target.value || null;
      changed();
    } }));
  return [
    h('h3.cap', { key: 'shop' }, t.save.shop),
    pick('shop', t.save.shop, known.map((name, index) => [index, name]), isOther ? null : known.indexOf(shop), set, another, h('datalist', { id: 'shops' }, shops.map((value) => h('option', { value, key: value }))), moment),
  ];
}

function lineRow(draft, line, next, set) {
  const { key, name, item, entry, typed, much, price, guess } = line;
  const problems = draft.isAsked && !typed.isOff ? problemsOf(line) : {};
  const shown = price || (guess == null ? '' : typedMoney(guess));
  const field = h('input.field.n.price', {
    id: `price-${key}`, inputmode: 'decimal', 'aria-label': price || guess == null ? t.save.priceOf(name) : t.save.guessOf(name), value: shown, placeholder: '–', autocomplete: 'off', enterkeyhint: next ? 'next' : 'done',
    onfocus: ({ target }) => target.select(), oninput: ({ target }) => set(typed, 'price', target.value),
    onkeydown: (event) => {
      if (event.key === 'Enter' && guess != null) set(typed, 'price', shown);
      down(event, next && `price-${next}`);
    }, ...invalid(`price-${key}`, problems.price),
  });
  return h('li', { key },
    h('div.line3',
      h('label.tick', h('input', { type: 'checkbox', id: `on-${key}`, checked: !typed.isOff, 'aria-label': t.save.on(name), onclick: () => set(typed, 'isOff', !typed.isOff) })),
      h('label.what', { for: `on-${key}` }, name, isOdd(line) ? h('small', amount(entry.desiredQuantity, entry.unit)) : !item && h('small', t.save.only)),
      h('input.field.n', { id: `much-${key}`, 'aria-label': t.save.muchOf(name), value: much, placeholder: unitName(unitIn(line)), autocomplete: 'off', enterkeyhint: 'done',
        onfocus: ({ target }) => target.select(), oninput: ({ target }) => set(typed, 'much', target.value), onkeydown: (event) => down(event), ...invalid(`much-${key}`, problems.much) }),
      guess == null ? h('span.guess', { key: 'price' }, field) : h('span.guess.is', { key: 'price' }, field, h('small.soft', { 'aria-hidden': 'true' }, t.save.about))),
    fault(`much-${key}`, problems.much), fault(`price-${key}`, problems.price));
}

const openSheet = (given) => open('save', (draft) => {
  const state = drawn();
  const { currency } = state.household;
  const shops = state.shops;
  const shop = draft.shop ?? shops[0] ?? '';
  const all = linesOf(draft);
  const lines = all.filter(({ typed }) => !typed.isOff);
  const other = otherOf(draft, all);
  const total = (name) => tidy(lines.reduce((sum, line) => sum + (number(line[name]) || 0), 0));
  const [ink, guessed] = [total('price'), total('guess')];
  const paid = number(draft.paid);
  const stocked = lines.filter(({ item }) => item).length;
  const set = (target, name, value) => {
    target[name] = value;
    changed();
  };
  const shopProblem = draft.isAsked && !shop.trim() && t.save.which;
  const paidProblem = draft.isAsked && draft.paid && paid == null && t.fields.noNumber(draft.paid);
  const save = async () => {
    draft.isAsked = true;
    const isWrong = lines.some((line) => Object.values(problemsOf(line)).some(Boolean)) || (draft.paid && paid == null);
    if (!shop.trim() || isWrong || !lines.length) {
      changed();
      return document.querySelector('#save [aria-invalid]')?.focus();
    }
    const isOnList = (line) => line.entry && (other || !line.isGone);
    const entries = lines.filter(isOnList).map(({ key }) => key);
    const name = shop.trim();
    const isShopTyped = draft.shop != null;
    const made = await make('bought', {
      shop: name, entries, amount: paid, timestamp: draft.at == null ? undefined : momentOf(draft.at),
      lines: lines.map((line) => sent(line, isOnList(line))).filter(Boolean),
      ...(!isShopTyped && { guessed: ['shop'] }), ...(other && { joins: other.id }),
    }, other ? t.save.added(whose(other.by)) : t.save.did(name));
    if (!made) return undefined;
    const away = other ? null : await import('./away.js').catch(() => null);
    await away?.openAway(made.act.id, true);
    done('save');
    telling(made);
    return savePage({ prices: Object.fromEntries(Object.entries(page.prices).filter(([id]) => !entries.includes(id))) });
  };
  const first = all[0]?.key;
  return {
    title: t.save.title,
    body: [
      other && box(draft, other, lines),
      h('div.paid', { key: 'paid' }, h('label.lab', t.save.paid(symbol(currency)), h('input.field', {
        id: 'save-paid', inputmode: 'decimal', value: draft.paid ?? '', placeholder: digits(0, 2), enterkeyhint: 'next', autocomplete: 'off',
        oninput: ({ target }) => set(draft, 'paid', target.value), onkeydown: (event) => down(event, document.getElementById('save-shop') ? 'save-shop' : `price-${first}`), ...invalid('save-paid', paidProblem),
      })), (ink > 0 || guessed > 0) && h('p.small', h('b', t.save.lines(money(ink + guessed))), h('br'), h('span.soft', guessed > 0 ? t.save.guessed(money(guessed)) : t.save.typed))),
      fault('save-paid', paidProblem),
      shopChips(draft, shops, shop),
      fault('save-shop', shopProblem),
      h('div.heads', { key: 'heads' }, h('h3', t.save.what), h('span', t.save.much), h('span', t.save.price)),
      h('ul', { key: 'lines' }, all.map((line, index) => lineRow(draft, line, all[index + 1]?.key, set))),
      h('div.pad', { key: 'more' }, button('btn', 'save-line', [icon('plus', 'svg.i'), t.save.line], () => openLine(t.save.line, {}, { verb: t.save.onReceipt }, (line) => {
        draft.lines[`new-${Object.keys(draft.lines).length}`] = line;
        return true;
      }))),
    ],
    foot: [
      draft.isAsked && !lines.length ? h('p.small.mark', { role: 'alert', key: 'none' }, warn(), ` ${t.save.nothing}`)
        : other ? h('p.small.soft.two', { key: 'once' }, t.save.once) : sums(lines, (paid || 0) - ink - guessed, draft.paid ? paid != null : null),
      button('btn.primary.grow', 'save-do', other ? t.save.add(whose(other.by)) : t.save.save(stocked), save),
    ],
  };
}, given);

/** Opens the form with the basket. `given` has what was typed for an act that was refused, with its `record` and `because`. */
export function openSave(given = {}) {
  const gone = (given.record?.change || []).filter(({ list, from, to }) => list === 'entries' && from && !to).map(({ id, from }) => [realID(id), { ...from, id: realID(id) }]);
  looked.clear();
  openSheet({ lines: {}, ...given, entries: Object.fromEntries(gone) });
}

// A field of date and time has no zone: it shows, and means, the household's.
const localTime = (moment) => `${dayOf(moment)}T${time(moment)}`;
function momentOf(local) {
  const asUTC = Date.parse(`${local}Z`);
  return new Date(2 * asUTC - Date.parse(`${localTime(asUTC)}Z`)).toISOString();
}
