import assert from "node:assert/strict";
import { copyFile, mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FoundFiles } from "../../../exporter/src/read/files/found-files.js";
import { exportSite, type ExportSiteOptions } from "../../../exporter/src/write/export-site.js";
import { flipBit } from "../support/flipped-bits.js";
import { withFolder, writeFiles, type Files } from "../support/site-fixture.js";

const site: Files = {
    "docs.json": JSON.stringify({ name: "Site", navigation: { pages: ["index", "a"] } }),
    "index.md": "# Home\n\n[a](/a) [gone](/gone) ![](/picture.svg)",
    "a.md": "---\ntitle: A title\n---\n\nimport Part from '/snippets/part.mdx'\n\n<Part/>\n",
    "snippets/part.mdx": "A part.",
    "picture.svg": "<svg/>",
};

type Options = Partial<Omit<ExportSiteOptions, "cacheDir" | "sourceDir">>;

interface Exports {
    readonly folder: string;
    readonly sourceDir: string;
    /** Exports with the cache of the last export, and compares the result with an export without a cache. */
    again(options?: Options): Promise<Exported>;
}

interface Exported {
    /** True if the export neither read nor rendered a page. */
    readonly isCopied: boolean;
    readonly result: unknown;
    readonly places: readonly unknown[];
}

async function withExports(files: Files, use: (exports: Exports) => Promise<void>, inFolder = "site"): Promise<void> {
    await withFolder(async (folder) => {
        const sourceDir = join(folder, inFolder);
        await writeFiles(sourceDir, files);
        let count = 0;
        const exported = async (options: Options & { cacheDir?: string }) => {
            let pages = 0;
            const places: unknown[] = [];
            const archivePath = join(folder, `${++count}.tar.gz`);
            const { reusedCount, ...result } = await exportSite({
                ...{ sourceDir, domain: "docs.example.com", archivePath, ...options },
                onPage: () => void (pages += 1),
                onWarning: (warning) => void places.push(warning),
            });
            return { bytes: await readFile(archivePath), isCopied: pages === 0, result, places };
        };
        const again = async (options: Options = {}) => {
            const { bytes, ...cached } = await exported({ ...options, cacheDir: join(folder, "cache") });
            const { bytes: fresh, ...other } = await exported(options);
            assert.ok(bytes.equals(fresh), "another archive than without a cache");
            assert.deepEqual([cached.result, cached.places], [other.result, other.places]);
            return cached;
        };
        await use({ folder, sourceDir, again });
    });
}

/** Returns the files whose state the cached exports read during a task; exports without a cache read no states. */
async function readFilesDuring(task: () => Promise<unknown>): Promise<ReadonlySet<string>> {
    const { readState } = FoundFiles.prototype;
    const read = new Set<string>();
    FoundFiles.prototype.readState = function (file) {
        read.add(file);
        return readState.call(this, file);
    };
    try {
        await task();
        return read;
    } finally {
        FoundFiles.prototype.readState = readState;
    }
}

describe("The bundle of the last export", () => {
    it("is reused by an export of the same sources, with all its warnings", async () => {
        await withExports(site, async ({ sourceDir, again }) => {
            assert.equal((await again()).isCopied, false);
            await utimes(join(sourceDir, "a.md"), 1, 1);
            const { isCopied, places } = await again({ signal: new AbortController().signal });
            assert.deepEqual([isCopied, places.length], [true, 1]);
        });
    });

    it("is found without reading files, unless they changed shortly before the last export read them", async () => {
        const { now } = Date;
        try {
            await withExports(site, async ({ sourceDir, again }) => {
                const changed = await Promise.all(Object.keys(site).map((file) => stat(join(sourceDir, file))));
                const changedMs = Math.floor(Math.max(...changed.map(({ ctimeMs }) => ctimeMs)));
                const filesRead = () =>
                    readFilesDuring(async () => assert.equal((await again()).isCopied, true)).then(({ size }) => size);
                Date.now = () => changedMs + 50;
                await again();
                assert.notEqual(await filesRead(), 0);
                Date.now = () => changedMs + 60_000;
                await filesRead();
                assert.equal(await filesRead(), 0);
            });
        } finally {
            Date.now = now;
        }
    });

    it("is replaced by an export that reads only the changed file", async () => {
        await withExports(site, async ({ sourceDir, again }) => {
            for (const file of Object.keys(site)) {
                await utimes(join(sourceDir, file), 1, 1);
            }
            const { now } = Date;
            Date.now = () => now() + 60_000;
            try {
                await again();
                await writeFile(join(sourceDir, "index.md"), "# Home");
                const read = await readFilesDuring(() => again());
                assert.deepEqual([...read], ["index.md"]);
            } finally {
                Date.now = now;
            }
        });
    });

    const changes: Record<string, (sourceDir: string) => Promise<void>> = {
        "a page": (sourceDir) => writeFile(join(sourceDir, "a.md"), "# Other"),
        "an imported file": (sourceDir) => writeFile(join(sourceDir, "snippets/part.mdx"), "Another."),
        "the settings": (sourceDir) => writeFile(join(sourceDir, "docs.json"), '{"navigation": {"pages": ["a"]}}'),
        "a file that is copied": (sourceDir) => writeFile(join(sourceDir, "picture.svg"), "<svg></svg>"),
        "the name of a file": (sourceDir) => copyFile(join(sourceDir, "picture.svg"), join(sourceDir, "other.svg")),
        "the list of ignored files": (sourceDir) => writeFile(join(sourceDir, ".mintignore"), "a.md\n"),
    };
    for (const [what, change] of Object.entries(changes)) {
        it(`is not reused after a change to ${what}`, async () => {
            await withExports(site, async ({ sourceDir, again }) => {
                await again();
                await change(sourceDir);
                assert.equal((await again()).isCopied, false);
                assert.equal((await again()).isCopied, true);
            });
        });
    }

    it("is not reused after a change to a large file's last byte", async () => {
        await withExports({ ...site, "large.bin": `${largeText}a` }, async ({ sourceDir, again }) => {
            await again();
            await writeFile(join(sourceDir, "large.bin"), `${largeText}b`);
            assert.equal((await again()).isCopied, false);
        });
    });

    it("is not reused with other options", async () => {
        await withExports(site, async ({ again }) => {
            await again();
            for (const options of [{ version: "2" }, { basePath: "docs" }, { paths: ["/a"] }] satisfies Options[]) {
                assert.equal((await again(options)).isCopied, false);
            }
            await assert.rejects(again({ strict: true }), /warning|leads to no page/);
        });
    });

    it("is not stored if a file was written during the export", async () => {
        await withExports(site, async ({ sourceDir, again }) => {
            const onProgress = () => undefined;
            let isFirst = true;
            const writesOnce = async () => {
                if (isFirst) {
                    isFirst = false;
                    await writeFile(join(sourceDir, "picture.svg"), "<svg/>");
                }
            };
            await again({ onProgress: () => void writesOnce() });
            assert.equal((await again({ onProgress })).isCopied, false);
        });
    });

    it("is created again if its copy is damaged, truncated or missing", async () => {
        await withExports(site, async ({ folder, again }) => {
            const copy = join(folder, "cache", "docs.example.com.bundle");
            const damages = [
                () => flipBit(copy, 4000),
                () => writeFile(copy, "short"),
                () => rm(copy),
                () => writeFile(`${copy}.json`, "{}"),
            ];
            await again();
            for (const damage of damages) {
                await damage();
                assert.equal((await again()).isCopied, false);
                assert.equal((await again()).isCopied, true);
            }
        });
    });

    it("is stored separately from the archive that the export returned", async () => {
        await withExports(site, async ({ folder, again }) => {
            await again();
            const cache = join(folder, "cache");
            await mkdir(cache, { recursive: true });
            const inodes = [join(cache, "docs.example.com.bundle"), join(folder, "1.tar.gz")].map(async (path) => {
                return (await stat(path)).ino;
            });
            assert.notEqual(...((await Promise.all(inodes)) as [number, number]));
        });
    });
});

const largeText = "-".repeat(6 * 1024 * 1024);
