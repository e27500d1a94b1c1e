// Browsers do not let a page that was opened as a file read the pages that it found.
if (location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// Draws the diagrams, and draws them again when the reader switches between light and dark.
(() => {
  const diagrams = [...document.querySelectorAll("pre.mermaid")].map((box) => ({ box, text: box.textContent }));
  if (diagrams.length === 0) {
    return;
  }
  const system = matchMedia("(prefers-color-scheme: dark)");
  const currentTheme = () => {
    const chosen = document.body.dataset.theme;
    return chosen === "dark" || (chosen !== "light" && system.matches) ? "dark" : "default";
  };
  let drawnTheme;
  let drawings = 0;

  async function draw() {
    const theme = currentTheme();
    if (theme === drawnTheme) {
      return;
    }
    drawnTheme = theme;
    mermaid.initialize({ startOnLoad: false, theme });
    for (const { box, text } of diagrams) {
      box.innerHTML = (await mermaid.render(`diagram-${drawings++}`, text)).svg;
    }
  }

  let last = draw();
  const redraw = () => (last = last.then(draw));
  system.addEventListener("change", redraw);
  new MutationObserver(redraw).observe(document.body, { attributeFilter: ["data-theme"] });
})();
