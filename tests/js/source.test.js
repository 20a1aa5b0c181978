// Rules for the source of the page: it reads no facts out of text that the server wrote, and no class is too large.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const WEB = "src/houseway/server/web/";
/** Methods that look into a text. Lists have some of them, too, so the type of the object decides. */
const LOOKS = new Set(["at", "charAt", "charCodeAt", "codePointAt", "endsWith", "includes", "indexOf", "lastIndexOf", "match", "matchAll",
  "replace", "replaceAll", "search", "slice", "split", "startsWith", "substring", "substr"]);
const REGEXP = new Set(["test", "exec"]);
const MOST_METHODS = 20;

/** Files in which every look into a text is allowed: the helpers for each kind of text, and the standalone verifier. */
const HELPERS = ["kit/words.js", "kit/odds.js", "kit/places.js", "kit/typed.js", "kit/seal.js", "verify.js", "heads.js"];
/** Texts that never come in a message: the address of the page and keys on the keyboard. */
const OWN = /^((link\.)?pathname|location\.\w+|roomName|bar\.back|(event\.)?key|event\.code)$/;
/** The other texts that the page looks into, by file. None is a sentence. */
const ALLOWED = {
  // Attributes and letters of the page's own drawings.
  "kit/dom.js": ["name.slice(1)"],
  "kit/starting_hands.js": ["RANKS.indexOf("],
  "rooms/chair/drill/keys.js": ["LETTERS.indexOf(key)"],
  "kit/art.js": ["letter.codePointAt(0)"],
  // Citations, clause ids, players' names and signed amounts have fixed forms.
  "kit/clause.js": ["(cited ?? \"\").split(\" / \")", "one.replace(/ \\([a-z]+\\)$/, \"\")"],
  "kit/chances.js": ["net.split(\"/\")"],
  "kit/outcomes.js": ["net.replace(\"-\", \"−\")"],
  "rooms/chair/house_rules.js": ["clause.startsWith(\"house.\")"],
  "rooms/table/state.js": ["player.replace(/ \\(bot\\)$/, \"\")"],
  // Cards and amounts in a sentence are highlighted.
  "rooms/record/story.js": ["says.split(CARDS_AND_AMOUNTS)", "part.includes(\"$\")", "part.replace(\"-\", \"−\")"],
  // A person's search.
  "rooms/chair/palette.js": ["text.toLowerCase().split(", "`${name} ${means}`.toLowerCase().includes(word)", "act.name.toLowerCase().startsWith(text."],
  "rooms/rulebooks.js": ["text.toLowerCase().includes(this.query)"],
  "rooms/rulebooks/paper.js": ["text.toLowerCase().indexOf(query)", "text.slice("],
  "rooms/school/practice/reason.js": ["hand.replaceAll(\"T\", \"10\")"],
  // The names of cards are spoken.
  "rooms/school/practice/speech.js": ["text.replace("],
  // Texts of the page itself.
  "rooms/school/practice/menu.js": ["chosen.split(\":\")"],
  "rooms/chair/find/panel.js": ["outcome.replaceAll(\" \", \"-\")"],
  "rooms/chair/held_panel.js": ["of.split(\" \")"],
  "rooms/chair/score/sheet.js": ["date.toISOString().slice(11, 16)", "hash.slice("],
  "rooms/lab.js": ["change.indexOf(\"=\")", "change.slice("],
  "rooms/lobby/arrivals.js": ["roles?.[table.table]?.includes(\"floor\")"],
  "rooms/lobby/open.js": ["dollars.replace(/\\.00$/, \"\")"],
  "rooms/record/lists.js": ["when.format(date).replace(\" at \", \", \")"],
  "rooms/record/replay.js": ["this.role.replace(\" \", \":\")"],
  "rooms/table/reports.js": ["this.amount.replace(\"−\", \"-\")"],
  "rooms/table/signs.js": ["`${hand} ${allToOne ? bareOdds(odds) : odds}`.replaceAll("],
  "rooms/table/stakes.js": [".startsWith(TIP)", ".slice(TIP.length)"],
};

const typescript = await import("typescript").then((module) => module.default, () => null);

/** @type {import("typescript").Program | null} */
let program = null;

/** The program of the page, with the types of all messages. */
function page() {
  const ts = /** @type {typeof import("typescript")} */ (typescript);
  if (!program) {
    const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
    const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
    program = ts.createProgram(fileNames, options);
  }
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.includes(WEB));
  return { ts, checker: program.getTypeChecker(), files };
}

/** Return every place at which a file looks into a text, as source code. */
function looks({ ts, checker }, file) {
  const found = [];
  const isText = (node) => {
    const type = checker.getTypeAtLocation(node);
    const parts = type.isUnion() ? type.types : [type];
    return parts.some((part) => part.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.Any));
  };
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression: of, name: { text: method } } = node.expression;
      const regexp = REGEXP.has(method) && checker.typeToString(checker.getTypeAtLocation(of)) === "RegExp";
      const typed = OWN.test(of.getText(file)) || (regexp && OWN.test(node.arguments[0].getText(file)));
      if (!typed && (regexp || (LOOKS.has(method) && isText(of)))) found.push(node.getText(file).replace(/\s+/g, " "));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test("the page reads no facts out of text that the server wrote", { skip: !typescript && "typescript is not installed" }, () => {
  const all = page();
  const wrong = [];
  const used = new Set();
  for (const file of all.files) {
    const name = file.fileName.split(WEB)[1];
    if (HELPERS.includes(name)) continue;
    for (const call of looks(all, file)) {
      const allowed = (ALLOWED[name] ?? []).find((start) => call.includes(start));
      if (allowed) used.add(`${name}: ${allowed}`);
      else wrong.push(`${name}: ${call}`);
    }
  }
  const listed = Object.entries(ALLOWED).flatMap(([name, calls]) => calls.map((call) => `${name}: ${call}`));
  if (process.env.LIST) console.log(wrong.join("\n"));
  assert.deepEqual(wrong, [], "the page looks into these texts; send the fact in a field of the message instead");
  assert.deepEqual(listed.filter((one) => !used.has(one)), [], "these exceptions are not needed");
});

test(`no class of the page has more than ${MOST_METHODS} public methods`, { skip: !typescript && "typescript is not installed" }, () => {
  const { ts, files } = page();
  const large = [];
  for (const file of files) {
    ts.forEachChild(file, (node) => {
      if (!ts.isClassDeclaration(node)) return;
      const methods = node.members.filter((member) => (ts.isMethodDeclaration(member) || ts.isAccessor(member))
        && !ts.isPrivateIdentifier(member.name));
      if (methods.length > MOST_METHODS) large.push(`${node.name?.text}: ${methods.length}`);
    });
  }
  assert.deepEqual(large, [], "split these classes into collaborators named for their job");
});
