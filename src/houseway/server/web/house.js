// The house as the page knows it: requests over HTTP, and a socket at a table that comes back by itself.

const PING = 15000;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;

/** Random bytes as hexadecimal digits; unlike randomUUID it is there over plain http too. */
export const randomHex = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)),
  (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A wish the house did not grant: its reasons, the first one as the message. */
export class Refused extends Error {
  constructor(status, refused) {
    super(refused[0]?.message ?? "The house gave no answer.");
    this.status = status;
    this.refused = refused;
    this.code = refused[0]?.code ?? "";
    this.clause = refused[0]?.clause ?? null;
  }
}

export class House {
  async ask(method, path, body) {
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
    const found = answer.status === 204 ? null : await answer.json().catch(() => null);
    if (!answer.ok) throw new Refused(answer.status, found?.refused ?? []);
    return found;
  }

  get(path) { return this.ask("GET", path); }
  post(path, body) { return this.ask("POST", path, body); }
  delete(path) { return this.ask("DELETE", path); }

  /** Come to a table in a role; `hear` has `sight`, `line` and `refused`. */
  enter(table, role, hear) { return new Place(this, table, role, hear); }
}

/** One's place at a table: what is seen there, kept up to date, and what is done there. */
export class Place {
  constructor(house, table, role, hear) {
    Object.assign(this, { house, table, role, hear });
    this.seq = null;
    this.sight = null;
    this.waiting = new Map();
    this.wait = FIRST_WAIT;
    this.open();
  }

  async open() {
    try {
      const { ticket } = await this.house.post("/api/tickets", { table: this.table });
      if (!this.left) this.connect(ticket);
    } catch (refused) {
      if (this.left) return;
      if (refused.status >= 400 && refused.status < 500 && refused.status !== 429) {
        this.hear.line("refused", refused);
      } else {
        this.again();
      }
    }
  }

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

  say(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

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
        this.sight = { ...this.sight, ...message.sight };
        this.hear.sight(this.sight, message.moments ?? [], { back: false });
        break;
      case "answered":
        this.settle(message.key, (sent) => sent.resolve(message));
        break;
      case "refused": {
        const refused = new Refused(409, message.refused);
        if (!this.settle(message.key, (sent) => sent.reject(refused))) this.hear.line("refused", refused);
        break;
      }
      case "bye":
        this.hear.line("bye", message);
        break;
    }
  }

  settle(key, end) {
    const sent = this.waiting.get(key);
    if (sent) {
      this.waiting.delete(key);
      end(sent);
    }
    return Boolean(sent);
  }

  /** Do something at the table; it counts once, however often the socket has to be opened for it. */
  do(command, { expect = false } = {}) {
    const key = randomHex(16);
    const message = { type: "do", key, command, ...(expect ? { expect: this.seq } : {}) };
    return new Promise((resolve, reject) => {
      this.waiting.set(key, { message, resolve, reject });
      this.say(message);
    });
  }

  ready(ready, { layout, waits }) {
    const about = ["bets", "next"].includes(waits.why) ? { round: layout.round, why: waits.why } : {};
    this.say({ type: "ready", ready, ...about });
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
    clearInterval(this.beat);
    this.socket?.close();
  }
}
