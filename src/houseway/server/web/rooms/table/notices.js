// @ts-nocheck
// What a seat is told beside the dealer's words: what was done in its place, what is void, what went wrong.

import { listed, money, ranksSaid, signed, titled } from "../../kit/words.js";

/** Who acts where nobody answered in time, as the record has it. */
const DEADLINE = "deadline";
const ACTS = { Checked: "checked", Folded: "folded", HandSet: "set" };

/** Whether the wagers closed on a seat because its time was up; it had not said that it was ready. */
export function closedOn(seat, waits, dealer, moments) {
  const ran = waits?.why === "bets" && waits.seconds !== null && waits.seconds !== undefined;
  return Boolean(seat) && ran && waits.seats.includes(seat) && dealer === "machine"
    && moments.some(({ event }) => event.type === "BettingClosed");
}

/** The notice that the wagers closed on somebody; `lies` is what lay there. */
export function closedNotice(lies) {
  return { kind: "time", head: "Your time was up.", text: Object.keys(lies ?? {}).length
    ? "Wagers are closed; yours stand as they lay." : "Wagers are closed; you sit this round out." };
}

/** What the house says to somebody whom it does not let in as what was asked. */
export const AWAY = new Set(["not-your-seat", "not-your-role", "no-role", "plays"]);

const sentence = (words) => `${words}${/[.!?]$/.test(words) ? "" : "."}`;

/** Why somebody is let in as something else; `place` is where they wanted to be, `own` a seat they have. */
export function turnedAway({ code, message }, { role, seq }, { own, seats }) {
  const notice = { kind: "plain", stays: true };
  if (code !== "not-your-seat" || seq === null) {
    return { ...notice, head: `Not as ${role}:`, text: sentence(message) };
  }
  if (own) return { ...notice, head: `You have ${own} now.`, text: "" };
  return { ...notice, head: "You have no seat.", text: seats.some(({ kind }) => !kind)
    ? "Your seat was given up while you were away; take a free one."
    : "Your seat was given up while you were away, and every other one is taken." };
}

/** What the house did not take, or where it did not say whether it did. */
export function refusedNotice({ message, clause, doubt }) {
  return { kind: "refused", clause, doubt, head: doubt ? "No answer:" : "Not taken:",
    text: `${sentence(message)} ${doubt ? "If the table does not go on, press again: it counts once."
      : "Nothing left your bankroll."}` };
}

/** That nobody can be invited, and why. */
export const noInvitation = (message) => ({ kind: "refused", head: "No invitation:",
  text: sentence(message) });

/** Acts in a row: "checked twice and folded". */
const often = (acts) => listed([...new Set(acts)].map((act) =>
  `${act}${acts.filter((one) => one === act).length > 1 ? " twice" : ""}`));

/** What was done in a seat's place, joined to what was done there before in the same round; `name` is whose
 * seat it is, nothing where it is one's own. */
function instead({ type, seat, stage, face, by }, clause, before, name) {
  const what = type === "HandSet" ? `${ACTS[type]} ${ranksSaid(face ?? [])}` : ACTS[type];
  const done = [...(before?.of === seat ? before.done : []), what];
  const late = by === DEADLINE;
  const head = late ? `${name ? `${name}'s` : "Your"} time was up.` : name ? `${name} is away.`
    : "You were away.";
  return { kind: "time", of: seat, done, clause, head,
    text: `${late ? "The table" : titled(`the ${by}`)} ${done.length > 1 ? often(done)
      : [what, stage].filter(Boolean).join(" ")} for ${name || "you"}.` };
}

/** Which of one's wagers went back from a void round, and which are settled all the same. */
function returned(back, stakes, title) {
  const titles = (wagers) => titled(listed(wagers.map((name) => title(name).toLowerCase())));
  const stays = Object.keys(stakes).filter((wager) => !(wager in back));
  const sum = Object.values(back).reduce((all, cents) => all + cents, 0);
  return [`${titles(Object.keys(back))} went back, ${money(sum)}.`,
    ...(stays.length ? [`${titles(stays)} ${stays.length > 1 ? "are" : "is"} settled.`] : [])];
}

/** The notice after some moments: what the table did in somebody's place, one's own before all others, or
 * that the round is void. */
export function noticed(before, moments, { seat, seen, title, name }) {
  let notice = before;
  for (const { event, tells, clause } of moments) {
    const own = Boolean(seat) && event.seat === seat;
    const free = own || !notice || (notice.kind === "time" && notice.of !== seat);
    if (free && ACTS[event.type] && event.by) {
      notice = instead(event, clause, notice, own ? "" : name(event.seat));
    }
    if (event.type === "RoundVoided") notice = { kind: "void", head: `Round ${seen.number} is void.`,
      text: `${signed(tells ?? "")}.`, clause };
    if (event.type === "WagersReturned" && own && notice?.kind === "void") {
      notice = { ...notice,
        text: [notice.text, ...returned(event.wagers, seen.bets?.[seat] ?? {}, title)].join(" ") };
    }
  }
  return notice;
}
