/* global document, window */
// Shows a signed-in reader's additional pages on public pages. The server sends files of private pages only to readers
// who may read them. Only a browser that has opened a private page requests files of private pages.
(() => {
    const { parts, own, section } = document.currentScript.dataset;
    const { root } = document.documentElement.dataset;
    /** A host may have several sites, each below its own path. */
    const key = `static-export-readers ${new URL(`${root}.`, document.baseURI).pathname}`;
    const found = new Map();
    let storage;
    try {
        storage = window.localStorage;
    } catch {
        return;
    }

    window.staticExportReaders = (part, seen) => found.set(part, seen);

    if (own !== undefined) {
        if (!known().includes(own)) {
            storage.setItem(key, parts);
        }
    } else {
        void show();
    }

    /**
     * Returns the folders of the parts that the reader may read, as stored in this browser; the folder with the most
     * pages is first.
     */
    function known() {
        return storage.getItem(key)?.split(" ") ?? [];
    }

    async function show() {
        const asked = known();
        await Promise.all(asked.map((part) => load(`${root}${part}/beside/${section}.js`)));
        const readable = asked.filter((part) => found.has(part));
        if (readable.length > 0) {
            storage.setItem(key, readable.join(" "));
        } else {
            storage.removeItem(key);
            return;
        }
        const list = document.querySelector(".sidebar > div > ul");
        const { file } = found.get(readable[0]);
        if (list?.dataset.list !== undefined && file !== undefined) {
            list.dataset.list = file;
        }
        for (const part of readable) {
            const other = listOf(found.get(part));
            if (list !== null && other !== null) {
                merge(list, other);
            }
        }
        const search = document.querySelector("script[data-index]");
        if (search !== null) {
            const { index, scope } = found.get(readable[0]);
            search.dataset.index = `${root}${index}`;
            search.dataset.scope = scope;
        }
    }

    /** Loads the file as a script, because the server does not redirect requests for scripts to the sign-in. */
    function load(source) {
        return new Promise((resolve) => {
            const element = document.createElement("script");
            element.src = source;
            element.onload = resolve;
            element.onerror = resolve;
            document.head.append(element);
        });
    }

    /** The page list of another page in the section, with its addresses rewritten for this page. */
    function listOf({ from, list }) {
        const base = new URL(`${root}${from}`, document.baseURI);
        const template = document.createElement("template");
        template.innerHTML = list;
        for (const name of ["href", "src"]) {
            for (const element of template.content.querySelectorAll(`[${name}]`)) {
                element.setAttribute(name, new URL(element.getAttribute(name), base).href);
            }
        }
        return template.content.querySelector("ul");
    }

    /** Inserts the entries that only `other` contains into `list`, in the order of `other`, except in folded parts. */
    function merge(list, other) {
        let place = list.firstElementChild?.dataset.fold === undefined ? null : undefined;
        for (const item of [...other.children]) {
            const same = [...list.children].find((each) => nameOf(each) === nameOf(item));
            if (same === undefined) {
                if (item.dataset.known !== undefined) {
                    place = undefined;
                }
                if (place === undefined) {
                    continue;
                }
                list.insertBefore(item, place === null ? list.firstChild : place.nextSibling);
                place = item;
                continue;
            }
            const [inner, others] = [same, item].map((each) => each.querySelector("ul"));
            if (inner !== null && others !== null) {
                merge(inner, others);
            }
            place = same;
        }
    }

    /** The title of a group, or the address of a page. */
    function nameOf(item) {
        const title = item.querySelector(":scope > .group-title, :scope > details > summary");
        return title === null ? item.querySelector(":scope > a")?.href : `group ${title.textContent}`;
    }
})();
