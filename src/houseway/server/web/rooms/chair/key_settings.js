// The keys of the acts, which the dealer can change.

import { KeyDialog } from "./key_dialog.js";
import { changeKey, keyChanges, keysOf, storeKeys } from "./keymap.js";

export class KeySettings {
  changes = keyChanges();

  /** @param {{ acts: () => api.ActOption[], changed: () => void }} options */
  constructor({ acts, changed }) {
    this.acts = () => acts().map(({ name, key = "" }) => ({ name, key }));
    this.changed = changed;
    this.dialog = new KeyDialog({ acts, keys: () => this.keys, change: (name, key) => this.store(changeKey(this.acts(), this.changes, name, key)),
      reset: () => this.store({}) });
  }

  /** The key of each act, by name. */
  get keys() { return keysOf(this.acts(), this.changes); }

  show() {
    this.dialog.open();
    return true;
  }

  /** @param {ReturnType<typeof keyChanges>} changes */
  store(changes) {
    this.changes = changes;
    storeKeys(changes);
    this.changed();
  }
}
