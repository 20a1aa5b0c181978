// What somebody chose for this browser: it is kept here and told to the sheet by the root's attributes.

const KEPT = "houseway";
/** @typedef {keyof typeof FIRST} Name */
const FIRST = { deck: "2", pace: "normal", keys: "on", text: "off", coach: "before" };

/** @returns {Record<Name, string>} */
function read() {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
  } catch {
    return { ...FIRST };
  }
}

/** @type {Record<string, number>} */
const PACES = { brisk: 0.5, normal: 1, unhurried: 1.6 };

const settings = read();
const told = new EventTarget();

function show() {
  document.documentElement.dataset.deck = settings.deck;
}
show();

/**
 * The value of a setting.
 *
 * @param {Name} name
 */
export const setting = (name) => settings[name];

/**
 * Change a setting and keep it.
 *
 * @param {Name} name
 * @param {string} value
 */
export function set(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(KEPT, JSON.stringify(settings));
  } catch { /* A browser that keeps nothing forgets it with the page. */ }
  show();
  told.dispatchEvent(new Event("changed"));
}

/**
 * Call `hear` after every change, until the function returned is called.
 *
 * @param {() => void} hear
 */
export function onSettings(hear) {
  told.addEventListener("changed", hear);
  return () => told.removeEventListener("changed", hear);
}

/** How much longer than normal things take. */
export const pace = () => PACES[settings.pace] ?? 1;

/** Whether nothing may travel or turn. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
