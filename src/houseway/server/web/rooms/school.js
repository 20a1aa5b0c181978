// The player's school: its landing page, with the position of the day.

import { h, morph } from "../kit/dom.js";
import { fullest } from "./parts.js";
import { ROOMS } from "./school/rooms_list.js";
import { spotFelt } from "./school/practice/spot.js";

/** @param {import("../app.js").Context} context */
export default function room({ client, setTop }) {
  setTop({ title: "School" });
  const daily = h("section", { class: "daily", "aria-labelledby": "daily" });
  const element = h("div", { class: "school-landing" },
    h("header", { class: "hero" }, h("div", {}, h("h1", {}, "The player’s school"),
      h("p", {}, "Every choice has an exact value. Here you learn what your choices are worth."))),
    h("div", { class: "landing-columns" },
      h("div", { class: "landing-column" },
        h("section", { class: "room-list", "aria-label": "Rooms of the school" }, ROOMS.map(([path, title, text]) =>
          h("a", { class: "box room-card", href: path }, h("h2", {}, title), h("p", {}, text)))),
        h("p", { class: "small" }, "The house has the edge, even against perfect play. The school shows how to give up no more than that.")),
      daily));
  let left = false;
  showDaily(client, (drawn) => {
    if (!left) morph(daily, drawn);
  });
  return { element, leave() { left = true; } };
}

/**
 * Draw the position of the day. If it cannot be loaded, draw only the link to its room.
 *
 * @param {import("../api_client.js").ApiClient} client
 * @param {(drawn: Child[]) => void} draw
 */
async function showDaily(client, draw) {
  /** @param {api.PracticeSpot | null} spot */
  const drawn = (spot) => [h("h2", { id: "daily" }, "Daily position"),
    h("p", { class: "small" }, "One position a day, the same for everyone on this server. You do not need a name."),
    spot && spotFelt(spot, ""), h("p", { class: "acts" }, h("a", { class: "button main", href: "/school/daily" }, "Decide"))];
  draw(drawn(null));
  try {
    const { rulebooks } = await client.get("/api/rulebooks");
    const { spot } = await client.get(`/api/daily-position?rulebook=${encodeURIComponent(fullest(rulebooks).id)}`);
    draw(drawn(spot));
  } catch { /* The link is enough: its room shows the error. */ }
}
