// The strip under the sheet: the certificate of a passed exam, or a sentence that there is none, and the Print button.

import { mark } from "../../../kit/art.js";
import { h } from "../../../kit/dom.js";
import { shortHash } from "./sheet.js";

/** @param {import("./sheet.js").Sheet} sheet */
function sentence({ isExam, passed, examiner }) {
  if (!isExam) return "Practice gives no certificate.";
  if (passed && examiner === "Self-administered") return "Self-administered. Only a house that examines you can sign a certificate.";
  return passed ? "Practice exams give no certificate." : "An exam that is not passed gives no certificate.";
}

/** @param {import("./sheet.js").Sheet} sheet */
export function strip(sheet) {
  const { certificate, passed, trainee, hashes, session, signed } = sheet;
  const path = `/api/training/${encodeURIComponent(session)}`;
  const print = h("button", { type: "button", class: "button", onclick: () => window.print() }, "Print sheet");
  if (!certificate || !passed) {
    return h("footer", { class: "score-strip plain" }, h("p", {}, sentence(sheet)), print);
  }
  return h("footer", { class: "score-strip" }, h("span", { class: "seal", "aria-hidden": "true" }, mark()),
    h("div", { class: "certificate-words" }, h("h2", {}, `Certificate for ${trainee}`),
      h("p", { class: "small" }, signed ? "Open Badges 3.0 credential, signed by this house."
        : "This server does not sign certificates."),
      h("p", { class: "small" }, signed ? "Anyone can verify it without this program."
        : "Anyone can replay the exam from its record.")),
    h("dl", {}, hashes.filter(([, hash]) => hash).map(([name, hash]) => h("div", {}, h("dt", {}, name),
      h("dd", { title: hash }, shortHash(hash))))),
    print,
    signed ? h("a", { class: "button main", download: "", href: `${path}/certificate` }, "Download certificate")
      : h("a", { class: "button main", download: "", href: `${path}/record` }, "Download record"));
}
