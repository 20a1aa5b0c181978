// @ts-nocheck
// Motion: a queue that follows the record. What is new on the felt travels to its place.

import { pace, still } from "../../settings.js";
import { yourTurn } from "./state.js";
import { holds, masked } from "./unfold.js";

const EASE = "cubic-bezier(.2,.7,.2,1)";
const TRAVEL = 240;
const TURN = 180;
const CHIPS = 280;
const BETWEEN = 60;
const FADE = 80;

/** Shows sights one after the other; `show(sight, moments, how)` paints one and tells what led to it. */
export class Showing {
  constructor(show) {
    this.show = show;
    this.steps = [];
    this.last = null;
  }

  get busy() { return this.steps.length > 0; }

  /** Take in what happened; `atOnce` shows it without its moments. */
  take(sight, moments, { atOnce = false } = {}) {
    const from = this.last ?? sight;
    this.last = sight;
    if (atOnce) {
      this.stop();
      this.show(sight, moments, { still: true });
      return;
    }
    const events = moments.map(({ event }) => event);
    const held = holds(events, sight.yours.seat);
    let group = [];
    moments.forEach((moment, n) => {
      group.push(moment);
      const end = n === moments.length - 1;
      if (held[n] > 0 || end) {
        const [done, later] = [events.slice(0, n + 1), events.slice(n + 1)];
        this.steps.push({ sight: end ? sight : masked(from, sight, done, later), moments: group,
          hold: held[n] });
        group = [];
      }
    });
    if (!moments.length) this.steps.push({ sight, moments: [], hold: 0 });
    if (yourTurn(sight) || document.hidden) this.rush();
    else if (!this.timer) this.next();
  }

  next() {
    this.timer = null;
    const step = this.steps.shift();
    if (!step) return;
    this.show(step.sight, step.moments, {});
    if (!this.steps.length) return;
    this.timer = setTimeout(() => this.next(), step.hold * pace());
  }

  /** Show the rest at once. */
  rush() {
    const rest = this.steps.splice(0);
    this.stop();
    if (rest.length) this.show(rest.at(-1).sight, rest.flatMap(({ moments }) => moments), { hurried: true });
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.steps.length = 0;
  }
}

const faceOf = (card) => card.getAttribute("card") ?? "";

/** What lies on a felt, to see afterwards what is new. */
export function lying(felt) {
  return {
    cards: new Map([...felt.querySelectorAll("hw-card")].map((card) => [card, faceOf(card)])),
    stakes: new Map([...felt.querySelectorAll("hw-circle")].map((circle) => [circle, stakeOf(circle)])),
  };
}

const stakeOf = (circle) => [Number(circle.getAttribute("cents") ?? 0),
  Number(circle.getAttribute("paid") ?? 0)];

/** Let what is new on a felt travel from where it comes from; `hurried`, all of it at once. */
export function move(felt, before, { hurried = false } = {}) {
  const shoe = felt.querySelector(".dealer")?.getBoundingClientRect();
  if (!shoe) return;
  let n = 0;
  for (const card of felt.querySelectorAll("hw-card")) {
    const old = before.cards.get(card);
    if (old === undefined) enter(card, shoe, TRAVEL, hurried ? 0 : BETWEEN * n++);
    else if (!old && faceOf(card)) turn(card);
  }
  for (const circle of felt.querySelectorAll("hw-circle")) {
    const [cents, paid] = before.stakes.get(circle) ?? [0, 0];
    const [now, given] = stakeOf(circle);
    const stacks = circle.querySelectorAll(".stack");
    if (now > cents && stacks[0]) drop(stacks[0], 1);
    if (given > paid && stacks.length) drop(stacks[stacks.length - 1], -1);
  }
}

function enter(element, from, duration, delay) {
  const box = element.getBoundingClientRect();
  if (still() || !box.width) {
    element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
    return;
  }
  const [x, y] = [from.x + from.width / 2 - box.x - box.width / 2, from.y - box.y];
  element.animate([{ transform: `translate(${x}px, ${y}px)`, opacity: 0 }, { opacity: 1, offset: 0.3 }, {}],
    { duration: duration * pace(), delay: delay * pace(), easing: EASE, fill: "backwards" });
}

function turn(card) {
  if (still()) card.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
  else card.animate([{ transform: "scaleX(0)" }, {}], { duration: TURN * pace(), easing: EASE });
}

function drop(stack, side) {
  if (still()) stack.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
  else stack.animate([{ translate: `0 ${side * 90}px`, opacity: 0 }, {}],
    { duration: CHIPS * pace(), easing: EASE });
}
