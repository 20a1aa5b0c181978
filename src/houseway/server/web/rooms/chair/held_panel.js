// The panel "In your hand": the act that the dealer is about to do, with its details.

import { card } from "../../kit/card.js";
import { h, picture, s } from "../../kit/dom.js";
import { seatOf } from "../../kit/places.js";
import { centsOf } from "../../kit/typed.js";
import { asTitle, cardSigns, money, moneyWords, plural } from "../../kit/words.js";
import { chipLabel, cutText, stacksOf, sum } from "./chips.js";
import { ENVY, rackName } from "./draft.js";
import { seatsOf } from "./felt.js";
import { chipStack } from "./furniture.js";

/** @typedef {import("./draft.js").Draft} Draft */
/**
 * What the panel does: `changed` paints again, `putBack` takes back a chip or clears the act, `perform` does the act,
 * `select` selects a thing.
 *
 * @typedef {{ changed: () => void, putBack: () => void, perform: () => void,
 *   select: (thing: import("./draft.js").Thing) => void }} Handlers
 */

/** The label of the button that does each act. @type {Record<string, string>} */
const LABELS = { Pay: "Size into the bet", ReadHand: "Announce", ColourUp: "Change the chips", SetHand: "Set the hand",
  Key: "Press the key", CountStub: "Announce the count", CorrectPayment: "Correct it" };
/** @type {[string, string][]} */
const RESULTS = [["win", "player wins"], ["lose", "player loses"], ["tie", "push"]];
/** @type {[string, string][]} */
const REFUSED = [["bet", "a bet"], ["tip", "a tip"], ["take-back", "taking a bet back"], ["decision", "a decision"]];
/** The largest number of cards that has a button. */
const MOST_CARDS = 5;
/** The name under which a change of chips is corrected. */
const CHANGE = "chips";

/**
 * Return the name of a wager in a sentence.
 *
 * @param {api.ChairView} view
 * @param {string} wager
 */
export const wagerName = (view, wager) => (view.spots.find((spot) => spot.wager === wager)?.title ?? view.unplaced[wager] ?? wager)
  .toLowerCase();

/** @param {api.ChairView} view */
const wagersOf = (view) => [...view.spots.map(({ wager }) => wager), ...Object.keys(view.unplaced)];

const BACK = "M9 6h10v12H9l-6-6zM11.5 9.5l5 5M16.5 9.5l-5 5";
const ENTER = "M19 6v6H6m3.5-4L5 12l4.5 4";

/** @param {string} path */
const keySign = (path) => h("kbd", { "aria-hidden": "true" }, picture("0 0 24 24", { class: "key-sign" }, s("path", { d: path })));

/**
 * Create a row of choices.
 *
 * @template {string | number} V
 * @param {string} label
 * @param {[V, Child, string?][]} choices
 * @param {V | null} chosen
 * @param {(value: V) => void} choose
 */
function pills(label, choices, chosen, choose) {
  return h("div", { class: "asked", role: "group", "aria-label": label, "data-key": `ask-${label}` },
    h("span", { class: "label" }, label),
    h("div", { class: "options" }, choices.map(([value, words, spoken]) => h("button", { type: "button", class: "option",
      "data-key": String(value), "aria-label": spoken ?? null, "aria-pressed": String(value === chosen),
      onclick: () => choose(value) }, words))));
}

/**
 * Create the panel.
 *
 * @param {api.ChairView} view
 * @param {Draft} draft
 * @param {Handlers} handlers
 */
export function heldPanel(view, draft, handlers) {
  return h("section", { class: "in-hand", "aria-labelledby": "in-hand", "data-key": "in-hand" },
    h("h2", { id: "in-hand" }, "In your hand"),
    subject(view, draft),
    fields(view, draft, handlers),
    draft.any && heldButtons(draft, handlers));
}

/**
 * Create a short form of the panel for a bar: the thing, the number of cards or the sum, and the two buttons.
 *
 * @param {api.ChairView} view
 * @param {Draft} draft
 * @param {Handlers} handlers
 */
export function heldStrip(view, draft, handlers) {
  const { cut } = draft.details;
  return [subject(view, draft), draft.isCounted && !draft.asksInPanel && countField(draft, handlers.changed),
    cut.length > 0 && h("p", { class: "strip-sum", "data-key": "sum" }, h("strong", {}, money(sum(cut))), " ",
      h("span", { class: "small" }, cutText(cut))),
    heldButtons(draft, handlers)];
}

/**
 * @param {Draft} draft
 * @param {Handlers} handlers
 */
function heldButtons(draft, handlers) {
  return h("div", { class: "hand-acts", "data-key": "acts" },
      h("button", { type: "button", class: "button", "data-key": "back", onclick: handlers.putBack },
        h("span", {}, "Put back"), keySign(BACK)),
      draft.act && h("button", { type: "button", class: "button main", "data-key": "do", "aria-disabled": String(!draft.complete),
        onclick: () => draft.complete && handlers.perform() }, h("span", {}, doLabel(draft)), keySign(ENTER)));
}

/**
 * Return the label of the button that does the act. It does not depend on the chips: that would confirm a payment.
 *
 * @param {Draft} draft
 */
export function doLabel({ type, act, count }) {
  if (type === "Burn" || type === "DealCards") return `${act?.name} ${plural(count ?? 1, "card")}`;
  return LABELS[type] ?? act?.name ?? "";
}

/**
 * Return the cents of the chosen bet; 0 if no bet is chosen.
 *
 * @param {api.ChairView} view
 * @param {Draft} draft
 */
function stakeOf(view, { details: { seat, hand, wager, tip } }) {
  const player = seatsOf(view.felt).find((one) => one.seat === seat);
  return player?.hands[hand - 1]?.[tip ? "tips" : "wagers"]?.[wager] ?? 0;
}

/**
 * The line that names the thing: the seat and its bet, or the act.
 *
 * @param {api.ChairView} view
 * @param {Draft} draft
 */
function subject(view, draft) {
  const { seat, hand, wager, place, tip } = draft.details;
  const player = seatsOf(view.felt).find((one) => one.seat === seat);
  const staked = stakeOf(view, draft);
  const act = draft.act && draft.type !== "Pay" ? draft.act.name : "";
  const second = player && player.hands.length > 1 ? `, hand ${hand}` : "";
  if (!draft.any) {
    return h("p", { class: "subject quiet", "data-key": "subject" }, "Nothing chosen. You can do any act at any time. Press an act, or the thing itself: a card, a circle, a tube or the rack.");
  }
  return h("p", { class: "subject", "data-key": "subject" },
    seat > 0 && h("b", { class: "seat-no lit" }, seat),
    seat > 0 ? h("span", {}, h("strong", {}, player?.name ?? `Seat ${seat}`), second,
      wager && `, ${wagerName(view, wager)}${tip ? " tip" : ""} `,
      staked > 0 && [h("span", { class: "quiet" }, "bet "), h("strong", {}, money(staked))])
      : place && h("strong", {}, place === "dealer" ? "Your cards" : "The board"),
    act && h("span", { class: "act-name" }, act));
}

/**
 * @param {api.ChairView} view
 * @param {Draft} draft
 * @param {Handlers} handlers
 */
function fields(view, draft, handlers) {
  const asks = new Set(draft.act?.asks ?? []);
  const { details, type } = draft;
  const { changed } = handlers;
  // A bet that is chosen on the felt needs no list of bets. Envy is not on the felt, and asks for the hand that earns it.
  const chosen = asks.has("wager") && details.seat > 0 && details.wager !== "" && details.wager !== ENVY && !draft.listing;
  /** @param {Partial<Draft["details"]>} changes */
  const set = (changes) => {
    Object.assign(details, changes);
    changed();
  };
  const seats = seatsOf(view.felt).map(({ seat, name }) => /** @type {[number, Child, string]} */ ([seat, String(seat), `Seat ${seat}, ${name}`]));
  const player = seatsOf(view.felt).find(({ seat }) => seat === details.seat);
  // A place that is chosen needs no list either, unless pressing a place does the act at once.
  const placed = details.place !== "" && (draft.asksInPanel || asks.has("wager"));
  const list = [
    (asks.has("place") || asks.has("seat")) && !chosen && !placed && pills(asks.has("place") ? "Where" : "Seat",
      [...seats.map(([seat, , spoken]) => /** @type {[string, Child, string]} */ ([`seat ${seat}`, String(seat), spoken])),
        ...(asks.has("place") ? /** @type {[string, Child][]} */ ([["dealer", "dealer"], ["board", "board"]]) : [])],
      details.place, (place) => handlers.select(thingAt(place))),
    asks.has("count") && countField(draft, changed),
    asks.has("wager") && details.seat > 0 && !chosen && wagerFields(view, draft, player, set),
    chosen && h("button", { type: "button", class: "link", "data-key": "list", onclick: () => {
      draft.listing = true;
      changed();
    } }, "Another bet, a tip or envy"),
    asks.has("hand") && !asks.has("wager") && type !== "Key" && (player?.hands.length ?? 0) > 1 && pills("Hand",
      [[1, "1"], [2, "2"]], details.hand, (hand) => handlers.select({ kind: "hand", seat: details.seat, hand })),
    type === "Refuse" && pills("What you refuse", REFUSED, details.refuses, (refuses) => set({ refuses })),
    type === "Rack" && rackField(view, set, details.what, handlers),
    asks.has("reads") && readFields(view, draft, set),
    type === "Key" && pills("Award", view.hands.map((name) => [name, name]), details.award, (award) => set({ award })),
    asks.has("cards") && cardField(view, draft, set),
    asks.has("taken") && changeFields(draft, changed),
    asks.has("amount") && amountField(draft, changed),
    (asks.has("chips") || (!draft.act && details.cut.length > 0)) && chipsField(details.cut),
  ];
  return h("div", { class: "asks", "data-key": "asks" }, list);
}

/**
 * @param {string} place
 * @returns {import("./draft.js").Thing}
 */
function thingAt(place) {
  const seat = seatOf(place);
  return seat ? { kind: "seat", seat } : { kind: place === "dealer" ? "dealer" : "board" };
}

/**
 * @param {Draft} draft
 * @param {() => void} changed
 */
function countField(draft, changed) {
  /** @param {number | null} count */
  const choose = (count) => {
    draft.setCount(count);
    changed();
  };
  if (draft.type === "CountStub" || draft.cuts) {
    return h("label", { class: "asked", "data-key": "count" }, h("span", { class: "label" },
      draft.cuts ? "Cards to cut (empty: any number)" : "Cards in the stub"),
    h("input", { type: "number", min: 1, max: 416, inputmode: "numeric", class: "count", ".value": String(draft.count ?? ""),
      oninput: (/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) =>
        choose(target.value === "" ? null : Number(target.value)) }));
  }
  return pills("Cards", Array.from({ length: MOST_CARDS }, (_, n) => [n + 1, String(n + 1), plural(n + 1, "card")]),
    draft.count, choose);
}

/**
 * @param {api.ChairView} view
 * @param {Draft} draft
 * @param {api.ChairSeat | undefined} player
 * @param {(changes: Partial<Draft["details"]>) => void} set
 */
function wagerFields(view, draft, player, set) {
  const { details } = draft;
  const corrects = draft.type === "CorrectPayment" || draft.type === "LetStand";
  const hands = player?.hands.length ?? 1;
  const tips = Object.keys(player?.hands[details.hand - 1]?.tips ?? {}).length > 0;
  const wagers = wagersOf(view).map((wager) => /** @type {[string, Child]} */ ([wager, wagerName(view, wager)]));
  // A player with two hands may win envy for the other one, if the document excludes only the same hand (TS-17-b).
  const others = seatsOf(view.felt).flatMap(({ seat, hands: held }) =>
    held.map((_, n) => /** @type {[string, Child, string]} */ ([`${seat} ${n + 1}`, held.length > 1 ? `${seat}, hand ${n + 1}` : String(seat),
      `Seat ${seat}${held.length > 1 ? `, hand ${n + 1}` : ""}`]))).filter(([key]) => key !== `${details.seat} ${details.hand}`);
  return [
    hands > 1 && pills("Hand", [[1, "1"], [2, "2"]], details.hand, (hand) => set({ hand })),
    pills("Bet", draft.type === "CorrectPayment" ? [...wagers, [CHANGE, "change of chips"]] : wagers, details.wager, (wager) => set({ wager })),
    !corrects && details.wager === ENVY && pills("For the hand of seat", others, details.of.join(" "),
      (of) => set({ of: /** @type {[number, number]} */ (of.split(" ").map(Number)) })),
    !corrects && tips && pills("Whose", [["player", "the player's bet"], ["tip", "the dealer's tip"]], details.tip ? "tip" : "player",
      (whose) => set({ tip: whose === "tip" })),
  ];
}

/**
 * @param {api.ChairView} view
 * @param {(changes: Partial<Draft["details"]>) => void} set
 * @param {string} chosen
 * @param {Handlers} handlers
 */
function rackField(view, set, chosen, handlers) {
  /** @type {[string, Child, string?][]} */
  const choices = [["board", "board"], ["dealer", "dealer"]];
  if (view.hand_size > 2) choices.push(["dealer discards", "dealer's discards"]);
  for (const { seat, hands } of seatsOf(view.felt)) {
    hands.forEach((_, n) => choices.push([rackName(seat, n + 1, hands.length), n ? `${seat}, hand ${n + 1}` : String(seat),
      `Seat ${seat}${n ? `, hand ${n + 1}` : ""}`]));
    if (view.hand_size > 2) choices.push([`seat ${seat} discards`, `${seat}'s discards`]);
  }
  return pills("Cards of", choices, chosen, (what) => {
    set({ what });
    handlers.perform();
  });
}

/**
 * @param {api.ChairView} view
 * @param {Draft} draft
 * @param {(changes: Partial<Draft["details"]>) => void} set
 */
function readFields(view, draft, set) {
  const { place, reads, result, qualifies } = draft.details;
  return [
    pills("Hand named", view.hands.map((name) => [name, name]), reads, (name) => set({ reads: name })),
    place === "dealer" ? pills("Dealer", [["yes", "qualifies"], ["no", "does not qualify"]],
      qualifies === null ? "" : qualifies ? "yes" : "no", (says) => set({ qualifies: (says === "yes") === qualifies ? null : says === "yes" }))
      : pills("Result", RESULTS, result, (says) => set({ result: says === result ? "" : says })),
  ];
}

/**
 * @param {api.ChairView} view
 * @param {Draft} draft
 * @param {(changes: Partial<Draft["details"]>) => void} set
 */
function cardField(view, draft, set) {
  const { cards } = draft.details;
  const faces = view.felt.dealer.filter(Boolean);
  if (!faces.length) return h("p", { class: "small", "data-key": "no-cards" }, "Your cards are not turned up.");
  return h("div", { class: "asked", role: "group", "aria-label": "Cards to keep", "data-key": "cards" },
    h("span", { class: "label" }, "Two cards to keep"),
    h("div", { class: "options faces" }, faces.map((face, n) => h("button", { type: "button", class: "face-option", "data-key": `${face}${n}`,
      "aria-pressed": String(cards.includes(face)), "aria-label": cardSigns(face),
      onclick: () => set({ cards: cards.includes(face) ? cards.filter((one) => one !== face) : [...cards, face].slice(-2) }) },
    card(face, { state: cards.includes(face) ? "chosen" : null })))));
}

/**
 * @param {Draft} draft
 * @param {() => void} changed
 */
function changeFields(draft, changed) {
  const { details } = draft;
  return [
    pills("Add chips to", [["cut", "what you take"], ["given", "what you give back"]], draft.filling, (side) => {
      draft.filling = side === "given" ? "given" : "cut";
      changed();
    }),
    chipsField(details.cut, "taken"), chipsField(details.given, "given"),
  ];
}

/**
 * @param {Draft} draft
 * @param {() => void} changed
 */
function amountField(draft, changed) {
  return h("label", { class: "asked", "data-key": "amount" }, h("span", { class: "label" },
    "Right payment in dollars (0 if it loses or pushes)"),
  h("input", { type: "text", inputmode: "decimal", class: "count", placeholder: "optional",
    oninput: (/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => {
      const cents = centsOf(target.value);
      draft.details.amount = cents !== null && cents >= 0 ? cents : null;
      changed();
    } }));
}

/** @param {number[]} cut */
function chipsField(cut, word = "in hand") {
  return h("div", { class: "cut-in-hand", "data-key": `chips-${word}` },
    h("div", { class: "piles", "aria-hidden": "true" }, stacksOf(cut).map(([value, count]) => h("span", { class: "pile", "data-key": String(value) },
      chipStack(value, count), h("span", { class: "small" }, `${count} × ${chipLabel(value)}`)))),
    h("p", { class: "sum-in-hand" }, h("strong", { "aria-hidden": "true" }, money(sum(cut))),
      h("span", { class: "unseen" }, `${moneyWords(sum(cut))} `), h("span", { class: "small" }, word)));
}
