// Sheets: dialogs from below, one above another. Back and Escape close the one on top; what was typed is kept
// until its act is made.

import { h, icon, button, patch } from './dom.js';
import { onChange, changed } from './state.js';
import { form, isRight, warn } from './fields.js';
import { t } from './texts.js';

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
    close(id);
  };
  element.onclick = ({ target }) => target === element && close(id);
  if (isInstead) remove();
  else history.pushState({ depth: stack.length + 1 }, '');
  stack.push({ id, element, describe, draft: drafts.get(id) });
  document.body.append(element);
  drawSheets();
  element.showModal();
}

let isClosing = false; // going back takes a moment, and once is enough
/** Closes the sheet on top, if it is the one that is meant. */
export function close(id = stack.at(-1)?.id) {
  if (!stack.length || stack.at(-1).id !== id) return;
  if (!isClosing) history.back();
  isClosing = true;
}
/** The act is made: nothing that was typed is needed any more. */
export function done(id = stack.at(-1)?.id) {
  drafts.delete(id);
  close(id);
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
  for (const { id, element, describe, draft } of stack) {
    const shown = describe(draft);
    if (!shown) {
      close(id);
      return;
    }
    const { title, note, aside, body, foot } = shown;
    patch(element, [
      h('div.head', { key: 'head' }, h('h2', { id: `${id}-title`, tabindex: -1, autofocus: true }, title, note && h('small', note)), aside,
        button('icon', `${id}-close`, icon('x'), () => close(id), { 'aria-label': t.fields.close })),
      h('div.in', { key: 'in' }, body),
      EDGE,
      ...(foot ? [h('div.ends', { key: 'ends' }, foot)] : []),
    ]);
  }
}
onChange(drawSheets);

/**
 * A sheet with a form and its act: `act(draft)` makes it, when every field can be read. If it returns a text, that is
 * what is wrong.
 */
export const small = (id, title, note, fields, verb, act, initial, { shape = 'primary', other } = {}) =>
  open(id, (draft) => {
    const trying = async () => {
      draft.problem = null;
      const made = isRight(draft, fields) && (await act(draft));
      if (typeof made === 'string') draft.problem = made;
      if (made && !draft.problem) done(id);
      else changed();
    };
    return {
      title, note, body: form(id, draft, fields),
      foot: [draft.problem && h('p.small.mark', { role: 'alert' }, warn(), ` ${draft.problem}`), other, button(`btn.${shape}.grow`, `${id}-do`, verb, trying)],
    };
  }, initial);
