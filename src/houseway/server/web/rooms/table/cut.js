// The viewer's part in the players' cut: commits to random bytes while betting is open, and opens them once it is closed.

import { randomHex } from "../../api_client.js";
import { keepCommitments, keepSalt, keepSecret, secretOf } from "../../seals.js";
import { commitment } from "../../verify.js";

export class PlayersCut {
  /** @type {Map<number, number>} The last round in which this room added a salt or a commitment, by seat. */
  rounds = new Map();
  /** @type {Set<string>} Commitments whose opening this room has sent. */
  opening = new Set();

  /** @param {(command: Record<string, any>) => Promise<unknown> | undefined} send */
  constructor(send) {
    this.send = send;
  }

  /**
   * Do what the table expects for the cut. The viewer presses nothing. The promise resolves once the table has answered.
   *
   * @param {api.View} view
   */
  see({ yours, table }) {
    const { seal = "", round, commitments = {} } = table;
    // A salt is opened only once betting is closed, and the commitments of all seats are stored before that.
    const openings = table.betting === "closed" ? Object.entries(yours.openings ?? {}) : [];
    if (openings.length) keepCommitments(seal, commitments);
    const acts = openings.map(([seat, committed]) => this.open(Number(seat), committed, seal));
    const seat = yours.seat ?? 0;
    // If this browser does not have the salt behind the seat's commitment, the commitment was made elsewhere. Commit again.
    const unknown = yours.commitment && !secretOf(yours.commitment);
    if (this.rounds.get(seat) !== round) {
      if (yours.salt_due) acts.push(this.add(seat, round, seal));
      else if (yours.commit_due || unknown) acts.push(this.commit(seat, round, seal));
    }
    return Promise.all(acts);
  }

  /**
   * Add a salt in the clear, at a table that was opened before there were commitments.
   *
   * @param {number} seat
   * @param {number} round
   * @param {string} seal
   */
  async add(seat, round, seal) {
    this.rounds.set(seat, round);
    const salt = randomHex(16);
    try {
      await this.send({ type: "AddSalt", seat, salt });
      keepSalt(seal, seat, salt);
    } catch { /* Betting closed first, so the cut is made without this salt. */ }
  }

  /**
   * Commit to a new salt.
   *
   * @param {number} seat
   * @param {number} round
   * @param {string} seal
   */
  async commit(seat, round, seal) {
    this.rounds.set(seat, round);
    const salt = randomHex(16);
    const committed = await commitment(seal, seat, salt);
    // Stored first: the table may close the betting before its answer arrives.
    keepSecret(committed, salt);
    try {
      await this.send({ type: "CommitSalt", seat, commitment: committed });
    } catch { /* Betting closed first, so the cut is made without this salt. */ }
  }

  /**
   * Open a salt of the viewer.
   *
   * @param {number} seat
   * @param {string} committed
   * @param {string} seal
   */
  async open(seat, committed, seal) {
    const salt = secretOf(committed);
    if (!salt || this.opening.has(committed)) return;
    this.opening.add(committed);
    keepSalt(seal, seat, salt);
    try {
      await this.send({ type: "OpenSalt", seat, salt });
    } catch {
      this.opening.delete(committed); // Another tab may have opened it; otherwise the next view asks again.
    }
  }
}
