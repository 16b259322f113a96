// Sheets: dialogs from below, one above another. Back and Escape close the one on top; what was typed is kept
// until its act is made.

import { h, icon, button, patch } from './dom.js';
import { page, onChange, changed } from './state.js';
import { amount, number, parseAmount, stepIn, tidy } from './format.js';
import { tell } from './said.js';

const stack = [];
const drafts = new Map();
/** Where a message stands in a sheet. What is in it is not the sheet's. */
const EDGE = h('div.edge', { key: 'edge' });

/**
 * Opens a sheet. `describe(draft)` returns its `title`, `note`, `aside`, `body` and `foot`; nothing if its thing is
 * gone. What was typed there before is still there if it was `of` the same thing.
 */
export function open(id, describe, initial = {}, isInstead) {
  if (stack.some((sheet) => sheet.id === id)) return;
  if (drafts.get(id)?.of !== initial.of || !drafts.has(id)) drafts.set(id, { ...initial });
  const element = document.createElement('dialog');
  element.className = 'sheet';
  element.id = id;
  element.setAttribute('aria-labelledby', `${id}-title`);
  element.oncancel = (event) => {
    event.preventDefault();
    close();
  };
  element.onclick = ({ target }) => target === element && close();
  if (isInstead) remove();
  else history.pushState({ depth: stack.length + 1 }, '');
  stack.push({ id, element, describe });
  document.body.append(element);
  drawSheets();
  element.showModal();
}

let isClosing = false; // going back takes a moment, and once is enough
export function close() {
  if (!isClosing) history.back();
  isClosing = true;
}
/** The act is made: nothing that was typed is needed any more. */
export function done() {
  drafts.delete(stack.at(-1)?.id);
  close();
}

function remove() {
  const { element } = stack.pop();
  const said = document.getElementById('said');
  if (element.contains(said)) (stack.at(-1)?.element.querySelector('.edge') || document.getElementById('foot')).prepend(said);
  element.close();
  element.remove();
}
addEventListener('popstate', () => {
  isClosing = false;
  while (stack.length > (history.state?.depth || 0)) remove();
  changed();
});

function drawSheets() {
  for (const { id, element, describe } of stack) {
    const shown = describe(drafts.get(id) || {});
    if (!shown) {
      if (stack.at(-1).element === element) close();
      return;
    }
    const { title, note, aside, body, foot } = shown;
    patch(element, [
      h('div.head', { key: 'head' }, h('h2', { id: `${id}-title` }, title, note && h('small', note)), aside,
        button('icon', `${id}-close`, icon('x'), close, { 'aria-label': 'Close' })),
      h('div.in', { key: 'in' }, body),
      EDGE,
      ...(foot ? [h('div.ends', { key: 'ends' }, foot)] : []),
    ]);
  }
}
onChange(drawSheets);

/** Reads what was typed for an amount; says so if it is none. */
export const readAmount = (text, unit) =>
  parseAmount(text, unit) || tell(`“${text.trim()}” is no amount. Type it as “2”, “1/4” or “750 g”.`);

/**
 * − 6 l +: `set` gets the amount that was tapped or typed. In `unit` a tap changes it by `size`. With `type` the text
 * is kept as it is typed, until it is read; without, what could not be kept does not stay.
 */
export function step(id, label, value, unit, set, { size = stepIn(unit), type } = {}) {
  const move = (sign) => () => {
    const now = parseAmount(document.getElementById(id).value, unit) || { quantity: 0, unit };
    const quantity = tidy(now.quantity + sign * (now.unit === unit ? size : stepIn(now.unit)));
    if (quantity > 0) set({ ...now, quantity });
  };
  const read = async ({ target }) => {
    const now = readAmount(target.value, unit);
    if (!now || (await set(now)) === null) target.value = value;
  };
  return h('span.step', { role: 'group', 'aria-label': label },
    button('', `${id}-less`, icon('minus'), move(-1), { 'aria-label': 'Less' }),
    h('input', {
      id, inputmode: 'decimal', 'aria-label': label, value, onfocus: ({ target }) => target.select(), autocomplete: 'off', enterkeyhint: 'done',
      ...(type ? { oninput: ({ target }) => type(target.value) } : { onchange: read }),
    }),
    button('', `${id}-more`, icon('plus'), move(1), { 'aria-label': 'More' }));
}

/** A choice; its first option is the empty one. */
export const choice = (shape, props, first, options) =>
  h(`select.${shape}`, props, h('option', { value: '' }, first), options.map(([value, text]) => h('option', { value, key: value }, text)));

const places = () => page.state.locations.map(({ id, name }) => [id, name]);

/** Fields that write into a draft: `[name, label, kind, more]`; `more.need` is what is said of one that may not be empty. */
export const form = (id, draft, fields) =>
  h('div.form', fields.filter(Boolean).map(([name, label, kind, more = {}]) => {
    const { isWide, unit, options, need, ...props } = more;
    const own = { id: `${id}-${name}`, value: draft[name] ?? '', ...props };
    const set = (value) => {
      draft[name] = value;
      changed();
    };
    own.oninput = ({ target }) => set(target.value);
    if (kind === 'amount') {
      return h('div.lab', { key: name }, label, step(own.id, label, own.value, unit, (much) => set(amount(much.quantity, much.unit)), { type: set }));
    }
    if (kind === 'decimal' || kind === 'numeric') own.inputmode = kind;
    if (kind === 'date' || kind === 'datetime-local') own.type = kind;
    const input = kind === 'place' ? choice('field', own, 'no place', places())
      : kind === 'area' ? h('textarea.field', { ...own, rows: 3 })
      : h('input.field', { autocomplete: 'off', ...own, list: options && `${own.id}-list` });
    return h(isWide ? 'label.all' : 'label', { key: name }, label, input,
      options && h('datalist', { id: `${own.id}-list` }, options.map((value) => h('option', { value, key: value }))));
  }));

/** What is wrong in a form; nothing if it can be read. */
function problemIn(draft, fields) {
  for (const [name, label, kind, { need } = {}] of fields.filter(Boolean)) {
    const text = `${draft[name] ?? ''}`.trim();
    if (!text && need) return need;
    if (text && /decimal|numeric/.test(kind) && number(text) == null) return `${label}: “${text}” is no number.`;
  }
  return null;
}

/** A sheet with a form and its act: `act(draft)` makes it. If it returns a text, that is what is wrong. */
export const small = (id, title, note, fields, verb, act, initial, { shape = 'primary', other } = {}) =>
  open(id, (draft) => {
    const trying = async () => {
      draft.problem = problemIn(draft, fields);
      const made = !draft.problem && (await act(draft));
      if (typeof made === 'string') draft.problem = made;
      if (made && !draft.problem) done();
      else changed();
    };
    return {
      title, note, body: form(id, draft, fields),
      foot: [draft.problem && h('p.small.mark', { role: 'alert' }, warn(), ` ${draft.problem}`), other, button(`btn.${shape}.grow`, `${id}-do`, verb, trying)],
    };
  }, initial);

export const warn = () => icon('warn', 'svg.i');
