// The house as the page knows it: requests over HTTP, and a socket at a table that comes back by itself.

const PING = 15000;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
/** Milliseconds until a command without an answer is given up. */
const ANSWER = 10000;
/** What the house says of a message it did not read; not every house says of which. */
const UNREAD = new Set(["too-fast", "bad-message"]);

/**
 * Random bytes as hexadecimal digits; unlike randomUUID it is there over plain http too.
 *
 * @param {number} bytes
 */
export const randomHex = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)),
  (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A wish the house did not grant: its reasons, the first one as the message; `doubt` where it may have. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {readonly api.Refusal[]} refused
   */
  constructor(status, refused, doubt = false) {
    super(refused[0]?.message ?? "The house gave no answer.");
    this.status = status;
    this.doubt = doubt;
    this.refused = refused;
    this.code = refused[0]?.code ?? "";
    this.clause = refused[0]?.clause ?? null;
  }
}

export class House {
  /**
   * @param {string} method
   * @param {string} path
   * @param {any} [body]
   * @returns {Promise<any>}
   */
  async ask(method, path, body) {
    /** @type {RequestInit & { headers: Record<string, string> }} */
    const given = { method, headers: { Accept: "application/json" }, credentials: "same-origin" };
    if (body !== undefined) {
      given.headers["Content-Type"] = "application/json";
      given.body = JSON.stringify(body);
    }
    let answer;
    try {
      answer = await fetch(path, given);
    } catch {
      throw new Refused(0, [{ code: "no-house", clause: null, where: path,
        message: "The house does not answer." }]);
    }
    const read = answer.status === 204 ? null : await answer.json().catch(() => null);
    if (!answer.ok) throw new Refused(answer.status, read?.refused ?? []);
    return read;
  }

  /** @param {string} path */
  get(path) { return this.ask("GET", path); }

  /**
   * @param {string} path
   * @param {any} body
   */
  post(path, body) { return this.ask("POST", path, body); }

  /** @param {string} path */
  delete(path) { return this.ask("DELETE", path); }

  /**
   * Come to a table in a role.
   *
   * @param {string} table
   * @param {string} role
   * @param {Hears} hear
   */
  enter(table, role, hear) { return new Place(this, table, role, hear); }
}

/**
 * What a place at a table reports: what is seen there, and the state of its line.
 *
 * @typedef {{ sight: (sight: api.Sight, moments: api.Moment[], how: { back: boolean }) => void,
 *   line: (state: LineState, what: any) => void }} Hears
 */
/** @typedef {"there" | "lost" | "refused" | "bye"} LineState */
/**
 * A command on its way.
 *
 * @typedef {{ message: api.Do, resolve: (answered: api.Answered) => void, reject: (refused: Refused) => void,
 *   timer: number, seq: number | null }} Sent
 */

/** One's place at a table: what is seen there, kept up to date, and what is done there. */
export class Place {
  left = false;
  /** @type {number | null} */
  seq = null;
  /** @type {api.Sight | null} */
  sight = null;
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
      ...(this.seq === null ? {} : { since: this.seq }) });
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
        this.sight = message.sight;
        this.hear.line("there", null);
        this.hear.sight(this.sight, message.moments ?? [], { back });
        for (const { message: sent } of this.waiting.values()) this.say(sent);
        clearInterval(this.beat);
        this.beat = setInterval(() => this.say({ type: "ping" }), PING);
        break;
      }
      case "told":
        this.seq = message.seq;
        this.sight = /** @type {api.Sight} */ ({ ...this.sight, ...message.sight });
        this.hear.sight(this.sight, message.moments ?? [], { back: false });
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
   * @param {boolean} ready
   * @param {Pick<api.Sight, "layout" | "waits">} sight
   */
  ready(ready, { layout, waits }) {
    const { why } = waits;
    const about = why === "bets" || why === "next" ? { round: layout.round, why } : {};
    this.say({ type: "ready", ready, ...about });
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
