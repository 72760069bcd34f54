// Makes the PDFs, as `pnp build` does, and links to them.

import { staticState, translate } from "./store.js";
import { getJson, postJson } from "./server.js";
import { createElement, dialog, translateReport } from "./dom.js";

const place = createElement("div", { class: "build", role: "status" });

// Add the button if the server can build.
export async function begin(tools) {
  if (staticState) return;
  const actions = await getJson("actions").catch(() => []);
  if (actions.includes("build")) tools.prepend(createElement("button", { class: "pill", id: "build", text: translate("Make PDFs"), onclick: open }));
}

async function open() {
  dialog(translate("Make PDFs"), place);
  const last = await getJson("built").catch(() => null);
  if (last) show(last);
  if (!last && !place.children.length) build();
}

async function build() {
  place.replaceChildren(createElement("p", { class: "where", text: translate("Making the sheets and the rules …") }));
  place.setAttribute("aria-busy", "true");
  try {
    show(await postJson("build", {}));
  } catch (error) {
    place.replaceChildren(createElement("pre", { class: "mistake", text: error.message }), buildAgainButton());
  }
  place.removeAttribute("aria-busy");
}

const buildAgainButton = () => createElement("button", { class: "pill", text: translate("Make them again"), onclick: build });

function show({ folder, files, problems, failed }) {
  const rows = files.map(({ name, about }) => createElement("li", {}, createElement("a", { href: `files/${name.split("/").map(encodeURIComponent).join("/")}`, target: "_blank", rel: "noopener", text: name }), createElement("span", { class: "where", text: translateReport(about) })));
  place.replaceChildren(...[
    failed ? createElement("p", { class: "bad", text: translate("The PDFs could not be made.") }) : null,
    ...problems.filter(isError).map(problemElement), createElement("ul", { class: "files" }, ...rows),
    rows.length ? createElement("p", { class: "where", text: translate("They are in {folder}. Print them at 100 %.", { folder }) }) : null,
    ...problems.filter((item) => !isError(item)).map(problemElement), buildAgainButton(),
  ].filter(Boolean));
}

const isError = ({ severity }) => severity === "error";

function problemElement({ severity, file, line, message, expected, hint }) {
  const where = file && (line ? `${file}:${line}: ` : `${file}: `);
  return createElement("pre", { class: severity === "error" ? "mistake" : "note" }, createElement("b", { text: where }), [message, expected && `  ${translate("expected {what}", { what: expected })}`, hint && `  ${hint}`].filter(Boolean).join("\n"));
}
