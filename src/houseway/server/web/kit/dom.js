// Elements from state: `h` and `s` make them, `morph` brings what is shown to what was made.

/** @typedef {{ attributes: string[], properties: Record<string, any>, vars: Record<string, any> }} Kept */
/** @typedef {(HTMLElement | SVGElement) & Record<PropertyKey, any>} Live An element that `morph` changes. */

const SVG = "http://www.w3.org/2000/svg";
const GIVEN = Symbol("given");

/**
 * @template {Element} E
 * @param {E} made
 * @param {Given} given
 */
function give(made, given) {
  const element = /** @type {Live} */ (/** @type {unknown} */ (made));
  /** @type {Kept} */
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
  return made;
}

/**
 * @param {Live} element
 * @param {Pick<Kept, "properties" | "vars">} kept
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
 * Make an element; ".name" sets a property, "onclick" a handler, "vars" custom properties.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Given} given
 * @param {Child[]} children
 */
export function h(tag, given = {}, ...children) {
  return fill(give(document.createElement(tag), given), children);
}

/**
 * Make an SVG element.
 *
 * @param {string} tag
 * @param {Given} given
 * @param {Child[]} children
 */
export function s(tag, given = {}, ...children) {
  return fill(give(document.createElementNS(SVG, tag), given), children);
}

/**
 * Make a picture that screen readers pass over.
 *
 * @param {string} box
 * @param {Given} given
 * @param {Child[]} children
 */
export function picture(box, given, ...children) {
  return s("svg", { viewBox: box, "aria-hidden": "true", focusable: "false", ...given }, ...children);
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.getAttribute("data-key") : null);

/**
 * @param {Node} a
 * @param {Node} b
 */
function alike(a, b) {
  return a.nodeName === b.nodeName && keyOf(a) === keyOf(b);
}

/**
 * @param {Node} shown
 * @param {Node} made
 */
function change(shown, made) {
  if (shown instanceof Text) {
    const { data } = /** @type {Text} */ (made);
    if (shown.data !== data) shown.data = data;
    return;
  }
  const [live, fresh] = [/** @type {Live} */ (shown), /** @type {Live} */ (made)];
  const [old, now] = [live[GIVEN], fresh[GIVEN]];
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
  live[GIVEN] = now;
  apply(live, now);
  if (!(live instanceof Part) && !fresh.hasAttribute("data-own")) morph(live, fresh.childNodes);
}

/**
 * Make the children of an element those given; what stays the same keeps its place and focus, and what is
 * marked `data-own` keeps its children.
 *
 * @param {Element} parent
 * @param {Iterable<Child>} children
 */
export function morph(parent, children) {
  const wanted = /** @type {any[]} */ ([...children]).flat(Infinity).filter((child) => child instanceof Node);
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  for (const child of parent.childNodes) {
    const key = keyOf(child);
    if (key) keyed.set(key, child);
  }
  let at = parent.firstChild;
  for (const fresh of wanted) {
    const key = keyOf(fresh);
    const same = key ? keyed.get(key) : at && alike(at, fresh) ? at : null;
    if (same && alike(same, fresh)) {
      if (same !== at) parent.insertBefore(same, at);
      else at = same.nextSibling;
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
 * The base class of a part: the attributes it paints from, and its properties with their first values.
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
