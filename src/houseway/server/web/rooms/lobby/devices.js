// Signing in on another device with a recovery link.

import { localLinkNote } from "../../local_link.js";
import { h } from "../../kit/dom.js";

export class Devices {
  /** @type {{ link: string, hours: number } | null} */
  link = null;

  /** @param {{ client: import("../../api_client.js").ApiClient, changed: () => void }} options */
  constructor({ client, changed }) {
    this.client = client;
    this.changed = changed;
  }

  /** Create a link and show it. */
  async create() {
    const { link, hours } = await this.client.post("/api/session/recovery", undefined);
    this.link = { link: new URL(link, location.href).href, hours };
    this.changed();
  }

  /**
   * Create the button, or the link once it is created.
   *
   * @param {(act: () => Promise<void>) => void} run
   */
  box(run) {
    if (!this.link) {
      return h("button", { type: "button", class: "button text", "data-key": "device",
        onclick: () => run(() => this.create()) }, "Move to another device");
    }
    return h("div", { "data-key": "device" },
      h("p", {}, `Open this link on the other device within ${this.link.hours} hours. It works once, and signs you out here.`),
      localLinkNote() && h("p", { class: "small" }, localLinkNote()),
      h("input", { class: "link-field", readonly: true, value: this.link.link, "aria-label": "Recovery link",
        onfocus: (/** @type {{ target: HTMLInputElement }} */ { target }) => target.select() }));
  }
}
