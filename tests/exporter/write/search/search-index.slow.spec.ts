import assert from "node:assert/strict";
import fc from "fast-check";
import { passagesOf, SiteSearch, type WrittenFile } from "../../../../exporter/src/write/search/site-search.js";
import { type SearchScope } from "../../../../exporter/src/write/search/scopes.js";
import { cutShards, maxShardBytes } from "../../../../exporter/src/write/search/shards.js";
import { maxPassagesOfATerm } from "../../../../exporter/src/write/search/postings.js";
import { Vocabulary } from "../../../../exporter/src/write/search/vocabulary.js";
import { openSearch, searchWindow, type SearchReader } from "./search-reader.js";

interface Page {
    readonly title: string;
    readonly text: string;
}

const scope: SearchScope = { name: "", path: [], language: "en", tabs: [[0, ""]] };

/** Returns seven letters that are different for each number. */
const wordOf = (number: number) =>
    (number + 8_031_810_176).toString(26).replace(/\d/g, (digit) => "qrstuvwxyz".charAt(+digit));

/** @param order the numbers of the pages, in the order in which they are added */
async function filesOf(pages: readonly Page[], order = [...pages.keys()]): Promise<Map<string, string>> {
    const search = new SiteSearch("static-export/search");
    const files: WrittenFile[] = [];
    for (const number of order) {
        const { title, text } = pages[number] as Page;
        const page = { scope: 0, number, title, keywords: [], address: `${number}.html`, description: undefined };
        files.push(...search.addPage(page, [{ id: "", heading: "", text }]));
    }
    for await (const file of search.files([scope])) {
        files.push(file);
    }
    return new Map(files);
}

async function searchOf(pages: readonly Page[]): Promise<SearchReader> {
    const files = await filesOf(pages);
    return openSearch((file) => Promise.resolve(files.get(file) as string));
}

const manyPages = (change: (number: number) => string = () => ""): Page[] =>
    Array.from({ length: 2000 }, (_, number) => ({
        title: `Page ${number}`,
        text: `everywhere and ${wordOf(number * 7919)} ${wordOf(number * 104_729)} ${change(number)}`,
    }));

describe("the search index", () => {
    it("consists of scripts of limited size, and a query loads only a few of the scripts", async () => {
        const pages = manyPages();
        const files = await filesOf(pages);
        const shards = [...files].filter(([file]) => /\/(?:terms|endings)-\d+\.\w+\.js$/.test(file));
        assert.ok(shards.length > 10);
        for (const [file, content] of shards) {
            assert.ok(Buffer.byteLength(content) < maxShardBytes + 100, file);
        }
        const search = await openSearch((file) => Promise.resolve(files.get(file) as string));
        assert.deepEqual(await search.find(wordOf(1234 * 7919)), ["1234.html"]);
        assert.ok(search.loaded.filter((name) => name.startsWith("0/terms")).length <= 3, search.loaded.join());
        assert.equal(search.loaded.filter((name) => name.startsWith("text/")).length, 1);
    });

    it("ranks pages that contain all words of a question above pages that lack some words", async () => {
        const search = await searchOf([
            { title: "Backups", text: "Save the database every night." },
            { title: "Uploads", text: "Files are saved in a bucket." },
            { title: "Nights", text: "How do I save the database when it is busy?" },
            ...Array.from({ length: 20 }, (_, number) => ({ title: `Page ${number}`, text: "How do I do it?" })),
        ]);
        assert.deepEqual((await search.find("how do I save a busy database")).slice(0, 2), ["2.html", "0.html"]);
        assert.deepEqual((await search.find("schedule database")).slice(0, 1), ["0.html"]);
        assert.deepEqual(await search.find("schedule"), []);
    });

    it("tolerates a typo anywhere in a word, even in the first letter, which determines the shard", async () => {
        const search = await searchOf(manyPages());
        const word = wordOf(77 * 7919);
        for (const slip of [`z${word.slice(1)}`, `${word.slice(0, 3)}${word.slice(4)}`, `${word.slice(0, -1)}0`]) {
            assert.ok((await search.find(slip)).includes("77.html"), `${slip} for ${word}`);
        }
    });

    it("lists the best passages for a very common word, and counts all passages", async () => {
        const pages = manyPages((number) => (number === 1900 ? "everywhere everywhere" : ""));
        const search = await searchOf(pages);
        assert.equal((await search.find("everywhere"))[0], "1900.html");
        const { total } = await search.index.find("everywhere", { max: 1 });
        assert.ok(total >= maxPassagesOfATerm && total < maxPassagesOfATerm + 64, String(total));
        const rare = wordOf(1999 * 7919);
        assert.deepEqual(await search.find(`everywhere ${rare}`), ["1999.html"]);
    });

    it("is identical for the same pages, and changes in few shards if one page changes", async () => {
        const before = await filesOf(manyPages());
        assert.deepEqual(await filesOf(manyPages()), before);
        const after = await filesOf(manyPages((number) => (number === 1000 ? "qqnew words" : "")));
        const changed = [...after].filter(([file, content]) => before.get(file) !== content).map(([file]) => file);
        assert.ok(changed.some((file) => file.startsWith("static-export/search/text/1000.")));
        assert.ok(changed.length < 9, changed.join());
    });

    it("does not depend on the order in which pages are added between two records", async () => {
        const pages = manyPages().slice(0, 200);
        const [even, odd] = [0, 1].map((rest) => [...pages.keys()].filter((number) => number % 2 === rest));
        const shards = (files: Map<string, string>) => [...files].filter(([file]) => !file.includes("/text/"));
        assert.deepEqual(shards(await filesOf(pages, [...(odd ?? []), ...(even ?? [])])), shards(await filesOf(pages)));
    });

    it("splits long text into passages, at headings if possible", () => {
        const long = "word ".repeat(3000).trim();
        const sections = [
            { id: "", heading: "", text: "short" },
            { id: "a", heading: "A", text: "short" },
            { id: "b", heading: "B", text: long },
        ];
        const passages = passagesOf(sections);
        assert.equal(passages[0]?.length, 2);
        const texts = passages.flat().filter(({ id }) => id === "b");
        assert.equal(texts.map(({ text }) => text.trim()).join(" "), long);
        assert.ok(texts.every(({ text }) => text.length <= 3000));
    });

    it("finds words deep in a long page", async () => {
        const text = `${"filler ".repeat(5000)}needle ${"filler ".repeat(5000)}`;
        const search = await searchOf([{ title: "Long", text }]);
        assert.deepEqual(await search.find("long needle"), ["0.html"]);
        assert.equal(search.loaded.filter((name) => name.startsWith("text/")).length, 1);
    });

    it("starts a new shard only where the term changes", () => {
        const lines = Array.from({ length: 5000 }, (_, at) => wordOf(at * 7919)).sort();
        const shards = [...cutShards(lines, (line) => line)];
        assert.deepEqual(
            shards.flatMap((shard) => shard.lines),
            lines,
        );
        shards.forEach(({ from, lines: [first = ""] }, at) => {
            assert.ok(from <= first && (shards[at - 1]?.lines.at(-1) ?? "") < (from || " "));
        });
        const others = cutShards(
            lines.filter((_, at) => at !== 2500),
            (line) => line,
        );
        const without = [...others].map((shard) => shard.lines.join());
        assert.ok(shards.filter((shard) => !without.includes(shard.lines.join())).length <= 2);
    });

    it("finds the same terms in text and in queries", async () => {
        const { window } = await searchWindow();
        const words = new Vocabulary();
        const text = fc.oneof(
            fc.string({ unit: "grapheme" }),
            fc.string({
                unit: fc.constantFrom(
                    ...["a", "B", "1", "é", "ß", "漢", "字", "カ", "ก", "İ", "한", " ", "_", "-"],
                    ...["\u1025", "\u102e", "か", "\u3099"],
                ),
            }),
        );
        fc.assert(
            fc.property(text, (content) => {
                const read = new Map<string, number>();
                for (const { term } of Array.from(window.staticExportWords(content))) {
                    read.set(term, (read.get(term) ?? 0) + 1);
                }
                assert.deepEqual(read, words.count([content]));
            }),
            { numRuns: 2000 },
        );
    });
});
