// The states of a class room: while it loads, if a request fails, and if no one is signed in.

import "../../../kit/notice.js";
import { h, picture, s } from "../../../kit/dom.js";
import { asTitle } from "../../../kit/words.js";
import { refusals } from "../../parts.js";

/** @typedef {import("../../../api_client.js").Refused} Refused */

/** @param {unknown} error */
export const isOffline = (error) => /** @type {Refused | null} */ (error)?.code === "no-house";

/** @param {unknown} error */
export const isSignedOut = (error) => /** @type {Refused | null} */ (error)?.status === 401;

/** @param {string} words */
export const loading = (words) => h("hw-notice", { kind: "waiting", role: "status", text: words,
  "data-key": "loading" });

/**
 * Create the notice for a failed request, with a button that tries again.
 *
 * @param {unknown} error
 * @param {() => void} retry
 */
export function failure(error, retry) {
  const again = h("button", { type: "button", class: "button", onclick: retry }, "Try again");
  if (isOffline(error)) {
    return h("div", { class: "failure", "data-key": "failure" },
      h("hw-notice", { kind: "waiting", role: "alert", head: "The server does not answer.",
        text: "Check your connection. The page tries again when you are online." }), again);
  }
  return h("div", { class: "failure", "data-key": "failure" }, refusals(error), again);
}

/**
 * Create the form that asks for a name.
 *
 * @param {{ expired: boolean, refused: unknown, why: string, signIn: (handle: string) => void }} options
 */
export function signInForm({ expired, refused, why, signIn }) {
  const message = /** @type {Error | null} */ (refused)?.message;
  return h("form", { class: "box sign-in", "data-key": "sign-in",
    onsubmit: (/** @type {SubmitEvent & { target: HTMLFormElement }} */ event) => {
    event.preventDefault();
    signIn(event.target.handle.value.trim());
  } },
    h("h2", {}, expired ? "You are signed out" : "Choose a name first"),
    h("p", {}, expired ? "Your session has ended. Choose a name, or open your recovery link to continue under your old name."
      : why),
    h("label", { class: "field" }, h("span", { class: "label" }, "Your name"),
      h("input", { name: "handle", maxlength: 24, autocomplete: "nickname", required: true })),
    message && h("p", { class: "wrong", role: "alert" }, asTitle(message)),
    h("p", { class: "acts" }, h("button", { type: "submit", class: "button main" }, "Continue")));
}

/**
 * Create a verdict: its shape, its glyph and its word.
 *
 * @param {"right" | "wrong" | "open"} kind
 * @param {string} words
 */
export function verdict(kind, words) {
  const shapes = { right: [s("circle", { cx: 8, cy: 8, r: 8 }), s("path", { class: "glyph", d: "M4.5 8.2l2.4 2.4 4.6-5" })],
    wrong: [s("rect", { width: 16, height: 16, rx: 3 }), s("path", { class: "glyph", d: "M5 5l6 6M11 5l-6 6" })],
    open: [s("circle", { class: "ring", cx: 8, cy: 8, r: 7 })] };
  return h("span", { class: `verdict ${kind}` }, picture("0 0 16 16", {}, ...shapes[kind]), h("span", {}, words));
}

/**
 * Return a time in words: "18 Nov 2026, 14:02".
 *
 * @param {string | undefined} text
 */
export const timeWords = (text) => (text ? new Date(text).toLocaleString("en-GB",
  { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" }) : "");
