/* global document, window, EventSource, location, sessionStorage, history, fetch, CSS, DOMParser */
// Shows a changed page at the same scroll position, with its warnings; only for `static-export dev`. If only plain text
// has changed, the script replaces that text, which takes a fraction of the time of a reload.
(() => {
    const own = "/static-export/live";
    let state = JSON.parse(document.currentScript.dataset.live);
    const { file } = state;
    let events;

    // Collects the blocks before the theme's deferred scripts add elements such as buttons.
    const blocks = [...(document.querySelector("article")?.children ?? [])];
    let shown = fetchPage().catch(() => undefined);
    let changes = Promise.resolve();

    keepPlace();
    const panel = createPanel();
    draw();
    document.addEventListener("visibilitychange", connect);
    connect();

    /** Connects only while the page is visible, because a browser has few connections to one address. */
    function connect() {
        events?.close();
        if (document.visibilityState === "hidden") {
            return;
        }
        events = new EventSource(`${own}/events?path=${encodeURIComponent(location.pathname)}`);
        events.addEventListener("message", ({ data }) => {
            changes = changes.then(() => follow(JSON.parse(data)));
        });
    }

    async function follow(next) {
        const isChanged = (next.digest ?? state.digest) !== state.digest;
        if (next.reload || (isChanged && !(await replaceText().catch(() => false)))) {
            savePlace();
            location.reload();
            return;
        }
        if (!isChanged) {
            state = { ...next, file };
        }
        draw();
    }

    /** Fetches the server's version of the page, because the theme's scripts have changed the displayed version. */
    async function fetchPage() {
        const response = await fetch(location.pathname);
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        const script = page.querySelector("script[data-live]");
        const article = page.querySelector("article");
        const children = [...article.children];
        const served = {
            state: JSON.parse(script.dataset.live),
            children,
            texts: children.map((each) => each.outerHTML),
        };
        script.remove();
        article.replaceChildren();
        // Removes the descriptions for other sites before the comparison, because they contain the page's text.
        page.querySelectorAll("meta").forEach((meta) => meta.remove());
        return { ...served, frame: page.documentElement.outerHTML };
    }

    /** @returns whether all changes are in plain text, which is then replaced */
    async function replaceText() {
        const [old, now] = [await shown, await fetchPage()];
        if (old.state.digest !== state.digest || old.frame !== now.frame || old.texts.length !== blocks.length) {
            return false;
        }
        const least = Math.min(old.texts.length, now.texts.length);
        let before = 0;
        while (before < least && old.texts[before] === now.texts[before]) {
            before += 1;
        }
        let after = 0;
        while (after < least - before && old.texts.at(-1 - after) === now.texts.at(-1 - after)) {
            after += 1;
        }
        const added = now.children.slice(before, now.children.length - after);
        const removed = blocks.slice(before, blocks.length - after);
        const previous = blocks[before - 1];
        const isAnchored = CSS.supports("overflow-anchor", "auto");
        const isInPlace = [previous, ...removed].every((block) => block?.parentElement?.matches("article"));
        if (!isAnchored || !isInPlace || !added.every(isPlain)) {
            return false;
        }
        previous.after(...added);
        removed.forEach((block) => block.remove());
        blocks.splice(before, removed.length, ...added);
        shown = Promise.resolve(now);
        state = now.state;
        return true;
    }

    /** Whether a block contains only plain elements, so that no script or style of the theme depends on its content. */
    function isPlain(block) {
        const plain = "p, ul, ol, li, blockquote, a, em, strong, del, code, br, hr, sub, sup, kbd";
        return [block, ...block.querySelectorAll("*")].every((element) =>
            element.matches(`:is(${plain}):not([class], [id])`),
        );
    }

    function placeKey() {
        return `static-export-place ${location.pathname}`;
    }

    /**
     * Saves which sections are open, and the reader's distance from the last heading, because the text above that
     * heading may change in length.
     */
    function savePlace() {
        const heading = [...document.querySelectorAll("article [id]")]
            .filter((element) => element.getBoundingClientRect().top <= 100)
            .at(-1);
        const place = {
            id: heading?.id,
            offset: heading?.getBoundingClientRect().top,
            top: window.scrollY,
            open: [...document.querySelectorAll("article details")].map(({ open }) => open),
        };
        sessionStorage.setItem(placeKey(), JSON.stringify(place));
    }

    function keepPlace() {
        const saved = sessionStorage.getItem(placeKey());
        if (saved === null) {
            return;
        }
        sessionStorage.removeItem(placeKey());
        const { id, offset, top, open } = JSON.parse(saved);
        history.scrollRestoration = "manual";
        const restore = () => {
            const heading = id === undefined ? null : document.getElementById(id);
            const to = heading === null ? top : window.scrollY + heading.getBoundingClientRect().top - offset;
            window.scrollTo({ top: to, behavior: "instant" });
        };
        const details = [...document.querySelectorAll("article details")];
        if (details.length === open.length) {
            details.forEach((element, index) => (element.open = open[index]));
        }
        restore();
        // Restores the position again, because pictures may have moved the text. Chromium restores its own position right
        // after the load event unless the setting is still "manual".
        window.addEventListener("load", () => {
            restore();
            window.setTimeout(() => (history.scrollRestoration = "auto"));
        });
    }

    /** Draws the warnings in a shadow tree, so that the styles of the theme and the site do not apply. */
    function createPanel() {
        const host = document.createElement("static-export-live");
        const root = host.attachShadow({ mode: "open" });
        root.innerHTML = `<style>
            details { position: fixed; inset: auto auto 0 0; z-index: 99; max-width: min(44rem, 100vw); max-height: 60vh;
                overflow: auto; font: 14px/1.5 system-ui, sans-serif; color: #fff; background: #222; border-radius: 0 8px 0 0; }
            details.good { opacity: .6 }
            summary { padding: .35rem .75rem; cursor: pointer }
            ul { margin: 0; padding: 0 .75rem .5rem; list-style: none }
            li { padding: .25rem 0; border-top: 1px solid #555; overflow-wrap: anywhere }
            button { font: inherit; color: #9cf; background: none; border: 0; padding: 0; cursor: pointer;
                text-decoration: underline; text-align: start }
            .problem { background: #8b1a1a }
            p { margin: 0; padding: .25rem .75rem; color: #fc6 }
            @media print { details { display: none } }
        </style><details><summary></summary><p role="status" hidden></p><ul></ul></details>`;
        document.body.append(host);
        return root;
    }

    function draw() {
        const { warnings, problem } = state;
        const [details, summary, list] = ["details", "summary", "ul"].map((name) => panel.querySelector(name));
        const count = warnings.length;
        details.className = problem !== undefined ? "problem" : count === 0 ? "good" : "";
        summary.textContent =
            problem !== undefined
                ? "The site cannot be exported as it is"
                : count === 0
                  ? "No warnings"
                  : `${count} ${count === 1 ? "warning" : "warnings"}`;
        details.open ||= problem !== undefined;
        const items = warnings.map((warning) => entry(warning));
        if (problem !== undefined) {
            const item = document.createElement("li");
            item.textContent = problem;
            items.unshift(item);
        }
        if (file !== undefined) {
            items.push(entry({ file, line: undefined, reason: "" }, "Open this page in the editor"));
        }
        list.replaceChildren(...items);
    }

    function entry(place, label) {
        const item = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = label ?? (place.line === undefined ? place.file : `${place.file}:${place.line}`);
        button.addEventListener("click", () => openInEditor(place));
        item.append(button, ...(place.reason === "" ? [] : [` ${place.reason}`]));
        return item;
    }

    async function openInEditor({ file, line }) {
        const response = await fetch(`${own}/open`, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ file, line }),
        });
        const note = panel.querySelector("p");
        note.hidden = response.ok;
        note.textContent = response.ok ? "" : await response.text();
    }
})();
