// A viewer's socket at a table: it reconnects, keeps the view current and sends each command once.

import { randomHex, Refused } from "./api_client.js";
import { patchedViews } from "./kit/patch.js";

/** @typedef {import("./api_client.js").ApiClient} ApiClient */

const VERSION = 2;
/** Milliseconds between two pings. A server that sends nothing between them is treated as gone. */
const PING_INTERVAL = 5000;
const FIRST_RETRY = 400;
/** Milliseconds before the next attempt while a table moves to another server. */
const MOVING_RETRY = 1000;
const LONGEST_RETRY = 8000;
/** Milliseconds to wait for the answer to a command. */
const ANSWER_TIMEOUT = 10000;
/** Codes of refusals that sometimes have no key, because the server could not read the message. */
const UNREAD = new Set(["too-fast", "bad-message"]);

/**
 * Callbacks of a socket. `view` receives the current view, the updates that led to it, and the view after each update
 * (`views`); when the viewer enters, there are no `views`, and `back` is true after a reconnection. `line` receives
 * the state of the connection, and `head` the signed head of the record after a round.
 *
 * @typedef {{ view: (view: api.View, updates: api.Update[], how: { views?: api.View[], back?: boolean }) => void,
 *   line: (state: LineState, what: any) => void, head?: (head: api.RecordHead) => void }} Listener
 */
/** @typedef {"there" | "lost" | "refused" | "bye"} LineState */
/**
 * A command without an answer yet.
 *
 * @typedef {{ message: api.Do, resolve: (answered: api.Answered) => void, reject: (refused: Refused) => void,
 *   timer: number, seq: number | null }} Sent
 */

/** A viewer's socket at a table, in one role. */
export class TableSocket {
  left = false;
  /** @type {number | null} */
  seq = null;
  /** @type {api.View | null} */
  view = null;
  /** @type {Map<string, Sent>} */
  waiting = new Map();
  /** @type {Map<string, Sent>} */
  uncertain = new Map();
  retryDelay = FIRST_RETRY;
  pingTimer = 0;
  timer = 0;
  /** True if a message has arrived since the last ping. */
  alive = true;
  /** @type {WebSocket | null} */
  socket = null;

  /**
   * @param {ApiClient} client
   * @param {string} table
   * @param {string} role
   * @param {Listener} listener
   */
  constructor(client, table, role, listener) {
    this.client = client;
    this.table = table;
    this.role = role;
    this.listener = listener;
    this.open();
  }

  async open() {
    try {
      const { ticket } = await this.client.post("/api/tickets", { table: this.table });
      if (!this.left) this.connect(ticket);
    } catch (error) {
      const refused = /** @type {Refused} */ (error);
      if (this.left) return;
      if (refused.status >= 400 && refused.status < 500 && refused.status !== 429) {
        this.listener.line("refused", refused);
      } else {
        if (refused.code === "moving") this.retryDelay = MOVING_RETRY;
        this.reconnect();
      }
    }
  }

  /** @param {string} ticket */
  connect(ticket) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/socket`);
    this.socket.onopen = () => this.send({ type: "enter", ticket, table: this.table, role: this.role,
      version: VERSION, ...(this.seq === null ? {} : { since: this.seq }) });
    this.socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    this.socket.onclose = () => this.lose();
  }

  /** Give up the socket and reconnect. */
  lose() {
    clearInterval(this.pingTimer);
    if (!this.left) this.reconnect();
  }

  /** Send a ping; if nothing has arrived since the last one, reconnect. */
  ping() {
    if (!this.alive && this.socket) {
      // A server that hangs does not answer the close frame either, so do not wait for it.
      this.socket.onclose = this.socket.onmessage = null;
      this.socket.close();
      this.lose();
      return;
    }
    this.alive = false;
    this.send({ type: "ping" });
  }

  reconnect() {
    this.listener.line("lost", null);
    this.timer = setTimeout(() => this.open(), this.retryDelay * (0.75 + Math.random() / 2));
    this.retryDelay = Math.min(this.retryDelay * 2, LONGEST_RETRY);
  }

  /** @param {api.Enter | api.Do | api.Ready | api.Ping} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {api.Entered | api.Updated | api.Answered | api.Rejected | api.Bye} message */
  receive(message) {
    this.alive = true;
    switch (message.type) {
      case "entered": {
        const back = this.seq !== null;
        this.retryDelay = FIRST_RETRY;
        this.seq = message.seq;
        this.view = message.view;
        this.listener.line("there", null);
        this.listener.view(this.view, message.updates ?? [], { back });
        for (const { message: sent } of this.waiting.values()) this.send(sent);
        clearInterval(this.pingTimer);
        this.pingTimer = setInterval(() => this.ping(), PING_INTERVAL);
        break;
      }
      case "told":
        this.seq = message.seq;
        this.update(message);
        if (message.head) this.listener.head?.(message.head);
        break;
      case "answered":
        this.settle(message.key, (sent) => sent.resolve(message));
        break;
      case "refused": {
        const refused = new Refused(409, message.refused);
        const settled = message.key ? this.settle(message.key, (sent) => sent.reject(refused))
          : UNREAD.has(refused.code) && this.doubt(this.waiting.keys().next().value ?? "", message.refused);
        if (!settled) this.listener.line("refused", refused);
        break;
      }
      case "bye":
        // The socket is closed next, and this class reconnects.
        if (message.code === "moving") this.retryDelay = MOVING_RETRY;
        else this.listener.line("bye", message);
        break;
    }
  }

  /** @param {api.Updated} message */
  update({ view, updates = [], waits, people }) {
    if (view) {
      this.view = view;
      this.listener.view(view, updates, {});
    } else if (this.view) {
      const before = { ...this.view, waits: waits ?? this.view.waits, people: people ?? this.view.people };
      const views = patchedViews(before, updates);
      this.view = views.at(-1) ?? before;
      this.listener.view(this.view, updates, { views });
    }
  }

  /**
   * @param {string} key
   * @param {(sent: Sent) => void} end
   */
  settle(key, end) {
    const sent = this.waiting.get(key);
    this.uncertain.delete(key);
    if (sent) {
      this.waiting.delete(key);
      clearTimeout(sent.timer);
      end(sent);
    }
    return Boolean(sent);
  }

  /**
   * Stop waiting for a command whose outcome is unknown. If it is sent again, it has the same key.
   *
   * @param {string} key
   * @param {api.Refusal[]} refused
   */
  doubt(key, refused) {
    return this.settle(key, (sent) => {
      this.uncertain.set(key, sent);
      sent.reject(new Refused(409, refused, true));
    });
  }

  /**
   * Return the unanswered message with the same command, if nothing has happened at the table since it was sent.
   *
   * @param {Record<string, any>} command
   */
  unanswered(command) {
    for (const [key, { seq }] of this.uncertain) if (seq !== this.seq) this.uncertain.delete(key);
    /** @param {Sent} sent */
    const same = ({ message }) => JSON.stringify(message.command) === JSON.stringify(command);
    return [...this.uncertain.values()].find(same)?.message;
  }

  /**
   * Send a command. It counts once, even if it has to be sent again. The promise resolves with the answer and
   * rejects if there is none in time.
   *
   * @param {Record<string, any>} command
   * @returns {Promise<api.Answered>}
   */
  do(command, { expect = false } = {}) {
    /** @type {api.Do} */
    const message = this.unanswered(command) ?? { type: "do", key: randomHex(16), command,
      ...(expect ? { expect: this.seq } : {}) };
    const { key } = message;
    this.uncertain.delete(key);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.doubt(key, [{ code: "no-answer", clause: null, where: "line",
        message: `the server has not answered for ${ANSWER_TIMEOUT / 1000} seconds` }]), ANSWER_TIMEOUT);
      this.waiting.set(key, { message, resolve, reject, timer, seq: this.seq });
      this.send(message);
    });
  }

  /**
   * Tell the server that this seat is ready to continue. The message names the round and the reason for the wait, taken
   * from the view.
   *
   * @param {api.View} view
   */
  ready({ table, waits: { why } }) {
    const about = why === "bets" || why === "next" ? { round: table.round, why } : {};
    this.send({ type: "ready", ready: true, ...about });
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
    clearInterval(this.pingTimer);
    this.socket?.close();
    for (const key of [...this.waiting.keys()]) this.settle(key, (sent) => sent.reject(new Refused(0, [{
      code: "left", clause: null, where: "line", message: "you left before the server answered" }])));
  }
}
