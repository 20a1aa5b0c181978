// Animation on the dealer's felt: cards come from the deck, chips from the tray to the bet.

import { pace, reducedMotion } from "../../settings.js";

const EASE = "cubic-bezier(.2,.7,.2,1)";
const CARD = 240;
const TURN = 180;
const BETWEEN = 60;
const CHIPS = 180;
const FADE = 80;

/** @typedef {{ cards: Map<Element, string>, paid: Map<Element, number> }} FeltSnapshot */

/** @param {Element} one */
const faceOf = (one) => one.getAttribute("card") ?? "";
/** @param {Element} one */
const paidOf = (one) => Number(one.getAttribute("paid") ?? 0);

/**
 * Return the cards and payments on the felt, to find later what is new.
 *
 * @param {HTMLElement} felt
 * @returns {FeltSnapshot}
 */
export function feltSnapshot(felt) {
  return { cards: new Map([...felt.querySelectorAll("hw-card")].map((one) => [one, faceOf(one)])),
    paid: new Map([...felt.querySelectorAll("hw-circle")].map((one) => [one, paidOf(one)])) };
}

/**
 * Animate what is new on the felt. With reduced motion, it appears in place.
 *
 * @param {HTMLElement} felt
 * @param {FeltSnapshot} before
 */
export function animateFelt(felt, before) {
  let n = 0;
  const deck = felt.querySelector("[data-thing=deck]")?.getBoundingClientRect();
  for (const one of felt.querySelectorAll("hw-card")) {
    const old = before.cards.get(one);
    if (old === undefined) travel(one, deck, CARD, BETWEEN * n++);
    else if (!old && faceOf(one)) turn(one);
  }
  const tray = felt.querySelector(".tray")?.getBoundingClientRect();
  for (const one of felt.querySelectorAll("hw-circle")) {
    const stacks = one.querySelectorAll(".stack");
    if (paidOf(one) > (before.paid.get(one) ?? 0) && stacks.length) travel(stacks[stacks.length - 1], tray, CHIPS, 0);
  }
}

/** @type {(element: Element, from: DOMRect | undefined, duration: number, delay: number) => void} */
function travel(element, from, duration, delay) {
  const box = element.getBoundingClientRect();
  if (reducedMotion() || !from || !box.width) {
    element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
    return;
  }
  const [x, y] = [from.x + from.width / 2 - box.x - box.width / 2, from.y + from.height / 2 - box.y - box.height / 2];
  element.animate([{ translate: `${x}px ${y}px`, opacity: 0 }, { opacity: 1, offset: 0.3 }, {}],
    { duration: duration * pace(), delay: delay * pace(), easing: EASE, fill: "backwards" });
}

/** @param {Element} element */
function turn(element) {
  if (reducedMotion()) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
  else element.animate([{ transform: "scaleX(0)" }, {}], { duration: TURN * pace(), easing: EASE });
}
