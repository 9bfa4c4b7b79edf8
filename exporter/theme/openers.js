/* global document, window */
// Opens the search and the assistant, which are loaded on first use.
(() => {
    const script = document.currentScript;
    const { root } = document.documentElement.dataset;
    const words = JSON.parse(script.dataset.words ?? "{}");
    /** The deployment's feature flags, from `features.js`. */
    const features = window.staticExportFeatures ?? {};
    const loading = new Map();
    const singleKeys = createSingleKeys();

    const search = setUpSearch();
    setUpAssistant();

    /** A failed load is retried at the next click. */
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

    /** Loads the search, and the parts of its index that a query needs, on first use. */
    function setUpSearch() {
        const button = document.querySelector(".search-open");
        if (button === null) {
            return undefined;
        }
        if (features.documentationSearch === false) {
            button.remove();
            return undefined;
        }
        const open = async (query) => {
            try {
                await load(script.dataset.search);
            } catch {
                return;
            }
            const { index, scope } = script.dataset;
            const loadIndex = (name, isFresh) => load(`${index}/${name}.js${isFresh ? `?${Date.now()}` : ""}`);
            const { staticExportAsk: ask } = window;
            window.staticExportOpenSearch(root, Number(scope), loadIndex, words, { query, ask, singleKeys });
        };
        button.hidden = false;
        button.addEventListener("click", () => open());
        onKey(
            ({ key, metaKey, ctrlKey }, isTyping) =>
                (key === "/" && !isTyping && singleKeys.isOn) || (key.toLowerCase() === "k" && (metaKey || ctrlKey)),
            open,
        );
        return open;
    }

    /** Loads the assistant only when a reader opens it. */
    function setUpAssistant() {
        const source = window.staticExportAssistant;
        if (features.aiAssistant !== true || source === undefined) {
            return;
        }
        window.staticExportAsk = async (question) => {
            const selection = window.getSelection();
            const selected = { text: String(selection), node: selection.anchorNode };
            try {
                await load(root + source);
            } catch {
                void search?.(question);
                return;
            }
            window.staticExportOpenAssistant(question, selected, search);
        };
        // Without a search, readers could not switch the key off.
        if (search !== undefined) {
            onKey(({ key }, isTyping) => key === "?" && !isTyping && singleKeys.isOn, window.staticExportAsk);
        }
    }

    /** Readers who speak to their computer can switch off single keys in the search, because speech presses them. */
    function createSingleKeys() {
        const name = "static-export-single-keys";
        const hint = document.querySelector(".search-open kbd");
        const show = (isOn) => {
            hint?.toggleAttribute("hidden", !isOn);
            return isOn;
        };
        return {
            isOn: show(stored(() => window.localStorage.getItem(name)) !== "off"),
            set(isOn) {
                this.isOn = show(isOn);
                stored(() => window.localStorage.setItem(name, isOn ? "on" : "off"));
            },
        };
    }

    /** Browsers may refuse to store data for pages on disk. */
    function stored(use) {
        try {
            return use();
        } catch {
            return undefined;
        }
    }

    function onKey(isShortcut, open) {
        document.addEventListener("keydown", (event) => {
            const { target } = event;
            const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
            if (isShortcut(event, isTyping)) {
                event.preventDefault();
                void open();
            }
        });
    }
})();
