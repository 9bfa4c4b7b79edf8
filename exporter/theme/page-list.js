/* global document, window */
// Unfolds the parts of a long page list that the page does not contain. All entries of the list are in one file. The
// page loads the entries on first use, as a script, because pages on disk cannot load other files.
(() => {
    const top = document.querySelector(".sidebar > div > ul[data-list]");
    if (top === null) {
        return;
    }
    const base = new URL(document.documentElement.dataset.root, new URL(".", document.baseURI));
    const maxAtOnce = 200;
    let loading;

    for (const link of top.querySelectorAll("a.group-title")) {
        const item = link.parentElement;
        item.dataset.first = link.href;
        const fold = foldOf([...link.childNodes], async () => {
            try {
                loading ??= load(new URL(top.dataset.list, base));
                return entriesIn(item, await loading);
            } catch {
                // Opens the link instead, because its page also lists the entries.
                window.location.href = link.href;
                return [];
            }
        });
        link.replaceWith(fold);
    }

    function load(source) {
        return new Promise((resolve, reject) => {
            window.staticExportList = resolve;
            const element = document.createElement("script");
            element.src = source.href;
            element.onerror = reject;
            document.head.append(element);
        });
    }

    /** @param find finds the entries when a reader opens the fold */
    function foldOf(title, find) {
        const fold = document.createElement("details");
        const summary = document.createElement("summary");
        summary.append(...title);
        fold.append(summary);
        fold.addEventListener("toggle", async () => fold.append(listOf(await find())), { once: true });
        return fold;
    }

    /** Returns the entries of a folded group, or of the folded beginning or end of a list. */
    function entriesIn(item, all) {
        const entries = entriesOf(item.parentElement, all);
        if (item.dataset.fold === undefined) {
            return entryOf(item, entries)[1];
        }
        const { previousElementSibling: before, nextElementSibling: after } = item;
        const from = before === null ? 0 : entries.indexOf(entryOf(before, entries)) + 1;
        return entries.slice(from, after === null ? undefined : entries.indexOf(entryOf(after, entries)));
    }

    /** Returns the entries of a list in the page. */
    function entriesOf(list, all) {
        if (list === top) {
            return all;
        }
        const group = list.closest("li");
        return entryOf(group, entriesOf(group.parentElement, all))[1];
    }

    function entryOf(item, entries) {
        const title = titleOf(item);
        const address = item.dataset.first ?? item.querySelector("a").href;
        if (title === null) {
            return entries.find((entry) => isPage(entry) && addressOf(entry) === address);
        }
        const alike = entries.filter((entry) => !isPage(entry) && textOf(entry[0]) === title.textContent);
        return alike.length === 1 ? alike[0] : alike.find(([, inner]) => contains(inner, address));
    }

    function titleOf(item) {
        return item.querySelector(":scope > .group-title, :scope > details > summary");
    }

    function isPage(entry) {
        return typeof entry[1] === "string";
    }

    function addressOf([href]) {
        return new URL(href, base).href;
    }

    function contains(entries, address) {
        return entries.some((entry) => (isPage(entry) ? addressOf(entry) === address : contains(entry[1], address)));
    }

    function fragmentOf(html) {
        const template = document.createElement("template");
        template.innerHTML = html;
        for (const picture of template.content.querySelectorAll("img")) {
            picture.src = new URL(picture.getAttribute("src"), base).href;
        }
        return template.content;
    }

    function textOf(html) {
        return fragmentOf(html).textContent;
    }

    /** Writes a list in chunks that are small enough to draw in one step. */
    function listOf(entries) {
        const list = document.createElement("ul");
        if (entries.length <= maxAtOnce) {
            list.append(...entries.map(itemOf));
            return list;
        }
        for (let at = 0; at < entries.length; at += maxAtOnce) {
            const piece = entries.slice(at, at + maxAtOnce);
            const [first, last] = [piece[0], piece.at(-1)].map((entry) => textOf(isPage(entry) ? entry[1] : entry[0]));
            list.append(groupOf([`${first} – ${last}`], () => piece));
        }
        return list;
    }

    function itemOf(entry) {
        if (!isPage(entry)) {
            return groupOf(fragmentOf(entry[0]).childNodes, () => entry[1]);
        }
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = addressOf(entry);
        link.append(fragmentOf(entry[1]));
        item.append(link);
        return item;
    }

    function groupOf(title, find) {
        const item = document.createElement("li");
        item.className = "group";
        item.append(foldOf(title, find));
        return item;
    }
})();
