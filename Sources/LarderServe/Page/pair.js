// Pairing: a code typed here, or brought by the address; and what plain http means.

import { h, icon, button } from './dom.js';
import { page, changed, savePage, settleIn } from './state.js';
import { ask, soon } from './send.js';
import { refusal } from './store.js';
import { fault, invalid, warn } from './fields.js';
import { open } from './sheet.js';
import { t } from './all-texts.js';

const typed = { code: '', name: '' };
let problem = null; // what is wrong, and with which field

/** A code in the address is taken out of it at once: it shall not stay in the history or in a picture. */
export function readAddress() {
  const [, code] = location.hash.match(/^#pair=(.*)$/) || [];
  if (code == null) return false;
  history.replaceState(null, '', location.pathname);
  try {
    typed.code = decodeURIComponent(code);
  } catch {
    typed.code = code; // no code of ours; the server says so
  }
  return true;
}

async function pair(event) {
  event.preventDefault();
  problem = null;
  const code = typed.code.trim();
  const name = typed.name.trim();
  if (!code || !name) problem = code ? { at: 'name', say: t.pair.needName } : { at: 'code', say: t.pair.needCode };
  else {
    // A code holds once: it is not spent for a phone that can't keep what it gets.
    await savePage();
    const { status, content = {} } = (await ask('pair', { code, name })) || {};
    if (status === 200 || status === 403) typed.code = '';
    if (status === 200) {
      await settleIn(content.token, content.household);
      soon();
    } else if (status === 403) problem = { at: 'code', say: t.pair.unknown };
    else if (status === 409) problem = { at: 'name', say: t.pair.taken(name) };
    else if (status === 429) problem = { at: 'code', say: t.pair.tooMany };
    else if (!status) problem = { at: 'code', say: t.pair.noAnswer };
    else problem = { at: content.at === 'name' ? 'name' : 'code', say: content.at === 'name' ? t.pair.badName : content.say };
  }
  changed();
  if (problem) document.getElementById(`pair-${problem.at}`)?.focus();
}

function field(name, shape, props) {
  const id = `pair-${name}`;
  const say = problem?.at === name && problem.say;
  const type = ({ target }) => {
    typed[name] = target.value;
    if (say) problem = null;
    changed();
  };
  return [
    h('label.lab', { key: name }, t.pair[name], h(shape, { id, value: typed[name], oninput: type, ...invalid(id, say), ...props })),
    fault(id, say),
  ];
}

/** What one has to know of a page that came over plain http, in a line; nothing where it opens without a network. */
export const honest = () => !isSecureContext && h('p.plain.small.honest', { key: 'honest', role: 'note' },
  h('span', icon('net', 'svg.i'), ' ', h('b', t.pair.whileOpen), ' ', h('span.soft', t.pair.overThis)),
  button('btn.bare', 'why', t.pair.why, () => open('plain', () => ({
    title: t.pair.whyTitle,
    body: [h('div.pad.lines', t.pair.reasons.map((line) => h('p', line))), h('h3.cap', t.pair.waysTitle),
      h('ul', t.pair.ways.map(([name, more]) => h('li.plain', h('span', name, h('small.line', more)))))],
  }))));

const title = () => h('div', h('h1', t.pair.title), h('p.soft', t.pair.about));

const closed = () => h('div.door', { key: 'closed' }, title(), h('p.mark', { role: 'alert' }, warn(), ` ${refusal}`),
  button('btn.primary.wide', 'try-again', t.more.again, () => location.reload()));

export const body = () => refusal ? closed() : h('form.door', { key: 'door', novalidate: true, onsubmit: pair },
  title(),
  page.records.some(({ state }) => state === 'waiting') && h('p.mark', warn(), ` ${t.pair.anew(page.home?.name)}`),
  h('p', t.pair.ask),
  field('code', 'input.field.code', { placeholder: '····-····', autocapitalize: 'characters', autocomplete: 'one-time-code', spellcheck: 'false' }),
  field('name', 'input.field', { autocomplete: 'off', maxlength: 60 }),
  h('button.btn.primary.wide', { id: 'pair', type: 'submit' }, t.pair.pair),
  h('p.small.soft', t.pair.camera),
  honest());
