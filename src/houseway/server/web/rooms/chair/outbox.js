// Acts that wait for the server. Each is sent with its own key, in order, until the server answers, so it counts once.

import { Refused, randomHex } from "../../api_client.js";

const FIRST_RETRY = 500;
const LONGEST_RETRY = 8000;
const SIGNED_OUT = 401;

/** @typedef {{ key: string, act: Record<string, any> }} Waiting */
/** @typedef {"there" | "lost"} Line */

/** True if the server could not be reached or was busy, so that the same request may succeed later. @param {unknown} error */
export const isTemporary = (error) => error instanceof Refused && (error.status === 0 || error.status === 429 || error.status >= 500);

export class Outbox {
  /** @type {Waiting[]} */
  waiting = [];
  /** @type {Line} */
  line = "there";
  busy = false;
  retry = FIRST_RETRY;
  timer = 0;
  left = false;

  /**
   * `send` posts one act and resolves with the answer; `answered` and `refused` receive the outcome.
   *
   * @param {{ store: string, send: (waiting: Waiting) => Promise<any>, answered: (answer: any, act: Record<string, any>) => void,
   *   refused: (error: Refused, act: Record<string, any>) => void, changed: () => void }} options
   */
  constructor({ store, send, answered, refused, changed }) {
    this.store = store;
    this.send = send;
    this.answered = answered;
    this.refused = refused;
    this.changed = changed;
    try {
      this.waiting = JSON.parse(sessionStorage.getItem(store) ?? "[]");
    } catch {
      this.waiting = [];
    }
  }

  /**
   * Add an act and send it.
   *
   * @param {Record<string, any>} act
   */
  add(act) {
    this.waiting.push({ key: randomHex(16), act });
    this.keep();
    return this.flush();
  }

  keep() {
    try {
      sessionStorage.setItem(this.store, JSON.stringify(this.waiting));
    } catch { /* Without storage, waiting acts last until the page is closed. */ }
  }

  /** Send the waiting acts, one after another. */
  async flush() {
    if (this.busy || this.left) return;
    clearTimeout(this.timer);
    this.busy = true;
    while (this.waiting.length && !this.left) {
      const [first] = this.waiting;
      try {
        const answer = await this.send(first);
        this.settle("there");
        this.answered(answer, first.act);
      } catch (error) {
        if (isTemporary(error)) {
          this.lose();
          break;
        }
        const refused = /** @type {Refused} */ (error);
        // After the sign-in has expired, the act is kept until the person is back.
        if (refused.status === SIGNED_OUT) {
          this.refused(refused, first.act);
          break;
        }
        this.settle("there");
        this.refused(refused, first.act);
      }
    }
    this.busy = false;
  }

  /** @param {Line} line */
  settle(line) {
    this.waiting.shift();
    this.keep();
    this.retry = FIRST_RETRY;
    this.setLine(line);
  }

  lose() {
    this.setLine("lost");
    this.timer = setTimeout(() => this.flush(), this.retry);
    this.retry = Math.min(this.retry * 2, LONGEST_RETRY);
  }

  /** @param {Line} line */
  setLine(line) {
    if (this.line === line) return;
    this.line = line;
    this.changed();
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
  }
}
