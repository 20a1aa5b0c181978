// The last significant events of the server, for the floor supervisor: a database that does not answer, a stuck table.

import { h } from "../../kit/dom.js";

const EVERY = 15_000;

export class HouseEvents {
  /** @type {api.HouseEvent[]} */
  events = [];
  /** @type {number | undefined} */
  timer = undefined;
  /** True from the request to enter as the floor supervisor until the first view, which shows that it was granted. */
  requested = false;

  /**
   * @param {{ client: import("../../api_client.js").ApiClient, table: string, changed: () => void }} options
   */
  constructor({ client, table, changed }) {
    this.client = client;
    this.path = `/api/events?table=${encodeURIComponent(table)}`;
    this.changed = changed;
  }

  /**
   * Prepare for the events of the floor supervisor; stop for any other role.
   *
   * @param {string} role
   */
  entered(role) {
    this.leave();
    this.events = [];
    this.requested = role === "floor";
  }

  /** Once the server has sent a view, load the events at once and then at regular intervals. */
  received() {
    if (!this.requested) return;
    this.requested = false;
    this.load();
    this.timer = setInterval(() => this.load(), EVERY);
  }

  leave() { clearInterval(this.timer); }

  async load() {
    try {
      this.events = (await this.client.get(this.path)).events;
    } catch {
      // The list stays as it was; the table itself shows that the server does not answer.
      return;
    }
    this.changed();
  }

  /** Create the list, newest first; false without events. */
  list() {
    return this.events.length > 0 && h("section", { class: "log house-events", "aria-label": "Server events" },
      h("h2", {}, "Server events"),
      h("ol", {}, this.events.map(({ at, message, table }) => h("li", {},
        h("time", { datetime: at }, new Date(at).toLocaleTimeString()),
        h("span", {}, ` ${[table, message].filter(Boolean).join(": ")}`)))));
  }
}
