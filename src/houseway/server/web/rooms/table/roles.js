// The roles at the table: the floor supervisor sees who has them, and can revoke them.

import { h } from "../../kit/dom.js";
import { polite } from "./announce.js";

const BOX = "roles";

export class Roles {
  /** @type {readonly api.Grant[] | null} */
  grants = null;

  /**
   * @param {{ client: import("../../api_client.js").ApiClient, table: string, changed: () => void,
   *   refused: (refused: Error) => void }} options
   */
  constructor({ client, table, changed, refused }) {
    this.client = client;
    this.table = table;
    this.changed = changed;
    this.refused = refused;
  }

  /** Load the roles and show them. */
  async show() {
    await this.load(() => this.client.get(`/api/roles?table=${encodeURIComponent(this.table)}`));
    const box = document.getElementById(BOX);
    if (box && !box.matches(":popover-open")) box.showPopover();
  }

  /** @param {api.Grant} grant */
  async revoke({ handle, role }) {
    await this.load(() => this.client.post("/api/roles/revoke", { handle, role, table: this.table }),
      `${handle}'s role was revoked: ${role}.`);
  }

  /**
   * @param {() => Promise<api.Grants>} ask
   * @param {string} [said] Read aloud after success.
   */
  async load(ask, said) {
    try {
      this.grants = (await ask()).grants;
      if (said) polite(said);
    } catch (refused) {
      this.refused(/** @type {Error} */ (refused));
    }
    this.changed();
  }

  /** Create the box with the roles. */
  box() {
    if (!this.grants) return null;
    return h("div", { id: BOX, popover: "auto", class: "box", role: "dialog", "aria-label": "Roles at this table",
      "data-key": BOX },
      h("h2", {}, "Roles at this table"),
      h("ul", {}, this.grants.map((grant) =>
        h("li", { "data-key": `${grant.role} ${grant.handle}` }, `${grant.handle}, ${grant.role} `,
          h("button", { type: "button", class: "button text", onclick: () => this.revoke(grant),
            "aria-label": `Revoke ${grant.handle}'s role ${grant.role}` }, "Revoke")))),
      h("p", { class: "acts" }, h("button", { type: "button", class: "button", popovertarget: BOX,
        popovertargetaction: "hide" }, "Close")));
  }
}
