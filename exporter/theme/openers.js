/* global document, window */
// Opens the search and the assistant, which are loaded when a reader first asks for them.
(() => {
    const script = document.currentScript;
    const { root } = document.documentElement.dataset;
    const words = JSON.parse(script.dataset.words ?? "{}");
    /** Switches of the deployment, from `features.js`. */
    const features = window.staticExportFeatures ?? {};
    const loading = new Map();

    setUpSearch();

    /** A failed load is tried again the next time. */
    function load(source) {
        if (!loading.has(source)) {
            const loaded = new Promise((resolve, reject) => {
                const element = document.createElement("script");
                element.src = source;
                element.onload = resolve;
                element.onerror = () => reject(new Error(`${source} did not load`));
                document.head.append(element);
            });
            loading.set(source, loaded);
            loaded.catch(() => loading.delete(source));
        }
        return loading.get(source);
    }

    /** The search, and those parts of its index that a query needs, are loaded when they are first asked for. */
    function setUpSearch() {
        const button = document.querySelector(".search-open");
        if (button === null) {
            return;
        }
        if (features.documentationSearch === false) {
            button.remove();
            return;
        }
        const open = async () => {
            try {
                await load(script.dataset.search);
            } catch {
                return;
            }
            const { index, scope } = script.dataset;
            const loadIndex = (name) => load(`${index}/${name}.js`);
            window.staticExportOpenSearch(root, Number(scope), loadIndex, words);
        };
        button.hidden = false;
        button.addEventListener("click", open);
        onKey(
            ({ key, metaKey, ctrlKey }, isTyping) =>
                (key === "/" && !isTyping) || (key.toLowerCase() === "k" && (metaKey || ctrlKey)),
            open,
        );
    }

    function onKey(isShortcut, open) {
        document.addEventListener("keydown", (event) => {
            const { target } = event;
            const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
            if (isShortcut(event, isTyping)) {
                event.preventDefault();
                open();
            }
        });
    }
})();
