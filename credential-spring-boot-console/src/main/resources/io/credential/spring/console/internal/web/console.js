"use strict";
(() => {
  const REFRESH_MILLIS = 5000;
  const find = (selector, within = document) => within.querySelector(selector);
  const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];

  // The server writes UTC; show the browser's time zone.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const pad = (number) => String(number).padStart(2, "0");
  const local = (date) =>
    `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ` +
    `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  const showTimes = (within) => {
    for (const time of findAll("time[datetime]", within)) {
      const date = new Date(time.dateTime);
      if (!isNaN(date)) time.textContent = local(date);
    }
  };
  const showZone = () => { find("#zone").textContent = `Times are in ${zone}`; };

  // Settings are kept in localStorage; if that is blocked, they apply only to this page.
  const isOn = (id) => document.getElementById(id).checked;
  const withStorage = (action) => { try { return action(localStorage); } catch { return null; } };
  for (const box of findAll("#help input")) {
    const key = `credential-console-${box.id}`;
    box.checked = withStorage((storage) => storage.getItem(key)) !== "off";
    box.addEventListener("change", () => withStorage((storage) => storage.setItem(key, box.checked ? "on" : "off")));
  }
  const showHelp = () => find("#help").showModal();
  find("#open-help").hidden = false;
  find("#open-help").addEventListener("click", showHelp);

  const say = (text) => { find("#status").textContent = text; };

  const addCopyButtons = (within) => {
    for (const source of findAll("[data-copy]", within)) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "small";
      button.textContent = "Copy";
      button.setAttribute("aria-label", `Copy ${source.dataset.copy}`);
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(source.textContent);
          say("Copied");
        } catch {
          getSelection().selectAllChildren(source);
          say("Press Ctrl+C to copy the selected text");
        }
      });
      source.after(" ", button);
    }
  };

  // Shows the form of an action, which is in a <details>, as a dialog.
  let opened = null;
  const close = () => {
    if (!opened) return;
    const { details, form, dialog } = opened;
    opened = null;
    details.append(form);
    details.open = false;
    dialog.remove();
    find("summary", details).focus();
  };
  const openAction = (details) => {
    const form = find("form", details);
    const dialog = document.createElement("dialog");
    dialog.setAttribute("aria-label", find("summary", details).textContent);
    const cancel = document.createElement("button");
    cancel.type = "button";
    cancel.className = "plain cancel";
    cancel.textContent = "Cancel";
    cancel.addEventListener("click", () => dialog.close());
    dialog.append(form, cancel);
    dialog.addEventListener("close", close);
    document.body.append(dialog);
    opened = { details, form, dialog };
    dialog.showModal();
  };
  document.addEventListener("click", (event) => {
    const summary = event.target.closest("details.act > summary");
    if (summary) {
      event.preventDefault();
      openAction(summary.parentElement);
    }
  });

  const selectAll = (within) => {
    for (const box of findAll("input[data-select-all]", within)) {
      box.hidden = false;
      box.addEventListener("change", () => {
        for (const other of findAll("tbody input[type=checkbox]", box.closest("table"))) other.checked = box.checked;
      });
    }
  };

  const prepare = (within) => { showTimes(within); addCopyButtons(within); selectAll(within); };

  // Replaces what has changed, and keeps focus, selected rows and opened parts.
  const FOCUSABLE = "a[href], button, input, select, textarea, summary, tr[id]";
  const mark = (element) => element.id || element.getAttribute("href") || element.value ||
    element.getAttribute("aria-label") || element.parentElement.id;
  let tag = null;
  let shown = null;
  const swap = (old, fresh) => {
    if (shown.get(old.id) === fresh.innerHTML) return;
    shown.set(old.id, fresh.innerHTML);
    const active = document.activeElement;
    const focused = old.contains(active) ? { mark: mark(active), row: active.closest("tr")?.id } : null;
    const selected = new Set(findAll("input:checked", old).map((box) => box.value));
    const open = new Set(findAll("details[open]", old).map((details) => details.id));
    old.replaceChildren(...document.adoptNode(fresh).childNodes);
    prepare(old);
    for (const box of findAll("input[type=checkbox]", old)) box.checked = box.checked || selected.has(box.value);
    for (const details of findAll("details", old)) details.open = details.open || (details.id && open.has(details.id));
    if (focused) {
      const again = findAll(FOCUSABLE, old).find((element) => focused.mark && mark(element) === focused.mark) ||
        (focused.row && document.getElementById(focused.row)) || find("#main");
      if (again.tabIndex < 0) again.tabIndex = -1; // a row cannot have the focus otherwise
      again.focus({ preventScroll: true });
    }
  };
  let refreshing = false;
  const refresh = async () => {
    if (refreshing || !isOn("refresh") || document.hidden || find("dialog[open]")) return;
    refreshing = true;
    try {
      const response = await fetch(location.href, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
      if (response.status === 304) { say(""); return; }
      if (!response.headers.has("X-Credential-Console")) { location.reload(); return; }
      if (response.status === 503) { say("The database does not answer; this page is not current"); return; }
      if (!response.ok) { location.reload(); return; }
      const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
      tag = response.headers.get("ETag");
      for (const region of findAll("[data-live]")) {
        const next = fresh.getElementById(region.id);
        if (next) swap(region, next); else location.reload();
      }
      say("");
    } catch {
      say("The application does not answer; this page is not current");
    } finally {
      refreshing = false;
    }
  };

  const move = (step) => {
    const rows = findAll("tbody tr[id]");
    const current = rows.indexOf(document.activeElement?.closest("tr"));
    const next = rows[Math.min(rows.length - 1, Math.max(0, current + step))];
    if (next) {
      next.tabIndex = -1;
      next.focus();
    }
  };
  const keys = {
    "/": () => find("form[role=search] input:not([type=hidden]), form[role=search] select")?.focus(),
    j: () => move(1),
    k: () => move(-1),
    o: () => document.activeElement?.closest("tbody tr")?.querySelector("a, summary")?.click(),
    "?": showHelp,
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=checkbox]), select, textarea, dialog");
    const action = keys[event.key];
    if (action && isOn("single-key-shortcuts") && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      action();
    }
  });

  // The back button must not show a secret again, nor send its form again.
  const secret = find("[data-secret]");
  if (secret) {
    // Resolve relative links before the URL changes.
    for (const link of findAll("a:not([href^='#'])")) link.href = link.href;
    history.replaceState(null, "", secret.dataset.secret);
  }
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  const live = findAll("[data-live]");
  shown = new Map(live.map((region) => [region.id, region.innerHTML]));
  prepare(document);
  showZone();
  if (live.length) setInterval(refresh, REFRESH_MILLIS);
})();
