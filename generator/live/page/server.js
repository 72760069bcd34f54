// Requests to the server, and its news.

import { staticState, applyNews, translate, state, replaceState, publish } from "./store.js";

const token = document.querySelector('meta[name="pnp-token"]')?.content ?? "";

export async function getJson(path) {
  if (staticState) throw new Error(translate("this page has no server"));
  return parseJson(await fetch(path));
}

export async function postJson(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Pnp-Token": token },
    body: JSON.stringify(body),
  });
  return parseJson(response);
}

async function parseJson(response) {
  const content = await response.json();
  if (!response.ok || content.error) throw new Error(content.error ?? response.statusText);
  return content;
}

// Run writes, and the reads that they depend on, one after another in the order of the calls.
let queue = Promise.resolve();
export const enqueue = (action) => (queue = queue.then(action, action));

// Return a function that starts a request and returns a check whether it is still the latest one: an earlier request may
// be answered after a later one.
export function latestOnly() {
  let latest = 0;
  return () => { const number = (latest += 1); return () => number === latest; };
}

export async function listen() {
  if (staticState) return replaceState(staticState);
  const source = new EventSource("events");
  let reloading = null;
  const acceptState = (newState) => { if (newState.number >= state.number) replaceState(newState); };
  const reloadState = () => { reloading ??= getJson("state").then(acceptState, () => {}).finally(() => { reloading = null; }); return reloading; };
  source.onopen = () => { state.connected = true; publish("connected"); };
  source.onerror = () => { state.connected = false; publish("connected"); };
  source.onmessage = async (event) => {
    const news = JSON.parse(event.data);
    if (news.hello) { if (news.number !== state.number || !state.game) await reloadState(); return; }
    if (reloading) await reloading;
    if (news.number <= state.number) return;
    // News was missed.
    if (news.number !== state.number + 1) return void reloadState();
    applyNews(news);
  };
}
