// A place at a table: a socket that comes back by itself, the view there, and commands that count once.

import { randomHex, Refused } from "./house.js";
import { patchedViews } from "./kit/patch.js";

/** @typedef {import("./house.js").House} House */

const VERSION = 2;
const PING = 15000;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
/** Milliseconds until a command without an answer is given up. */
const ANSWER = 10000;
/** The codes of a message that the house did not read; not every house says which one it was. */
const UNREAD = new Set(["too-fast", "bad-message"]);

/**
 * What a place reports: the present view, the updates that led to it with the view after each, and the state
 * of its line. Updates that come with a whole view, to a viewer who enters or is `back`, have no views.
 *
 * @typedef {{ view: (view: api.View, updates: api.Update[], how: { views?: api.View[], back?: boolean }) => void,
 *   line: (state: LineState, what: any) => void }} Hears
 */
/** @typedef {"there" | "lost" | "refused" | "bye"} LineState */
/**
 * A command on its way.
 *
 * @typedef {{ message: api.Do, resolve: (answered: api.Answered) => void, reject: (refused: Refused) => void,
 *   timer: number, seq: number | null }} Sent
 */

/** A place at a table: the view there, kept up to date, and what is done there. */
export class Place {
  left = false;
  /** @type {number | null} */
  seq = null;
  /** @type {api.View | null} */
  view = null;
  /** @type {Map<string, Sent>} */
  waiting = new Map();
  /** @type {Map<string, Sent>} */
  doubted = new Map();
  wait = FIRST_WAIT;
  beat = 0;
  timer = 0;
  /** @type {WebSocket | null} */
  socket = null;

  /**
   * @param {House} house
   * @param {string} table
   * @param {string} role
   * @param {Hears} hear
   */
  constructor(house, table, role, hear) {
    this.house = house;
    this.table = table;
    this.role = role;
    this.hear = hear;
    this.open();
  }

  async open() {
    try {
      const { ticket } = await this.house.post("/api/tickets", { table: this.table });
      if (!this.left) this.connect(ticket);
    } catch (error) {
      const refused = /** @type {Refused} */ (error);
      if (this.left) return;
      if (refused.status >= 400 && refused.status < 500 && refused.status !== 429) {
        this.hear.line("refused", refused);
      } else {
        this.again();
      }
    }
  }

  /** @param {string} ticket */
  connect(ticket) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/socket`);
    this.socket.onopen = () => this.say({ type: "enter", ticket, table: this.table, role: this.role,
      version: VERSION, ...(this.seq === null ? {} : { since: this.seq }) });
    this.socket.onmessage = ({ data }) => this.take(JSON.parse(data));
    this.socket.onclose = () => {
      clearInterval(this.beat);
      if (!this.left) this.again();
    };
  }

  again() {
    this.hear.line("lost", null);
    this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** @param {api.Enter | api.Do | api.Ready | api.Ping} message */
  say(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {api.Entered | api.Told | api.Answered | api.NotTaken | api.Bye} message */
  take(message) {
    switch (message.type) {
      case "entered": {
        const back = this.seq !== null;
        this.wait = FIRST_WAIT;
        this.seq = message.seq;
        this.view = message.view;
        this.hear.line("there", null);
        this.hear.view(this.view, message.updates ?? [], { back });
        for (const { message: sent } of this.waiting.values()) this.say(sent);
        clearInterval(this.beat);
        this.beat = setInterval(() => this.say({ type: "ping" }), PING);
        break;
      }
      case "told":
        this.seq = message.seq;
        this.told(message);
        break;
      case "answered":
        this.settle(message.key, (sent) => sent.resolve(message));
        break;
      case "refused": {
        const refused = new Refused(409, message.refused);
        const settled = message.key ? this.settle(message.key, (sent) => sent.reject(refused))
          : UNREAD.has(refused.code) && this.doubt(this.waiting.keys().next().value ?? "", message.refused);
        if (!settled) this.hear.line("refused", refused);
        break;
      }
      case "bye":
        this.hear.line("bye", message);
        break;
    }
  }

  /** @param {api.Told} message */
  told({ view, updates = [], waits, people }) {
    if (view) {
      this.view = view;
      this.hear.view(view, updates, {});
    } else if (this.view) {
      const before = { ...this.view, waits: waits ?? this.view.waits, people: people ?? this.view.people };
      const views = patchedViews(before, updates);
      this.view = views.at(-1) ?? before;
      this.hear.view(this.view, updates, { views });
    }
  }

  /**
   * @param {string} key
   * @param {(sent: Sent) => void} end
   */
  settle(key, end) {
    const sent = this.waiting.get(key);
    this.doubted.delete(key);
    if (sent) {
      this.waiting.delete(key);
      clearTimeout(sent.timer);
      end(sent);
    }
    return Boolean(sent);
  }

  /**
   * Give a command up that nothing certain is known of; done again, it has the same key.
   *
   * @param {string} key
   * @param {api.Refusal[]} refused
   */
  doubt(key, refused) {
    return this.settle(key, (sent) => {
      this.doubted.set(key, sent);
      sent.reject(new Refused(409, refused, true));
    });
  }

  /**
   * The message of a command that was given up, if nothing has happened at the table since it was sent.
   *
   * @param {Record<string, any>} command
   */
  givenUp(command) {
    for (const [key, { seq }] of this.doubted) if (seq !== this.seq) this.doubted.delete(key);
    /** @param {Sent} sent */
    const same = ({ message }) => JSON.stringify(message.command) === JSON.stringify(command);
    return [...this.doubted.values()].find(same)?.message;
  }

  /**
   * Do something at the table; it counts once, however often it has to be sent. The promise resolves with the
   * answer, or fails after a while if none came.
   *
   * @param {Record<string, any>} command
   * @returns {Promise<api.Answered>}
   */
  do(command, { expect = false } = {}) {
    /** @type {api.Do} */
    const message = this.givenUp(command) ?? { type: "do", key: randomHex(16), command,
      ...(expect ? { expect: this.seq } : {}) };
    const { key } = message;
    this.doubted.delete(key);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.doubt(key, [{ code: "no-answer", clause: null, where: "line",
        message: `the house has not answered for ${ANSWER / 1000} seconds` }]), ANSWER);
      this.waiting.set(key, { message, resolve, reject, timer, seq: this.seq });
      this.say(message);
    });
  }

  /**
   * Say that the seat is ready for what the table waits for in a view.
   *
   * @param {api.View} view
   */
  ready({ table, waits: { why } }) {
    const about = why === "bets" || why === "next" ? { round: table.round, why } : {};
    this.say({ type: "ready", ready: true, ...about });
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
    clearInterval(this.beat);
    this.socket?.close();
    for (const key of [...this.waiting.keys()]) this.settle(key, (sent) => sent.reject(new Refused(0, [{
      code: "left", clause: null, where: "line", message: "you left before the house answered" }])));
  }
}
