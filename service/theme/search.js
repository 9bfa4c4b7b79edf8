/* global document, window */
// Looks through the text of all pages, section by section. The text comes from search-data.js, which calls
// staticExportSearch(pages) with [address, title, description, [id, heading, text][]] for each page.
(() => {
    const mostHits = 30;
    const mostHitsOfAPage = 3;
    const excerptLength = 160;
    let sections;
    let dialog;

    window.staticExportSearch = (pages) => {
        sections = pages.flatMap(([address, title, description, parts]) => {
            const all = parts.length === 0 || parts[0][0] !== "" ? [["", "", description], ...parts] : parts;
            return all.map(([id, heading, text]) => ({
                address: id === "" ? address : `${address}#${encodeURIComponent(id)}`,
                page: address,
                title,
                heading,
                text,
                isTop: id === "",
                inTitle: fold(title),
                inHeading: fold(heading),
                inText: fold(id === "" && description !== text ? `${text} ${description}` : text),
            }));
        });
    };

    /** The best sections that have every word of the query, the words of the title counting for each section. */
    window.staticExportFind = (query) => {
        const words = fold(query)
            .split(/\s+/)
            .filter((word) => word !== "");
        if (words.length === 0) {
            return [];
        }
        const exact = rank(words);
        return exact.length > 0 ? exact : rank(words.map(withoutTypo));
    };

    window.staticExportOpenSearch = (root, loadPages) => {
        dialog ??= createDialog(root, loadPages);
        if (!dialog.open) {
            dialog.showModal();
        }
    };

    /** Case and accents do not matter. Kept as it is where folding would move the letters. */
    function fold(text) {
        const lower = text.toLowerCase();
        const plain = lower.normalize("NFD").replace(/\p{M}/gu, "");
        return plain.length === lower.length ? plain : lower;
    }

    function rank(words) {
        const hits = [];
        for (const section of sections) {
            const score = scoreOf(section, words);
            if (score > 0) {
                hits.push({ section, score });
            }
        }
        hits.sort((a, b) => b.score - a.score);
        const hitsOfPage = new Map();
        const best = [];
        for (const { section } of hits) {
            const count = hitsOfPage.get(section.page) ?? 0;
            if (count === mostHitsOfAPage) {
                continue;
            }
            hitsOfPage.set(section.page, count + 1);
            best.push({ ...section, words });
            if (best.length === mostHits) {
                break;
            }
        }
        return best;
    }

    function scoreOf(section, words) {
        let total = 0;
        let own = false;
        for (const word of words) {
            const inTitle = scoreIn(section.inTitle, word) * (section.isTop ? 12 : 2);
            const inHeading = scoreIn(section.inHeading, word) * 7;
            const inText = scoreIn(section.inText, word);
            const score = inTitle + inHeading + inText;
            if (score === 0) {
                return 0;
            }
            own ||= section.isTop || inHeading + inText > 0;
            total += score;
        }
        return own ? total : 0;
    }

    /** 3 for the whole word, 2 for the start of one, 1 within one, 0 where it is not. */
    function scoreIn(text, word) {
        let best = 0;
        for (let at = text.indexOf(word); at !== -1 && best < 3; at = text.indexOf(word, at + 1)) {
            const starts = at === 0 || !isLetter(text[at - 1]);
            const end = at + word.length;
            const ends = end === text.length || !isLetter(text[end]);
            best = Math.max(best, starts ? (ends ? 3 : 2) : 1);
        }
        return best;
    }

    function isLetter(character) {
        return /[\p{L}\p{N}]/u.test(character);
    }

    let vocabulary;

    /** The site's word that is one slip away from what was typed, if what was typed is on no page. */
    function withoutTypo(word) {
        if (
            word.length < 4 ||
            sections.some(({ inTitle, inHeading, inText }) => `${inTitle} ${inHeading} ${inText}`.includes(word))
        ) {
            return word;
        }
        vocabulary ??= new Set(
            sections.flatMap(
                ({ inTitle, inHeading, inText }) =>
                    `${inTitle} ${inHeading} ${inText}`.match(/[\p{L}\p{N}]{4,}/gu) ?? [],
            ),
        );
        const near = [...vocabulary].filter((known) => isOneSlipAway(word, known));
        return (
            near.sort((a, b) => Math.abs(a.length - word.length - 0.5) - Math.abs(b.length - word.length - 0.5))[0] ??
            word
        );
    }

    /** One letter wrong, missing or too many, or two neighbours swapped; `known` may go on after it. */
    function isOneSlipAway(typed, known) {
        let same = 0;
        while (same < typed.length && typed[same] === known[same]) {
            same += 1;
        }
        const rest = (text, from) => text.slice(from);
        return (
            known.startsWith(rest(typed, same + 1), same + 1) ||
            known.startsWith(rest(typed, same), same + 1) ||
            known.startsWith(rest(typed, same + 1), same) ||
            (typed[same] === known[same + 1] &&
                typed[same + 1] === known[same] &&
                known.startsWith(rest(typed, same + 2), same + 2))
        );
    }

    function createDialog(root, loadPages) {
        const element = document.createElement("dialog");
        element.className = "search";
        element.setAttribute("aria-label", "Search");
        element.innerHTML = `<form method="dialog">
            <input type="text" role="combobox" aria-label="Search" aria-expanded="true" aria-controls="static-export-search-hits"
                aria-autocomplete="list" placeholder="Search" autocomplete="off" autocapitalize="off" spellcheck="false"
                enterkeyhint="go" autofocus>
            <button type="button">Close</button>
            </form>
            <p class="status" role="status">Loading…</p>
            <div role="listbox" id="static-export-search-hits" aria-label="Results"></div>`;
        const input = element.querySelector("input");
        const list = element.querySelector("[role=listbox]");
        const status = element.querySelector(".status");
        let selected = 0;

        const select = (index) => {
            const options = [...list.children];
            selected = Math.max(0, Math.min(index, options.length - 1));
            options.forEach((option, at) => option.setAttribute("aria-selected", String(at === selected)));
            if (options.length > 0) {
                input.setAttribute("aria-activedescendant", options[selected].id);
                options[selected].scrollIntoView({ block: "nearest" });
            } else {
                input.removeAttribute("aria-activedescendant");
            }
        };
        const show = () => {
            if (sections === undefined) {
                return;
            }
            const hits = window.staticExportFind(input.value);
            list.replaceChildren(...hits.map((hit, index) => createHit(hit, index, root)));
            const asked = input.value.trim() !== "";
            status.textContent = !asked
                ? "Type to search all pages."
                : hits.length === 0
                  ? `Nothing found for “${input.value.trim()}”.`
                  : "";
            status.hidden = status.textContent === "";
            select(0);
        };
        input.addEventListener("input", show);
        input.addEventListener("keydown", (event) => {
            if (event.key === "ArrowDown") {
                select(selected + 1);
            } else if (event.key === "ArrowUp") {
                select(selected - 1);
            } else if (event.key === "Enter") {
                list.children[selected]?.click();
            } else {
                return;
            }
            event.preventDefault();
        });
        list.addEventListener("click", () => element.close());
        element.querySelector("button").addEventListener("click", () => element.close());
        element.addEventListener("click", (event) => {
            if (event.target === element) {
                element.close();
            }
        });
        document.body.append(element);
        loadPages().then(show, () => {
            status.textContent = "The search could not be loaded.";
        });
        return element;
    }

    function createHit({ address, title, heading, text, words }, index, root) {
        const link = document.createElement("a");
        link.id = `search-hit-${index}`;
        link.href =
            root +
            address
                .split("/")
                .map((part, at, all) => (at < all.length - 1 ? encodeURIComponent(part) : encodeLast(part)))
                .join("/");
        link.setAttribute("role", "option");
        link.tabIndex = -1;
        const name = document.createElement("span");
        name.className = "hit-title";
        appendMarked(name, heading === "" ? title : heading, words);
        link.append(name);
        if (heading !== "") {
            const page = document.createElement("span");
            page.className = "hit-page";
            page.textContent = ` – ${title}`;
            name.append(page);
        }
        const excerpt = excerptOf(text, words);
        if (excerpt !== "") {
            const below = document.createElement("span");
            below.className = "hit-text";
            appendMarked(below, excerpt, words);
            link.append(below);
        }
        return link;
    }

    function encodeLast(part) {
        const [file, hash] = part.split("#");
        return encodeURIComponent(file) + (hash === undefined ? "" : `#${hash}`);
    }

    function excerptOf(text, words) {
        const folded = fold(text);
        const found = words.map((word) => folded.indexOf(word)).filter((at) => at !== -1);
        if (found.length === 0) {
            return text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text;
        }
        const from = Math.max(0, Math.min(...found) - 50);
        const start = from === 0 ? 0 : text.indexOf(" ", from) + 1;
        const end = start + excerptLength;
        return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
    }

    function appendMarked(element, text, words) {
        const folded = fold(text);
        let at = 0;
        while (at < text.length) {
            const next = words
                .map((word) => ({ from: folded.indexOf(word, at), length: word.length }))
                .filter(({ from }) => from !== -1)
                .sort((a, b) => a.from - b.from || b.length - a.length)[0];
            if (next === undefined) {
                break;
            }
            element.append(text.slice(at, next.from));
            const mark = document.createElement("mark");
            mark.textContent = text.slice(next.from, next.from + next.length);
            element.append(mark);
            at = next.from + next.length;
        }
        element.append(text.slice(at));
    }
})();
