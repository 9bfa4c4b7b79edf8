/* global document, window, navigator, IntersectionObserver */
// This script is optional: a page is complete without it. The script is not a module, because pages on disk cannot load
// modules.
(() => {
    const script = document.currentScript;
    const page = document.documentElement;
    /** Words in the language of the page; English pages contain none. */
    const words = JSON.parse(script.dataset.words ?? "{}");
    page.classList.add("js");

    setUpTheme();
    setUpBanner();
    setUpMenu();
    setUpCopyButtons();
    setUpTabs();
    setUpTableOfContents();
    setUpDiagrams();

    /** Remembers a choice, unless the browser refuses to store data for pages on disk. */
    function remember(key, value) {
        try {
            if (value === undefined) {
                return window.localStorage.getItem(`static-export-${key}`);
            }
            window.localStorage.setItem(`static-export-${key}`, value);
        } catch {
            return null;
        }
        return value;
    }

    function isDark() {
        const { theme } = page.dataset;
        return theme === undefined ? window.matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
    }

    /** Sets the same class as the platform, so that the site's own CSS finds the current colours. */
    function nameColors() {
        ["dark", "light"].forEach((name) => page.classList.toggle(name, (name === "dark") === isDark()));
    }

    function setUpTheme() {
        const button = document.querySelector(".theme-switch");
        const isFixed = page.dataset.themeFixed !== undefined;
        const known = remember("theme");
        if (!isFixed && (known === "light" || known === "dark")) {
            page.dataset.theme = known;
        }
        nameColors();
        window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameColors);
        button.hidden = isFixed;
        button.addEventListener("click", () => {
            page.dataset.theme = isDark() ? "light" : "dark";
            nameColors();
            remember("theme", page.dataset.theme);
        });
    }

    function setUpBanner() {
        const banner = document.querySelector(".banner");
        const button = banner?.querySelector("button");
        if (!button) {
            return;
        }
        const text = banner.textContent;
        banner.hidden = remember("banner") === text;
        button.hidden = false;
        button.addEventListener("click", () => {
            banner.hidden = true;
            remember("banner", text);
        });
    }

    /** The drawing script is large, so only pages with a diagram load it. */
    function setUpDiagrams() {
        const source = script.dataset.diagrams;
        if (source === undefined) {
            return;
        }
        const element = document.createElement("script");
        element.src = source;
        element.onload = () => window.staticExportDrawDiagrams(isDark);
        document.head.append(element);
    }

    function setUpMenu() {
        const button = document.querySelector(".menu");
        const sidebar = document.querySelector(".sidebar");
        button.hidden = false;
        const toggle = (open) => {
            page.classList.toggle("menu-open", open);
            button.setAttribute("aria-expanded", String(open));
        };
        button.addEventListener("click", () => toggle(!page.classList.contains("menu-open")));
        document.addEventListener("keydown", (event) => {
            if (event.key === "Escape" && page.classList.contains("menu-open")) {
                toggle(false);
                button.focus();
            }
        });
        const current = sidebar.querySelector("[aria-current=page]");
        if (current && current.offsetTop > sidebar.clientHeight * 0.8) {
            sidebar.scrollTop = current.offsetTop - sidebar.clientHeight / 2;
        }
    }

    function setUpCopyButtons() {
        for (const block of document.querySelectorAll(".code:not(.nocopy)")) {
            const button = document.createElement("button");
            button.type = "button";
            button.className = "copy";
            button.textContent = words.copy ?? "Copy";
            button.addEventListener("click", async () => {
                button.textContent = (await copy(block.querySelector("code")))
                    ? (words.copied ?? "Copied")
                    : (words.byKeys ?? "Press Ctrl+C");
                button.classList.add("done");
                setTimeout(() => {
                    button.textContent = words.copy ?? "Copy";
                    button.classList.remove("done");
                }, 2000);
            });
            block.append(button);
        }
    }

    /** The clipboard needs https or localhost; elsewhere the code is selected, so that readers can copy it. */
    async function copy(code) {
        const copied = code.cloneNode(true);
        copied.querySelectorAll(".line.remove:not(.error)").forEach((line) => line.remove());
        try {
            await navigator.clipboard.writeText(copied.textContent.replace(/\n$/, ""));
            return true;
        } catch {
            window.getSelection().selectAllChildren(code);
            return false;
        }
    }

    function setUpTabs() {
        const forward = page.dir === "rtl" ? -1 : 1;
        let groups = 0;
        const synced = [];
        for (const group of document.querySelectorAll(".tabs")) {
            const panels = [...group.children].filter((child) => child.dataset.title !== undefined);
            if (panels.length < 2) {
                continue;
            }
            const prefix = `tabs-${groups++}`;
            const list = document.createElement("div");
            list.setAttribute("role", "tablist");
            const tabs = panels.map((panel, index) => {
                const tab = document.createElement("button");
                tab.type = "button";
                tab.id = `${prefix}-tab-${index}`;
                tab.textContent = panel.dataset.title;
                tab.setAttribute("role", "tab");
                panel.id ||= `${prefix}-panel-${index}`;
                panel.setAttribute("role", "tabpanel");
                panel.setAttribute("aria-labelledby", tab.id);
                tab.setAttribute("aria-controls", panel.id);
                tab.addEventListener("click", () => choose(index));
                list.append(tab);
                return tab;
            });
            const select = (chosen) => {
                tabs.forEach((tab, index) => {
                    tab.setAttribute("aria-selected", String(index === chosen));
                    tab.tabIndex = index === chosen ? 0 : -1;
                    panels[index].hidden = index !== chosen;
                });
            };
            /** Other groups with a tab of the same name switch too, even on the next page. */
            const choose = (chosen) => {
                select(chosen);
                if (group.dataset.sync === undefined) {
                    return;
                }
                const name = panels[chosen].dataset.title;
                remember("tabs", JSON.stringify([...chosenTabs().filter((other) => other !== name), name].slice(-20)));
                const top = group.getBoundingClientRect().top;
                synced.filter((other) => other !== follow).forEach((other) => other(name));
                window.scrollBy(0, group.getBoundingClientRect().top - top);
            };
            const follow = (name) => {
                const named = panels.filter((panel) => panel.dataset.title === name);
                if (named.every((panel) => panel.hidden) && named.length > 0) {
                    select(panels.indexOf(named[0]));
                }
            };
            list.addEventListener("keydown", (event) => {
                const step = { ArrowRight: forward, ArrowLeft: -forward }[event.key];
                if (step === undefined) {
                    return;
                }
                const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
                choose(next);
                tabs[next].focus();
            });
            select(Math.min(panels.length - 1, Number(group.dataset.first ?? 0)));
            if (group.dataset.dropdown === undefined) {
                group.prepend(list);
            } else {
                group.prepend(createChooser(panels, choose));
            }
            group.classList.add("ready");
            if (group.dataset.sync !== undefined) {
                synced.push(follow);
                const known = chosenTabs().findLast((name) => panels.some(({ dataset }) => dataset.title === name));
                if (known !== undefined) {
                    follow(known);
                }
            }
        }
        openTarget();
        window.addEventListener("hashchange", openTarget);
    }

    /** The names of the tabs that the reader chose, the last one last. Each group has its own names. */
    function chosenTabs() {
        try {
            return [JSON.parse(remember("tabs") ?? "[]")].flat().map(String);
        } catch {
            return [];
        }
    }

    function createChooser(panels, choose) {
        const chooser = document.createElement("select");
        chooser.className = "chooser";
        chooser.setAttribute("aria-label", words.example ?? "Example");
        for (const panel of panels) {
            chooser.append(new window.Option(panel.dataset.title));
        }
        chooser.addEventListener("change", () => choose(chooser.selectedIndex));
        return chooser;
    }

    /** Returns the part of the page that an address names, even if case or encoding differ. */
    function targetOf({ hash }) {
        let id = hash.slice(1);
        try {
            id = decodeURIComponent(id);
        } catch {
            // The text after the # may be invalid.
        }
        return document.getElementById(id) ?? document.getElementById(id.toLowerCase()) ?? headingLike(id);
    }

    /**
     * Finds a heading despite different punctuation, because links on other sites follow other platforms' rules for
     * ids.
     */
    function headingLike(id) {
        const lettersOf = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
        const letters = lettersOf(id);
        if (letters === "") {
            return null;
        }
        const headings = document.querySelectorAll("article :is(h1, h2, h3, h4, h5, h6)[id]");
        return [...headings].find((heading) => lettersOf(heading.id) === letters) ?? null;
    }

    /** Shows the target of an address that is in a closed section or a hidden tab. */
    function openTarget() {
        const target = targetOf(window.location);
        for (let part = target; part; part = part.parentElement) {
            if (part.tagName === "DETAILS") {
                part.open = true;
            } else if (part.hidden && part.getAttribute("role") === "tabpanel") {
                document.getElementById(part.getAttribute("aria-labelledby"))?.click();
            }
        }
        target?.scrollIntoView();
    }

    function setUpTableOfContents() {
        const links = [...document.querySelectorAll(".toc nav a")];
        const headings = links.map((link) => targetOf(link)).filter(Boolean);
        if (headings.length === 0) {
            return;
        }
        const mark = () => {
            const line = window.innerHeight * 0.25;
            const passed = headings.filter(
                (heading) => heading.checkVisibility?.() !== false && heading.getBoundingClientRect().top <= line,
            ).length;
            const current = Math.max(0, passed - 1);
            links.forEach((link, index) => {
                if (index === current) {
                    link.setAttribute("aria-current", "true");
                } else {
                    link.removeAttribute("aria-current");
                }
            });
        };
        const observer = new IntersectionObserver(mark, { rootMargin: "0px 0px -75% 0px" });
        for (const heading of headings) {
            observer.observe(heading);
        }
        mark();
    }
})();
