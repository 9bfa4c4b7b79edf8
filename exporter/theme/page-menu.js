/* global document, window, navigator */
// The menu of a page: what copies or prints needs this script; links work without it.
(() => {
    const menu = document.querySelector(".page-menu");
    if (menu === null) {
        return;
    }
    const words = JSON.parse(document.currentScript.dataset.words ?? "{}");
    const status = menu.querySelector("[role=status]");
    for (const button of menu.querySelectorAll("button")) {
        button.hidden = false;
        button.addEventListener("click", () => (button.dataset.print === undefined ? copy(button) : window.print()));
    }

    async function copy(button) {
        const page = document.querySelector(".page-markdown");
        await write(button.dataset.copies || JSON.parse(page.textContent));
        const label = button.querySelector("span");
        const title = label.dataset.title ?? label.textContent;
        label.dataset.title = title;
        label.textContent = words.copied ?? "Copied";
        status.textContent = label.textContent;
        setTimeout(() => {
            label.textContent = title;
            status.textContent = "";
        }, 2000);
    }

    /** The clipboard needs https or localhost; the old way works everywhere else, also from a folder. */
    async function write(text) {
        try {
            await navigator.clipboard.writeText(text);
        } catch {
            const area = document.createElement("textarea");
            area.value = text;
            area.setAttribute("aria-hidden", "true");
            area.style.position = "fixed";
            menu.append(area);
            const focused = document.activeElement;
            area.select();
            document.execCommand("copy");
            area.remove();
            focused.focus();
        }
    }
})();
