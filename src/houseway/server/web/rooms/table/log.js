// @ts-nocheck
// What happened in this round, in short lines with their clauses.

import { listed, ranksSaid, signed, titled } from "../../kit/words.js";

const ACTS = { Checked: "checked", Folded: "folded", HandSet: "set two cards", HandSplit: "split" };
/** Who did it, where the player did not. */
const FOR = { deadline: "time was up" };
const PLAIN = new Set(["BettingClosed", "DealerRevealed", "DealerHandSet", "RoundVoided", "HandVoided",
  "CardExposed", "PayoutsShown",
  "ApprovalAsked", "PaymentApproved", "HandChallenged", "ChallengeAnswered", "CutCardReached",
    "WagersReturned"]);

/** The cards of the board that an event showed: turned up, or dealt face up where they are dealt by hand. */
export const shown = ({ type, to, face }) =>
  (type === "BoardTurned" || (type === "CardsDealt" && to === "board") ? face ?? [] : []);

/** Cards of the board as they came, in words. */
function boardSaid(face) {
  const name = face.length > 3 ? "Board" : face.length === 3 ? "Flop" : face.length === 2
    ? "Turn and river" : "Turned";
  return `${name}: ${ranksSaid(face)}`;
}

export class Log {
  constructor(own, name) {
    Object.assign(this, { own, name });
    this.entries = [];
  }

  /** Take in what happened. */
  take(moments) {
    for (const { event, tells, clause } of moments) {
      const { type, seat } = event;
      const act = type === "PlayMade" ? `played ${event.times}×` : ACTS[type];
      if (type === "RoundOpened") this.entries = [];
      if (act) this.act(event.by ? `${act} (${FOR[event.by] ?? `by the ${event.by}`})` : act,
        event.stage ?? "", seat, clause);
      else if (shown(event).length) this.entries.push({ text: boardSaid(shown(event)), clause });
      else if (PLAIN.has(type) && tells) this.entries.push({ text: shorter(tells), clause });
    }
  }

  act(what, stage, seat, clause) {
    const found = this.entries.find((entry) => entry.what === what && entry.stage === stage);
    if (found) found.seats.push(seat);
    else this.entries.push({ what, stage, seats: [seat], clause });
  }

  /** The lines to show: text and clause. */
  lines() {
    return this.entries.map(({ text, what, seats, clause }) => ({ text: text ?? this.who(seats, what),
      clause }));
  }

  who(seats, what) {
    const many = seats.length > 2 && !seats.includes(this.own);
    const who = many ? `Seats ${listed([...seats].sort((a, b) => a - b))}`
      : listed([...seats].sort((a,
        b) => (b === this.own) - (a === this.own)).map((seat) => (seat === this.own ? "you"
        : this.name(seat))));
    const set = seats.length > 1 ? what : what.replace("their hands", seats[0] === this.own ? "your hand"
      : "the hand");
    return titled(`${who} ${set}`);
  }
}

/** A sentence of the record without what stands in brackets. */
const shorter = (tells) => signed(tells.replace(/ \([^)]*\)/g, ""));
