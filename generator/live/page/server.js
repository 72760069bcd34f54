// Asks the server, and listens to its news.

import { alone, merge, say, state, take, tell } from "./store.js";

const token = document.querySelector('meta[name="pnp-token"]')?.content ?? "";

export async function ask(path) {
  if (alone) throw new Error(say("this page has no server"));
  const answer = await fetch(path);
  const told = await answer.json();
  if (!answer.ok || told.error) throw new Error(told.error ?? answer.statusText);
  return told;
}

export async function order(path, what) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Pnp-Token": token },
    body: JSON.stringify(what),
  });
  const told = await answer.json();
  if (!answer.ok || told.error) throw new Error(told.error ?? answer.statusText);
  return told;
}

// What is written, and what is read so that it can be written, goes one after the other as it was asked for.
let last = Promise.resolve();
export const inTurn = (act) => (last = last.then(act, act));

// Of several questions only the last counts: an earlier one may be answered after it.
export function turns() {
  let last = 0;
  return () => { const mine = (last += 1); return () => mine === last; };
}

export async function listen() {
  if (alone) return take(alone);
  const news = new EventSource("events");
  let asking = null;
  const taken = (told) => { if (told.number >= state.number) take(told); };
  const whole = () => { asking ??= ask("state").then(taken, () => {}).finally(() => { asking = null; }); return asking; };
  news.onopen = () => { state.connected = true; tell("connected"); };
  news.onerror = () => { state.connected = false; tell("connected"); };
  news.onmessage = async (event) => {
    const told = JSON.parse(event.data);
    if (told.hello) { if (told.number !== state.number || !state.game) await whole(); return; }
    if (asking) await asking;
    if (told.number <= state.number) return;
    if (told.number !== state.number + 1) return void whole();
    merge(told);
  };
}
