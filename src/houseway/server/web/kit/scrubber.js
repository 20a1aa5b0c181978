// A round from its first event to its last: phases as segments, a tick an event, one slider for all.

import { h, Part } from "./dom.js";

/** `phases` as {name, from, to}, `count` the events, `at` the one shown, counted from 0, and what is `said`
 * of it; says "seek". */
export class HwScrubber extends Part {
  drawn() {
    const phases = this.phases ?? [];
    const [count, at] = [this.count ?? 0, this.at ?? 0];
    const now = phases.find((phase) => at >= phase.from && at <= phase.to);
    return h("div", { class: "scrubber", vars: { "--count": count, "--at": at } },
      h("div", { class: "phases" }, phases.map((phase) => this.phase(phase, at, phase === now))),
      h("div", { class: "track" },
        h("div", { class: "ticks", "aria-hidden": "true" }),
        h("input", { type: "range", min: 0, max: Math.max(0, count - 1), step: 1, ".value": String(at),
          "aria-label": "Event",
          "aria-valuetext": [`Event ${at + 1} of ${count}`, now?.name, this.said].filter(Boolean).join(", "),
          oninput: (event) => this.seek(Number(event.target.value)) })));
  }

  phase(phase, at, now) {
    const length = phase.to - phase.from + 1;
    const done = Math.max(0, Math.min(length, at - phase.from + 1)) / length;
    return h("button", { type: "button", class: now ? "phase current" : "phase", tabindex: "-1",
      "data-key": String(phase.from), vars: { "--length": length, "--done": done },
      onclick: () => this.seek(phase.from) },
    h("span", { class: "name" }, phase.name), h("span", { class: "segment" }));
  }

  seek(at) {
    this.dispatchEvent(new CustomEvent("seek", { detail: at, bubbles: true }));
  }
}
HwScrubber.declare("hw-scrubber", [], ["phases", "count", "at", "said"]);
