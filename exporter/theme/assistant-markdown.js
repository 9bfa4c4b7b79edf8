/* global document, window */
// Writes the Markdown of an answer as elements. HTML in the answer stays text, and only web and mail addresses become
// links.
(() => {
    const maxDepth = 5;
    const listMark = /^( {0,3}(?:[-*+]|(\d{1,9})[.)]))(?: +|$)/;
    const fenceMark = /^ {0,3}(`{3,}|~{3,})[^`]*$/;
    const tableRule = /^\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$/;
    const blockStart = /^ {0,3}(?:#{1,6}\s|>|`{3,}|~{3,}|[-*+] |\d{1,9}[.)] )/;
    const inlineMark =
        /\\([!-/:-@[-`{-~])|(`+)(?!`)([^]*?[^`])\2(?!`)|\[([^[\]]*)\]\(\s*<?([^\s()<>]*)>?(?:\s+"[^"]*")?\s*\)|<((?:https?:\/\/|mailto:)[^\s<>]+)>|(\*\*|__)(?=\S)([^]*?\S)\7|([*_])(?=\S)([^]*?\S)\9(?!\w)|~~(?=\S)([^]*?\S)~~| {2,}\n/;

    /** @param addressOf returns the address of a link's target, or undefined for a target that may not become a link */
    window.staticExportMarkdown = (text, addressOf) => {
        const fragment = document.createDocumentFragment();
        fragment.append(...blocksOf(text.replace(/\r\n?/g, "\n").split("\n"), addressOf, 0));
        return fragment;
    };

    function blocksOf(lines, addressOf, depth) {
        const blocks = [];
        const inner = (own) => blocksOf(own, addressOf, depth + 1);
        const inline = (text) => inlineOf(text, addressOf, 0);
        let at = 0;
        /** Takes the next lines that belong together. */
        const take = (belongs) => {
            const taken = [];
            while (at < lines.length && belongs(lines[at], taken.length)) {
                taken.push(lines[at++]);
            }
            return taken;
        };
        while (at < lines.length) {
            const line = lines[at];
            const heading = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(line);
            const [, fence] = fenceMark.exec(line) ?? [];
            if (line.trim() === "") {
                at++;
            } else if (fence !== undefined) {
                at++;
                const isEnd = (each) => each.trim().startsWith(fence) && /^\s*[`~]+\s*$/.test(each);
                const code = element("code", take((each) => !isEnd(each)).join("\n"));
                at++;
                blocks.push(element("pre", code));
            } else if (heading !== null) {
                at++;
                blocks.push(element(`h${Math.min(6, heading[1].length + 2)}`, ...inline(heading[2])));
            } else if (/^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/.test(line)) {
                at++;
                blocks.push(element("hr"));
            } else if (depth < maxDepth && /^ {0,3}>/.test(line)) {
                const quoted = take((each) => /^ {0,3}>/.test(each));
                blocks.push(element("blockquote", ...inner(quoted.map((each) => each.replace(/^ {0,3}> ?/, "")))));
            } else if (depth < maxDepth && listMark.test(line)) {
                blocks.push(listOf(take, line, inner));
            } else if (line.includes("|") && tableRule.test(lines[at + 1] ?? "")) {
                const rows = take((each) => each.includes("|"));
                blocks.push(tableOf(rows, inline));
            } else {
                const text = take((each, count) => count === 0 || (each.trim() !== "" && !blockStart.test(each)));
                blocks.push(element("p", ...inline(text.map((each) => each.trimStart()).join("\n"))));
            }
        }
        return blocks;
    }

    function listOf(take, first, inner) {
        const [, , number] = listMark.exec(first);
        const isSame = (line) => {
            const mark = listMark.exec(line);
            return mark !== null && (mark[2] === undefined) === (number === undefined);
        };
        const list = element(number === undefined ? "ul" : "ol");
        if (number !== undefined) {
            list.start = Number(number);
        }
        let wasBlank = false;
        const lines = take((line) => {
            const belongs = isSame(line) || /^\s/.test(line) || line === "" || (!wasBlank && !blockStart.test(line));
            wasBlank = line.trim() === "";
            return belongs;
        });
        let own = [];
        const add = () => own.length > 0 && list.append(element("li", ...tight(inner(own))));
        for (const line of lines) {
            if (isSame(line)) {
                add();
                own = [line.replace(listMark, "")];
            } else {
                own.push(line.replace(/^ {1,4}/, ""));
            }
        }
        add();
        return list;
    }

    /** Unwraps the first paragraph of a list item, so that the item has no margins. */
    function tight(blocks) {
        const [first, ...others] = blocks;
        return first?.tagName === "P" ? [...first.childNodes, ...others] : blocks;
    }

    function tableOf([head, , ...rows], inline) {
        const cellsOf = (row) =>
            row
                .trim()
                .replace(/^\||\|$/g, "")
                .split(/(?<!\\)\|/);
        const rowOf = (row, cell) =>
            element("tr", ...cellsOf(row).map((text) => element(cell, ...inline(text.trim().replaceAll("\\|", "|")))));
        const table = element("table", element("thead", rowOf(head, "th")));
        table.append(element("tbody", ...rows.map((row) => rowOf(row, "td"))));
        const scrolled = element("div", table);
        scrolled.tabIndex = 0;
        return scrolled;
    }

    function inlineOf(text, addressOf, depth) {
        const parts = [];
        let rest = text;
        for (let found; depth < maxDepth && (found = inlineMark.exec(rest)) !== null;) {
            const [all, escaped, , code, label, target, plain, , strong, , emphasis, struck] = found;
            const within = (inner) => inlineOf(inner, addressOf, depth + 1);
            parts.push(rest.slice(0, found.index));
            rest = rest.slice(found.index + all.length);
            if (escaped !== undefined) {
                parts.push(escaped);
            } else if (code !== undefined) {
                parts.push(element("code", code.replace(/\n/g, " ")));
            } else if (label !== undefined || plain !== undefined) {
                const address = addressOf(target ?? plain);
                const content = label === undefined ? [plain.replace(/^mailto:/, "")] : within(label);
                parts.push(...(address === undefined ? content : [linkTo(address, content)]));
            } else if (strong !== undefined) {
                parts.push(element("strong", ...within(strong)));
            } else if (emphasis !== undefined) {
                parts.push(element("em", ...within(emphasis)));
            } else {
                parts.push(struck === undefined ? element("br") : element("s", ...within(struck)));
            }
        }
        return [...parts, rest].filter((part) => part !== "");
    }

    function linkTo(address, content) {
        const link = element("a", ...content);
        link.href = address;
        return link;
    }

    function element(name, ...content) {
        const created = document.createElement(name);
        created.append(...content);
        return created;
    }
})();
