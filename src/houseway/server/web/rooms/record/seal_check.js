// Checks the cards seen in a round against its seal, in this browser.

import { h } from "../../kit/dom.js";
import { commitmentsSeen, saltsGiven, sealSeen } from "../../seals.js";
import { verify } from "../../verify.js";

/**
 * Return every card that a role saw in a round, by the place it was dealt to.
 *
 * @param {api.View[]} views
 * @param {string} role
 */
export function cardsSeen(views, role) {
  const { board = [], dealer = [], seats = {} } = views.at(-1)?.table ?? {};
  /** @type {Record<string, string[]>} */
  const shown = { board, dealer };
  for (const [seat, { hands }] of Object.entries(seats)) {
    const faces = Object.values(hands).flatMap((hand) => hand.faces ?? []);
    if (faces.length) shown[`seat ${seat}`] = faces;
  }
  // The role's own cards may be in the discard rack by the end of the round.
  const own = views.map(({ yours }) => (yours.cards ?? []).flat());
  const most = own.reduce((a, b) => (b.length > a.length ? b : a), []);
  if (most.length > (shown[role]?.length ?? 0)) shown[role] = most;
  return shown;
}

export class SealCheck {
  /** The state of the check: unchecked, checking, matches or differs. */
  state = "unchecked";
  seal = "";
  file = "";
  /** @type {import("../../verify.js").Proof | null} */
  proof = null;
  /** @type {unknown} Why loading failed. */
  refused = null;

  /**
   * `changed()` is called after every change.
   *
   * @param {{ client: import("../../api_client.js").ApiClient, table: string, round: number, changed: () => void }} options
   */
  constructor({ client, table, round, changed }) {
    this.client = client;
    this.table = table;
    this.round = round;
    this.changed = changed;
  }

  /**
   * Check the cards that a role saw.
   *
   * @param {api.View[]} views
   * @param {{ role: string, file: string }} options
   */
  async check(views, { role, file }) {
    this.seal = views.at(-1)?.table.seal ?? "";
    this.file = file;
    if (!this.seal) return;
    this.state = "checking";
    this.changed();
    try {
      const proofs = await this.client.get(file);
      const stored = sealSeen(this.table, this.round);
      const seal = stored || this.seal;
      const proof = await verify(proofs, { seal, round: this.round, shown: cardsSeen(views, role),
        salts: saltsGiven(seal), commitments: commitmentsSeen(seal) });
      this.proof = { ...proof, kept: Boolean(stored) };
      this.state = proof.faults.length ? "differs" : "matches";
    } catch (refused) {
      this.state = "unchecked";
      this.refused = refused;
    }
    this.changed();
  }

  /** Create the box with the result of the check; nothing if the round has no seal. */
  box() {
    const { seal, state, proof, file } = this;
    return seal && h("hw-seal", { "data-key": "seal", state, seal, ".proof": proof, file });
  }
}
