// Animation: new cards and chips move to their places.

import { pace, reducedMotion } from "../../settings.js";
import { play } from "../../sound.js";

/** @typedef {{ cards: Map<Element, string>, stakes: Map<Element, [cents: number, paid: number]> }} Snapshot */

const EASE = "cubic-bezier(.2,.7,.2,1)";
const TRAVEL = 240;
const TURN = 180;
const CHIPS = 280;
const BETWEEN = 60;
const FADE = 80;

/** @param {Element} card */
const faceOf = (card) => card.getAttribute("card") ?? "";

/**
 * Return the cards and stakes on a felt, to find later what is new.
 *
 * @param {HTMLElement} felt
 * @returns {Snapshot}
 */
export function snapshot(felt) {
  return {
    cards: new Map([...felt.querySelectorAll("hw-card")].map((card) => [card, faceOf(card)])),
    stakes: new Map([...felt.querySelectorAll("hw-circle")].map((circle) => [circle, stakeOf(circle)])),
  };
}

/**
 * @param {Element} circle
 * @returns {[cents: number, paid: number]}
 */
const stakeOf = (circle) => [Number(circle.getAttribute("cents") ?? 0),
  Number(circle.getAttribute("paid") ?? 0)];

/**
 * Animate what is new on a felt; `hurried` starts all animations at once.
 *
 * @param {HTMLElement} felt
 * @param {Snapshot} before
 */
export function animateChanges(felt, before, { hurried = false } = {}) {
  const shoe = felt.querySelector(".dealer")?.getBoundingClientRect();
  if (!shoe) return;
  let n = 0;
  for (const card of felt.querySelectorAll("hw-card")) {
    const old = before.cards.get(card);
    if (old === undefined) {
      enter(card, shoe, TRAVEL, hurried ? 0 : BETWEEN * n++);
      play("card");
    } else if (!old && faceOf(card)) {
      turn(card);
      play("card");
    }
  }
  for (const circle of felt.querySelectorAll("hw-circle")) {
    const [cents, paid] = before.stakes.get(circle) ?? [0, 0];
    const [nowCents, nowPaid] = stakeOf(circle);
    const stacks = circle.querySelectorAll(".stack");
    if (nowCents > cents && stacks[0]) {
      drop(stacks[0], 1);
      play("chip");
    }
    // A payment has no sound.
    if (nowPaid > paid && stacks.length) drop(stacks[stacks.length - 1], -1);
  }
}

/**
 * @param {Element} element
 * @param {DOMRect} from
 * @param {number} duration
 * @param {number} delay
 */
function enter(element, from, duration, delay) {
  const box = element.getBoundingClientRect();
  if (reducedMotion() || !box.width) {
    element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
    return;
  }
  const [x, y] = [from.x + from.width / 2 - box.x - box.width / 2, from.y - box.y];
  element.animate([{ transform: `translate(${x}px, ${y}px)`, opacity: 0 }, { opacity: 1, offset: 0.3 }, {}],
    { duration: duration * pace(), delay: delay * pace(), easing: EASE, fill: "backwards" });
}

/** @param {Element} card */
function turn(card) {
  if (reducedMotion()) card.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
  else card.animate([{ transform: "scaleX(0)" }, {}], { duration: TURN * pace(), easing: EASE });
}

/**
 * @param {Element} stack
 * @param {number} side
 */
function drop(stack, side) {
  if (reducedMotion()) stack.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
  else stack.animate([{ translate: `0 ${side * 90}px`, opacity: 0 }, {}],
    { duration: CHIPS * pace(), easing: EASE });
}
