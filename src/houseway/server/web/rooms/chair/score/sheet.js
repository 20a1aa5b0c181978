// A score sheet as plain data: from the result of an exam, or from the score of a practice session. No drawing.

import { asTitle, money, plural } from "../../../kit/words.js";

/**
 * @typedef {{ label: string, shown: string, detail: string, limit: string, within: boolean,
 *   bar: [filled: number, tick: number] | null }} SheetMeasure
 */
/** @typedef {{ title: string, measures: SheetMeasure[] }} SheetColumn */
/**
 * @typedef {{ round: number, seat: number, kind: string, did: string, right: string, sentence: string, amount: number,
 *   clause: string, says: string, cured: boolean, wager: string, stake: number,
 *   cards: { place: string, cards: string[] }[] }} SheetSlip
 */
/** @typedef {{ time: number, slips: number, late: boolean }} SheetRound */
/**
 * @typedef {{ session: string, title: string, about: string, isExam: boolean, passed: boolean, trainee: string,
 *   examiner: string, rulebook: string, outside: string[], columns: SheetColumn[], slips: SheetSlip[],
 *   failures: string[], categories: { name: string, points: number | null }[], rounds: SheetRound[],
 *   certificate: boolean, signed: boolean, hashes: [name: string, hash: string][] }} Sheet
 */

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
 * @param {any} exam The result with `bars` and `within` by measure. `signed` is true if the server signs certificates.
 * @returns {Sheet}
 */
export function examSheet({ session, result, within, bars, signed = false }) {
  const columns = COLUMNS.map((name) => ({ title: asTitle(name), measures: result.measures
    .filter((/** @type {any} */ one) => one.column === name)
    .map((/** @type {any} */ one, /** @type {number} */ n) => ({ label: one.label, shown: one.shown,
      detail: one.detail ?? "", limit: one.limit_shown ?? "", within: within[one.name] ?? true,
      bar: n === 0 ? bars[one.name] ?? null : null })) }));
  const bounds = columns.flatMap(({ measures }) => measures).filter((one) => !one.within);
  const parts = result.rulebook_title.split(", ");
  const game = parts.pop();
  const ended = result.outcome === "finished" ? []
    : [`${ENDS[result.outcome] ?? asTitle(result.outcome)} after ${result.finished} of ${plural(result.rounds, "round")}.`];
  return {
    session, isExam: true, passed: result.passed, trainee: result.trainee, rulebook: result.rulebook,
    title: `${result.title}, ${game}`,
    about: [`${parts.join(", ") || result.rulebook_title} rules, ${result.rulebook}.`,
      `${plural(result.rounds, "round")}, ${plural(result.players, "player")}, ${MODES[result.mode] ?? result.mode}.`,
      `${timeSpan(result.started, result.ended)}.`].join(" "),
    examiner: result.examiner === SELF ? "Self-administered" : `Examiner: ${result.examiner}`,
    outside: result.passed ? [] : [...ended, ...result.failures.map((/** @type {string} */ one) => `Automatic failure. ${one}`),
      ...bounds.map(({ label, shown, limit }) => `${label} ${shown}: ${limit}.`)],
    columns, failures: [...result.failures], categories: [...result.categories],
    slips: result.slips.map((/** @type {any} */ slip) => ({ seat: 0, cards: [], wager: "", stake: 0, cured: false,
      says: "", clause: "", amount: 0, ...slip })),
    rounds: result.round_times.map((/** @type {any} */ one) => ({ time: one.time, slips: one.slips ?? 0,
      late: Boolean(one.late) })),
    certificate: Boolean(result.certificate), signed,
    hashes: [["Rulebook", result.rulebook_hash], ["Exam", result.exam_hash], ["Record head", result.record ?? ""]],
  };
}

/** @type {(label: string, shown: string, detail?: string) => SheetMeasure} */
const plain = (label, shown, detail = "") => ({ label, shown, detail, limit: "", within: true, bar: null });

/** @type {(right: number, of: number) => string} */
const share = (right, of) => (of ? `${((100 * right) / of).toFixed(1)} %` : "");

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
    .map((/** @type {any} */ one) => ({ round: review.round, seat: 0, kind: one.kind, did: one.did ?? "",
      right: one.due ?? "", sentence: one.words, amount: one.amount ?? 0, clause: one.clause?.clause ?? "",
      says: one.clause?.says ?? "", cured: Boolean(one.cured), wager: "", stake: 0, cards: [] })));
  return {
    session: score.session, isExam: false, passed: false, trainee, examiner: "", rulebook,
    title: `Practice, ${title}`, about: `${rulebook}. ${plural(score.rounds, "round")}.`, outside: [], failures: [],
    columns: [
      { title: "Dollars", measures: [plain("Gross mispayment", money(score.gross)),
        plain("Net mispayment", money(score.net), `${money(score.over)} overpaid, ${money(score.under)} underpaid`),
        plain("Bets settled right", `${score.payments_right} of ${score.payments}`,
          share(score.payments_right, score.payments))] },
      { title: "Seconds", measures: [plain("Rounds per hour", score.rounds_per_hour.toFixed(1)),
        plain("Median payment", `${(score.payment_time / 1000).toFixed(1)} s`, plural(score.payments, "payment")),
        plain("Payments per minute", score.payments_per_minute.toFixed(1))] },
      { title: "Clauses", measures: [plain("Slips", String(score.slips), `${score.slips_per_round.toFixed(2)} per round`),
        plain("Hands read right", `${score.hands_read_right} of ${score.hands_read}`,
          share(score.hands_read_right, score.hands_read)),
        plain("Irregularities reported", `${score.reported} of ${score.irregularities}`)] },
    ],
    slips, categories: [], certificate: false, signed: false, hashes: [], rounds: [],
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
 * Return a wrong amount with its direction.
 *
 * @param {number} amount
 */
export const difference = (amount) => (!amount ? "" : amount > 0 ? `${money(amount)} overpaid` : `${money(-amount)} underpaid`);

/**
 * Return the address of the drill that practises a slip.
 *
 * @param {SheetSlip} slip
 * @param {string} rulebook
 */
export function drillPath({ kind, wager, amount }, rulebook) {
  const drill = kind.includes("order") ? "order" : wager || amount ? "payouts" : /read/.test(kind) ? "hands"
    : /irregular|report|late|call|handling/.test(kind) ? "rulings" : "next";
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
