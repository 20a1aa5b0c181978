// Your classes: join one by its link, open one, and your own data.

import { h } from "../../../kit/dom.js";
import { YourData } from "../../../kit/your_data.js";
import { plural } from "../../../kit/words.js";
import { localLinkNote } from "../../../local_link.js";
import { copyLink } from "../../parts.js";
import { Visit } from "./visit.js";

/** Return the secret of an invitation link in the address, or an empty string. */
const invitationInAddress = () => new URLSearchParams(location.hash.slice(1)).get("join") ?? "";

export class ClassList extends Visit {
  /** @type {api.ClassCards | null} */
  cards = null;
  /** @type {api.ClassPreview | null} */
  preview = null;
  /** @type {unknown} */
  linkRefused = null;
  /** The link that makes a person an examiner, once the owner has created it. */
  examinerLink = "";

  /** @param {import("./visit.js").Context} context */
  constructor(context) {
    super(context, "Loading your classes…");
    this.invitation = invitationInAddress();
    this.data = new YourData(context.client, () => this.load());
    this.onHashChange = () => {
      this.invitation = invitationInAddress();
      Object.assign(this, { preview: null, linkRefused: null });
      if (this.person) this.load();
    };
    addEventListener("hashchange", this.onHashChange);
  }

  start() {
    this.context.setTop({ title: "Classes", back: "/chair" });
    super.start();
  }

  leave() {
    super.leave();
    removeEventListener("hashchange", this.onHashChange);
  }

  async fetch() {
    this.cards = await this.client.get("/api/classes");
    if (this.invitation) await this.look();
    this.data.load();
  }

  /** Look at the class of the link in the address. */
  async look() {
    try {
      this.preview = await this.client.post("/api/classes/preview", { invitation: this.invitation });
      this.linkRefused = null;
    } catch (error) {
      this.linkRefused = error;
    }
  }

  async join() {
    const card = await this.client.post("/api/classes/join", { invitation: this.invitation });
    this.context.go(`/chair/classes/${card.id}`, { replace: true });
  }

  dismiss() {
    history.replaceState(null, "", "/chair/classes");
    Object.assign(this, { invitation: "", preview: null, linkRefused: null });
    this.paint();
  }

  intro() {
    return [h("h1", { "data-key": "title" }, "Classes")];
  }

  drawn() {
    const { teaching, joined, may_open: mayOpen } = /** @type {api.ClassCards} */ (this.cards);
    return [
      this.invitation ? this.joinBox() : null,
      mayOpen || teaching.length ? h("section", { class: "teaching", "data-key": "teaching" },
        h("h2", {}, "Classes you teach"), this.listOf(teaching, "You have not opened a class yet."),
        mayOpen ? this.openForm() : null,
        this.person?.roles?.["*"]?.includes("floor") ? this.examinerBox() : null) : null,
      h("section", { class: "joined", "data-key": "joined" }, h("h2", {}, "Classes you have joined"),
        this.listOf(joined, "You have not joined a class. Open the link that your instructor gave you."),
        mayOpen ? null : h("p", { class: "small" },
          "To teach a class, ask the owner of this server to invite you as an examiner.")),
      this.data.element,
    ];
  }

  /**
   * @param {readonly api.ClassCard[]} cards
   * @param {string} empty
   */
  listOf(cards, empty) {
    if (!cards.length) return h("p", { class: "quiet" }, empty);
    return h("ul", { class: "class-list" }, cards.map((card) => h("li", { "data-key": card.id },
      h("a", { class: "box class-card", href: `/chair/classes/${card.id}` },
        h("strong", {}, card.name),
        h("span", { class: "small" }, [card.yours ? plural(card.members, "trainee") : `Instructor: ${card.instructor}`,
          card.exam ? `exam: ${card.exam.title}` : "no exam set", card.closed ? "closed" : ""]
          .filter(Boolean).join(" · "))))));
  }

  openForm() {
    return h("form", { class: "open-class", "data-key": "open",
      onsubmit: (/** @type {SubmitEvent & { target: HTMLFormElement }} */ event) => {
      event.preventDefault();
      const field = /** @type {HTMLInputElement} */ (event.target.elements.namedItem("name"));
      this.run(async () => {
        const card = await this.client.post("/api/classes", { name: field.value });
        this.context.go(`/chair/classes/${card.id}`);
      });
    } },
      h("label", { class: "field" }, h("span", { class: "label" }, "Name of a new class"),
        h("input", { name: "name", maxlength: 60, required: true, autocomplete: "off" })),
      h("button", { type: "submit", class: "button main" }, "Open a class"));
  }

  /** The owner of the server invites examiners. */
  examinerBox() {
    if (!this.examinerLink) {
      return h("p", { "data-key": "examiner" }, h("button", { type: "button", class: "button text",
        onclick: () => this.run(async () => {
          const { link } = await this.client.post("/api/invitations", { table: "*", role: "examiner" });
          this.examinerLink = new URL(link, location.href).href;
        }, "The link was created") }, "Invite an examiner"));
    }
    return h("div", { class: "examiner", "data-key": "examiner" },
      h("p", {}, "Send this link to the examiner. It works once, for the first person who opens it."),
      localLinkNote() ? h("p", { class: "small" }, localLinkNote()) : null,
      h("input", { class: "link-field", readonly: true, value: this.examinerLink, "aria-label": "Link for an examiner",
        onfocus: (/** @type {{ target: HTMLInputElement }} */ { target }) => target.select() }),
      h("p", { class: "acts" }, copyLink(this.examinerLink)));
  }

  joinBox() {
    const { preview } = this;
    if (this.linkRefused) {
      return h("div", { class: "join", "data-key": "join" },
        h("hw-notice", { kind: "refused", role: "alert", head: "This link does not work.",
          text: "It has expired or was replaced. Ask the instructor for a new one." }),
        h("button", { type: "button", class: "button", onclick: () => this.dismiss() }, "Close"));
    }
    if (!preview) return null;
    if (preview.joined) {
      return h("div", { class: "join", "data-key": "join" },
        h("p", {}, `You are already in ${preview.name}. `,
          h("a", { href: `/chair/classes/${preview.joined}` }, "Open the class")));
    }
    return h("section", { class: "join box", "data-key": "join", "aria-label": "Invitation" },
      h("h2", {}, `Join ${preview.name}`),
      h("p", {}, `Instructor: ${preview.instructor}. ${plural(preview.members, "trainee")} so far.`),
      h("p", {}, `${preview.instructor} sees your name and the results of exams that you take in this class, `
        + "and may supervise tables where you play or deal. You can leave the class at any time."),
      h("p", { class: "acts" },
        h("button", { type: "button", class: "button main", onclick: () => this.run(() => this.join()) },
          "Join the class"),
        h("button", { type: "button", class: "button", onclick: () => this.dismiss() }, "Not now")));
  }
}
