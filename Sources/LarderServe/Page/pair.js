// Pairing: a code typed here, or brought by the address.

import { h, button } from './dom.js';
import { page, changed, savePage, settleIn } from './state.js';
import { ask, soon } from './send.js';
import { refusal } from './store.js';
import { warn } from './fields.js';

const typed = { code: '', name: '' };
let problem = null; // what is wrong, and with which field
let isBusy = false;

/** A code in the address is taken out of it at once: it shall not stay in the history or in a picture. */
export function readAddress() {
  const [, code] = location.hash.match(/^#pair=(.+)$/) || [];
  if (!code) return false;
  history.replaceState(null, '', location.pathname);
  typed.code = decodeURIComponent(code);
  return true;
}

async function pair(event) {
  event.preventDefault();
  if (isBusy) return;
  problem = null;
  const code = typed.code.trim();
  const name = typed.name.trim();
  if (!code || !name) problem = { at: code ? 'name' : 'code', say: code ? 'The others see what you do by this name.' : 'The code is eight letters and digits.' };
  else {
    // A code holds once: it is not spent for a phone that can't keep what it gets.
    await savePage();
    isBusy = true;
    const result = await ask('pair', { code, name });
    isBusy = false;
    const { status, content = {} } = result || {};
    if (status === 200) {
      await settleIn(content.token, content.household);
      soon();
    } else if (status === 403) problem = { at: 'code', isCode: true };
    else if (!status) problem = { at: 'code', say: 'The machine at home does not answer. Is larder serve running, and this phone in its network?' };
    else problem = { at: status === 409 ? 'name' : 'code', say: content.say };
  }
  changed();
}

function field(name, label, shape, props) {
  const error = problem?.at === name && h('p.mark', { id: 'pair-error', role: 'alert' }, warn(), ' ', problem.isCode
    ? ['This code is not known, or its five minutes are over. Ask for another with ', h('code', 'larder serve --pair'), '.'] : problem.say);
  return [
    h('label.lab', { key: name }, label, h(shape, {
      id: `pair-${name}`, value: typed[name], oninput: ({ target }) => (typed[name] = target.value), 'aria-invalid': error && 'true', 'aria-describedby': error && 'pair-error', ...props,
    })),
    error,
  ];
}

const title = () => h('div', h('h1', 'Larder'), h('p.soft', 'One household’s stock, list and receipts.'));

const closed = () => h('div.door', { key: 'closed' }, title(), h('p.mark', { role: 'alert' }, warn(), ` ${refusal}`),
  button('btn.primary.wide', 'try-again', 'Try again', () => location.reload()));

export const body = () => refusal ? closed() : h('form.door', { onsubmit: pair },
  title(),
  page.records.some(({ state }) => state === 'waiting') && h('p.mark', warn(), ' This phone has to be paired again. What waits to be sent is kept.'),
  h('p', 'At the machine at home, type ', h('code', 'larder serve --pair'), '. It shows a code that holds for five minutes.'),
  field('code', 'Code', 'input.field.code', { placeholder: '····-····', autocapitalize: 'characters', autocomplete: 'one-time-code', spellcheck: 'false' }),
  field('name', 'This phone’s name, as the others see it', 'input.field', { autocomplete: 'off', maxlength: 60 }),
  h('button.btn.primary.wide', { id: 'pair', type: 'submit' }, 'Pair this phone'),
  h('p.small.soft', 'Or point the phone’s camera at the square in the terminal.'));
