/* global document, window */
// Draws the blocks of an answer. The server has parsed them, and has removed all links except those to pages of the site
// and to the support address.
(() => {
    const elements = {
        paragraph: "p",
        strong: "strong",
        emphasis: "em",
        delete: "s",
        blockquote: "blockquote",
        listItem: "li",
        tableRow: "tr",
        inlineCode: "code",
        break: "br",
        thematicBreak: "hr",
    };

    /** @param addressOf returns the address of a link's target, or undefined for a target that may not become a link */
    window.staticExportBlocks = (blocks, addressOf) => blocks.map((block) => nodeOf(block, addressOf));

    function nodeOf({ type, value = "", url, depth = 1, start, children = [] }, addressOf) {
        const within = (nodes = children) => nodes.map((node) => nodeOf(node, addressOf));
        if (type === "heading") {
            return element(`h${Math.min(6, depth + 2)}`, ...within());
        }
        if (type === "code") {
            return element("pre", element("code", value));
        }
        if (type === "list") {
            const list = element(start === undefined ? "ul" : "ol", ...within());
            return start === undefined ? list : Object.assign(list, { start });
        }
        if (type === "listItem" && children[0]?.type === "paragraph") {
            // Without its paragraph, the item has no margins.
            return element("li", ...within(children[0].children), ...within(children.slice(1)));
        }
        if (type === "table") {
            const rows = children.map((row, at) =>
                element("tr", ...row.children.map((cell) => element(at === 0 ? "th" : "td", ...within(cell.children)))),
            );
            const table = element("table", element("thead", rows[0]), element("tbody", ...rows.slice(1)));
            return Object.assign(element("div", table), { tabIndex: 0 });
        }
        if (type === "link") {
            const href = addressOf(url);
            return href === undefined
                ? element("span", ...within())
                : Object.assign(element("a", ...within()), { href });
        }
        const name = elements[type];
        return name === undefined
            ? document.createTextNode(value)
            : element(name, ...within(), ...(value ? [value] : []));
    }

    function element(name, ...content) {
        const created = document.createElement(name);
        created.append(...content);
        return created;
    }
})();
