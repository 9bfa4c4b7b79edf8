/* global document, window */
// The search dialog of a site.
(() => {
    const hitsAtOnce = 6;
    const excerptSize = { before: 50, length: 160 };
    /** The search waits for a pause in typing, because loading files for each prefix would be wasteful. */
    const typingMs = 300;
    const pauseMs = 150;
    /** Shorter prefixes match too many words. */
    const minLetters = 3;
    let dialog;

    const english = {
        search: "Search",
        close: "Close",
        loading: "Loading…",
        moreResults: "More results",
        notLoaded: "The search could not be loaded.",
        typeToSearch: "Type to search.",
        nothingFound: "Nothing found",
        section: "Section",
        allSections: "All sections",
        otherPages: "Other pages",
        askAssistant: "Ask the assistant",
        singleKeys: "Single-key shortcuts (/ and ?)",
    };
    let words;

    /**
     * @param load loads a script of the index by its name
     * @param translated words in the page's language
     * @param query the initial query; undefined for the last query
     * @param askAssistant asks the assistant; undefined without an assistant
     * @param singleKeys whether single keys are shortcuts, which readers switch in the dialog
     */
    window.staticExportOpenSearch = (root, scope, load, translated, { query, ask: askAssistant, singleKeys }) => {
        words ??= { ...english, searchIn: translated.search ?? "Search in", ...translated };
        dialog ??= createDialog(root, scope, load, askAssistant, singleKeys);
        if (!dialog.open) {
            dialog.showModal();
        }
        if (query !== undefined) {
            const input = dialog.querySelector("input");
            input.value = query;
            input.dispatchEvent(new window.Event("input"));
        }
    };

    function createDialog(root, ownScope, load, askAssistant, singleKeys) {
        const element = document.createElement("dialog");
        element.className = "search";
        element.setAttribute("aria-label", words.search);
        element.innerHTML = `<form method="dialog">
            <input id="search-input" type="text" role="combobox" aria-expanded="true"
                aria-controls="static-export-search-hits"
                aria-autocomplete="list" autocomplete="off" autocapitalize="off" spellcheck="false"
                enterkeyhint="go" autofocus>
            <button type="button"></button>
            </form>
            <div class="search-places" hidden></div>
            <p class="status" role="status"></p>
            <div role="listbox" id="static-export-search-hits"></div>
            <button type="button" class="more" hidden></button>
            <button type="button" class="search-keys" role="switch"></button>`;
        const input = element.querySelector("input");
        input.setAttribute("aria-label", words.search);
        input.placeholder = document.querySelector(".search-open > span").textContent;
        const keys = element.querySelector(".search-keys");
        keys.textContent = words.singleKeys;
        keys.setAttribute("aria-checked", String(singleKeys.isOn));
        keys.addEventListener("click", () => {
            singleKeys.set(!singleKeys.isOn);
            keys.setAttribute("aria-checked", String(singleKeys.isOn));
        });
        const list = element.querySelector("[role=listbox]");
        const status = element.querySelector(".status");
        const more = element.querySelector(".more");
        list.setAttribute("aria-label", words.search);
        status.textContent = words.loading;
        more.textContent = words.moreResults;
        element.querySelector("form button").textContent = words.close;
        let index = window.staticExportSearchIndex(load, ownScope);
        let tab;
        let selected = 0;
        let asked = 0;
        let answer = Promise.resolve();
        let result;
        let pause;
        let changedMs = -typingMs;

        const select = (at) => {
            const options = [...list.children];
            selected = Math.max(0, Math.min(at, options.length - 1));
            options.forEach((option, each) => option.setAttribute("aria-selected", String(each === selected)));
            if (options.length > 0) {
                input.setAttribute("aria-activedescendant", options[selected].id);
                options[selected].scrollIntoView({ block: "nearest" });
            } else {
                input.removeAttribute("aria-activedescendant");
            }
        };
        const say = (text) => {
            status.textContent = text;
            status.hidden = text === "";
        };
        const add = (hits) => {
            const before = list.querySelectorAll("a").length;
            const links = hits.map((hit, at) => createHit(hit, before + at, root));
            const option = list.querySelector(".ask");
            links.forEach((link) => list.insertBefore(link, option));
        };
        /** The last option asks the assistant instead. */
        const offerAssistant = (query) => {
            if (askAssistant === undefined || query === "") {
                return;
            }
            const option = document.createElement("div");
            option.className = "ask";
            option.id = "search-hit-ask";
            option.setAttribute("role", "option");
            option.textContent = `${words.askAssistant}: “${query}”`;
            option.addEventListener("click", () => {
                element.close();
                void askAssistant(query);
            });
            list.append(option);
        };
        /** Discards results of earlier queries. */
        const attempt = async (work) => {
            const own = ++asked;
            const isCurrent = () => own === asked;
            try {
                await work(isCurrent);
            } catch {
                if (isCurrent()) {
                    say(words.notLoaded);
                }
            }
        };
        const show = () =>
            attempt(async (isCurrent) => {
                const query = input.value.trim();
                const found = await index.find(query, { tab, max: hitsAtOnce });
                if (!isCurrent()) {
                    return;
                }
                result = { ...found, shown: hitsAtOnce };
                list.replaceChildren();
                add(found.hits);
                offerAssistant(query);
                more.hidden = found.total <= hitsAtOnce;
                say(
                    query === ""
                        ? words.typeToSearch
                        : found.hits.length === 0
                          ? `${words.nothingFound}: ${query}`
                          : "",
                );
                select(0);
            });
        const showMore = () =>
            attempt(async (isCurrent) => {
                const hits = await result.more(result.shown);
                if (isCurrent()) {
                    result.shown += hitsAtOnce;
                    more.hidden = result.total <= result.shown;
                    add(hits);
                }
            });
        const ask = () => {
            window.clearTimeout(pause);
            pause = undefined;
            answer = show();
        };
        const moveDown = async () => {
            if (selected === list.querySelectorAll("a").length - 1 && !more.hidden) {
                await showMore();
            }
            select(selected + 1);
        };
        input.addEventListener("input", (event) => {
            window.clearTimeout(pause);
            const isTyping = event.timeStamp - changedMs < typingMs;
            const last = input.value.split(/\s/).at(-1);
            changedMs = event.timeStamp;
            if (isTyping || (last.length < minLetters && /^[a-z]+$/i.test(last))) {
                pause = window.setTimeout(ask, pauseMs);
            } else {
                ask();
            }
        });
        input.addEventListener("keydown", (event) => {
            // These keys choose the characters of a Japanese or Chinese word. Safari reports the key 229 for the last.
            if (event.isComposing || event.keyCode === 229) {
                return;
            }
            if (event.key === "ArrowDown") {
                void moveDown();
            } else if (event.key === "ArrowUp") {
                select(selected - 1);
            } else if (event.key === "Enter") {
                if (pause !== undefined) {
                    ask();
                }
                void answer.then(() => list.children[selected]?.click());
            } else {
                return;
            }
            event.preventDefault();
        });
        list.addEventListener("click", () => element.close());
        let reported;
        element.addEventListener("close", () => {
            const query = input.value.trim();
            if (query !== "" && query !== reported && result !== undefined) {
                reported = query;
                window.staticExportReport?.("docs.search.query", { query, hits: result.total });
            }
        });
        more.addEventListener("click", () => {
            void showMore();
            input.focus();
        });
        element.querySelector("button").addEventListener("click", () => element.close());
        element.addEventListener("click", (event) => {
            if (event.target === element) {
                element.close();
            }
        });
        const places = element.querySelector(".search-places");
        /** Menus for the parts of the site, if the site has several parts. */
        const showPlaces = async (scope) => {
            const { names, tabs } = await index.open();
            places.replaceChildren(
                ...createMenu(words.searchIn, names, scope, (chosen) => {
                    index = window.staticExportSearchIndex(load, chosen);
                    tab = undefined;
                    void showPlaces(chosen).catch(() => undefined);
                    ask();
                }),
                ...createMenu(
                    words.section,
                    [words.allSections, ...new Set(tabs.map(([, name]) => name))],
                    0,
                    (at, name) => {
                        tab = at === 0 ? undefined : name;
                        ask();
                    },
                ),
            );
            places.hidden = places.children.length === 0;
        };
        document.body.append(element);
        showPlaces(ownScope).then(ask, () => say(words.notLoaded));
        return element;
    }

    /** @returns an empty list if there is no choice */
    function createMenu(label, names, chosen, use) {
        if (names.filter((name) => name !== words.allSections).length < 2) {
            return [];
        }
        const menu = document.createElement("select");
        menu.setAttribute("aria-label", label);
        menu.append(...names.map((name) => new window.Option(name === "" ? words.otherPages : name)));
        menu.selectedIndex = chosen;
        menu.addEventListener("change", () => use(menu.selectedIndex, names[menu.selectedIndex]));
        return [menu];
    }

    function createHit({ page, id, title, heading, text, tab, terms }, index, root) {
        const link = document.createElement("a");
        link.id = `search-hit-${index}`;
        const path = page.split("/").map(encodeURIComponent).join("/");
        link.href = `${root}${path}${id === "" ? "" : `#${encodeURIComponent(id)}`}`;
        link.setAttribute("role", "option");
        link.tabIndex = -1;
        const name = document.createElement("span");
        name.className = "hit-title";
        appendMarked(name, heading === "" ? title : heading, terms);
        const place = [heading === "" ? "" : title, tab].filter((part) => part !== "").join(" · ");
        if (place !== "") {
            const beside = document.createElement("span");
            beside.className = "hit-page";
            beside.textContent = ` – ${place}`;
            name.append(beside);
        }
        link.append(name);
        const excerpt = window.staticExportExcerpt(text, terms, excerptSize);
        if (excerpt !== "") {
            const below = document.createElement("span");
            below.className = "hit-text";
            appendMarked(below, excerpt, terms);
            link.append(below);
        }
        return link;
    }

    function appendMarked(element, text, terms) {
        let at = 0;
        for (const { term, from, to } of window.staticExportWords(text)) {
            if (from >= at && terms.has(term)) {
                const mark = document.createElement("mark");
                mark.textContent = text.slice(from, to);
                element.append(text.slice(at, from), mark);
                at = to;
            }
        }
        element.append(text.slice(at));
    }
})();
