// One rule for every tap: what was tapped answers once. A second tap of the same finger, on what stands there now,
// does nothing; nor does one that comes just after rows have moved under it. What counts on (− and +) takes each.

const TWICE = 500;
const NEAR = 24;
const STILL = 400;

let last = null; // the tap that counted last
let heldUntil = 0;

let held = document; // where things have moved

/** Things have moved, in an element or everywhere: a tap that comes there now was meant for another one. */
export function hold(within = document) {
  held = within;
  heldUntil = performance.now() + STILL;
}

const controlOf = ({ target }) => {
  const found = target.closest?.('button, a, label, input, select, textarea, summary, [role=option]');
  return found?.control || found || target;
};
const isText = (control) => control.matches?.('textarea, select, input:not([type=checkbox])');

/** Whether a click is one that counts. A key's has no place on the screen. */
function counts(event) {
  const { detail, clientX, clientY } = event;
  const now = performance.now();
  const control = controlOf(event);
  // A label passes its click on to its box, once, when its own is done.
  if (last?.box === event.target && now - last.at < TWICE) {
    last.box = null;
    return true;
  }
  if (isText(control)) last = null;
  if (!detail || isText(control)) return true;
  if (now < heldUntil && held.contains(event.target)) return false;
  const isNear = last && now - last.at < TWICE && Math.hypot(clientX - last.x, clientY - last.y) < NEAR;
  if (isNear && !(last.control === control && control.hasAttribute?.('data-repeats'))) return false;
  last = { at: now, x: clientX, y: clientY, control, box: control !== event.target && event.target.closest('label') && control };
  return true;
}

addEventListener('click', (event) => {
  if (counts(event)) return;
  event.stopImmediatePropagation();
  event.preventDefault();
}, true);
// A key that is held down would answer many times.
addEventListener('keydown', (event) => {
  if (event.repeat && /^(Enter| )$/.test(event.key) && event.target.matches?.('button:not([data-repeats]), input[type=checkbox], a')) event.preventDefault();
}, true);
