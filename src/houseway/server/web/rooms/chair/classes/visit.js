// The common base of the class screens: sign in, load, retry, and repaint.

import { h, morph } from "../../../kit/dom.js";
import { announce } from "../../parts.js";
import { failure, isOffline, isSignedOut, loading, signInForm } from "./states.js";

/** @typedef {import("../../../app.js").Context} Context */

export class Visit {
  /** @type {unknown} The error of the last loading. */
  failed = null;
  /** @type {unknown} The error of the last action. */
  refused = null;
  /** @type {unknown} */
  signInRefused = null;
  expired = false;
  loaded = false;
  left = false;
  busy = false;
  /** The reason a name is needed. */
  whyName = "Classes show your name to the instructor.";

  /**
   * @param {Context} context
   * @param {string} waiting The sentence that is shown while the screen loads.
   */
  constructor(context, waiting) {
    this.context = context;
    this.client = context.client;
    this.person = context.person;
    this.waiting = waiting;
    this.element = h("section", { class: "class-room" });
    this.onOnline = () => { if (this.failed) this.load(); };
    addEventListener("online", this.onOnline);
  }

  start() {
    this.paint();
    if (this.person) this.load();
  }

  leave() {
    this.left = true;
    removeEventListener("online", this.onOnline);
  }

  /** Fetch what the screen shows. Subclasses override this. */
  async fetch() {}

  /** @returns {Child[]} The screen, once it is loaded. Subclasses override this. */
  drawn() { return []; }

  /** @returns {Child[]} What is shown above everything, also without a session. */
  intro() { return []; }

  async load() {
    try {
      await this.fetch();
      Object.assign(this, { failed: null, loaded: true });
    } catch (error) {
      if (this.left) return;
      if (isSignedOut(error)) this.signOut();
      else this.failed = error;
    }
    if (!this.left) this.paint();
  }

  signOut() {
    Object.assign(this, { person: null, expired: true, loaded: false, failed: null });
    this.context.setPerson(null);
  }

  /** @param {string} handle */
  async signIn(handle) {
    try {
      const { person } = await this.client.post("/api/session", { handle });
      Object.assign(this, { person, expired: false, signInRefused: null });
      this.context.setPerson(person);
      this.paint();
      await this.load();
    } catch (error) {
      this.signInRefused = error;
      this.paint();
    }
  }

  /**
   * Run an action once at a time; its refusal is shown above the screen.
   *
   * @param {() => Promise<unknown>} act
   * @param {string} [done] The sentence that screen readers hear afterwards.
   */
  async run(act, done = "") {
    if (this.busy) return;
    Object.assign(this, { busy: true, refused: null });
    try {
      await act();
      if (done) announce(done);
    } catch (error) {
      if (isSignedOut(error)) this.signOut();
      else this.refused = error;
    }
    this.busy = false;
    if (!this.left) this.paint();
  }

  paint() {
    const { failed, loaded } = this;
    /** @type {Child[]} */
    const body = !this.person
      ? [signInForm({ expired: this.expired, refused: this.signInRefused, why: this.whyName, signIn: (handle) => this.signIn(handle) })]
      : !loaded ? [failed ? failure(failed, () => this.load()) : loading(this.waiting)]
        : [failed ? h("div", { "data-key": "stale" }, isOffline(failed)
          ? h("hw-notice", { kind: "waiting", role: "status", head: "The server does not answer.",
            text: "You see what was loaded last." }) : failure(failed, () => this.load())) : null,
        this.refused ? h("div", { "data-key": "refused" }, failure(this.refused, () => {
          this.refused = null;
          this.load();
        })) : null, ...this.drawn()];
    morph(this.element, /** @type {any[]} */ ([...this.intro(), ...body]).filter(Boolean));
  }
}
