// Invitations: links by which the floor gives somebody a role at its table.

import { onlyHere } from "../../here.js";
import { h } from "../../kit/dom.js";
import { polite } from "./announce.js";

/** @type {Record<string, [invites: string, title: string]>} */
const WORDS = { dealer: ["Invite a dealer", "An invitation to deal"],
  floor: ["Invite the floor", "An invitation to be the floor"],
  surveillance: ["Invite surveillance", "An invitation to watch as surveillance"] };
const BOX = "invitation";

/**
 * The roles that the floor may invite to; to deal only if a person does. No other role invites.
 *
 * @param {{ roles: string[], sheet: api.TableSheet }} room
 * @returns {[role: string, words: string][]}
 */
export function inviting({ roles, sheet }) {
  return roles.includes("floor") ? Object.entries(WORDS).map(([role, [words]]) =>
    /** @type {[string, string]} */ ([role, words])).filter(([role]) => role !== "dealer" || sheet.card.dealer === "person") : [];
}

export class Invitations {
  /** @type {{ title: string, link: string, copy: string } | null} */
  given = null;

  /**
   * @param {{ house: import("../../house.js").House, table: string, changed: () => void,
   *   refused: (refused: Error) => void }} given
   */
  constructor({ house, table, changed, refused }) {
    this.house = house;
    this.table = table;
    this.changed = changed;
    this.refused = refused;
  }

  /**
   * Ask for a link that gives a role, and show it.
   *
   * @param {string} role
   */
  async give(role) {
    try {
      const { link } = await this.house.post("/api/invitations", { table: this.table, role });
      this.given = { title: WORDS[role][1], link: new URL(link, location.href).href, copy: "Copy" };
    } catch (refused) {
      this.refused(/** @type {Error} */ (refused));
      return;
    }
    this.changed();
    const box = document.getElementById(BOX);
    if (box && !box.matches(":popover-open")) box.showPopover();
  }

  async copy() {
    const { given } = this;
    if (!given) return;
    try {
      await navigator.clipboard.writeText(given.link);
      given.copy = "Copied";
      polite("Link copied.");
    } catch {
      // Over plain http no page may copy by itself.
      document.getElementById(BOX)?.querySelector("input")?.select();
      given.copy = "Selected. Copy it now";
    }
    this.changed();
  }

  /** The link that was given last, in a box of its own. */
  box() {
    if (!this.given) return null;
    const { title, link, copy } = this.given;
    return h("div", { id: BOX, popover: "auto", class: "box", role: "dialog", "aria-label": title,
      "data-key": BOX },
      h("h2", {}, title),
      h("p", {}, "The link works once, for the first person who opens it."),
      onlyHere() && h("p", { class: "small" }, onlyHere()),
      h("input", { class: "link-field", readonly: true, autofocus: true, value: link, "aria-label": "Link",
        onfocus: (/** @type {{ target: HTMLInputElement }} */ { target }) => target.select() }),
      h("p", { class: "acts" },
        h("button", { type: "button", class: "button main", onclick: () => this.copy() }, copy),
        h("button", { type: "button", class: "button", popovertarget: BOX, popovertargetaction: "hide" },
          "Close")));
  }
}
