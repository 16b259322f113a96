// Scan: what a barcode stands for. The camera reads it where the browser can; the number under the bars does the same.

import { h, icon, button } from './dom.js';
import { drawn, find, changed } from './state.js';
import { amount, fold, parseAmount, some } from './format.js';
import { make, undo } from './queue.js';
import { telling } from './said.js';
import { done, open } from './sheet.js';
import { fault, form, isRight, step } from './fields.js';
import { lies, act, partsOf, sizeProblem, takeProblem, tapOf, usualPut } from './parts.js';
import { dotted, openNew, until } from './item.js';
import { t } from './all-texts.js';

const LOOK = 200;
const OTHER = 2000;
const ROWS = 40;

export const canRead = () => 'BarcodeDetector' in window && !!navigator.mediaDevices?.getUserMedia;

const digitsOf = (text) => `${text ?? ''}`.replace(/\D/g, '');
/** The last digit that a number's others ask for. */
const lastDigit = (number) => (10 - ([...number].reverse().slice(1).reduce((sum, digit, index) => sum + digit * (index % 2 ? 1 : 3), 0) % 10)) % 10;
const isWhole = (number) => [8, 12, 13, 14].includes(number.length);
const isSound = (number) => isWhole(number) && lastDigit(number) === +number.at(-1);
const isSame = (one, other) => digitsOf(one).padStart(14, '0') === digitsOf(other).padStart(14, '0');

/** What a number stands for: an item, and how much of it is in a pack. */
function meant(number) {
  for (const item of drawn().items) {
    const pack = item.barcodes?.find((one) => isSame(one.number, number));
    if (pack) return { item, much: amount(pack.quantity ?? item.step, pack.unit || item.unit) };
  }
  return null;
}

function numberProblem(text) {
  const number = digitsOf(text);
  if (!isWhole(number)) return t.scan.noNumber;
  return isSound(number) ? null : t.scan.wrong(lastDigit(number));
}

/** Bars that the camera sees. What was found stays until it was dealt with, or others are there for two seconds. */
function see(draft, number) {
  if (!isSound(number) || isSame(number, draft.seen || '')) return;
  if (draft.other !== number) Object.assign(draft, { other: number, otherAt: Date.now() });
  if (draft.seen && !draft.isDone && Date.now() - draft.otherAt < OTHER) return;
  Object.assign(draft, { seen: number, much: null, isDone: false, asked: null });
  navigator.vibrate?.(40);
  changed();
}

async function watch(draft) {
  const camera = () => document.getElementById('scan-camera');
  let stream = null;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    const detector = new window.BarcodeDetector({ formats: ['ean_13', 'ean_8', 'upc_a'] });
    while (camera()) {
      if (!camera().srcObject) {
        camera().srcObject = stream;
        camera().play().catch(() => {});
      }
      for (const { rawValue } of await detector.detect(camera())) see(draft, rawValue);
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  } catch {
    draft.isTyped = true; // nobody allows it, or there is none
    changed();
  }
  for (const track of stream?.getTracks() || []) track.stop();
}

/** Says of which item a number is, and how much is in a pack. */
const openOurs = (number) => open('ours', (draft) => {
  const item = draft.item && find('items', draft.item);
  const set = (name) => (value) => {
    draft[name] = value;
    changed();
  };
  if (item) {
    const fields = [['much', t.scan.inside, 'amount', { unit: item.unit, size: tapOf(item), check: (text) => sizeProblem(text, item.unit) }]];
    draft.much ??= amount(item.step, item.unit);
    const keep = async () => {
      if (!isRight(draft, fields)) return changed();
      if (await telling(make('barcode', { number, item: item.id, ...parseAmount(draft.much, item.unit) }, t.scan.is(number, item.name)))) done('ours');
    };
    return { title: t.scan.inPack(item.name), note: number, body: form('ours', draft, fields), foot: button('btn.primary.grow', 'ours-do', t.scan.keep, keep) };
  }
  const part = fold(draft.words?.trim() || '');
  return {
    title: t.scan.which, note: number,
    body: [form('ours', draft, [['words', t.scan.search, 'text', { isWide: true }]]),
      h('ul', { key: 'rows' }, drawn().items.filter(({ name, aliases = [] }) => fold([name, ...aliases].join('\n')).includes(part)).slice(0, ROWS)
        .map(({ id, name, category }) => h('li', { key: id }, button('go', `ours-${id}`, [h('span', name, h('small', category)), icon('go')], () => set('item')(id)))))],
  };
}, { of: number });

const unknown = (number) => [
  h('div.pad', { key: 'unknown' }, h('p', h('b', t.scan.unknown(number))), h('p.small.soft', t.scan.once)),
  h('ul', { key: 'ways' },
    h('li', button('go', 'scan-ours', [h('span', t.scan.ours, h('small', t.scan.oursHint)), icon('go')], () => openOurs(number))),
    h('li', button('go', 'scan-new', [h('span', t.item.newItem, h('small', t.scan.newHint)), icon('plus', 'svg.i')],
      () => openNew('', undefined, ({ act: { id }, words }) => make('barcode', { number, item: id }, t.scan.is(number, words)))))),
];

function found({ item, much: pack }, draft, isForList) {
  const { id, name, unit, quantityInStock: there } = item;
  const much = draft.much ?? pack;
  const [part] = partsOf(item);
  const take = (kind, amount) => {
    if (kind === 'want') return telling(make('want', { item: id, ...amount }, t.item.wanted(some(amount.quantity, amount.unit, name))));
    return act(kind, item, amount, kind === 'put' ? usualPut(item) : {});
  };
  const doing = async (kind, amount) => {
    const record = await take(kind, amount);
    if (!record) return;
    Object.assign(draft, { isDone: true, asked: null, made: [record, ...(draft.made || [])] });
    changed();
  };
  const problemOf = (kind) => kind === 'use' ? takeProblem(much, { quantity: there, unit }, t.item.use.verb, (all) => doing('use', all)) : sizeProblem(much, unit);
  const problem = draft.asked && problemOf(draft.asked);
  const verb = (kind, text, shape = 'btn') => button(shape, `scan-${kind}`, text, () => {
    draft.asked = kind;
    return problemOf(kind) ? changed() : doing(kind, parseAmount(much, unit));
  });
  const type = (text) => {
    draft.much = text;
    changed();
  };
  return [
    h('div.pad', { key: 'found', role: 'status' }, h('p.sum', h('b', name)),
      h('p.small.soft', dotted(there > 0 ? t.scan.there(amount(there, unit)) : t.item.noneLeft, part && lies(part.storageLocationId), part && until(part)))),
    h('div.pad.do', { key: 'do' }, step('scan-much', t.item.howMuchOf(name), much, unit, (next) => type(amount(next.quantity, next.unit)), { size: tapOf(item), type, problem }),
      isForList ? verb('want', t.item.onList, 'btn.primary') : [verb('put', t.item.verbs.put, 'btn.primary'), verb('use', t.item.verbs.use)]),
    fault('scan-much', problem),
  ];
}

/** Opens the sheet. From the list, what is found goes on it. */
export const openScan = (isForList) => open('scan', (draft) => {
  const isCamera = canRead() && !draft.isTyped;
  if (isCamera && !draft.isOn) {
    draft.isOn = true;
    setTimeout(() => watch(draft));
  }
  const number = isCamera ? draft.seen : digitsOf(draft.number);
  const item = number && isSound(number) && meant(number);
  const field = ['number', t.scan.field, 'text', { isWide: true, inputmode: 'numeric', isLive: number?.length > 12, check: (text) => text && numberProblem(text), onkeydown: ({ key }) => key === 'Enter' && (isRight(draft, [field]), changed()) }];
  return {
    title: t.scan.title, note: isCamera ? t.scan.hold : t.scan.inHand,
    aside: isCamera && button('btn.bare', 'scan-number-instead', t.scan.number, () => ((draft.isTyped = true), changed()), { 'aria-label': t.scan.typeInstead }),
    body: [
      isCamera ? h('div.camera', { key: 'camera' }, h('video', { id: 'scan-camera', muted: true, playsinline: true, 'aria-label': t.scan.camera }))
        : [!canRead() && h('p.pad', { key: 'cannot' }, t.scan.cannot), form('scan', draft, [field])],
      item ? found(item, draft, isForList) : number && isSound(number) && unknown(number),
      draft.made?.length > 0 && [h('h3.cap', { key: 'just' }, t.scan.just), h('ul', { key: 'made' }, draft.made.map((record) => h('li.recent', { key: record.act.id }, h('span', record.words),
        button('btn.bare', `undo-${record.act.id}`, t.frame.undo, () => {
          draft.made = draft.made.filter((one) => one !== record);
          return undo(record);
        }, { 'aria-label': t.frame.undoOf(record.words) }))))],
    ],
  };
}, { of: Date.now() });
