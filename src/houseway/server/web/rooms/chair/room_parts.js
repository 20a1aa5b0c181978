// Parts of the chair's room: the corners, notices, the list of acts, and what is shown without a session.

import { h, picture, s } from "../../kit/dom.js";
import { asTitle, inSentence, plural, withCardSigns } from "../../kit/words.js";
import { seatsOf } from "./felt.js";
import { wagerName } from "./held_panel.js";
import { clockText } from "./marks.js";

/** @typedef {import("../../api_client.js").Refused} Refused */
/** @typedef {import("./draft.js").Draft} Draft */

/** The links to the parts of the room. The first part is not on the screen while a sheet covers it. @type {[text: string, id: string][]} */
export const SKIPS = [["Skip to the acts", "palette"], ["Skip to the table", "felt"], ["Skip to your hand", "chair-panel"]];
const CLOCK = "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2";

/**
 * Create what is shown without a session: loading, signed out, expired, offline or an error.
 *
 * @param {Refused | null} error
 * @param {() => void} retry
 */
export function absence(error, retry) {
  if (!error) {
    return h("section", { class: "page-error", "data-key": "absent" }, h("h1", {}, "Dealer's chair"),
      h("p", { class: "quiet", role: "status" }, "Loading the session…"));
  }
  const [head, text, link] = absenceWords(error);
  return h("section", { class: "page-error", "data-key": "failed", role: "alert" }, h("h1", {}, head), h("p", {}, text),
    h("p", { class: "acts" }, h("a", { class: "button main", href: link === "sign in" ? "/" : "/chair" },
      link === "sign in" ? "Go to the lobby" : "Go to the chair"),
    h("button", { type: "button", class: "button", onclick: retry }, "Try again")));
}

/**
 * Return the line under the board: the last words at the table. `spoken` is true for words of the dealer.
 *
 * @param {api.ChairView} view
 * @returns {import("./felt.js").Said}
 */
export function saidLine(view) {
  // The felt shows a card that flips over; words would say where to look.
  const last = (view.announcements ?? []).filter(({ who }) => who !== "table").at(-1);
  const done = view.log?.at(-1);
  if (done?.type === "Ask" && done.number > (last?.number ?? 0)) return { text: `Waiting for seat ${done.seat}.` };
  if (!last && !view.felt.round) return { text: "The table is not open yet." };
  // The words of a round that is over belong to that round.
  if (!last || !view.felt.open) return { text: "" };
  return last.spoken ? { text: `“${asTitle(last.spoken)}.”`, spoken: true } : { text: `${eventText(last)}.` };
}

/**
 * Return what happened at the table, with its subject: "You asked seat 3", "Seat 3 checks". The trainer is the program, which acts if play
 * cannot continue without an act that the dealer left out.
 *
 * @param {Pick<api.ChairEvent, "who" | "words">} event
 */
export function eventText({ who, words }) {
  if (who === "you") return youDid(words);
  if (who === "table") return words;
  return `${who === "trainer" ? "The program" : asTitle(who)} ${words}`;
}

/**
 * Return an act of the dealer in the second person: "You asked seat 3".
 *
 * @param {string} words
 */
export function youDid(words) {
  return `You ${inSentence(words)}`;
}

/**
 * Create the head of the panel: the way and the clock. An exam has neither training nor live.
 *
 * @param {api.ChairView} view
 * @param {number} now
 * @param {() => void} close
 */
export function panelHead(view, now, close) {
  return h("header", { class: "panel-head", "data-key": "head" },
    view.exam ? h("h2", { class: "exam-sign" }, "Exam")
      : h("div", { class: "segmented ways", role: "img", "aria-label": `Mode: ${view.way}` },
        [["training", "Training"], ["live", "Live"]].map(([way, name]) => h("span", { class: view.way === way ? "on" : "" }, name))),
    h("button", { type: "button", class: "close drawer-close", "aria-label": "Close your hand", "data-key": "close", onclick: close }, "×"),
    clock(now));
}

/** @param {number} now */
const clock = (now) => h("p", { class: "chair-clock", "data-key": "clock" }, picture("0 0 24 24", { class: "sign-art" }, s("path", { d: CLOCK })),
  h("span", { class: "unseen" }, "Time: "), h("span", { class: "time" }, clockText(now)));

/**
 * Create the corners above the felt: the table on the left, the round on the right.
 *
 * @param {api.ChairView} view
 */
export function corners(view) {
  return h("div", { class: "corners", "data-key": "corners" },
    h("div", { class: "corner-text" }, h("h1", { class: "serif" }, "Training table"),
      h("p", {}, `${view.place}, `, h("a", { href: `/rulebooks/${view.rulebook}` }, view.rulebook)),
      h("p", {}, view.limits, h("span", { class: "side-bets" }, (view.side_bets ?? []).map((bet) => `, ${bet}`).join(""))),
      view.dealt && h("p", {}, asTitle(view.dealt))),
    h("div", { class: "corner-text right" },
      h("p", { class: "serif" }, `Round ${Math.min(view.round, view.rounds)} of ${view.rounds}`),
      h("p", {}, view.exam?.title ?? (view.scenario ? `Scenario: ${view.scenario}` : "Practice")),
      h("p", {}, plural(seatsOf(view.felt).length, "player"))));
}

/**
 * Create the buttons that choose the seat that a phone shows.
 *
 * @param {api.ChairView} view
 * @param {number} opened
 * @param {number} now
 * @param {(seat: number) => void} open
 */
export function seatPills(view, opened, now, open) {
  return h("div", { class: "pills seat-pills", role: "group", "aria-label": "Seats", "data-key": "pills" },
    seatsOf(view.felt).map(({ seat, name }) => h("button", { type: "button", class: "pill", "data-key": String(seat),
      "aria-label": `Show seat ${seat}, ${name}`, "aria-pressed": String(seat === opened), onclick: () => open(seat) },
    h("b", {}, seat), " ", h("span", { class: "pill-name" }, name))), clock(now));
}

/**
 * Create the notices beside the palette: a lost connection, a refused act, the end of the session.
 *
 * @param {api.ChairView} view
 * @param {import("./outbox.js").Outbox} outbox
 * @param {Refused | null} refused
 * @param {() => void} dismiss
 */
export function notices(view, outbox, refused, dismiss) {
  const waiting = outbox.waiting.length;
  return h("div", { class: "beside-palette", "data-key": "notices" },
    outbox.line === "lost" && h("hw-notice", { kind: "waiting", role: "status", "data-key": "lost", head: "No connection.",
      text: `${waiting === 1 ? "1 act waits" : `${waiting} acts wait`}, and will be sent when the server answers. Each counts once. You can continue.` }),
    view.log?.at(-1)?.type === "CallFloor" && h("p", { class: "small", role: "status", "data-key": "floor" },
      "The floor is on the way."),
    refused && h("hw-notice", { kind: "refused", "data-key": "refused", away: true, clause: refused.clause || null,
      head: view.way === "live" ? "Refused." : "That failed.", text: asTitle(refused.message), onaway: dismiss }),
    view.progress !== "open" && h("div", { class: "notice", "data-key": "over" },
      h("p", {}, h("strong", {}, view.progress === "over" ? "The session is over. " : "The session was ended. "),
        `${plural(view.judged, "round")} of ${view.rounds} ${view.judged === 1 ? "is" : "are"} closed.`),
      h("a", { class: "button", href: `/chair/score/${encodeURIComponent(view.session)}` }, "Score sheet"),
      h("a", { class: "button", href: "/chair" }, "Leave the table")));
}

/**
 * Create the list of the dealer's acts, without any judgement, and the act that the dealer is doing.
 *
 * @param {api.ChairView} view
 * @param {Draft} draft
 */
export function actLog(view, draft) {
  const log = view.log ?? [];
  const now = draft.act && draft.details.seat ? `Seat ${draft.details.seat}: ${nowWords(view, draft)}` : "";
  if (!log.length && !now) return h("p", { class: "quiet", "data-key": "nothing" }, "Nothing yet in this round.");
  return h("ol", { class: "done", tabindex: "0", "aria-label": "What you did", "data-key": "done" },
    log.map(({ number, time, words }) => h("li", { "data-key": String(number) }, h("span", { class: "at-time" }, clockText(time)),
      h("span", {}, withCardSigns(words)))),
    now && h("li", { class: "doing", "data-key": "now" }, h("span", { class: "at-time" }, "now"), h("span", {}, now)));
}

/** @type {(view: api.ChairView, draft: Draft) => string} */
function nowWords(view, draft) {
  const { wager } = draft.details;
  const name = wager && wagerName(view, wager);
  if (draft.type === "Pay") return name ? `paying the ${name}` : "paying";
  return draft.act?.name.toLowerCase() ?? "";
}

/**
 * @param {Refused} error
 * @returns {[head: string, text: string, link: string]}
 */
function absenceWords(error) {
  if (error.status === 401) return ["You are signed out", "Choose a name in the lobby, then open the session again.", "sign in"];
  if (error.status === 404) return ["There is no such session", "It may belong to another person, or it was deleted. Start a new one.", ""];
  if (error.status === 410) return ["The session has expired", asTitle(error.message), ""];
  if (error.status === 0) return ["The server does not answer", "Check your connection and try again. Your acts are kept.", ""];
  return ["The session did not open", asTitle(error.message), ""];
}
