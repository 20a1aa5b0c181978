// What somebody chose for this browser: it is kept here and told to the sheet by the root's attributes.

const KEPT = "houseway";
const FIRST = { deck: "2", pace: "normal", keys: "on", text: "off", coach: "before" };

function read() {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
  } catch {
    return { ...FIRST };
  }
}

const settings = read();
const told = new EventTarget();

function show() {
  document.documentElement.dataset.deck = settings.deck;
}
show();

export const setting = (name) => settings[name];

/** Change a setting and keep it. */
export function set(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(KEPT, JSON.stringify(settings));
  } catch { /* A browser that keeps nothing forgets it with the page. */ }
  show();
  told.dispatchEvent(new Event("changed"));
}

/** Hear of changes until the function given back is called. */
export function onSettings(hear) {
  told.addEventListener("changed", hear);
  return () => told.removeEventListener("changed", hear);
}

/** How much longer than normal things take. */
export const pace = () => ({ brisk: 0.5, normal: 1, unhurried: 1.6 })[settings.pace];

/** Whether nothing may travel or turn. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
