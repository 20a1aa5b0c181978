// Invitations: links by which the floor supervisor gives people roles at the table.

import { localLinkNote } from "../../local_link.js";
import { h } from "../../kit/dom.js";
import { polite } from "./announce.js";

/** @type {Record<string, [invites: string, title: string]>} */
const LABELS = { dealer: ["Invite a dealer", "An invitation to deal"],
  floor: ["Invite a floor supervisor", "An invitation to be a floor supervisor"],
  surveillance: ["Invite surveillance", "An invitation to watch as surveillance"] };
const BOX = "invitation";

/**
 * Return the roles for which the viewer may invite people. Only the floor supervisor may invite, and a dealer only if
 * the table has no automatic dealer.
 *
 * @param {{ roles: string[], sheet: api.TableSheet }} room
 * @returns {[role: string, words: string][]}
 */
export function invitableRoles({ roles, sheet }) {
  return roles.includes("floor") ? Object.entries(LABELS).map(([role, [words]]) =>
    /** @type {[string, string]} */ ([role, words])).filter(([role]) => role !== "dealer" || sheet.card.dealer === "person") : [];
}

export class Invitations {
  /** @type {{ title: string, link: string, copy: string } | null} */
  invitation = null;

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

  /**
   * Create an invitation to a role and show its link.
   *
   * @param {string} role
   */
  async give(role) {
    try {
      const { link } = await this.client.post("/api/invitations", { table: this.table, role });
      this.invitation = { title: LABELS[role][1], link: new URL(link, location.href).href, copy: "Copy" };
    } catch (refused) {
      this.refused(/** @type {Error} */ (refused));
      return;
    }
    this.changed();
    const box = document.getElementById(BOX);
    if (box && !box.matches(":popover-open")) box.showPopover();
  }

  async copy() {
    const { invitation } = this;
    if (!invitation) return;
    try {
      await navigator.clipboard.writeText(invitation.link);
      invitation.copy = "Copied";
      polite("Link copied.");
    } catch {
      // Over plain http, pages may not use the clipboard.
      document.getElementById(BOX)?.querySelector("input")?.select();
      invitation.copy = "Selected. Copy it now";
    }
    this.changed();
  }

  /** Create the box with the newest link. */
  box() {
    if (!this.invitation) return null;
    const { title, link, copy } = this.invitation;
    return h("div", { id: BOX, popover: "auto", class: "box", role: "dialog", "aria-label": title,
      "data-key": BOX },
      h("h2", {}, title),
      h("p", {}, "The link works once, for the first person who opens it."),
      localLinkNote() && h("p", { class: "small" }, localLinkNote()),
      h("input", { class: "link-field", readonly: true, autofocus: true, value: link, "aria-label": "Link",
        onfocus: (/** @type {{ target: HTMLInputElement }} */ { target }) => target.select() }),
      h("p", { class: "acts" },
        h("button", { type: "button", class: "button main", onclick: () => this.copy() }, copy),
        h("button", { type: "button", class: "button", popovertarget: BOX, popovertargetaction: "hide" },
          "Close")));
  }
}
