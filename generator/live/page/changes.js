// What changed since a release: before and now, with a line to draw across.

import { on, say, state } from "./store.js";
import { ask, turns } from "./server.js";
import { make, count } from "./dom.js";
import { clipOf, outlineOf, sideName } from "./piece.js";

const DOTS = 3.4;
const WHEN = { before: say("before"), now: say("now") };
const KINDS = { added: say("added"), changed: say("changed"), removed: say("removed"), renamed: say("renamed"), redrawn: say("redrawn") };

export class ChangesView {
  constructor() {
    this.choice = make("div", { class: "choice", role: "toolbar", "aria-label": say("Releases") });
    this.said = make("p", { class: "sum", role: "status" });
    this.list = make("div", { class: "papers changes" });
    this.root = make("div", { class: "scroll" }, make("div", { class: "strip" }, this.choice, this.said), this.list);
    this.share = 50;
    this.shares = new Map();
    this.asks = turns();
  }

  open(place, version = "") {
    place.replaceChildren(this.root);
    this.off = on("cards", () => this.later());
    this.turn(version);
  }

  turn(version = "") {
    this.version = version;
    this.load();
  }

  close() { this.off(); clearTimeout(this.timer); }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), 400);
  }

  async load() {
    const counts = this.asks();
    const releases = await ask("releases").catch(() => []);
    if (!counts()) return;
    this.version ||= releases.at(-1) ?? "";
    const all = make("input", { type: "range", min: 0, max: 100, value: this.share, "aria-label": say("Before and now, for all pictures") });
    all.addEventListener("input", () => { this.share = Number(all.value); this.shares.clear(); for (const each of this.list.querySelectorAll(".both")) this.part(each, this.share); });
    this.choice.replaceChildren(...releases.map((name) => make("a", { class: "pill", href: `#changes/${encodeURIComponent(name)}`, text: say("since {version}", { version: name }), "aria-current": name === this.version ? "true" : null })), make("label", { class: "zoom" }, WHEN.before, all, WHEN.now));
    if (!this.version) {
      this.said.textContent = say("There are no releases yet. Create one with: pnp release");
      this.list.replaceChildren();
      return;
    }
    this.said.textContent = say("Comparing …");
    try {
      const told = await ask(`changes/${encodeURIComponent(this.version)}`);
      if (counts()) this.show(told);
    } catch (error) {
      if (!counts()) return;
      this.said.textContent = error.message;
      this.list.replaceChildren();
    }
  }

  // What is shown already stays, with the line of each where somebody drew it.
  show(told) {
    const text = JSON.stringify(told);
    if (this.shown === text && this.list.children.length) return this.say(told);
    this.shown = text;
    this.say(told);
    this.list.replaceChildren(...told.changes.flatMap((change) => change.sides.map((side) => this.pair(told, change, side))));
  }

  say(told) {
    const said = [told.changes.length ? say("{designs} changed", { designs: count(told.changes.length, "design") }) : say("Nothing changed")];
    if (told.left) said.push(say("and {number} more", { number: told.left }));
    if (told.rules.length) said.push(say("the rules changed ({languages})", { languages: told.rules.join(", ") }));
    this.said.textContent = said.join(" · ");
  }

  pair(told, change, side) {
    const [w, h] = change.size.map((mm) => mm * DOTS);
    const picture = (name, kind) => (name ? make("img", { class: kind, alt: `${change.title}, ${sideName({ name: side.side })}, ${WHEN[kind]}`, loading: "lazy", src: `was/${encodeURIComponent(told.version)}/${name}`, style: { width: `${w}px`, height: `${h}px` } }) : null);
    const before = picture(side.before, "before"), now = picture(side.now, "now");
    const line = make("i", { class: "divide" });
    const both = make("div", { class: "both", style: { width: `${w}px`, height: `${h}px` } }, before, now, before && now ? line : null);
    const component = state.components.get(change.name.split(":")[0]);
    if (component && String(component.size) === String(change.size)) both.style.clipPath = clipOf(outlineOf(component, { name: side.side }), DOTS);
    const words = change.kinds.map((kind) => (kind === "recounted" ? `${change.counts[0]} → ${change.counts[1]}` : KINDS[kind]));
    const figure = make("figure", {}, both, make("figcaption", {}, make("b", { text: change.title }), ` ${sideName({ name: side.side })} · `, make("span", { class: `kind ${change.kinds[0]}`, text: words.join(", ") })));
    if (before && now) {
      const key = `${change.name} ${side.side}`, share = this.shares.get(key) ?? this.share;
      const slide = make("input", { type: "range", min: 0, max: 100, value: share, class: "across", "aria-label": say("{title}: before and now", { title: change.title }) });
      slide.addEventListener("input", () => { this.shares.set(key, Number(slide.value)); this.part(both, Number(slide.value)); });
      both.append(slide);
      this.part(both, share);
    }
    return figure;
  }

  // What lies left of the line is as it was.
  part(both, share) {
    const now = both.querySelector(".now"), line = both.querySelector(".divide"), slide = both.querySelector("input");
    if (!line) return;
    now.style.clipPath = `inset(0 0 0 ${share}%)`;
    line.style.left = `${share}%`;
    if (slide) slide.value = share;
  }
}
