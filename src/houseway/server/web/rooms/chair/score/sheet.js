// A score sheet as plain data: from the result of an exam, or from the score of a practice session. No drawing.

import { asTitle, countOf, mispaidWord, money, plural, sourceOf } from "../../../kit/words.js";

/**
 * @typedef {{ label: string, shown: string, detail: string, limit: string, within: boolean,
 *   bar: [filled: number, tick: number] | null }} SheetMeasure
 */
/** @typedef {{ title: string, measures: SheetMeasure[] }} SheetColumn */
/**
 * @typedef {{ round: number, seat: number, kind: string, heading: string, did: string, right: string, sentence: string, amount: number,
 *   clause: string, source: string, says: string, cured: boolean, wager: string, stake: number, shape: string,
 *   paid: number, drill: string, cards: { place: string, cards: string[], owner: string }[] }} SheetSlip
 */
/** @typedef {{ time: number, slips: number, late: boolean }} SheetRound */
/**
 * @typedef {{ session: string, title: string, about: string, isExam: boolean, passed: boolean, trainee: string,
 *   examiner: string, rulebook: string, outside: string[], columns: SheetColumn[], slips: SheetSlip[],
 *   failures: string[], categories: { name: string, points: number | null }[], rounds: SheetRound[],
 *   facts: { name: string, words: string }[], certificate: boolean, signed: boolean, hashes: [name: string, hash: string][] }} Sheet
 */

/** The most slips, and the most reasons, that are printed. More would not fit on one page; they are in the record. */
export const MOST_SLIPS = 10;
export const MOST_REASONS = 6;
const COLUMNS = ["dollars", "seconds", "clauses"];
/** @type {Record<string, string>} */
const MODES = { manual: "dealt by hand", device: "dealt by machine",
  "manual and device": "dealt by hand, then by machine", "device and manual": "dealt by machine, then by hand" };
/** Clearer words for the end of an exam. @type {Record<string, string>} */
const ENDS = { aborted: "Ended early," };
const SELF = "self-administered";
const HASH = 4;

/**
 * Return a time span: "16 November 2026, 14:02 to 14:59".
 *
 * @param {string} from
 * @param {string} to
 */
export function timeSpan(from, to) {
  const [start, end] = [new Date(from), new Date(to)];
  if (Number.isNaN(start.valueOf())) return "";
  const day = start.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  /** @param {Date} date */
  const time = (date) => date.toISOString().slice(11, 16);
  return `${day}, ${time(start)}${Number.isNaN(end.valueOf()) ? "" : ` to ${time(end)}`} UTC`;
}

/**
 * Return a hash in short: "3049 bad2 … 4942".
 *
 * @param {string} hash
 */
export const shortHash = (hash) => (hash.length > 12
  ? `${hash.slice(0, HASH)} ${hash.slice(HASH, 2 * HASH)} … ${hash.slice(-HASH)}` : hash);

/**
 * Return the sheet of an exam.
 *
 * @param {any} exam The result with `bars` and `within` by measure, and the `facts` besides the score. `signed` is true if
 *   the server signs certificates.
 * @returns {Sheet}
 */
export function examSheet({ session, result, within, bars, place, game_title: game, facts = [], signed = false }) {
  const columns = COLUMNS.map((name) => ({ title: asTitle(name), measures: result.measures
    .filter((/** @type {any} */ one) => one.column === name)
    .map((/** @type {any} */ one, /** @type {number} */ n) => ({ label: one.label, shown: one.shown,
      detail: one.detail ?? "", limit: one.limit_shown ?? "", within: within[one.name] ?? true,
      bar: n === 0 ? bars[one.name] ?? null : null })) }));
  const bounds = columns.flatMap(({ measures }) => measures).filter((one) => !one.within);
  const ended = result.outcome === "finished" ? []
    : [`${ENDS[result.outcome] ?? asTitle(result.outcome)} after ${result.finished} of ${plural(result.rounds, "round")}.`];
  return {
    session, isExam: true, passed: result.passed, trainee: result.trainee, rulebook: result.rulebook,
    title: `${result.title}, ${game}`,
    about: [`${place} rules, ${result.rulebook}.`,
      `${plural(result.rounds, "round")}, ${plural(result.players, "player")}, ${MODES[result.mode] ?? result.mode}.`,
      `${timeSpan(result.started, result.ended)}.`].join(" "),
    examiner: result.examiner === SELF ? "Self-administered" : `Examiner: ${result.examiner}`,
    outside: result.passed ? [] : [...ended, ...result.failures.map((/** @type {string} */ one) => `Automatic failure. ${one}`),
      ...bounds.map(({ label, shown, limit }) => `${label} ${shown}: ${limit}.`)],
    columns, failures: [...result.failures], categories: [...result.categories],
    slips: result.slips.map((/** @type {any} */ slip) => ({ seat: 0, heading: "", cards: [], wager: "", stake: 0, shape: "", paid: 0, drill: "", cured: false,
      says: "", clause: "", amount: 0, source: sourceOf(slip), ...slip })),
    rounds: result.round_times.map((/** @type {any} */ one) => ({ time: one.time, slips: one.slips ?? 0,
      late: Boolean(one.late) })),
    facts, certificate: Boolean(result.certificate), signed,
    hashes: [["Rulebook", result.rulebook_hash], ["Exam", result.exam_hash], ["Record head", result.record ?? ""]],
  };
}

/** @type {(label: string, shown: string, detail?: string) => SheetMeasure} */
const plain = (label, shown, detail = "") => ({ label, shown, detail, limit: "", within: true, bar: null });

/** @type {(right: number, of: number, none: string) => string} */
const share = (right, of, none) => (of ? `${((100 * right) / of).toFixed(1)} %` : none);

/**
 * Return the sheet of a practice session: no limits, no categories, no verdict.
 *
 * @param {any} score
 * @param {{ rulebook: string, title: string, trainee: string }} about
 * @param {any[]} reviews The judged rounds.
 * @returns {Sheet}
 */
export function practiceSheet(score, { rulebook, title, trainee }, reviews) {
  const slips = reviews.flatMap((review) => review.verdicts
    .filter((/** @type {any} */ one) => !one.right && one.kind !== "disputed")
    .map((/** @type {any} */ one) => ({ round: review.round, seat: one.seat ?? 0, kind: one.kind, heading: "", did: one.did ?? "",
      right: one.due ?? "", sentence: one.words, amount: one.amount ?? 0, clause: one.clause?.clause ?? "",
      source: sourceOf(one.clause ?? {}),
      says: one.clause?.says ?? "", cured: Boolean(one.cured), wager: "", stake: 0, shape: "", paid: one.paid ?? 0,
      drill: one.drill ?? "", cards: [] })));
  return {
    session: score.session, isExam: false, passed: false, trainee, examiner: "", rulebook,
    title: `Practice, ${title}`, about: `${rulebook}. ${plural(score.rounds, "round")}.`, outside: [], failures: [],
    columns: [
      { title: "Dollars", measures: [plain("Gross mispayment", money(score.gross)),
        plain("Net mispayment", money(score.net), `${money(score.over)} ${mispaidWord(1)}, ${money(score.under)} ${mispaidWord(-1)}`),
        plain("Bets settled right", countOf(score.payments_right, score.payments),
          share(score.payments_right, score.payments, "none settled"))] },
      { title: "Seconds", measures: [
        plain("Rounds per hour", score.rounds ? score.rounds_per_hour.toFixed(1) : "–", score.rounds ? "" : "no round finished"),
        plain("Median payment", score.payments ? `${(score.payment_time / 1000).toFixed(1)} s` : "–",
          score.payments ? plural(score.payments, "payment") : "no payments"),
        plain("Payments per minute", score.payments ? score.payments_per_minute.toFixed(1) : "–")] },
      { title: "Clauses", measures: [plain("Slips", String(score.slips), score.rounds ? `${score.slips_per_round.toFixed(2)} per round` : "no round finished"),
        plain("Hands read right", countOf(score.hands_read_right, score.hands_read),
          share(score.hands_read_right, score.hands_read, "none read")),
        plain("Irregularities reported", countOf(score.reported, score.irregularities),
          score.irregularities ? "" : "none happened")] },
    ],
    slips, categories: [], facts: [], certificate: false, signed: false, hashes: [], rounds: [],
  };
}

/**
 * Return the amount of a slip with its sign, or one word for its kind.
 *
 * @param {SheetSlip} slip
 */
export function slipFigure({ amount, kind }) {
  if (amount) return money(amount, { signed: true });
  return { "out of order": "order", "unseen irregularity": "unseen" }[kind] ?? kind;
}

/**
 * Return the address of the drill that practises a slip.
 *
 * @param {SheetSlip} slip
 * @param {string} rulebook
 */
export function drillPath({ drill, amount }, rulebook) {
  drill ||= amount ? "payouts" : "next";
  const query = new URLSearchParams({ drill, rulebook, ...(drill === "payouts" ? { scope: "hand" } : {}) });
  return `/chair/drills?${query}`;
}

/**
 * Return the height of each round's bar and the lines of the scale, in a chart of the given height.
 *
 * @param {SheetRound[]} rounds
 * @param {number} height
 */
export function roundBars(rounds, height) {
  const longest = Math.max(60000, ...rounds.map(({ time }) => time));
  const step = longest > 240000 ? 120 : longest > 120000 ? 60 : 60;
  const top = Math.ceil(longest / 1000 / step) * step;
  const scale = Array.from({ length: Math.min(4, top / step) }, (_, n) => (n + 1) * step);
  return { bars: rounds.map(({ time, slips, late }) => ({ high: (time / 1000 / top) * height,
    judgement: slips ? (late ? "late" : "wrong") : "" })), scale: scale.map((seconds) => ({ seconds,
    at: height - (seconds / top) * height })) };
}
