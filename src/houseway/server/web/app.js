// The page: routing between rooms, the top bar and the signed-in person.

import "./kit/kit.js";
import { definitions, mark } from "./kit/art.js";
import { h, morph } from "./kit/dom.js";
import { money } from "./kit/words.js";
import { ApiClient } from "./api_client.js";
import { settingsPanel } from "./kit/settings.js";

/** @type {[pattern: RegExp, roomName: string, paramNames: string[]][]} */
const ROUTES = [
  [/^\/$/, "lobby", []],
  [/^\/join\/([^/]+)$/, "lobby", ["invitation"]],
  [/^\/recover\/([^/]+)$/, "lobby", ["recovery"]],
  [/^\/table\/([^/]+)$/, "table", ["table"]],
  [/^\/table\/([^/]+)\/round\/(\d+)$/, "record", ["table", "round"]],
  [/^\/lab$/, "lab", []],
  [/^\/rulebooks$/, "rulebooks", []],
  [/^\/rulebooks\/([^/]+)$/, "rulebooks", ["rulebook"]],
  [/^\/record$/, "record", []],
  [/^\/chair$/, "chair", []],
  [/^\/chair\/table\/([^/]+)$/, "chair/table", ["session"]],
  [/^\/chair\/drills$/, "chair/drill", []],
  [/^\/chair\/score\/([^/]+)$/, "chair/score", ["session"]],
  [/^\/chair\/find$/, "chair/find", []],
  [/^\/chair\/classes$/, "chair/classes", []],
  [/^\/chair\/classes\/([^/]+)$/, "chair/classes", ["group"]],
  [/^\/school\/play$/, "school/play", []],
  [/^\/school\/review$/, "school/review", []],
  [/^\/school\/review\/([^/]+)$/, "school/review", ["round"]],
  [/^\/school\/review\/([^/]+)\/(\d+)$/, "school/review", ["at", "number"]],
  [/^\/school$/, "school", []],
  [/^\/school\/practice$/, "school/practice", []],
  [/^\/school\/daily$/, "school/position", []],
  [/^\/school\/position\/([^/]+)$/, "school/position", ["link"]],
];
const ROOMS = [["lobby", "Lobby"], ["table", "Table"], ["chair", "Chair"], ["school", "School"],
  ["lab", "Lab"], ["rulebooks", "Rulebooks"], ["record", "Record"]];
const LAST_TABLE = "houseway-table";
const LAST_CHIPS = "houseway-chips";

/**
 * The context passed to every room; `message` is shown when the room opens.
 *
 * @typedef {{ client: ApiClient, go: typeof go, params: Record<string, string>, person: api.Person | null,
 *   setPerson: typeof setPerson, setTop: typeof setTop, setSkips: typeof setSkips, message: string }} Context
 */
/** @typedef {{ element: HTMLElement, leave: () => void }} Room */
/** @typedef {{ room: string, title: string, note: string[] | "", back: string, chips: number | string | null }} Bar */

const client = new ApiClient();
const roomElement = /** @type {HTMLElement} */ (document.getElementById("room"));
const top = /** @type {HTMLElement} */ (document.getElementById("top"));
/** @type {Bar} */
const bar = { room: "", title: "", note: "", back: "", chips: sessionStorage.getItem(LAST_CHIPS) };
/** @type {api.Person | null} */
let person = null;
let notice = "";
/** @type {Room | null} */
let currentRoom = null;
let visit = 0;

/** @param {string} room */
function pathOf(room) {
  if (room === "lobby") return "/";
  return room === "table" ? `/table/${sessionStorage.getItem(LAST_TABLE) ?? ""}` : `/${room}`;
}

function paintTop() {
  const hasTable = Boolean(sessionStorage.getItem(LAST_TABLE));
  const links = ROOMS.filter(([room]) => room !== "table" || hasTable).map(([room, name]) =>
    h("a", { href: pathOf(room), "aria-current": room === bar.room && "page" }, name));
  morph(top, [
    bar.back && h("a", { class: "up", href: bar.back, "aria-label": `Back to the ${bar.back.slice(1) || "lobby"}` }, "‹"),
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

/**
 * Update the room's title and the chip count in the top bar.
 *
 * @param {Partial<Bar>} changes
 */
function setTop(changes) {
  Object.assign(bar, changes);
  if (changes.chips === null) sessionStorage.removeItem(LAST_CHIPS);
  else if (changes.chips !== undefined) sessionStorage.setItem(LAST_CHIPS, String(changes.chips));
  if (changes.title !== undefined) document.title = changes.title ? `${changes.title} · houseway` : "houseway";
  paintTop();
}

/** @param {api.Person | null} newPerson */
function setPerson(newPerson) {
  person = newPerson;
  paintTop();
}

/** @param {[text: string, id: string][]} skips */
function setSkips(skips) {
  morph(/** @type {HTMLElement} */ (document.getElementById("skips")), skips.map(([text, id]) => h("a",
    { href: `#${id}`, onclick: (/** @type {Event} */ event) => {
    event.preventDefault();
    document.getElementById(id)?.focus();
  } }, text)));
}

/** Show the room for the current address, with a message on arrival. */
async function show({ message = "" } = {}) {
  const current = ++visit;
  const { pathname } = location;
  const route = ROUTES.find(([one]) => one.test(pathname));
  if (!route) {
    showNoPage();
    return;
  }
  const [pattern, roomName, paramNames] = route;
  const parts = pattern.exec(pathname) ?? [];
  const params = Object.fromEntries(paramNames.map((key, n) => [key, decodeURIComponent(parts[n + 1])]));
  if (params.table) sessionStorage.setItem(LAST_TABLE, params.table);
  /** @type {Room} */
  let next;
  try {
    const { default: room } = await import(`./rooms/${roomName}.js`);
    if (current !== visit) return;
    currentRoom?.leave();
    currentRoom = null;
    // The rooms of the chair share one entry of the top bar, and so do those of the school.
    const entry = roomName.split("/")[0];
    Object.assign(bar, { room: entry, title: "", note: "", back: "" });
    setSkips([["Skip to the content", "room"]]);
    setTop({ title: ROOMS.find(([room]) => room === entry)?.[1] ?? "" });
    next = room({ client, go, params, person, setPerson, setTop, setSkips, message });
  } catch (error) {
    console.error(error);
    next = { element: errorNotice(params), leave() {} };
  }
  currentRoom = next;
  document.body.dataset.room = roomName.replace("/", "-");
  roomElement.replaceChildren(next.element);
  /** @type {HTMLElement | null} */ (next.element.querySelector("[autofocus]"))?.focus();
}

/** Show that the address has no room. */
function showNoPage() {
  currentRoom?.leave();
  currentRoom = null;
  Object.assign(bar, { room: "", note: "", back: "/" });
  setTop({ title: "No such page" });
  document.body.dataset.room = "";
  roomElement.replaceChildren(h("section", { class: "page-error" },
    h("h1", {}, "There is no page at this address"),
    h("p", {}, "Check the link, or choose a table in the lobby."),
    h("p", { class: "acts" }, h("a", { class: "button main", href: "/" }, "Go to the lobby"))));
}

/**
 * The notice shown when a room cannot be drawn.
 *
 * @param {Record<string, string>} params
 */
function errorNotice({ table, round }) {
  return h("section", { class: "page-error" },
    h("h1", {}, "Something went wrong"),
    h("p", {}, table && !round ? "Your wagers are safe: they are on record." : "Reload the page to try again."),
    h("p", { class: "acts" },
      h("button", { type: "button", class: "button main", onclick: () => location.reload() },
        "Reload the page"),
      table && !round && h("a", { class: "button", href: `/record?table=${encodeURIComponent(table)}` },
        "Open the record")));
}

/**
 * Navigate to another room.
 *
 * @param {string} path
 */
function go(path, { replace = false, message = "" } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  show({ message });
}

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (
    /** @type {Element} */ (event.target).closest("a[href]"));
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
  ({ you: person = null, notice } = await client.get("/api/house"));
} catch { /* Each room shows its own error if the server does not answer. */ }
show();
