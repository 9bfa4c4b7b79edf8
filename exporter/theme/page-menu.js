/* global document, window, navigator */
// The menu of a page: copying and printing need this script; links work without it.
(() => {
    const menu = document.querySelector(".page-menu");
    if (menu === null) {
        return;
    }
    const words = JSON.parse(document.currentScript.dataset.words ?? "{}");
    showServed();
    const status = menu.querySelector("[role=status]");
    for (const button of menu.querySelectorAll("button")) {
        button.hidden = false;
        button.addEventListener("click", () => use(button));
    }

    function use(button) {
        if (button.dataset.option === "assistant") {
            button.closest("details")?.removeAttribute("open");
            void window.staticExportAsk?.();
        } else {
            void copy(button);
        }
    }

    /** Only the deployment knows whether the server or the PDF that an option needs exists. */
    function showServed() {
        const features = window.staticExportFeatures ?? {};
        const list = menu.querySelector(".switcher");
        for (const option of menu.querySelectorAll("[data-needs]")) {
            if (features[option.dataset.needs] === true) {
                option.hidden = false;
            } else {
                (option.closest("li") ?? option).remove();
            }
        }
        const item = list?.querySelector("li");
        if (item && menu.firstElementChild === list) {
            menu.prepend(...item.children);
            item.remove();
        }
        if (list?.querySelector("li") === null) {
            list.remove();
        }
        menu.hidden = menu.querySelector("[data-option]") === null;
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

    /** The clipboard API needs https or localhost; the older API works everywhere else, even on disk. */
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
