"use strict";
// Buttons that copy the code beside them; without access to the clipboard the code is selected.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const code = button.parentElement.querySelector("code"), word = button.textContent;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected: press Ctrl+C";
    }
    setTimeout(() => { button.textContent = word; }, 2000);
  });
}
