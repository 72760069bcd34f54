// The changes since a release: each face before and now, with a divider to drag across.

import { subscribe, translate, state } from "./store.js";
import { getJson, latestOnly } from "./server.js";
import { createElement, formatCount } from "./dom.js";
import { clipPathOf, outlineOf, sideName } from "./piece.js";

const PX_PER_MM = 3.4;
const LABELS = { before: translate("before"), now: translate("now") };
const KINDS = { added: translate("added"), changed: translate("changed"), removed: translate("removed"), renamed: translate("renamed"), redrawn: translate("redrawn") };

export class ChangesView {
  constructor() {
    this.choice = createElement("div", { class: "choice", role: "toolbar", "aria-label": translate("Releases") });
    this.summary = createElement("p", { class: "sum", role: "status" });
    this.list = createElement("div", { class: "papers changes" });
    this.root = createElement("div", { class: "scroll" }, createElement("div", { class: "strip" }, this.choice, this.summary), this.list);
    this.share = 50;
    this.shares = new Map();
    this.startLoad = latestOnly();
  }

  open(place, version = "") {
    place.replaceChildren(this.root);
    this.unsubscribe = subscribe("cards", () => this.scheduleLoad());
    this.navigate(version);
  }

  navigate(version = "") {
    this.version = version;
    this.load();
  }

  close() { this.unsubscribe(); clearTimeout(this.timer); }

  scheduleLoad() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), 400);
  }

  async load() {
    const isLatest = this.startLoad();
    const releases = await getJson("releases").catch(() => []);
    if (!isLatest()) return;
    this.version ||= releases.at(-1) ?? "";
    const all = createElement("input", { type: "range", min: 0, max: 100, value: this.share, "aria-label": translate("Before and now, for all pictures") });
    all.addEventListener("input", () => { this.share = Number(all.value); this.shares.clear(); for (const both of this.list.querySelectorAll(".both")) this.divide(both, this.share); });
    this.choice.replaceChildren(...releases.map((name) => createElement("a", { class: "pill", href: `#changes/${encodeURIComponent(name)}`, text: translate("since {version}", { version: name }), "aria-current": name === this.version ? "true" : null })), createElement("label", { class: "zoom" }, LABELS.before, all, LABELS.now));
    if (!this.version) {
      this.summary.textContent = translate("There are no releases yet. Create one with: pnp release");
      this.list.replaceChildren();
      return;
    }
    this.summary.textContent = translate("Comparing …");
    try {
      const response = await getJson(`changes/${encodeURIComponent(this.version)}`);
      if (isLatest()) this.show(response);
    } catch (error) {
      if (!isLatest()) return;
      this.summary.textContent = error.message;
      this.list.replaceChildren();
    }
  }

  // An unchanged list keeps its elements, and with them the dividers where the user dragged them.
  show(response) {
    const text = JSON.stringify(response);
    if (this.shownText === text && this.list.children.length) return this.showSummary(response);
    this.shownText = text;
    this.showSummary(response);
    this.list.replaceChildren(...response.changes.flatMap((change) => change.sides.map((side) => this.pair(response, change, side))));
  }

  showSummary(response) {
    const parts = [response.changes.length ? translate("{designs} changed", { designs: formatCount(response.changes.length, "design") }) : translate("Nothing changed")];
    if (response.left) parts.push(translate("and {number} more", { number: response.left }));
    if (response.rules.length) parts.push(translate("the rules changed ({languages})", { languages: response.rules.join(", ") }));
    this.summary.textContent = parts.join(" · ");
  }

  pair(response, change, side) {
    const [w, h] = change.size.map((mm) => mm * PX_PER_MM);
    const picture = (name, kind) => (name ? createElement("img", { class: kind, alt: `${change.title}, ${sideName({ name: side.side })}, ${LABELS[kind]}`, loading: "lazy", src: `old-face/${encodeURIComponent(response.version)}/${name}`, style: { width: `${w}px`, height: `${h}px` } }) : null);
    const before = picture(side.before, "before"), now = picture(side.now, "now");
    const line = createElement("i", { class: "divide" });
    const both = createElement("div", { class: "both", style: { width: `${w}px`, height: `${h}px` } }, before, now, before && now ? line : null);
    const component = state.components.get(change.name.split(":")[0]);
    if (component && String(component.size) === String(change.size)) both.style.clipPath = clipPathOf(outlineOf(component, { name: side.side }), PX_PER_MM);
    const words = change.kinds.map((kind) => (kind === "recounted" ? `${change.counts[0]} → ${change.counts[1]}` : KINDS[kind]));
    const figure = createElement("figure", {}, both, createElement("figcaption", {}, createElement("b", { text: change.title }), ` ${sideName({ name: side.side })} · `, createElement("span", { class: `kind ${change.kinds[0]}`, text: words.join(", ") })));
    if (before && now) {
      const key = `${change.name} ${side.side}`, share = this.shares.get(key) ?? this.share;
      const slider = createElement("input", { type: "range", min: 0, max: 100, value: share, class: "across", "aria-label": translate("{title}: before and now", { title: change.title }) });
      slider.addEventListener("input", () => { this.shares.set(key, Number(slider.value)); this.divide(both, Number(slider.value)); });
      both.append(slider);
      this.divide(both, share);
    }
    return figure;
  }

  // Show the old picture to the left of the divider, and the new one to its right.
  divide(both, share) {
    const now = both.querySelector(".now"), line = both.querySelector(".divide"), slider = both.querySelector("input");
    if (!line) return;
    now.style.clipPath = `inset(0 0 0 ${share}%)`;
    line.style.left = `${share}%`;
    if (slider) slider.value = share;
  }
}
