// The keys of the chair. They can be changed, and this browser keeps the changes.

const STORAGE_KEY = "houseway-chair-keys";
/** Keys with a fixed meaning: they find, put back, count, size and walk. */
const FIXED = new Set(["/", "Backspace", "Enter", "Escape", "?", " ", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);

/** @typedef {Record<string, string>} KeyChanges Keys by the name of an act. */

/** @returns {KeyChanges} */
export function keyChanges() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
    return Object.fromEntries(Object.entries(stored).filter(([, key]) => typeof key === "string"
      && isLetter(/** @type {string} */ (key))));
  } catch {
    return {};
  }
}

/** @param {KeyChanges} changes */
export function storeKeys(changes) {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(changes));
  } catch { /* Without storage, the keys last until the page is closed. */ }
}

/**
 * True if an act can have this key: one letter.
 *
 * @param {string} key
 */
export const isLetter = (key) => /^[a-z]$/i.test(key) && !FIXED.has(key);

/**
 * Return the key of each act: its own, or the one that the person chose. If a chosen key belongs to another act, the two
 * acts exchange their keys, so that every key has one meaning.
 *
 * @param {{ name: string, key: string }[]} acts
 * @param {KeyChanges} changes
 * @returns {Map<string, string>}
 */
export function keysOf(acts, changes) {
  const keys = new Map(acts.map(({ name, key }) => [name, key.toUpperCase()]));
  for (const [name, chosen] of Object.entries(changes)) {
    const old = keys.get(name);
    const key = chosen.toUpperCase();
    if (old === undefined || old === key) continue;
    for (const [other, used] of keys) if (used === key) keys.set(other, old);
    keys.set(name, key);
  }
  return keys;
}

/**
 * Return the changes with a new key for one act.
 *
 * @param {{ name: string, key: string }[]} acts
 * @param {KeyChanges} changes
 * @param {string} name
 * @param {string} key
 */
export function changeKey(acts, changes, name, key) {
  const after = keysOf(acts, changes);
  const [old, chosen] = [after.get(name) ?? "", key.toUpperCase()];
  for (const [other, used] of after) if (used === chosen) after.set(other, old);
  after.set(name, chosen);
  const own = new Map(acts.map((act) => [act.name, act.key.toUpperCase()]));
  return Object.fromEntries([...after].filter(([act, now]) => own.get(act) !== now));
}
