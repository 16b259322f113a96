// Finds all that can be tapped on a screen and in the sheets behind it, and taps each once, and twice in a row.
// `walk(tab, exceptions, share, seed)` returns what was otherwise after two taps than after one; of all controls, a share
// is tapped, which the seed chooses.

window.walk = async (tab, exceptions, share, seed) => {
  const [{ page, savePage }, { revise }, { done }, { keep }] = await Promise.all(['state', 'queue', 'sheet', 'store'].map((name) => import(`/${name}.js`)));
  const { prices } = page;
  const faults = (window.faults = []);
  const tested = new Set();
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  // Between two tries some time passes, which nobody waits for.
  let skipped = 0;
  for (const clock of [performance, Date]) {
    const now = clock.now.bind(clock);
    clock.now = () => now() + skipped;
  }

  /** Whether a control is in the share: the same for the same seed. */
  const isChosen = (name) => [...`${seed} ${name}`].reduce((sum, letter) => (sum * 31 + letter.codePointAt()) % 65521, 7) % 1000 < 1000 * share;
  const kindOf = (id) => id.replace(/[0-9a-f]{8}-[0-9a-f-]{27}\d*/g, '*');
  const layer = () => [...document.querySelectorAll('dialog')].at(-1) || document.getElementById('app');
  const isSeen = (element) => element.getClientRects().length > 0 && !element.closest('[hidden]');
  /** What answers a tap: not what one types into, or chooses from. */
  const controls = () => [...layer().querySelectorAll('button, a[href], input[type=checkbox], [role=option], summary')].filter(isSeen);
  const kinds = () => [...new Set(controls().map(({ id }) => kindOf(id)))];
  const find = (kind) => controls().find(({ id }) => kindOf(id) === kind);

  /** All that taps change, by name: acts, sheets, the screen, and what is pressed, opened or ticked. */
  function state() {
    const own = new RegExp(page.records.map(({ act }) => act.id).join('|') || '^$', 'g');
    const named = (value) => JSON.stringify(value).replace(own, 'own');
    const acts = page.records.filter(({ state }) => state !== 'done').map(({ act: { id, at, ...rest }, isUndone }, index) => [`act ${index}`, named({ ...rest, isUndone })]);
    const shown = [...document.querySelectorAll('[id]')].filter((one) => one.matches('[aria-pressed],[aria-expanded],[type=checkbox],dialog'))
      .map((one) => [named(one.id), ['aria-pressed', 'aria-expanded'].map((name) => one.getAttribute(name)).join() + one.checked]);
    return new Map([['offline', `${page.isOffline}`], ['at', location.hash], ...acts, ...shown]);
  }
  /** What is otherwise than before. What is on or off, there or not, has changed, whichever it was. */
  function changes(before) {
    const now = state();
    return [...new Set([...before.keys(), ...now.keys()])].filter((name) => before.get(name) !== now.get(name))
      .map((name) => (/^(act|at)\b/.test(name) ? `${name}: ${now.get(name)}` : document.querySelector(`dialog[id=${name}]`) ? `${name} opens` : name));
  }
  /** Waits until nothing changes any more. */
  async function settle() {
    let [before, same] = ['', 0];
    for (let count = 0; same < 3 && count < 60; count += 1) {
      await pause(25);
      const now = JSON.stringify([...state()]);
      same = now === before ? same + 1 : 0;
      before = now;
    }
  }

  async function reset() {
    for (let sheet; (sheet = [...document.querySelectorAll('dialog')].at(-1)); ) {
      done(sheet.id);
      for (let count = 0; sheet.isConnected && count < 50; count += 1) await pause(10);
      if (sheet.isConnected) throw new Error(`${sheet.id} stays open`);
    }
    await revise(() => null);
    await savePage({ isOffline: false, prices });
    await keep('away', null);
    document.getElementById('said').hidden = true;
    document.activeElement?.blur();
    location.hash = tab === 'more' ? '#due' : '#more';
    await pause(15);
    location.hash = `#${tab}`;
    await pause(30);
    for (const id of ['main', 'scroll']) document.getElementById(id).scrollTop = 0;
    skipped += 6000;
  }
  /** Goes a way of taps as somebody with a keyboard does. */
  async function go(path) {
    await reset();
    for (const kind of path) {
      const control = find(kind);
      if (!control) return false;
      control.click();
      await settle();
      skipped += 1000;
    }
    return true;
  }

  /** A finger's tap on what is there now. */
  function tap({ x, y }) {
    const element = document.elementFromPoint(x, y);
    if (!element) return;
    const where = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, detail: 1, view: window };
    for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
      element.dispatchEvent(new (kind.startsWith('pointer') ? PointerEvent : MouseEvent)(kind, where));
    }
  }
  function placeOf(kind) {
    const control = find(kind);
    control?.scrollIntoView({ block: 'center', behavior: 'instant' });
    const seen = control?.matches('input') ? control.closest('label') || control : control;
    const { left, right, top, bottom } = seen?.getClientRects()[0] || {};
    const place = { x: (left + right) / 2, y: (top + bottom) / 2, repeats: !!control?.hasAttribute('data-repeats') };
    const hit = seen && document.elementFromPoint(place.x, place.y);
    return hit && (seen.contains(hit) || hit.contains(seen)) ? place : null;
  }
  /** How much − and + have counted: in the field between them, or in acts. */
  function counted(kind) {
    const field = find(kind)?.parentNode.querySelector('input');
    return field ? parseFloat(field.value.replace(',', '.')) : page.records.reduce((sum, { act }) => sum + (act.quantity || 0), 0);
  }

  /** What one tap changes, or two with a delay. */
  async function attempt(path, kind, delay) {
    if (!(await go(path))) return null;
    const place = placeOf(kind);
    if (!place) return null;
    await pause(20);
    // What is at its least can't be less: there is enough first.
    for (let count = 0; place.repeats && count < 3; count += 1) find(kind.replace(/less$/, 'more').replace(/^use/, 'put'))?.click();
    if (place.repeats) await settle();
    const [before, sum] = [state(), counted(kind)];
    const begun = performance.now();
    tap(place);
    if (delay) {
      await pause(delay);
      skipped -= performance.now() - begun - delay; // a slow machine is no slow finger
      tap(place);
    }
    await pause(Math.max(0, 350 - delay)); // what was made is kept, and a sheet goes
    await settle();
    return { changes: changes(before), counted: counted(kind) - sum, repeats: place.repeats, kinds: kinds() };
  }

  const here = () => (layer().id === 'app' ? location.hash.slice(1) || 'list' : layer().id);
  async function explore(path) {
    if (!(await go(path))) return;
    const place = here();
    const nameless = controls().filter(({ id }) => !id);
    if (nameless.length) faults.push(`${place}: no id: ${nameless[0].outerHTML.slice(0, 100)}`);
    const ways = [];
    for (const kind of kinds()) {
      const isTab = kind.startsWith('tab-');
      const name = `${place} ${kind}`;
      if (tested.has(name) || !isChosen(name) || exceptions.includes(name) || (isTab && tab !== 'list')) continue;
      tested.add(name);
      localStorage.setItem('tried', name);
      const once = await attempt(path, kind, 0);
      if (!once) continue;
      for (const delay of [50, 150, 400]) {
        const twice = await attempt(path, kind, delay);
        if (!twice) faults.push(`${name}: it was not there again`);
        else if (once.repeats) {
          const isTwice = Math.abs(twice.counted - 2 * once.counted) < 1e-6;
          if (once.counted && !isTwice) faults.push(`${name} after ${delay} ms: counted ${twice.counted}, once ${once.counted}`);
        } else if (`${once.changes}` !== `${twice.changes}`) faults.push(`${name} after ${delay} ms: ${twice.changes.slice(0, 4)} INSTEAD OF ${once.changes.slice(0, 4)}`);
      }
      const isElsewhere = once.changes.some((one) => one.startsWith('at:'));
      if (path.length < 2 && !isTab && !isElsewhere) ways.push([kind, once.kinds]);
    }
    for (const [kind, seen] of ways) {
      if (!(await go([...path, kind]))) continue;
      if (seen.some((one) => !tested.has(`${here()} ${one}`) && !one.startsWith('tab-'))) await explore([...path, kind]);
    }
  }

  await explore([]);
  await reset();
  return { faults, tested: [...tested] };
};
