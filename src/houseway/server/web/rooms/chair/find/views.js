// The views of the room: the form that starts a session, and a round with its felt, bar and report.

import "../../../kit/scrubber.js";
import { segmented, select } from "../../../kit/choices.js";
import { h, picture, s } from "../../../kit/dom.js";
import { refusals } from "../../parts.js";
import { clockText, phasesOf } from "./moments.js";
import { judgementSheet, reportForm, tallyLine } from "./panel.js";

/** @typedef {import("../find.js").Finder} Finder */

/** The flag of an event in the last part of the round points back. */
const LATE = 0.9;
const LEVELS = /** @type {[number, string][]} */ ([[1, "1"], [2, "2"], [3, "3"]]);
const SPEEDS = /** @type {[number, string][]} */ ([[1, "1×"], [2, "2×"], [4, "4×"]]);
const SIDES = /** @type {[string, string][]} */ ([["dealer", "Dealer’s side"], ["players", "Players’ side"]]);
/** @type {Record<string, string>} */
const SIGNS = { first: "M6 6v12M18 6l-9 6 9 6V6z", back: "M16 6l-9 6 9 6V6z", play: "M8 5v14l11-7z", pause: "M9 6v12M15 6v12",
  next: "M8 6l9 6-9 6V6z" };

/**
 * Create the form that starts a session.
 *
 * @param {Finder} finder
 */
export function welcome(finder) {
  const usable = (finder.books ?? []).map(({ id, title }) => /** @type {[string, string]} */ ([id, title]));
  return h("section", { class: "find-start", "data-key": "start" },
    h("h1", {}, "Find the mistake"),
    h("p", {}, "Watch a round. It has one mistake, or none. Stop it, and say what is wrong, where, and by how much."),
    finder.message && h("p", { class: "notice", role: "status" }, finder.message),
    ...refusals(finder.refused),
    Boolean(finder.refused) && h("p", {}, h("button", { type: "button", class: "button", onclick: () => finder.start() }, "Try again")),
    finder.busy && !finder.books && h("p", { class: "loading", role: "status" }, h("span", { class: "turning" }), " Loading…"),
    !finder.person ? h("p", { class: "box" }, "Sign in first. ", h("a", { href: "/" }, "Go to the lobby"))
      : finder.books && h("div", { class: "box start-form" },
        h("label", { class: "field" }, h("span", { class: "label" }, "Rulebook"),
          select("Rulebook", usable, finder.rulebook, (id) => {
            finder.rulebook = id;
            finder.paint();
          })),
        h("div", { class: "field" }, h("span", { class: "label" }, "Level"),
          segmented("Level", LEVELS, finder.level, (level) => {
            finder.level = level;
            finder.paint();
          }),
          h("p", { class: "small" }, ["Two players and gross mistakes.", "Four players, more kinds, and distractions.",
            "Six players and every kind of mistake."][finder.level - 1])),
        h("button", { type: "button", class: "button main", "aria-disabled": String(finder.busy), "data-key": "begin",
          onclick: () => finder.begin() }, finder.busy ? "Dealing…" : "Start"),
        h("p", { class: "small" }, "You can stop as often as you like, but a wrong report counts against you. 20 rounds.")));
}

/**
 * Create the room while a round is watched: the felt, the bar and the report or its judgement.
 *
 * @param {Finder} finder
 * @param {api.FindRoundReply} round
 */
export function watching(finder, round) {
  const { draft, watch } = finder;
  const { replay } = round;
  const { steps } = replay;
  const step = steps[watch.at];
  const playing = watch.playing;
  const tables = (replay.tables ?? []).map(({ title, table }) => `${title} ${table}`);
  return [
    h("div", { class: "find-left", id: "watched", tabindex: "-1", "data-key": "left" },
      h("header", {}, h("div", {}, h("h1", {}, "Find the mistake"),
        h("p", { class: "small" }, `Round ${round.round} of ${round.rounds}, `,
          h("a", { href: `/rulebooks/${replay.rulebook}` }, replay.rulebook), `, ${[`${replay.mode} deal`, ...tables].join(", ")}. `,
          "One mistake in this round, or none.")),
      segmented("View", SIDES, finder.side, (side) => {
        finder.side = side;
        finder.paint();
      })),
      h("p", { class: playing ? "stopped playing-now" : "stopped", role: "status" },
        !finder.opened && picture("0 0 24 24", { class: "stop-sign" }, s("path", { d: SIGNS[playing ? "play" : "pause"] })),
        finder.opened ? "The round is over" : playing ? `Playing ${clockText(step.time)}`
          : watch.started ? `Stopped at ${clockText(step.time)}` : "Ready: press Space"),
      h("div", { class: "felt-place", "data-key": "felt", "data-own": true }),
      timeline(finder, steps),
      h("div", { class: "playing", "data-key": "bar" },
        h("div", { class: "steps-bar" },
          stepButton("first", "First event", () => finder.seek(0), watch.at === 0),
          stepButton("back", "Previous event", () => finder.seek(watch.at - 1), watch.at === 0),
          stepButton(playing ? "pause" : "play", playing ? "Stop" : "Play", () => watch.toggle(), watch.atEnd),
          stepButton("next", "Next event", () => finder.seek(watch.at + 1), watch.atEnd)),
        h("p", { class: "event" }, h("strong", {}, `Event ${watch.at + 1} of ${steps.length}`), h("span", {},
          watch.started ? step.says : "You can step back to earlier events. Your time starts with the first event.")),
        segmented("Speed", SPEEDS, watch.speed, (speed) => watch.setSpeed(speed)),
        !finder.opened && (finder.judged
          ? h("button", { type: "button", class: "button", "data-key": "end", onclick: () => finder.seek(watch.last) }, "To the end ",
            h("kbd", { "aria-hidden": "true" }, "End"))
          : h("button", { type: "button", class: "button play-on", "data-key": "toggle", "aria-disabled": String(watch.atEnd),
            onclick: () => watch.toggle() }, playing ? "Stop " : watch.started ? "Play on " : "Play ",
          h("kbd", { "aria-hidden": "true" }, "Space"))))),
    h("aside", { class: "find-panel", id: "report", tabindex: "-1", "aria-label": "Report", "data-key": "panel" },
      ...refusals(finder.refused),
      ...(finder.opened && finder.judged ? judgementSheet({ judged: finder.judged, last: finder.over, busy: finder.busy,
        next: () => finder.next(), seek: (at) => finder.seek(at) })
        : finder.judged ? [h("section", { class: "reported", "data-key": "reported" }, h("h2", {}, "Reported"),
          h("p", {}, "The round continues. You see the answer when it ends."))]
          : reportForm({ round, draft: draft.values, used: watch.elapsed, over: watch.atEnd, busy: finder.busy, cents: draft.cents,
            change: (changes) => finder.change(changes), report: () => finder.report(),
            unsure: () => finder.report({ unsure: true }), none: () => finder.none() })),
      tallyLine(round.tally)),
  ];
}

/**
 * @param {Finder} finder
 * @param {api.WatchStep[]} steps
 */
function timeline(finder, steps) {
  const { watch } = finder;
  const count = steps.length;
  const planted = finder.opened ? finder.judged?.answer.step ?? 0 : 0;
  /** @type {[string, number, string][]} */
  const marks = [];
  if (planted) marks.push(["planted", planted, `The mistake, event ${planted}`]);
  if (finder.reportedAt) marks.push(["yours", finder.reportedAt, `Your report, event ${finder.reportedAt}`]);
  else if (!finder.judged && watch.started && !watch.playing) marks.push(["yours", watch.at + 1, ""]);
  return h("div", { class: "timeline", "data-key": "timeline" },
    h("div", { class: "marks" }, marks.map(([kind, event, words]) => h("span", { "data-key": kind,
      class: `mark-at ${kind}${event > LATE * count ? " last" : ""}`,
      vars: { "--share": (event - 0.5) / count } }, picture("0 0 30 16", {}, s("path", { d: "M0 0h30l-6 8 6 8H0z" })),
    words && h("span", { class: "unseen" }, words)))),
    h("hw-scrubber", { ".phases": phasesOf(steps), ".count": count, ".at": watch.at, ".description": steps[watch.at].says }));
}

/**
 * @param {string} sign
 * @param {string} words
 * @param {() => void} does
 * @param {boolean} off
 */
function stepButton(sign, words, does, off) {
  const middle = sign === "pause" || sign === "play";
  return h("button", { type: "button", class: middle ? "step main" : "step", "aria-label": words, disabled: off, onclick: does,
    "data-key": middle ? "play" : sign }, picture("0 0 24 24", {}, s("path", { d: SIGNS[sign] })));
}
