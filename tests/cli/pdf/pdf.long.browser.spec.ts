import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { ExportedSite, FolderFiles } from "../../../answer/src/index.js";
import { ChromiumPrinter } from "../../../cli/src/pdf/chromium-printer.js";
import { printBook } from "../../../cli/src/pdf/print-book.js";
import { SiteFolder } from "../../../cli/src/pdf/site-folder.js";
import { siteWithReaders } from "../../answer/support/answered-site.js";
import { type Files, withExport } from "../../exporter/support/site-fixture.js";
import { run } from "../support/command.js";

const chromium = "/usr/bin/chromium";

interface ReadPdf {
    readonly title: unknown;
    readonly language: unknown;
    readonly texts: readonly string[];
    /** The targets of each page's links: addresses and page numbers. */
    readonly links: readonly (readonly (string | number)[])[];
    /** The titles of the bookmarks, with their target pages, in reading order. */
    readonly bookmarks: readonly (readonly [title: string, page: number, depth: number])[];
    readonly isTagged: boolean;
}

/** Reads the contents of a PDF with another program. */
async function readPdf(data: Uint8Array): Promise<ReadPdf> {
    const task = getDocument({ data: new Uint8Array(data), verbosity: 0 });
    const pdf = await task.promise;
    try {
        const pageOf = async (destination: unknown): Promise<number> => {
            const place = typeof destination === "string" ? await pdf.getDestination(destination) : destination;
            return Array.isArray(place) ? (await pdf.getPageIndex(place[0] as never)) + 1 : NaN;
        };
        const [texts, links]: [string[], (string | number)[][]] = [[], []];
        for (let number = 1; number <= pdf.numPages; number += 1) {
            const page = await pdf.getPage(number);
            const { items } = await page.getTextContent();
            texts.push(items.map((item) => ("str" in item ? item.str : "")).join(" ").replace(/\s+/g, " ").trim()); // prettier-ignore
            const annotations = (await page.getAnnotations()) as { url?: string; dest?: unknown }[];
            links.push(await Promise.all(annotations.map(async ({ url, dest }) => url ?? (await pageOf(dest)))));
        }
        const bookmarks: [string, number, number][] = [];
        type Outline = Awaited<ReturnType<typeof pdf.getOutline>>;
        const walk = async (items: Outline, depth: number): Promise<void> => {
            for (const { title, dest, items: children } of items ?? []) {
                bookmarks.push([title, await pageOf(dest), depth]);
                await walk(children as Outline, depth + 1);
            }
        };
        await walk(await pdf.getOutline(), 0);
        const { info } = (await pdf.getMetadata()) as unknown as { info: Record<string, unknown> };
        // A Map since pdfjs 6, which its types do not say.
        const marks = (await pdf.getMarkInfo()) as unknown as ReadonlyMap<string, boolean> | null;
        const isTagged = marks?.get("Marked") === true;
        return { title: info["Title"], language: info["Language"], texts, links, bookmarks, isTagged };
    } finally {
        await task.destroy();
    }
}

const pdfOf = async (outDir: string, ...args: string[]): Promise<ReadPdf> => {
    const file = join(outDir, "..", "printed.pdf");
    const { exitCode, stderr } = await run(outDir, ["pdf", outDir, "--output", file, ...args]);
    assert.equal(exitCode, 0, stderr);
    return readPdf(await readFile(file));
};

const site: Files = {
    "docs.json": JSON.stringify({
        name: "Walrus",
        contextual: { options: ["copy", "download-pdf"] },
        navigation: { groups: [{ group: "Guides", pages: ["index", "guides/start", "guides/end"] }] },
    }),
    "index.md": "---\ntitle: Home\n---\n[Go on](/guides/end#last)\n\n[Elsewhere](https://example.org/a)\n",
    "guides/start.mdx":
        "---\ntitle: Start\n---\n## Same\n\n<Accordion title='Closed'>Said inside</Accordion>\n\n" +
        `\`\`\`\n${"word ".repeat(60)}last\n\`\`\`\n\n\`\`\`mermaid\nflowchart LR\n  A[Drawn box] --> B\n\`\`\`\n`,
    "guides/end.md": "---\ntitle: End\n---\n[Above](#same)\n\n## Same\n\n## Last\n\nBye.\n",
};

describe("The PDF of a site", function () {
    this.timeout(300_000);
    before(function () {
        if (!existsSync(chromium)) {
            console.log("    skipped: there is no chromium at /usr/bin/chromium (Debian: apt-get install chromium)");
            this.skip();
        }
    });

    it("has a table of contents, the pages' text, bookmarks, structure, and working links", async () => {
        await withExport(site, async ({ outDir }) => {
            const { title, texts, links, bookmarks, isTagged } = await pdfOf(outDir);
            assert.equal(title, "Walrus");
            assert.equal(isTagged, true);
            assert.match(texts[0] ?? "", /^Walrus Guides Home Start End 1$/);
            assert.deepEqual(links[0], [2, 3, 4]);
            assert.deepEqual(links[1], [4, "https://example.org/a"]);
            for (const text of ["Said inside", "word last", "Drawn box"]) {
                assert.ok(texts[2]?.includes(text), texts[2]);
            }
            assert.doesNotMatch(texts.join(" "), /Search|Copy page|Skip to content|flowchart/);
            // Links from headings to themselves are not printed.
            assert.deepEqual(links[3], [4]);
            const names = bookmarks.map(([name, page]) => `${name} ${page}`);
            assert.deepEqual(names, ["Walrus 1", "Home 2", "Start 3", "Same 3", "End 4", "Same 4", "Last 4"]);
        });
    });

    it("is printed in parts if it is large, with bookmarks and links between the parts", async () => {
        await withExport(site, async ({ outDir }) => {
            const folder = SiteFolder.open(outDir, await ExportedSite.open(new FolderFiles(outDir)), undefined);
            const printer = await ChromiumPrinter.start(chromium, folder);
            try {
                const shown: number[] = [];
                const pdf = await printBook(folder, await folder.pages(), {
                    ...{ printer, title: "Walrus", withContents: true, maxPartCharacters: 1 },
                    onProgress: (count) => shown.push(count),
                    signal: new AbortController().signal,
                });
                const { title, texts, links, bookmarks } = await readPdf(pdf);
                assert.deepEqual(shown, [0, 1, 2]);
                assert.equal(title, "Walrus");
                assert.match(texts[0] ?? "", /^Walrus Guides Home Start End 1$/);
                assert.deepEqual(links, [[2, 3, 4], [4, "https://example.org/a"], [], [4]]);
                assert.match(texts[2] ?? "", /Drawn box.* 3$/);
                const names = bookmarks.map(([name, page, depth]) => `${"-".repeat(depth)}${name} ${page}`);
                assert.deepEqual(names, ["Home 2", "Start 3", "-Same 3", "End 4", "-Same 4", "-Last 4"]);
            } finally {
                await printer.close();
            }
        });
    });

    it("contains only the named page, and is not written if the page does not exist", async () => {
        await withExport(site, async ({ outDir }) => {
            const { title, texts, links } = await pdfOf(outDir, "--page", "/guides/end");
            assert.equal(title, "End – Walrus");
            assert.equal(texts.length, 1);
            assert.match(texts[0] ?? "", /Bye\. 1$/);
            assert.deepEqual(links, [[1]]);
            const { exitCode, stderr } = await run(outDir, ["pdf", outDir, "-o", "x.pdf", "--page", "/no"]);
            assert.equal(exitCode, 2);
            assert.match(stderr, /--page \/no: the site has no such page for these readers/);
        });
    });

    it("contains private pages and images only if the command names their group", async () => {
        const picture = '<svg xmlns="http://www.w3.org/2000/svg"><text y="20">Secret drawing</text></svg>';
        const files = {
            ...siteWithReaders,
            "only-a.md": `${siteWithReaders["only-a.md"] as string}\n![](/plan.svg)\n`,
            "plan.svg": picture,
        };
        const use = async ({ outDir }: { outDir: string }) => {
            const all = (await pdfOf(outDir)).texts.join(" ");
            assert.match(all, /Feed the walrus/);
            assert.doesNotMatch(all, /Plan|Members|narwhal|beluga|Secret/);
            const groupA = (await pdfOf(outDir, "--group", "a")).texts.join(" ");
            assert.match(groupA, /Plan A.*narwhal/);
            assert.doesNotMatch(groupA, /Plan B|beluga/);
            const { exitCode, stderr } = await run(outDir, ["pdf", outDir, "-o", "x.pdf", "--page", "only-a"]);
            assert.deepEqual([exitCode, /no such page for these readers/.test(stderr)], [2, true]);
        };
        await withExport(files, use, { privatePages: "keep-apart" });
    });

    it("is printed without network requests", async () => {
        const asked: string[] = [];
        const server = createServer(({ url = "" }, response) => {
            asked.push(url);
            response.end();
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const { port } = server.address() as AddressInfo;
        try {
            const picture = `![A](http://127.0.0.1:${port}/a.png)`;
            await withExport({ "index.md": `# Home\n\n${picture}\n` }, async ({ outDir }) => {
                const { exitCode, stderr } = await run(outDir, ["pdf", outDir, "-o", "../x.pdf"]);
                assert.equal(exitCode, 0);
                assert.match(stderr, /Left out: pictures and styles of 127\.0\.0\.1\./);
                assert.deepEqual(asked, []);
            });
        } finally {
            server.close();
        }
    });

    it("is offered once in the menu of each page, even if it is printed again", async () => {
        await withExport(site, async ({ outDir }) => {
            for (const time of ["first", "second"]) {
                const { exitCode, stdout } = await run(outDir, ["pdf", outDir, "--offer"]);
                assert.equal(exitCode, 0, time);
                assert.match(stdout, /site\.pdf: 3 pages\nOffered in the menu of 3 pages\./);
            }
            const html = await readFile(join(outDir, "guides", "end.html"), "utf8");
            assert.match(html, /<a data-option="download-pdf" href="\.\.\/site\.pdf" download><svg.*Save as PDF/);
            assert.equal(html.split("download-pdf").length, 2);
            assert.match((await readPdf(await readFile(join(outDir, "site.pdf")))).texts.join(" "), /Bye/);
            assert.deepEqual(
                (await readdir(outDir)).filter((name) => name.includes("partial")),
                [],
            );
        });
    });

    it("is written completely or not at all, and never damages an earlier PDF", async () => {
        await withExport(site, async ({ outDir }) => {
            await writeFile(join(outDir, "..", "old.pdf"), "before");
            const args = ["pdf", outDir, "--output", "../old.pdf", "--browser", "/bin/false"];
            const { exitCode, stderr } = await run(outDir, args);
            assert.equal(exitCode, 2);
            assert.match(stderr, /\/bin\/false does not start: .* Try another one with --browser\./);
            assert.equal(await readFile(join(outDir, "..", "old.pdf"), "utf8"), "before");
            const none = await run(outDir, ["pdf", outDir]);
            assert.match(none.stderr, /Give a file with --output, or --offer/);
            const group = await run(outDir, ["pdf", outDir, "--offer", "--group", "a"]);
            assert.match(group.stderr, /--offer saves a PDF of all pages for everybody/);
        });
    });
});
