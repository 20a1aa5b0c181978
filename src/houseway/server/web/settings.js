// The settings of this browser, kept in local storage. The style sheets read the theme and the card
// design from attributes of the root element.

const STORAGE_KEY = "houseway";
/** @typedef {keyof typeof DEFAULTS} Name */
const DEFAULTS = { deck: "2", pace: "normal", keys: "on", text: "off", coach: "before",
  theme: "system", sound: "off" };

/** @returns {Record<Name, string>} */
function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

/** @type {Record<string, number>} */
const PACES = { brisk: 0.5, normal: 1, unhurried: 1.6 };

const settings = read();
const changes = new EventTarget();

const lightScheme = matchMedia("(prefers-color-scheme: light)");

/** The theme in use: as set, or as the system prefers. */
const theme = () => (settings.theme === "system" ? lightScheme.matches ? "light" : "dark" : settings.theme);

/** Set the attributes of the root element that the style sheets read. */
function applyToRoot() {
  const { dataset } = document.documentElement;
  dataset.deck = settings.deck;
  dataset.theme = theme();
  const bar = getComputedStyle(document.documentElement).getPropertyValue("--ink-0").trim();
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", bar);
}
applyToRoot();
lightScheme.addEventListener("change", applyToRoot);

/**
 * Return the value of a setting.
 *
 * @param {Name} name
 */
export const setting = (name) => settings[name];

/**
 * Change and store a setting.
 *
 * @param {Name} name
 * @param {string} value
 */
export function set(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
  } catch { /* Without storage, the setting lasts until the page is closed. */ }
  applyToRoot();
  changes.dispatchEvent(new Event("changed"));
}

/**
 * Call `listener` after every change. The returned function removes it.
 *
 * @param {() => void} listener
 */
export function onSettings(listener) {
  changes.addEventListener("changed", listener);
  return () => changes.removeEventListener("changed", listener);
}

/** The factor by which pauses and animations are longer than normal. */
export const pace = () => PACES[settings.pace] ?? 1;

/** True if the user prefers reduced motion. */
export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
