/* global document, window, EventSource, location, sessionStorage, history, fetch */
// Only for `static-export dev`: reloads the page when it has changed, at the same place, and shows its warnings.
(() => {
    const own = "/static-export/live";
    let state = JSON.parse(document.currentScript.dataset.live);
    const { file } = state;
    let events;

    keepPlace();
    const panel = createPanel();
    draw();
    document.addEventListener("visibilitychange", connect);
    connect();

    /** Only for a visible page: a browser has few connections to one address. */
    function connect() {
        events?.close();
        if (document.visibilityState === "hidden") {
            return;
        }
        events = new EventSource(`${own}/events?path=${encodeURIComponent(location.pathname)}`);
        events.addEventListener("message", ({ data }) => {
            const next = JSON.parse(data);
            if ((next.digest ?? state.digest) !== state.digest || next.reload) {
                savePlace();
                location.reload();
                return;
            }
            state = { ...next, file };
            draw();
        });
    }

    function placeKey() {
        return `static-export-place ${location.pathname}`;
    }

    /** The last heading above the reader's place, because parts above may be longer now; and what is unfolded. */
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
        // Pictures may have moved the text.
        window.addEventListener("load", () => {
            restore();
            history.scrollRestoration = "auto";
        });
    }

    /** In its own tree, so that neither the theme's styles nor the site's apply. */
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
