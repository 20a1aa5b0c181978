// The page: which room is shown, the bar above it, and who is here.

import "./kit/kit.js";
import { definitions, mark } from "./kit/art.js";
import { h, morph } from "./kit/dom.js";
import { money } from "./kit/words.js";
import { House } from "./house.js";
import { settingsPanel } from "./kit/settings.js";

const ROUTES = [
  [/^\/$/, "lobby", []],
  [/^\/join\/([^/]+)$/, "lobby", ["invitation"]],
  [/^\/table\/([^/]+)$/, "table", ["table"]],
  [/^\/table\/([^/]+)\/round\/(\d+)$/, "record", ["table", "round"]],
  [/^\/lab$/, "lab", []],
  [/^\/rulebooks$/, "rulebooks", []],
  [/^\/rulebooks\/([^/]+)$/, "rulebooks", ["rulebook"]],
  [/^\/record$/, "record", []],
];
const ROOMS = [["lobby", "Lobby"], ["table", "Table"], ["lab", "Lab"], ["rulebooks", "Rulebooks"],
  ["record", "Record"]];
const LAST_TABLE = "houseway-table";
const LAST_CHIPS = "houseway-chips";

const house = new House();
const place = document.getElementById("room");
const top = document.getElementById("top");
const bar = { room: "", title: "", note: "", back: "", chips: sessionStorage.getItem(LAST_CHIPS) };
let person = null;
let notice = "";
let shown = null;
let turn = 0;

const pathOf = (room) => ({ lobby: "/", table: `/table/${sessionStorage.getItem(LAST_TABLE) ?? ""}` })[room]
  ?? `/${room}`;

function paintTop() {
  const hasTable = Boolean(sessionStorage.getItem(LAST_TABLE));
  const links = ROOMS.filter(([room]) => room !== "table" || hasTable).map(([room, name]) =>
    h("a", { href: pathOf(room), "aria-current": room === bar.room && "page" }, name));
  morph(top, [
    bar.back && h("a", { class: "up", href: bar.back, "aria-label": "Back to the lobby" }, "‹"),
    h("a", { class: "brand", href: "/", "aria-label": "houseway, the lobby" }, mark(),
      h("span", {}, "houseway")),
    h("p", { class: "where" }, h("strong", {}, bar.title || ROOMS.find(([room]) => room === bar.room)?.[1]
      || ""),
      h("span", {}, bar.note ? bar.note.filter(Boolean).map((part, n) =>
        h("span", { class: n ? "" : "of" }, part)) : "play chips only")),
    h("nav", { class: "rooms", "aria-label": "Rooms" }, links),
    h("p", { class: "chips-only" }, notice),
    h("p", { class: "bankroll" }, bar.chips !== null && h("strong", {}, money(Number(bar.chips))),
      person && h("span", {}, person.handle),
      person && bar.room === "table" && h("small", {}, "play chips")),
    settingsPanel(),
  ]);
}

/** Say in the bar where one is and what one has: title, note (in parts), back, chips. */
function setTop(given) {
  Object.assign(bar, given);
  if (given.chips === null) sessionStorage.removeItem(LAST_CHIPS);
  else if (given.chips !== undefined) sessionStorage.setItem(LAST_CHIPS, given.chips);
  if (given.title !== undefined) document.title = given.title ? `${given.title} · houseway` : "houseway";
  paintTop();
}

function setPerson(found) {
  person = found;
  paintTop();
}

function setSkips(skips) {
  morph(document.getElementById("skips"), skips.map(([text, id]) => h("a",
    { href: `#${id}`, onclick: (event) => {
    event.preventDefault();
    document.getElementById(id)?.focus();
  } }, text)));
}

/** Show the room of the address; `said` is what somebody who comes there is told first. */
async function show({ said = "" } = {}) {
  const mine = ++turn;
  const { pathname } = location;
  const [, name, names, found] = ROUTES.map(([pattern, ...rest]) => [pattern, ...rest,
    pattern.exec(pathname)])
    .find(([, , , match]) => match) ?? [null, "lobby", [], []];
  const params = Object.fromEntries(names.map((key, n) => [key, decodeURIComponent(found[n + 1])]));
  if (params.table) sessionStorage.setItem(LAST_TABLE, params.table);
  let made;
  try {
    const { default: room } = await import(`./rooms/${name}.js`);
    if (mine !== turn) return;
    shown?.leave();
    shown = null;
    Object.assign(bar, { room: name, title: "", note: "", back: "" });
    setSkips([["Skip to the room", "room"]]);
    setTop({ title: ROOMS.find(([room]) => room === name)[1] });
    made = room({ house, go, params, person, setPerson, setTop, setSkips, said });
  } catch (error) {
    console.error(error);
    made = { element: broken(params), leave() {} };
  }
  shown = made;
  document.body.dataset.room = name;
  place.replaceChildren(made.element);
  made.element.querySelector("[autofocus]")?.focus();
}

/** What is shown when a room cannot be drawn. */
function broken({ table, round }) {
  return h("section", { class: "page-error" },
    h("h1", {}, "The page went wrong"),
    h("p", {}, "What lies on the table is safe: the record has it."),
    h("p", { class: "acts" },
      h("button", { type: "button", class: "button main", onclick: () => location.reload() },
        "Load the page again"),
      table && !round && h("a", { class: "button", href: `/record?table=${encodeURIComponent(table)}` },
        "Look at the record")));
}

/** Go to another room. */
function go(path, { replace = false, said = "" } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  show({ said });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const plain = !event.defaultPrevented && event.button === 0 && !event.metaKey && !event.ctrlKey
    && !event.shiftKey;
  if (!link || !plain || link.target || link.hasAttribute("download")
    || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/") || link.pathname.startsWith("/web/")) return;
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
addEventListener("popstate", () => show());

document.body.append(definitions());
try {
  ({ you: person = null, notice } = await house.get("/api/house"));
} catch { /* Each room says itself that the house does not answer. */ }
show();
