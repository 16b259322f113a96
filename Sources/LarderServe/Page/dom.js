// Draws: a screen describes what it shows as plain values, and `patch` changes the page to it. What is right
// already is not touched, so that fields keep their caret and rows their place.

/**
 * Describes an element: `h('button.btn.primary', { onclick }, 'Use')`, `h('b', 'Milk')`. Children are texts, elements,
 * lists or nothing.
 */
export function h(shape, ...children) {
  const [tag, ...names] = shape.split('.');
  const props = Object.getPrototypeOf(children[0] ?? '') === Object.prototype && !children[0].tag ? children.shift() : {};
  return { tag, name: names.join(' ').trim(), key: props.id || props.key, props, nodes: children.flat(9).filter((child) => child || child === 0) };
}

/** A picture of index.html. */
export const icon = (name, shape = 'svg') => h(shape, { 'aria-hidden': 'true' }, h('use', { href: '#i-' + name }));

/** A button. Each has an id, by which it keeps the focus and is found by tests. */
export const button = (shape, id, text, onclick, props) => h('button.' + shape, { type: 'button', id, onclick, ...props }, text);

/** What a screen says that has nothing to show. */
export const quiet = (title, text, more) => h('div.quiet', { key: 'quiet' }, h('h2', title), h('p.soft', text), more);

const cache = new Map();
/** What was described for the same inputs the last time; `patch` skips it. */
export function kept(key, inputs, describe) {
  const old = cache.get(key);
  if (old && inputs.every((input, index) => input === old.inputs[index])) return old.node;
  const node = describe();
  cache.set(key, { inputs, node });
  return node;
}

function create(node) {
  if (!node.tag) return document.createTextNode(node);
  const isDrawing = /^(svg|use|rect)$/.test(node.tag);
  const element = document.createElementNS(`http://www.w3.org/${isDrawing ? '2000/svg' : '1999/xhtml'}`, node.tag);
  update(element, node, { props: {}, name: '' });
  return element;
}

/**
 * Lets a handler do its work; until that is done another click on the same element is nothing. What a handler returns
 * is nothing to the browser: false would keep it from doing its part.
 */
function answer(element, event, work) {
  const isAct = /^(click|submit)$/.test(event.type) && !element.hasAttribute('data-repeats');
  if (isAct && element.isBusy) return event.preventDefault();
  const doing = work(event);
  if (!isAct || !doing?.finally) return undefined;
  element.isBusy = true;
  doing.finally(() => (element.isBusy = false));
  return undefined;
}

function update(element, node, old = element.node) {
  if (!node.tag) return element.data === `${node}` || (element.data = node);
  if (node === old) return;
  element.node = node;
  if (node.name !== old.name) element.setAttribute('class', node.name);
  const { value, ...props } = node.props;
  for (const name in { ...old.props, ...props }) {
    const now = props[name];
    if (name === 'value' || name === 'key' || (now === old.props[name] && name !== 'checked')) continue;
    if (name.startsWith('on')) element[name] = now ? (event) => answer(element, event, now) : null;
    else if (name === 'checked') element[name] = now ?? null;
    else if (now == null || now === false) element.removeAttribute(name);
    else element.setAttribute(name, now === true ? '' : now);
  }
  patch(element, node.nodes);
  // After the children: a choice is there before it is chosen. What somebody types stays.
  if (value !== undefined && value !== old.props.value && value !== element.value) element.value = value;
}

const isSame = (element, { tag, key }) => element && (tag ? element.node?.tag === tag && element.node.key === key : element.nodeType === 3);

/** Makes the children of an element what the nodes describe. */
export function patch(parent, nodes) {
  const found = new Map();
  const wanted = new Set(nodes.map(({ key }) => key));
  for (const child of [...parent.childNodes]) {
    if (!child.node?.key) continue;
    if (wanted.has(child.node.key)) found.set(child.node.key, child);
    else child.remove();
  }
  let old = parent.firstChild;
  for (const node of nodes) {
    if (isSame(old, node)) {
      update(old, node);
      old = old.nextSibling;
    } else {
      const moved = node.key && found.get(node.key);
      const isMoved = isSame(moved, node);
      if (isMoved) update(moved, node);
      parent.insertBefore(isMoved ? moved : create(node), old);
    }
  }
  while (old) {
    const next = old.nextSibling;
    old.remove();
    old = next;
  }
}

/** The colours that somebody chose; else those of the phone. */
export function theme(choice = localStorage.getItem('theme')) {
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
}
