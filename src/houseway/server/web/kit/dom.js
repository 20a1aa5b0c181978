// Create and update elements declaratively: `h` and `s` create them, `morph` updates the page to match.

/** @typedef {{ attributes: string[], properties: Record<string, any>, vars: Record<string, any> }} AppliedProps */
/** @typedef {(HTMLElement | SVGElement) & Record<PropertyKey, any>} Live An element that `morph` changes. */

/** True if the sheet of hands and words covers the room, so that keys must not act on what it hides. */
export const isCovered = () => document.querySelector("hw-reference:popover-open") !== null;

const SVG = "http://www.w3.org/2000/svg";
const APPLIED = Symbol("applied");

/**
 * @template {Element} E
 * @param {E} node
 * @param {ElementProps} props
 */
function setProps(node, props) {
  const element = /** @type {Live} */ (/** @type {unknown} */ (node));
  /** @type {AppliedProps} */
  const applied = { attributes: [], properties: {}, vars: {} };
  for (const [name, value] of Object.entries(props)) {
    if (name === "vars") Object.assign(applied.vars, value);
    else if (name[0] === ".") applied.properties[name.slice(1)] = value;
    else if (typeof value === "function") applied.properties[name] = value;
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
      applied.attributes.push(name);
    }
  }
  element[APPLIED] = applied;
  apply(element, applied);
  return node;
}

/**
 * @param {Live} element
 * @param {Pick<AppliedProps, "properties" | "vars">} applied
 */
function apply(element, { properties, vars }) {
  for (const [name, value] of Object.entries(properties)) {
    if (element[name] !== value) element[name] = value;
  }
  for (const [name, value] of Object.entries(vars)) element.style.setProperty(name, value);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Child[]} children
 */
function fill(element, children) {
  for (const child of /** @type {any[]} */ (children).flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false && child !== "") element.append(child);
  }
  return element;
}

/**
 * Create an element; ".name" sets a property, "onclick" a handler, "vars" CSS custom properties.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {ElementProps} props
 * @param {Child[]} children
 */
export function h(tag, props = {}, ...children) {
  return fill(setProps(document.createElement(tag), props), children);
}

/**
 * Create an SVG element.
 *
 * @param {string} tag
 * @param {ElementProps} props
 * @param {Child[]} children
 */
export function s(tag, props = {}, ...children) {
  return fill(setProps(document.createElementNS(SVG, tag), props), children);
}

/**
 * Create a picture that screen readers skip.
 *
 * @param {string} box
 * @param {ElementProps} props
 * @param {Child[]} children
 */
export function picture(box, props, ...children) {
  return s("svg", { viewBox: box, "aria-hidden": "true", focusable: "false", ...props }, ...children);
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.getAttribute("data-key") : null);

/**
 * @param {Node} a
 * @param {Node} b
 */
function sameNode(a, b) {
  return a.nodeName === b.nodeName && keyOf(a) === keyOf(b);
}

/**
 * @param {Node} shown
 * @param {Node} node
 */
function patchNode(shown, node) {
  if (shown instanceof Text) {
    const { data } = /** @type {Text} */ (node);
    if (shown.data !== data) shown.data = data;
    return;
  }
  const [live, fresh] = [/** @type {Live} */ (shown), /** @type {Live} */ (node)];
  const [old, now] = [live[APPLIED], fresh[APPLIED]];
  if (!now) return;
  for (const name of old ? old.attributes : []) {
    if (!fresh.hasAttribute(name)) live.removeAttribute(name);
  }
  for (const name of now.attributes) {
    const value = fresh.getAttribute(name) ?? "";
    if (live.getAttribute(name) !== value) live.setAttribute(name, value);
  }
  for (const name of old ? Object.keys(old.properties) : []) {
    if (!(name in now.properties)) live[name] = null;
  }
  for (const name of old ? Object.keys(old.vars) : []) {
    if (!(name in now.vars)) live.style.removeProperty(name);
  }
  live[APPLIED] = now;
  apply(live, now);
  if (!(live instanceof Part) && !fresh.hasAttribute("data-own")) morph(live, fresh.childNodes);
}

/**
 * Update the children of an element to match `children`. Unchanged elements keep their state and focus, and
 * elements marked `data-own` keep their children.
 *
 * @param {Element} parent
 * @param {Iterable<Child>} children
 */
export function morph(parent, children) {
  const nodes = /** @type {any[]} */ ([...children]).flat(Infinity).filter((child) => child instanceof Node);
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  for (const child of parent.childNodes) {
    const key = keyOf(child);
    if (key) keyed.set(key, child);
  }
  let at = parent.firstChild;
  for (const fresh of nodes) {
    const key = keyOf(fresh);
    const same = key ? keyed.get(key) : at && sameNode(at, fresh) ? at : null;
    if (same && sameNode(same, fresh)) {
      if (same !== at) parent.insertBefore(same, at);
      else at = same.nextSibling;
      patchNode(same, fresh);
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

/** A custom element that renders only from its attributes and properties. */
export class Part extends HTMLElement {
  due = false;

  connectedCallback() {
    this.paint();
  }

  /**
   * @param {string} _
   * @param {string | null} old
   * @param {string | null} now
   */
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

  /** @returns {Child} */
  drawn() {
    return null;
  }
}

/**
 * Return a base class for a part, with its observed attributes and its properties with their defaults.
 *
 * @template {Record<string, any>} [P={}]
 * @param {string[]} attributes
 * @param {P} [properties]
 * @returns {new () => Part & P}
 */
export function painted(attributes, properties) {
  class Painted extends Part {
    static observedAttributes = attributes;
  }
  for (const [property, first] of Object.entries(properties ?? {})) {
    const hidden = Symbol(property);
    Object.defineProperty(Painted.prototype, property, {
      get() { return hidden in this ? this[hidden] : first; },
      set(value) {
        this[hidden] = value;
        this.changed();
      },
    });
  }
  return /** @type {any} */ (Painted);
}
