// The results of a class in one table: a row for each trainee, or for each attempt.

import { h } from "../../../kit/dom.js";
import { asTitle } from "../../../kit/words.js";
import { timeWords, verdict } from "./states.js";

/** @typedef {{ trainee: api.TraineeResults, attempt: api.AttemptResult | null }} Row */

/**
 * Return the rows of the table.
 *
 * @param {readonly api.TraineeResults[]} trainees
 * @param {boolean} all
 * @returns {Row[]}
 */
export function resultRows(trainees, all) {
  return trainees.flatMap((trainee) => {
    const attempts = trainee.attempts ?? [];
    const shown = all ? attempts : attempts.slice(-1);
    /** @type {(api.AttemptResult | null)[]} */
    const listed = shown.length ? shown : [null];
    return listed.map((attempt) => ({ trainee, attempt }));
  });
}

/**
 * Return the measures that any row has, in the order in which they first appear.
 *
 * @param {Row[]} rows
 * @returns {[name: string, label: string][]}
 */
export function measureColumns(rows) {
  /** @type {Map<string, string>} */
  const columns = new Map();
  for (const { attempt } of rows) {
    for (const { name, label } of attempt?.measures ?? []) if (!columns.has(name)) columns.set(name, label);
  }
  return [...columns];
}

/** @param {api.AttemptResult} attempt */
function statusCell(attempt) {
  if (attempt.status === "erased") return h("span", { class: "quiet" }, "erased");
  if (attempt.passed === true) return verdict("right", "Passed");
  if (attempt.passed === false) return verdict("wrong", asTitle(attempt.status));
  return verdict("open", "Started");
}

/**
 * Create the table.
 *
 * @param {readonly api.TraineeResults[]} trainees
 * @param {{ all: boolean, remove: ((handle: string) => void) | null }} options
 */
export function resultsTable(trainees, { all, remove }) {
  const rows = resultRows(trainees, all);
  const measures = measureColumns(rows);
  const head = ["Trainee", all ? "Attempt" : "Attempts", "Status", "Ended", ...measures.map(([, label]) => label),
    "Passed", "Certificate", ...(remove ? ["Remove"] : [])];
  return h("div", { class: "results", role: "region", "aria-label": "Results", tabindex: "0", "data-key": "results" },
    h("table", {},
      h("caption", { class: "unseen" }, all ? "All attempts of each trainee" : "The last attempt of each trainee"),
      h("thead", {}, h("tr", {}, head.map((words) => h("th", { scope: "col" }, words === "Remove"
        ? h("span", { class: "unseen" }, words) : words)))),
      h("tbody", {}, rows.map(({ trainee, attempt }) => h("tr",
        { "data-key": `${trainee.handle} ${attempt?.attempt ?? 0}` },
        h("th", { scope: "row" }, trainee.handle,
          trainee.erased_at && attempt ? h("span", { class: "small" }, " earlier results erased") : null),
        h("td", {}, all ? attempt?.attempt ?? "0" : String(trainee.attempts?.length ?? 0)),
        h("td", {}, attempt ? statusCell(attempt) : h("span", { class: "quiet" },
          trainee.erased_at ? "erased" : "no attempt")),
        h("td", {}, timeWords(attempt?.ended_at)),
        measures.map(([name]) => measureCell(attempt, name)),
        h("td", {}, attempt?.passed === true ? "yes" : attempt?.passed === false ? "no" : ""),
        h("td", {}, certificateCell(trainee.handle, attempt)),
        remove && h("td", {}, h("button", { type: "button", class: "button text",
          "aria-label": `Remove ${trainee.handle} from the class`, onclick: () => remove(trainee.handle) },
        "Remove")))))));
}

/**
 * @param {string} handle
 * @param {api.AttemptResult | null} attempt
 */
function certificateCell(handle, attempt) {
  if (!attempt?.certificate) return attempt?.passed === true ? "no" : "";
  if (!attempt.session) return "yes";
  const path = `/api/training/${encodeURIComponent(attempt.session)}/certificate?${new URLSearchParams({ trainee: handle })}`;
  return h("a", { class: "button text", download: "", href: path, "aria-label": `Download the certificate of ${handle}` }, "Download");
}

/**
 * @param {api.AttemptResult | null} attempt
 * @param {string} name
 */
function measureCell(attempt, name) {
  const measure = (attempt?.measures ?? []).find((one) => one.name === name);
  if (!measure) return h("td", {});
  return h("td", { class: measure.passed ? "" : "outside" }, measure.shown,
    measure.passed ? null : h("span", { class: "small" }, measure.limit ? ` limit: ${measure.limit}` : " outside its limit"));
}
