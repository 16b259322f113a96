// A message with Undo above the tabs: six seconds, and as long as a finger or the focus is on it.

import { h, button, patch } from './dom.js';
import { undo } from './queue.js';
import { t } from './texts.js';

const box = document.getElementById('said');
let timer = 0;
let about = null; // the act that is told

function hide() {
  if (box.matches(':focus-within,:active')) timer = setTimeout(hide, 1000);
  else box.hidden = true;
}

/** Says a sentence; with a record, that it can be taken back. */
export function tell(text, record) {
  const back = record && button('btn', 'undo', t.frame.undo, () => {
    undo(record);
    document.activeElement.blur();
    box.hidden = true;
  }, { 'aria-label': t.frame.undoOf(text) });
  about = record?.act.id;
  box.hidden = false;
  // In a sheet that covers the tabs the message would not be seen.
  (document.querySelector('dialog:last-of-type .edge') || document.getElementById('foot')).prepend(box);
  patch(box, [h('p', text), back].filter(Boolean));
  clearTimeout(timer);
  timer = setTimeout(hide, 6000);
}

/** Says what an act has done, when it is made. */
export async function telling(making) {
  const record = await making;
  if (record) tell(record.words, record);
  return record;
}

/** What was told of an act was too much: a rule refused it. */
export const untell = (id, reason) => id === about && tell(reason);
