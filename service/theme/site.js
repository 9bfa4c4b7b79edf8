/* global document, window, navigator, IntersectionObserver */
// Everything here adds comfort: a page is complete without it. Not a module, because pages on disk may not load one.
(() => {
    const script = document.currentScript;
    const page = document.documentElement;
    page.classList.add("js");

    setUpMenu();
    setUpCopyButtons();
    setUpTabs();
    setUpTableOfContents();
    setUpSearch();

    function setUpMenu() {
        const button = document.querySelector(".menu");
        const sidebar = document.getElementById("sidebar");
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
        if (current && current.offsetTop > sidebar.clientHeight * 0.8)
            sidebar.scrollTop = current.offsetTop - sidebar.clientHeight / 2;
    }

    function setUpCopyButtons() {
        for (const block of document.querySelectorAll(".code")) {
            const button = document.createElement("button");
            button.type = "button";
            button.className = "copy";
            button.textContent = "Copy";
            button.addEventListener("click", async () => {
                button.textContent = (await copy(block.querySelector("code"))) ? "Copied" : "Press Ctrl+C";
                button.classList.add("done");
                setTimeout(() => {
                    button.textContent = "Copy";
                    button.classList.remove("done");
                }, 2000);
            });
            block.append(button);
        }
    }

    /** The clipboard needs https or localhost; elsewhere the code is selected, ready to be copied by key. */
    async function copy(code) {
        try {
            await navigator.clipboard.writeText(code.textContent.replace(/\n$/, ""));
            return true;
        } catch {
            window.getSelection().selectAllChildren(code);
            return false;
        }
    }

    function setUpTabs() {
        let groups = 0;
        for (const group of document.querySelectorAll(".tabs")) {
            const panels = [...group.children].filter((child) => child.dataset.title !== undefined);
            if (panels.length < 2) continue;
            const prefix = `tabs-${groups++}`;
            const list = document.createElement("div");
            list.setAttribute("role", "tablist");
            const tabs = panels.map((panel, index) => {
                const tab = document.createElement("button");
                tab.type = "button";
                tab.id = `${prefix}-tab-${index}`;
                tab.textContent = panel.dataset.title;
                tab.setAttribute("role", "tab");
                panel.id = `${prefix}-panel-${index}`;
                panel.setAttribute("role", "tabpanel");
                panel.setAttribute("aria-labelledby", tab.id);
                tab.setAttribute("aria-controls", panel.id);
                tab.addEventListener("click", () => select(index));
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
            list.addEventListener("keydown", (event) => {
                const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
                if (step === undefined) return;
                const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
                select(next);
                tabs[next].focus();
            });
            select(0);
            group.prepend(list);
            group.classList.add("ready");
        }
    }

    function setUpTableOfContents() {
        const links = [...document.querySelectorAll(".toc a")];
        const headings = links
            .map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))))
            .filter(Boolean);
        if (headings.length === 0) return;
        const mark = () => {
            const line = window.innerHeight * 0.25;
            const passed = headings.filter((heading) => heading.getBoundingClientRect().top <= line).length;
            const current = Math.max(0, passed - 1);
            links.forEach((link, index) => {
                if (index === current) link.setAttribute("aria-current", "true");
                else link.removeAttribute("aria-current");
            });
        };
        const observer = new IntersectionObserver(mark, { rootMargin: "0px 0px -75% 0px" });
        for (const heading of headings) observer.observe(heading);
        mark();
    }

    /** The search and the text it looks through are loaded when they are first asked for. */
    function setUpSearch() {
        const button = document.querySelector(".search-open");
        const load = (source) =>
            new Promise((resolve, reject) => {
                const element = document.createElement("script");
                element.src = source;
                element.onload = resolve;
                element.onerror = () => reject(new Error(`${source} did not load`));
                document.head.append(element);
            });
        let loading;
        const open = async () => {
            loading ??= load(script.dataset.search);
            try {
                await loading;
            } catch {
                loading = undefined;
                return;
            }
            window.staticExportOpenSearch(page.dataset.root, () => load(script.dataset.index));
        };
        button.hidden = false;
        button.addEventListener("click", open);
        document.addEventListener("keydown", (event) => {
            const typing = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.isContentEditable;
            const shortcut =
                (event.key === "/" && !typing) || (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey));
            if (!shortcut) return;
            event.preventDefault();
            open();
        });
    }
})();
