// Classes: the list of your classes, or one class with its exam and results.

import { h } from "../../kit/dom.js";
import { ClassList } from "./classes/list.js";
import { ClassPage } from "./classes/class_page.js";

/** @param {import("../../app.js").Context} context */
export default function room(context) {
  const shown = context.params.group ? new ClassPage(context, context.params.group) : new ClassList(context);
  shown.start();
  return { element: h("div", { class: "classes" }, shown.element), leave: () => shown.leave() };
}
