/* global window */
// Finds passages in the index of an export. The index is many small scripts, because a page on disk may load scripts but
// may not fetch; each calls staticExportSearch(name, value). Terms are looked up in the shards of a sorted list.
(() => {
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const pagesOfAGroup = 32;
    /** What a word may load. */
    const maxShards = 2;
    /** The beginnings of words that count as the word. */
    const maxForms = 40;
    /** Shorter words are not taken for beginnings: they are those of too many words. */
    const minPrefix = 3;
    const minCorrected = 4;
    /** Of several words of a query, the others decide which of these was meant. */
    const maxCorrections = 8;
    const maxHitsOfAPage = 3;
    /** For a term in a title of few words, another title, a heading, several times in the text, in the text. */
    const weights = [12, 9, 6, 2.5, 1];

    const values = new Map();
    const loading = new Map();

    window.staticExportSearch = (name, value) => values.set(name, value);

    /**
     * @param load loads the script of a name
     * @param scope the number of the part of the site to look in
     */
    window.staticExportSearchIndex = (load, scope) => {
        /** @returns undefined when the script is not there */
        const get = async (name) => {
            if (!values.has(name)) {
                if (!loading.has(name)) {
                    loading.set(name, load(name));
                }
                await loading.get(name).finally(() => loading.delete(name));
            }
            return values.get(name);
        };
        const open = async () => {
            const facts = await get(`${scope}/scope`);
            const stem = facts.stemmer === undefined ? (word) => word : await get(`stemmer-${facts.stemmer}`);
            return { ...facts, stem };
        };
        /** What a list has between two terms, from the shard of a third one on, or from some shards before it. */
        const shards = async (facts, list, from, to, near, before = 0) => {
            const shardOf = (term) => facts[list].findLastIndex((start) => start <= term);
            const first = Math.max(0, shardOf(from), shardOf(near) - before);
            const last = Math.min(shardOf(to), first + maxShards - 1);
            const wanted = [];
            for (let at = first; at <= last; at++) {
                wanted.push(get(`${scope}/${list}-${at}`));
            }
            return (await Promise.all(wanted)).flatMap((text) => text.split(","));
        };
        const find = async (query, { tab, max }) => {
            const facts = await open();
            const words = wordsOf(query);
            const found = await Promise.all(words.map((word) => lookUp(facts, word, shards)));
            if (isBegun(words.at(-1)) && words.length > 1 && found.at(-1).scores.size === 0) {
                found.pop();
            }
            const ranked = rank(found, (page) => tab === undefined || tabOf(facts, page) === tab);
            const hitsOf = async (from, to) => {
                const passages = await Promise.all(
                    ranked.slice(from, to).map(async ({ page, passage }) => {
                        const text = await get(passage === 0 ? `text/${page}` : `text/${page}-${passage}`);
                        return { tab: tabOf(facts, page), passage, text };
                    }),
                );
                return bestSections(passages, found);
            };
            return { hits: await hitsOf(0, max), total: ranked.length, more: (from) => hitsOf(from, from + max) };
        };
        return { open, find };
    };

    /** What a query asks for: a name such as `exportSite` as a whole, not its parts. */
    function wordsOf(query) {
        const words = window.staticExportWords(query);
        const whole = words.filter((word) => !words.some((other) => other !== word && isWithin(word, other)));
        return [...new Set(whole.map(({ term }) => term))];
    }

    /** Whether a last word is too short to be looked for as a beginning: who types on would see nothing meanwhile. */
    function isBegun(word = "") {
        return word.length < minPrefix && isSpaced(word);
    }

    /** A word of two signs is a whole one in scripts that put no spaces between words. */
    function isSpaced(word) {
        return /^[\p{Script=Latin}\p{N}]/u.test(word);
    }

    function isWithin(word, other) {
        return other.from <= word.from && word.to <= other.to && other.term !== word.term;
    }

    /** The passages of a word and of its other forms, with weights; or those of words that it may be a slip of. */
    async function lookUp(facts, word, shards) {
        const stem = facts.stem(word);
        const lead = commonStart(word, stem);
        // A stem may end otherwise than its words do: "polici" is that of "policy".
        const start = lead.slice(0, Math.max(minPrefix - 1, lead.length - 1));
        const lines = await shards(facts, "terms", start, `${word}\uffff`, word);
        const isPrefix = word.length >= minPrefix || !isSpaced(word);
        let forms = lines.flatMap((line) => {
            const term = termOf(line);
            const quality =
                term === word
                    ? 1
                    : term.startsWith(start) && facts.stem(term) === stem
                      ? 0.8
                      : isPrefix && term.startsWith(word)
                        ? 0.6 * Math.sqrt(word.length / term.length)
                        : 0;
            return quality === 0 ? [] : [{ line, quality }];
        });
        if (forms.length === 0 && word.length >= minCorrected) {
            forms = await corrections(facts, word, shards);
        }
        forms.sort((a, b) => b.quality - a.quality);
        return passagesOf(forms.slice(0, maxForms), facts.passages);
    }

    /** The nearest words: those that begin alike, and those that end alike for a slip at the beginning. */
    async function corrections(facts, word, shards) {
        const maxSlips = word.length >= 8 ? 2 : 1;
        const half = Math.floor(word.length / 2);
        const begin = word.slice(0, half);
        const end = reversed(word.slice(-half));
        const [lines, endings] = await Promise.all([
            shards(facts, "terms", begin, `${begin}\uffff`, word, 1),
            shards(facts, "endings", end, `${end}\uffff`, reversed(word), 1),
        ]);
        const found = new Map(lines.map((line) => [termOf(line), line]));
        const candidates = [...new Set([...found.keys(), ...endings.map(reversed)])]
            .map((term) => ({ term, slips: slipsBetween(word, term, maxSlips) }))
            .filter(({ slips }) => slips <= maxSlips);
        const fewest = Math.min(...candidates.map(({ slips }) => slips));
        const nearest = candidates
            .filter(({ slips }) => slips === fewest)
            .sort((a, b) => Math.abs(a.term.length - word.length) - Math.abs(b.term.length - word.length))
            .slice(0, maxCorrections);
        return Promise.all(
            nearest.map(async ({ term }) => {
                const line =
                    found.get(term) ??
                    (await shards(facts, "terms", term, term, term)).find((other) => termOf(other) === term);
                return { line, quality: 0.4 / (1 + Math.abs(term.length - word.length) / 4) };
            }),
        );
    }

    /** Letters that are wrong, missing, too many, or swapped with their neighbours; the term may go on after the word. */
    function slipsBetween(word, term, maxSlips) {
        if (term.length < word.length - maxSlips) {
            return Infinity;
        }
        const length = Math.min(term.length, word.length + maxSlips);
        let before;
        let row = Array.from({ length: length + 1 }, (_, at) => at);
        for (let i = 1; i <= word.length; i++) {
            const next = [i];
            for (let j = 1; j <= length; j++) {
                const cost = word[i - 1] === term[j - 1] ? 0 : 1;
                next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + cost);
                if (i > 1 && j > 1 && word[i - 1] === term[j - 2] && word[i - 2] === term[j - 1]) {
                    next[j] = Math.min(next[j], before[j - 2] + 1);
                }
            }
            if (Math.min(...next) > maxSlips) {
                return Infinity;
            }
            before = row;
            row = next;
        }
        return Math.min(...row);
    }

    function passagesOf(forms, passageCount) {
        const scores = new Map();
        const terms = new Map();
        let isCut = false;
        let count = 0;
        for (const { line, quality } of forms) {
            const [name, ...lists] = line.split(" ");
            const [term, total] = name.split("*");
            terms.set(term, quality);
            isCut ||= total !== undefined;
            count += Number(total ?? 0);
            lists.forEach((list, rank) => {
                for (const key of passagesIn(list)) {
                    const score = quality * weights[rank];
                    count += total === undefined ? 1 : 0;
                    scores.set(key, Math.max(scores.get(key) ?? 0, score));
                }
            });
        }
        const rarity = Math.log(1 + passageCount / Math.max(1, Math.min(count, passageCount)));
        return { scores, terms, isCut, rarity };
    }

    const passagesOfAPage = 65_536;

    /** Decodes a list of `postings.ts`. */
    function* passagesIn(list) {
        let at = 0;
        const number = () => {
            let value = 0;
            let factor = 1;
            let digit;
            do {
                digit = digits.indexOf(list[at++]);
                value += (digit % 32) * factor;
                factor *= 32;
            } while (digit >= 32);
            return value;
        };
        let group = 0;
        while (at < list.length) {
            group += number();
            for (let rest = number(); rest > 0; rest--) {
                const digit = digits.indexOf(list[at++]);
                const page = group * pagesOfAGroup + (digit % 32);
                yield page * passagesOfAPage + (digit < 32 ? 0 : number());
            }
        }
    }

    /**
     * Passages that have every word, the best first. A word that is so common that not all its passages are listed does
     * not have to be in the list.
     */
    function rank(found, isWanted) {
        if (found.length === 0 || found.some(({ scores }) => scores.size === 0)) {
            return [];
        }
        const rare = found.filter(({ isCut }) => !isCut);
        const [smallest] = rare.sort((a, b) => a.scores.size - b.scores.size);
        const keys = smallest?.scores.keys() ?? new Set(found.flatMap(({ scores }) => [...scores.keys()]));
        const ranked = [];
        for (const key of keys) {
            const page = Math.floor(key / passagesOfAPage);
            if (rare.every(({ scores }) => scores.has(key)) && isWanted(page)) {
                const score = found.reduce((sum, { scores, rarity }) => sum + rarity * (scores.get(key) ?? 0), 0);
                ranked.push({ page, passage: key % passagesOfAPage, key, score });
            }
        }
        return ranked.sort((a, b) => b.score - a.score || a.key - b.key);
    }

    /** The sections to which readers are led, the best first, with the words to mark. */
    function bestSections(passages, found) {
        const hits = passages.flatMap(({ tab, passage, text: [address, title, sections] }) => {
            const inTitle = strengths(title, found);
            const isWholeTitle = wordsOf(title).length === found.length && !inTitle.includes(0);
            const titleWeight = isWholeTitle ? 18 : 12;
            const all = sections.map(([id, heading, text]) => {
                const inHeading = strengths(heading, found);
                const inText = strengths(text, found);
                const isTop = id === "" && passage === 0;
                let score = 0;
                let missing = 0;
                let isOwn = isTop;
                found.forEach(({ rarity }, at) => {
                    const strength = inTitle[at] * (isTop ? titleWeight : 2) + inHeading[at] * 7 + inText[at];
                    isOwn ||= inHeading[at] + inText[at] > 0;
                    missing += strength === 0 ? 1 : 0;
                    score += rarity * strength;
                });
                return { page: address, id, title, heading, text, tab, score, missing, isOwn };
            });
            const fewest = Math.min(...all.map(({ missing }) => missing));
            return all.filter(({ missing, isOwn }) => missing === fewest && isOwn);
        });
        hits.sort((a, b) => a.missing - b.missing || b.score - a.score);
        const seen = new Set();
        const counts = new Map();
        const terms = new Set(found.flatMap((word) => [...word.terms.keys()]));
        return hits
            .filter(({ page, id }) => {
                const place = `${page}#${id}`;
                const count = counts.get(page) ?? 0;
                if (seen.has(place) || count === maxHitsOfAPage) {
                    return false;
                }
                seen.add(place);
                counts.set(page, count + 1);
                return true;
            })
            .map((hit) => ({ ...hit, terms }));
    }

    /** How well a text has each of the words: 1 for the word itself, less for another form of it. */
    function strengths(text, found) {
        const terms = window.staticExportWords(text);
        return found.map((word) => terms.reduce((best, { term }) => Math.max(best, word.terms.get(term) ?? 0), 0));
    }

    function tabOf({ tabs }, page) {
        return tabs.findLast(([first]) => first <= page)?.[1] ?? "";
    }

    function termOf(line) {
        return line.slice(0, line.search(/[* ]/));
    }

    function commonStart(a, b) {
        let length = 0;
        while (length < a.length && a[length] === b[length]) {
            length += 1;
        }
        return a.slice(0, length);
    }

    function reversed(word) {
        return word.split("").reverse().join("");
    }
})();
