/* global document, window */
// Adds buttons above the updates of a changelog that show only updates with all chosen tags. Without scripts, a page shows
// all updates.
(() => {
    const words = JSON.parse(document.currentScript.dataset.words ?? "{}");
    const updates = [...document.querySelectorAll("article .update")];
    const tagsOf = (update) =>
        [...update.querySelectorAll(":scope > .update-head > .badge")].map((tag) => tag.textContent);
    const tags = [...new Set(updates.flatMap(tagsOf))].sort((a, b) => a.localeCompare(b));
    if (updates.length < 2 || tags.length < 2) {
        return;
    }
    const filter = document.createElement("div");
    filter.className = "update-filter";
    filter.id = "changelog-filters";
    filter.setAttribute("role", "group");
    filter.setAttribute("aria-label", words.updatesAbout ?? "Show only updates about");
    const buttons = tags.map((tag) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = tag;
        button.addEventListener("click", () => {
            press(button, button.getAttribute("aria-pressed") !== "true");
            show();
        });
        return button;
    });
    filter.append(...buttons);
    updates[0].before(filter);
    buttons.forEach((button) => press(button, false));

    // Shows all updates if a link points to a hidden update.
    window.addEventListener("hashchange", () => {
        const target = document.querySelector(".update[hidden]:target, .update[hidden] :target");
        if (target !== null) {
            buttons.forEach((button) => press(button, false));
            show();
            target.scrollIntoView();
        }
    });

    function press(button, isPressed) {
        button.setAttribute("aria-pressed", String(isPressed));
    }

    function show() {
        const wanted = buttons.filter((button) => button.getAttribute("aria-pressed") === "true");
        const names = new Set(wanted.map(({ textContent }) => textContent));
        for (const update of updates) {
            const tags = new Set(tagsOf(update));
            update.hidden = [...names].some((name) => !tags.has(name));
        }
    }
})();
