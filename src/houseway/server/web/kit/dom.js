// Elements from state: `h` and `s` make them, `morph` brings what is shown to what was made.

const SVG = "http://www.w3.org/2000/svg";
const GIVEN = Symbol("given");

function give(element, given) {
  const kept = { attributes: [], properties: {}, vars: {} };
  for (const [name, value] of Object.entries(given)) {
    if (name === "vars") Object.assign(kept.vars, value);
    else if (name[0] === ".") kept.properties[name.slice(1)] = value;
    else if (typeof value === "function") kept.properties[name] = value;
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
      kept.attributes.push(name);
    }
  }
  element[GIVEN] = kept;
  apply(element, kept);
  return element;
}

function apply(element, { properties, vars }) {
  for (const [name, value] of Object.entries(properties)) {
    if (element[name] !== value) element[name] = value;
  }
  for (const [name, value] of Object.entries(vars)) element.style.setProperty(name, value);
}

function fill(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false && child !== "") element.append(child);
  }
  return element;
}

/** An element; ".name" sets a property, "onclick" a handler, "vars" custom properties. */
export function h(tag, given = {}, ...children) {
  return fill(give(document.createElement(tag), given), children);
}

/** An SVG element. */
export function s(tag, given = {}, ...children) {
  return fill(give(document.createElementNS(SVG, tag), given), children);
}

/** A picture no reader is told of. */
export function picture(box, given, ...children) {
  return s("svg", { viewBox: box, "aria-hidden": "true", focusable: "false", ...given }, ...children);
}

const keyOf = (node) => (node.nodeType === 1 ? node.getAttribute("data-key") : null);

function alike(a, b) {
  return a.nodeName === b.nodeName && keyOf(a) === keyOf(b);
}

function change(live, fresh) {
  if (live.nodeType === 3) {
    if (live.data !== fresh.data) live.data = fresh.data;
    return;
  }
  const [old, now] = [live[GIVEN], fresh[GIVEN]];
  if (!now) return;
  for (const name of old ? old.attributes : []) {
    if (!fresh.hasAttribute(name)) live.removeAttribute(name);
  }
  for (const name of now.attributes) {
    const value = fresh.getAttribute(name);
    if (live.getAttribute(name) !== value) live.setAttribute(name, value);
  }
  for (const name of old ? Object.keys(old.properties) : []) {
    if (!(name in now.properties)) live[name] = null;
  }
  for (const name of old ? Object.keys(old.vars) : []) {
    if (!(name in now.vars)) live.style.removeProperty(name);
  }
  live[GIVEN] = now;
  apply(live, now);
  if (!live.constructor.paints && !fresh.hasAttribute("data-own")) morph(live, fresh.childNodes);
}

/** Make the children of an element those given; what stays the same keeps its place and focus, and what is
 * marked `data-own` keeps its children. */
export function morph(parent, children) {
  const wanted = [...children].flat(Infinity).filter((child) => child instanceof Node);
  const keyed = new Map();
  for (const child of parent.childNodes) {
    if (keyOf(child)) keyed.set(keyOf(child), child);
  }
  let at = parent.firstChild;
  for (const fresh of wanted) {
    const key = keyOf(fresh);
    const same = key ? keyed.get(key) : at && alike(at, fresh) ? at : null;
    if (same && alike(same, fresh)) {
      if (same !== at) parent.insertBefore(same, at);
      else at = at.nextSibling;
      change(same, fresh);
    } else {
      parent.insertBefore(fresh, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** A custom element that paints itself from its attributes and properties alone. */
export class Part extends HTMLElement {
  static paints = true;

  /** Declare an element: its name, the attributes and the properties it paints from. */
  static declare(name, attributes = [], properties = []) {
    Object.defineProperty(this, "observedAttributes", { value: attributes });
    for (const property of properties) {
      const hidden = Symbol(property);
      Object.defineProperty(this.prototype, property, {
        get() { return this[hidden]; },
        set(value) { this[hidden] = value; this.changed(); },
      });
    }
    customElements.define(name, this);
  }

  connectedCallback() {
    this.paint();
  }

  attributeChangedCallback(_, old, now) {
    if (old !== now) this.changed();
  }

  changed() {
    if (!this.isConnected || this.due) return;
    this.due = true;
    queueMicrotask(() => {
      this.due = false;
      if (this.isConnected) this.paint();
    });
  }

  paint() {
    morph(this, [this.drawn()]);
  }
}
