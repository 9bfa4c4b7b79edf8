import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { findFile, OpenedSites } from "../../../service/src/bundle-files/opened-sites.js";
import { type Archive } from "../../../service/src/storage/bundle-storage.js";
import { createTarGz } from "../../sdk/support/archives.js";

const closing = new AbortController().signal;

interface Sites {
    folder: string;
    opened: OpenedSites;
    reads: string[];
    store: (files: Record<string, string>) => Promise<Archive>;
}

async function withSites(use: (sites: Sites) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "opened-"));
    const contents = new Map<string, Buffer>();
    const reads: string[] = [];
    const bundles = {
        async read({ sha256 }: Archive) {
            reads.push(sha256);
            const content = contents.get(sha256);
            return Promise.resolve(content === undefined ? ("missing" as const) : Readable.from([content]));
        },
    };
    try {
        await use({
            folder,
            reads,
            opened: new OpenedSites({ folder, bundles, closing, maxBytes: 100 }),
            async store(files) {
                const entries = Object.entries(files).map(([name, content]) => ({ name, content }));
                const content = await createTarGz(entries);
                const sha256 = createHash("sha256").update(content).digest("hex");
                contents.set(sha256, content);
                return { sha256, sizeBytes: content.length };
            },
        });
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

describe("Opened sites", () => {
    it("are unpacked once, also for simultaneous requests", async () => {
        await withSites(async ({ opened, store, reads }) => {
            const archive = await store({ "guides/index.html": "a" });
            const [one, other] = await Promise.all([opened.open(archive), opened.open(archive)]);
            assert.equal(one, other);
            assert.equal(await readFile(join(one, "guides/index.html"), "utf8"), "a");
            assert.equal(reads.length, 1);
        });
    });

    it("are removed when others need their space, the least recently used first", async () => {
        await withSites(async ({ folder, opened, store }) => {
            const [first, second, third] = [
                await store({ a: "a".repeat(40) }),
                await store({ b: "b".repeat(40) }),
                await store({ c: "c".repeat(40) }),
            ];
            await opened.open(first);
            await opened.open(second);
            await opened.open(first);
            await opened.open(third);
            assert.deepEqual((await readdir(folder)).sort(), [first.sha256, third.sha256].sort());
        });
    });

    it("are refused if they are too large or their bundle is gone, and the next one still opens", async () => {
        await withSites(async ({ opened, store }) => {
            await assert.rejects(opened.open(await store({ a: "a".repeat(101) })), /too large to be opened here/);
            await assert.rejects(opened.open({ sha256: "0".repeat(64), sizeBytes: 1 }), /The bundle is missing/);
            assert.ok(await opened.open(await store({ a: "a" })));
        });
    });

    it("contain no file whose name leads out of their folder", async () => {
        await withSites(async ({ folder, opened, store }) => {
            const names = ["../up.html", "/etc/x.html", "a/../../b.html", "c\\d.html", "e:f.html", "fine.html"];
            const site = await opened.open(await store(Object.fromEntries(names.map((name) => [name, "x"]))));
            assert.deepEqual(await readdir(site), ["fine.html"]);
            assert.equal((await readdir(folder)).length, 1);
        });
    });

    it("answer a path with its file, its page or the page of its folder, and never with access.json", async () => {
        await withSites(async ({ opened, store }) => {
            const site = await opened.open(
                await store({ "index.html": "", "a.html": "", "b/index.html": "", "access.json": "{}" }),
            );
            const paths = ["", "a", "a.html", "b", "b/", "c", "access.json", "../a.html", "b/../a.html", "a\0.html"];
            assert.deepEqual(await Promise.all(paths.map((path) => findFile(site, path))), [
                "index.html",
                "a.html",
                "a.html",
                "b/index.html",
                "b/index.html",
                ...Array<undefined>(5),
            ]);
        });
    });

    it("leave nothing behind", async () => {
        await withSites(async ({ folder, opened, store }) => {
            await opened.open(await store({ a: "a" }));
            await opened.close();
            await assert.rejects(readdir(folder), /ENOENT/);
        });
    });
});
