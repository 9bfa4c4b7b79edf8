import assert from "node:assert/strict";
import { PageSources } from "../../../exporter/src/plan/page-sources.js";

/** Reads these pages with memory for ten characters; returns their sources and the files that were read. */
function sourcesOf(texts: Record<string, string>): { sources: PageSources; read: string[] } {
    const read: string[] = [];
    const sources = new PageSources((file) => {
        read.push(file);
        return texts[file] ?? "";
    }, 10);
    return { sources, read };
}

describe("the sources of a site's pages", () => {
    it("are read only once if they fit into memory", () => {
        const { sources, read } = sourcesOf({ "a.md": "aaaa", "b.md": "bbbb" });
        const first = ["a.md", "b.md"].map((file) => sources.first(file));
        const again = ["a.md", "b.md"].map((file) => sources.again(file, () => assert.fail("it was not read again")));
        assert.deepEqual(again, first);
        assert.deepEqual(read, ["a.md", "b.md"]);
    });

    it("are read again when their page is written, if they do not fit into memory", () => {
        const { sources, read } = sourcesOf({ "a.md": "aaaaaaaa", "b.md": "bbbbbbbb" });
        ["a.md", "b.md"].forEach((file) => sources.first(file));
        assert.equal(
            sources.again("b.md", () => undefined),
            "bbbbbbbb",
        );
        assert.equal(
            sources.again("b.md", () => undefined),
            "bbbbbbbb",
        );
        assert.deepEqual(read, ["a.md", "b.md", "b.md"]);
    });

    it("are refused if they have changed since the first read", () => {
        const texts = { "a.md": "aaaaaaaaaaaa" };
        const { sources } = sourcesOf(texts);
        sources.first("a.md");
        texts["a.md"] = "other";
        const check = (source: string) => assert.notEqual(source, "other", "replaced");
        assert.throws(() => sources.again("a.md", check), /replaced/);
        assert.throws(() => sources.again("a.md", check), /replaced/, "also the second time");
    });
});
