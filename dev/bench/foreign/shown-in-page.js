// This script runs in an exported page. The script returns the text that readers can see at first, and after a click on
// each tab and folded part.
(() => {
    const main = document.querySelector("main");
    const shown = new Set();
    const visited = new Set();
    let clicks = 0;

    const isShown = (element) => {
        let boxed = element;
        while (boxed !== null && window.getComputedStyle(boxed).display === "contents") {
            boxed = boxed.parentElement;
        }
        return boxed?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ?? false;
    };
    const hasBox = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()].some(({ width, height }) => width > 1 && height > 1);
    };
    const textsIn = (root) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const texts = [];
        while (walker.nextNode() !== null) {
            texts.push(walker.currentNode);
        }
        return texts;
    };
    const collect = (root) => {
        const elements = new Map();
        for (const text of textsIn(root)) {
            if (shown.has(text) || text.data.trim() === "") {
                continue;
            }
            const code = text.parentElement.closest("pre > code"); // Its parts are many, and visible together.
            const element = code ?? text.parentElement;
            if (!elements.has(element)) {
                elements.set(element, isShown(element) && (code === null || hasBox(code)));
            }
            if (elements.get(element) && (code !== null || hasBox(text))) {
                shown.add(text);
            }
        }
    };
    const clickThroughTabs = () => {
        for (const list of main.querySelectorAll('[role="tablist"]')) {
            if (visited.has(list) || !isShown(list)) {
                continue;
            }
            visited.add(list);
            for (const tab of list.querySelectorAll('[role="tab"]')) {
                if (clicks++ < 2000) {
                    tab.click();
                    collect(list.parentElement);
                    clickThroughTabs();
                }
            }
        }
    };

    collect(main);
    const isBlank = shown.size === 0;
    for (const details of main.querySelectorAll("details")) {
        details.removeAttribute("name"); // Only one of those with the same name can be open.
        details.open = true;
    }
    collect(main);
    clickThroughTabs();
    const options = [];
    for (const menu of main.querySelectorAll("article select.chooser")) {
        for (const option of menu.options) {
            options.push(option.text);
            menu.value = option.value;
            menu.dispatchEvent(new window.Event("change"));
            collect(main);
            clickThroughTabs();
        }
    }

    // Some pictures are shown only in the other colour scheme.
    const valuesOf = (name) =>
        [...main.querySelectorAll(`[${name}]`)]
            .filter((element) => name === "alt" || isShown(element))
            .map((element) => element.getAttribute(name));
    const textsOf = (selector, holder) =>
        [...main.querySelectorAll(selector)]
            .filter((element) => isShown(element.closest(holder)))
            .map((element) => element.textContent);
    const operation = [".method", "code"].map((name) => main.querySelector(`.operation ${name}`)?.textContent);
    return {
        isBlank,
        title: document.title,
        description: document.querySelector('meta[name="description"]')?.content ?? "",
        text: textsIn(main)
            .filter((text) => shown.has(text))
            .map(({ data }) => data)
            .join(""),
        others: [
            ...options,
            ...["alt", "title", "aria-label", "placeholder"].flatMap(valuesOf),
            ...textsOf('[role="tooltip"]', ".tooltip"), // Shown above the word.
            ...textsOf("annotation", "math"), // The TeX of a formula.
        ],
        operation: operation.join(" ").trim(),
        fields: [...main.querySelectorAll(".field-name code")]
            .filter((code) => textsIn(code).some((text) => shown.has(text)))
            .map(({ textContent }) => textContent),
    };
})();
