// Makes the PDFs, as `pnp build` does, and links to them.

import { alone, say } from "./store.js";
import { ask, order } from "./server.js";
import { make, dialog, sayReport } from "./dom.js";

const place = make("div", { class: "build", role: "status" });

// A button for it, where a server can build.
export async function begin(tools) {
  if (alone) return;
  const can = await ask("can").catch(() => []);
  if (can.includes("build")) tools.prepend(make("button", { class: "pill", id: "build", text: say("Make PDFs"), onclick: open }));
}

async function open() {
  dialog(say("Make PDFs"), place);
  const last = await ask("built").catch(() => null);
  if (last) show(last);
  if (!last && !place.children.length) build();
}

async function build() {
  place.replaceChildren(make("p", { class: "where", text: say("Making the sheets and the rules …") }));
  place.setAttribute("aria-busy", "true");
  try {
    show(await order("build", {}));
  } catch (error) {
    place.replaceChildren(make("pre", { class: "mistake", text: error.message }), again());
  }
  place.removeAttribute("aria-busy");
}

const again = () => make("button", { class: "pill", text: say("Make them again"), onclick: build });

function show({ folder, files, problems, failed }) {
  const rows = files.map(({ name, about }) => make("li", {}, make("a", { href: `files/${name.split("/").map(encodeURIComponent).join("/")}`, target: "_blank", rel: "noopener", text: name }), make("span", { class: "where", text: sayReport(about) })));
  place.replaceChildren(...[
    failed ? make("p", { class: "bad", text: say("The PDFs could not be made.") }) : null,
    ...problems.filter(isError).map(problem), make("ul", { class: "files" }, ...rows),
    rows.length ? make("p", { class: "where", text: say("They are in {folder}. Print them at 100 %.", { folder }) }) : null,
    ...problems.filter((each) => !isError(each)).map(problem), again(),
  ].filter(Boolean));
}

const isError = ({ severity }) => severity === "error";

function problem({ severity, file, line, message, expected, hint }) {
  const where = file && (line ? `${file}:${line}: ` : `${file}: `);
  return make("pre", { class: severity === "error" ? "mistake" : "note" }, make("b", { text: where }), [message, expected && `  ${say("expected {what}", { what: expected })}`, hint && `  ${hint}`].filter(Boolean).join("\n"));
}
