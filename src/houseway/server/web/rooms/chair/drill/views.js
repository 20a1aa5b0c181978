// The views of the room: a question with its felt and controls, the menu, the result, and messages.

import { segmented } from "../../../kit/choices.js";
import { clauseTag } from "../../../kit/clause.js";
import { h } from "../../../kit/dom.js";
import { judgementMark } from "../../../kit/judgement.js";
import { asTitle, ended } from "../../../kit/words.js";
import { refusals, shortNames } from "../../parts.js";
import { drillFelt } from "./felt.js";
import { nameForm } from "../../name_form.js";
import { amountForm, choiceRows, orderForm } from "./forms.js";
import { drillMenu, finished } from "./menu.js";
import { clockFace, inHand, tray } from "./tray.js";

/** @typedef {import("../drill.js").DrillRoom} DrillRoom */
/** @typedef {import("./answers.js").PaymentKind} PaymentKind */

const STANDARD_TRAY = [50, 100, 500, 2500, 10000, 50000, 100000];
/** @type {Record<string, string>} */
const SCOPES = { wager: "one wager", hand: "a whole hand", table: "a whole table" };

/** Create everything that is not a question. @param {DrillRoom} room */
export function page(room) {
  if (room.phase === "name") return nameForm(room.client, { title: "Drills",
    text: "Your levels, and the kinds of question that you get wrong, are kept under your name." }, (person) => {
    room.person = person;
    room.setPerson(person);
    room.phase = "loading";
    room.start();
  });
  if (room.phase === "menu" && room.menu) {
    return drillMenu({ books: room.books, rulebook: room.rulebook, mode: room.mode, menu: room.menu,
      take: (rulebook) => { Object.assign(room, { rulebook, mode: "" }); room.attempt(() => room.showMenu()); },
      setMode: (mode) => { room.mode = mode; room.paint(); },
      start: (drill, scope) => { room.attempt(() => room.begin(drill, scope)); } });
  }
  if (room.phase === "finished" && room.state && room.progress && room.summary) {
    return finished({ state: room.state, progress: room.progress, summary: room.summary, again: () => room.again(),
      leave: () => room.toMenu() });
  }
  if (room.phase === "expired") return message(room, "This drill has ended",
    "The server keeps a drill for two hours. Your levels, and the kinds of question that you got wrong, are saved.", "Start again", () => room.again());
  if (room.phase === "error") return message(room, "Drills cannot be loaded",
    /** @type {Error} */ (room.refused)?.message ?? "The server did not answer.", "Try again", () => room.start());
  return h("div", { class: "drill-menu" }, h("h1", {}, "Drills"), h("p", { class: "quiet" }, "Loading the drills…"));
}

/**
 * @param {DrillRoom} room
 * @param {string} title
 * @param {string} text
 * @param {string} act
 * @param {() => void} press
 */
function message(room, title, text, act, press) {
  return h("section", { class: "page-error" }, h("h1", {}, title), h("p", { role: "alert" }, asTitle(text)),
    h("p", { class: "acts" }, h("button", { type: "button", class: "button main", onclick: press }, act),
      h("button", { type: "button", class: "button", onclick: () => room.toMenu() }, "Other drills")));
}

/** Create the views of a question: the head, notices, the felt and the controls. @param {DrillRoom} room */
export function questionViews(room) {
  return [head(room), notices(room), felt(room), controls(room)];
}

/** @param {DrillRoom} room */
function head(room) {
  const { current, current: { question }, state } = room;
  const place = shortNames(room.books).get(room.rulebook) ?? "";
  const payout = room.drill === "payouts";
  const title = state ? state.title : "Drills";
  const scope = room.scope ? `: ${SCOPES[room.scope]}` : "";
  const tables = (question?.tables ?? []).map(({ title, table }) => `${title} ${table}`);
  // The felt shows the facts of a payout question, and the chips of a stack.
  const notes = payout ? tables.length ? [`${tables.join(", ")}.`] : []
    : question?.stack && Object.keys(question.stack).length ? [] : question?.notes ?? [];
  const how = !payout || !question ? "" : current.wholeTable ? "Choose each wager, then settle it."
    : "The bet to settle is outlined.";
  return h("header", { class: "drill-head", "data-key": "head" }, h("div", {},
    h("h1", {}, payout ? `${title}${scope}` : title),
    h("p", { class: "small" }, place && `${place}, `, h("a", { href: `/rulebooks/${room.rulebook}` }, room.rulebook),
      question && !payout && `, ${question.mode === "device" ? "dealt by machine" : "dealt by hand"}`,
      ". ", ...notes.map((note) => `${asTitle(note)} `), how)),
  payout && segmented("Scope", /** @type {[string, Child][]} */ ([["wager", "One wager"], ["hand", "Whole hand"],
    ["table", "Whole table"]]), room.scope, (scope) => room.attempt(() => room.begin("payouts", scope))),
  !payout && h("button", { type: "button", class: "button", onclick: () => room.toMenu() }, "Other drills"));
}

/** @param {DrillRoom} room */
function notices(room) {
  return h("div", { class: "drill-notices", "data-key": "notices" },
    room.offline && h("hw-notice", { kind: "waiting", role: "alert", head: "The server does not answer.",
      text: "Your answer is kept. It is sent as soon as the server answers, and counts once." }),
    ...refusals(room.refused));
}

/** @param {DrillRoom} room */
function felt(room) {
  const { current } = room;
  return h("div", { class: "felt-box", "data-key": "felt" }, drillFelt(current.question, {
    circles: room.state?.circles ?? [], settled: current.settled, tried: current.tried, cut: current.answer.chips,
    active: current.form !== "payment" ? "" : current.wholeTable ? current.chosen : current.active?.name ?? "",
    choose: current.wholeTable ? (name) => current.chooseWager(name) : null }));
}

/** @param {DrillRoom} room */
function controls(room) {
  const { current, current: { question } } = room;
  if (!question || current.form === "payment" || current.form === "stack") {
    return h("div", { class: "drill-controls chips-controls", "data-key": "chips" },
      tray(room.state?.tray ?? STANDARD_TRAY, current.answer.chips, (value, by) => current.cut(value, by)),
      inHand({ sum: current.answer.sum, chips: current.answer.chips, typed: current.answer.typed, typing: current.typing,
        note: note(room), putBack: () => current.putBack(), openField: () => current.toggleField(),
        type: (text) => { current.answer.typed = text; room.paint(); }, send: () => room.pay("pay"),
        buttons: current.form === "stack" ? sendButton(room) : paymentButtons(room) }));
  }
  const body = current.form === "choice" ? choiceRows(current.answer, current.settled, (part, choice) => current.choose(part, choice))
    : current.form === "sequence" ? orderForm(current.answer, current.settled, {
      pick: (position) => { current.answer.pick(position); current.missing = ""; room.paint(); },
      move: (position, by) => { current.answer.move(position, by); room.paint(); } })
      : amountForm(current.answer, () => room.submit());
  return h("div", { class: `drill-controls form-controls form-${current.form}`, "data-key": `${current.form}-${question.number}` },
    h("div", { class: "form-head" }, h("h2", {}, question.asks),
      h("p", { class: "answer-time", "aria-hidden": "true" }, clockFace(), h("span", { id: "drill-clock", "data-own": "" }))),
    body, h("div", { class: "form-foot" }, note(room), sendButton(room)));
}

/** @param {DrillRoom} room */
function paymentButtons(room) {
  const { current } = room;
  /** @type {[PaymentKind, string, string][]} */
  const acts = [["take", "Take", "T"], ["push", "Push", "H"], ["pay", "Pay", "↵"]];
  return h("div", { class: "payment-acts", role: "group", "aria-label": "Settle the wager" }, acts.map(([kind, name, key]) =>
    h("button", { type: "button", class: "button", "data-key": kind, "aria-disabled": current.question ? null : "true",
      onclick: () => room.pay(kind) }, name, h("kbd", { "aria-hidden": "true" }, key))));
}

/** @param {DrillRoom} room */
function sendButton(room) {
  const { current } = room;
  return h("button", { type: "button", class: "button send", onclick: () => room.submit() },
    current.judged ? "Continue" : "Answer", h("kbd", { "aria-hidden": "true" }, "↵"));
}

/** Create the note beside the buttons: what is missing, a wrong answer, or the last payment. @param {DrillRoom} room */
function note(room) {
  const { current } = room;
  if (current.missing) return h("p", { class: "missing" }, current.missing);
  if (current.judged) {
    const wrong = current.judged.parts.filter(({ is_right }) => !is_right);
    return h("div", { class: "judged" }, wrong.slice(0, 1).map((grade) => h("p", {}, judgementMark("wrong"), " ",
      wrong.length > 1 || current.judged && current.judged.parts.length > 1 ? `${ended(asTitle(grade.part), ":")} ` : "", current.form === "sequence" ? "The order differs from the rulebook’s." : grade.sentence, " ",
      clauseTag(grade.clause))));
  }
  const tried = current.active && current.tried.get(current.active.name);
  if (tried && current.form === "payment") return h("p", {}, judgementMark("wrong"), " ", tried.sentence);
  if (!current.last || current.form !== "payment" || current.settled.size) return null;
  const { part, grade } = current.last;
  return h("p", { class: "last-result" }, judgementMark(grade.is_right ? (grade.late ? "late" : "right") : "wrong"), " ",
    `Last: ${part.title.toLowerCase()}, ${grade.given}. `, !grade.is_right && `${asTitle(grade.right ?? "")}. ${grade.sum
      ? `${grade.sum}. ` : ""}`, !grade.is_right && clauseTag(grade.clause));
}
