// Fields of sheets, and what is wrong with one: it is said under the field before anything is sent.

import { h, icon, button } from './dom.js';
import { drawn, changed } from './state.js';
import { amount, number, parseAmount, stepIn, tidy } from './format.js';
import { t } from './texts.js';

export const warn = () => icon('warn', 'svg.i');

/**
 * What is wrong with the field `id`, to stand under it; nothing if it is right. A problem is a text, or `{ say, fix }`
 * with a button `[text, work]` that sets it right.
 */
export function fault(id, problem) {
  if (!problem) return null;
  const { say = problem, fix } = problem;
  return h('p.err', { key: `${id}-error`, id: `${id}-error`, role: 'alert' }, warn(), h('span', say), fix && button('btn', `${id}-fix`, ...fix));
}
/** What a field that is wrong says of itself. */
export const invalid = (id, problem) => (problem ? { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` } : {});

/** What is wrong with a text that shall be an amount. */
export const amountProblem = (text, unit) => (parseAmount(`${text ?? ''}`, unit) ? null : text?.trim() ? t.fields.noAmount(text.trim()) : t.fields.howMuch);

/**
 * − 6 l +: `set` gets the amount that was tapped or typed. In `unit` a tap changes it by `size`. With `type` the text
 * is kept as it is typed, until it is read; without, what could not be kept does not stay.
 */
export function step(id, label, value, unit, set, { size = stepIn(unit), type, problem } = {}) {
  const move = (sign) => () => {
    const now = parseAmount(document.getElementById(id).value, unit) || { quantity: 0, unit };
    const quantity = tidy(now.quantity + sign * (now.unit === unit ? size : stepIn(now.unit)));
    if (quantity > 0) return set({ ...now, quantity });
  };
  const read = async ({ target }) => {
    const now = parseAmount(target.value, unit);
    if (!now || (await set(now)) === null) target.value = value;
  };
  return h(problem ? 'span.step.wrong' : 'span.step', { role: 'group', 'aria-label': label },
    button('', `${id}-less`, icon('minus'), move(-1), { 'aria-label': t.fields.less, 'data-repeats': true }),
    h('input', {
      id, inputmode: 'decimal', 'aria-label': label, value, onfocus: ({ target }) => target.select(), autocomplete: 'off', enterkeyhint: 'done',
      ...invalid(id, problem), ...(type ? { oninput: ({ target }) => type(target.value) } : { onchange: read }),
    }),
    button('', `${id}-more`, icon('plus'), move(1), { 'aria-label': t.fields.more, 'data-repeats': true }));
}

/** A choice; its first option is the empty one. */
export const choice = (shape, props, first, options) =>
  h(`select.${shape}`, props, h('option', { value: '' }, first), options.map(([value, text]) => h('option', { value, key: value }, text)));

const places = () => drawn().locations.map(({ id, name }) => [id, name]);

/** What is wrong with the text of a field; nothing if it can be read. */
function problemOf([name, , kind, { need, check, unit } = {}], draft) {
  const text = `${draft[name] ?? ''}`.trim();
  if (!text && need) return need;
  if (kind === 'amount') return amountProblem(text, unit) || check?.(text, draft);
  if (text && /decimal|numeric/.test(kind) && number(text) == null) return t.fields.noNumber(text);
  return check?.(text, draft);
}

/** Whether all fields of a form can be read. From then on it says what can't. */
export function isRight(draft, fields) {
  draft.isAsked = true;
  return !fields.filter(Boolean).some((field) => problemOf(field, draft));
}

/**
 * Fields that write into a draft: `[name, label, kind, more]`. Of one that may not be empty `more.need` is said;
 * `more.check(text, draft)` tells what else is wrong, at once if it `isLive`.
 */
export const form = (id, draft, fields) =>
  h('div.form', fields.filter(Boolean).map((field) => {
    const [name, label, kind, more = {}] = field;
    const { isWide, unit, options, need, check, isLive, ...props } = more;
    const own = { id: `${id}-${name}`, value: draft[name] ?? '', ...props };
    const problem = (draft.isAsked || isLive) && problemOf(draft.isAsked ? field : [name, label, kind, { check, unit }], draft);
    const set = (value) => {
      draft[name] = value;
      changed();
    };
    own.oninput = ({ target }) => set(target.value);
    Object.assign(own, invalid(own.id, problem));
    if (kind === 'amount') {
      return [h('div.lab', { key: name }, label, step(own.id, label, own.value, unit, (much) => set(amount(much.quantity, much.unit)), { type: set, problem })), fault(own.id, problem)];
    }
    if (kind === 'decimal' || kind === 'numeric') own.inputmode = kind;
    if (kind === 'date' || kind === 'datetime-local') own.type = kind;
    const input = kind === 'place' ? choice('field', own, t.fields.noPlace, places())
      : kind === 'area' ? h('textarea.field', { ...own, rows: 3 })
      : h('input.field', { autocomplete: 'off', ...own, list: options && `${own.id}-list` });
    return [h(isWide ? 'label.all' : 'label', { key: name }, label, input,
      options && h('datalist', { id: `${own.id}-list` }, options.map((value) => h('option', { value, key: value })))), fault(own.id, problem)];
  }));
