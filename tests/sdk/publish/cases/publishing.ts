import assert from "node:assert/strict";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readRecord } from "@pulumi-static-export/sdk/publish";
import type { CreatePlace } from "../support/places.js";
import { type Site, SiteFixture, watchTarget } from "../support/site-fixture.js";

const first: Site = {
    "index.html": "<h1>Home</h1>",
    "404.html": "not found",
    "guide/intro.html": "<h1>Intro</h1>",
    "guide/intro.md": "# Intro",
    "site.0a1b2c3d.css": "body {}",
};

/** Declares the specs that every target has to pass. */
export function describePublishing(createPlace: CreatePlace): void {
    describe("Publishing a site", () => {
        let fixture: SiteFixture;
        beforeEach(async () => (fixture = await SiteFixture.create(createPlace)));
        afterEach(() => fixture.remove());

        it("uploads every file the first time, and reports the live release", async () => {
            const { sentFiles, sentBytes, release } = await fixture.publish(first, { jobId: "se_1" });
            const bytes = Object.values(first).join("").length;
            assert.deepEqual(await fixture.live(), first);
            assert.deepEqual([sentFiles, sentBytes], [5, bytes]);
            assert.deepEqual([release.jobId, release.fileCount, release.sizeBytes], ["se_1", 5, bytes]);
        });

        it("writes nothing if no content differs, even if file dates differ", async () => {
            await fixture.publish(first);
            const folder = await fixture.write(first);
            await utimes(join(folder, "index.html"), 1, 1);
            const target = watchTarget(await fixture.openTarget(), (operation) => assert.fail(`wrote: ${operation}`));
            const published = await fixture.publish(first, { openSite: () => Promise.resolve({ folder }) }, target);
            assert.deepEqual(published.steps, []);
        });

        it("does not open the site of a job that is already live", async () => {
            await fixture.publish(first, { jobId: "se_1" });
            await fixture.publish(first, { jobId: "se_1" });
            assert.equal(fixture.opened, 1);
        });

        it("makes a kept folder live again by the first digits of its SHA-256, and drops no other release", async () => {
            const second = { ...first, "index.html": "second" };
            const third = { ...first, "index.html": "third" };
            const { release } = await fixture.publish(first, { keep: 2 });
            await fixture.publish(second, { keep: 2 });
            await fixture.publish(third, { keep: 2 });
            const releaseId = release.sha256.slice(0, 12);
            const { earlier, sentFiles } = await fixture.publish({}, { releaseId });
            assert.deepEqual(await fixture.live(), first);
            assert.deepEqual([earlier.length, sentFiles, fixture.opened], [2, 0, 3]);
            const again = await fixture.publish({}, { releaseId });
            assert.deepEqual([again.steps, again.earlier.length], [[], 2]);
        });

        it("rejects an id of no release or of several, and one that needs other settings", async () => {
            await fixture.publish(first, { keep: 1, jobId: "se_1" });
            await fixture.publish({ ...first, "index.html": "second" }, { keep: 1, jobId: "se_2" });
            const rollBack = (releaseId: string, request = {}) => fixture.publish({}, { releaseId, ...request });
            await assert.rejects(rollBack("se_3"), /has no release se_3\. Its releases: se_2, se_1\.$/);
            await assert.rejects(rollBack(""), /several releases whose SHA-256 begins with/);
            await assert.rejects(
                rollBack("se_1", { switching: "releases" }),
                /Release se_1 was published with other settings: use the same switching/,
            );
        });

        it("uploads only changed files, even if their size is unchanged", async () => {
            await fixture.publish(first);
            const second = { ...first, "guide/intro.html": "<h1>intro</h1>" };
            const { steps, sentFiles } = await fixture.publish(second);
            assert.deepEqual(steps, [{ phase: "pages", path: "guide/intro.html" }]);
            assert.equal(sentFiles, 1);
            assert.deepEqual(await fixture.live(), second);
        });

        it("copies a moved file within the target", async () => {
            await fixture.publish(first);
            const { "guide/intro.md": moved, ...rest } = first;
            const { sentFiles, copiedFiles } = await fixture.publish({ ...rest, "start/intro.md": moved! });
            assert.deepEqual([sentFiles, copiedFiles], [0, 1]);
            assert.deepEqual(await fixture.live(), { ...rest, "start/intro.md": moved });
        });

        it("swaps the contents of two files without losing either", async () => {
            await fixture.publish(first, { keep: 1 });
            const swapped = { ...first, "index.html": first["404.html"]!, "404.html": first["index.html"]! };
            await fixture.publish(swapped, { keep: 1 });
            assert.deepEqual(await fixture.live(), swapped);
        });

        it("writes assets first, then files, pages and entry pages, and the record of the live release last", async () => {
            const written: string[] = [];
            const target = watchTarget(await fixture.openTarget(), (operation, path) => {
                if (operation === "send" || operation === "writeRecord") {
                    written.push(path);
                }
            });
            await fixture.publish(first, {}, target);
            const entryPages = written.slice(4, 6).sort();
            const order = [...written.slice(0, 4), ...entryPages, ...written.slice(6)];
            const expected = ["record", "site.0a1b2c3d.css", "guide/intro.md", "guide/intro.html"];
            assert.deepEqual(order, [...expected, "404.html", "index.html", "record"]);
        });

        it("writes new pages before the changed pages that link to them", async () => {
            await fixture.publish({ ...first, "a.html": "1" });
            const { steps } = await fixture.publish({ ...first, "a.html": "2", "z/new.html": "1" }, { isDryRun: true });
            assert.deepEqual(
                steps.map(({ path }) => path),
                ["z/new.html", "a.html"],
            );
        });

        it("removes a file only after the grace time", async () => {
            await fixture.publish(first);
            const { "guide/intro.html": _page, ...second } = first;
            const day = { graceSeconds: 86_400 };
            const { removalDueAtMs } = await fixture.publish(second, day);
            assert.equal(removalDueAtMs, fixture.nowMs + 86_400_000);
            assert.deepEqual(await fixture.live(), first);
            fixture.nowMs += 86_399_999;
            assert.deepEqual((await fixture.publish(second, day)).steps, []);
            fixture.nowMs += 1;
            assert.equal((await fixture.publish(second, day)).removedFiles, 1);
            assert.deepEqual(await fixture.live(), second);
        });

        it("keeps a file that comes back within its grace time", async () => {
            await fixture.publish(first);
            const { "guide/intro.html": _page, ...second } = first;
            await fixture.publish(second, { graceSeconds: 60 });
            const { steps } = await fixture.publish(first, { graceSeconds: 60 });
            assert.deepEqual(steps, []);
            fixture.nowMs += 61_000;
            await fixture.publish(first, { graceSeconds: 60 });
            assert.deepEqual(await fixture.live(), first);
        });

        it("lists the planned steps in a dry run without executing them", async () => {
            const target = watchTarget(await fixture.openTarget(), (operation) => assert.fail(`wrote: ${operation}`));
            const { steps } = await fixture.publish(first, { isDryRun: true }, target);
            assert.equal(steps.length, 5);
            assert.deepEqual(await fixture.live(), {});
        });

        it("rejects another owner, and names both owners", async () => {
            await fixture.publish(first, { owner: "acme/production/docs" });
            await assert.rejects(fixture.publish(first, { owner: "acme/dev/docs" }), (error: Error) => {
                assert.match(
                    error.message,
                    /belongs to "acme\/production\/docs", but this run publishes for "acme\/dev\/docs"/,
                );
                return true;
            });
            assert.deepEqual(await fixture.live(), first);
        });

        it("rejects a site with files for restricted readers, and uploads none of them", async () => {
            const access = '{\n  "formatVersion": 1,\n  "files": {\n    "index.html": ["staff"]\n  }\n}\n';
            await assert.rejects(
                fixture.publish({ ...first, "access.json": access }),
                /Not everybody may read 1 file of this site/,
            );
            assert.deepEqual(await fixture.live(), {});
        });

        it("fails with the reason of an abort, and lets the next run continue without waiting", async () => {
            const stop = new AbortController();
            const target = watchTarget(await fixture.openTarget(), (_operation, path) => {
                if (path === "guide/intro.html") {
                    stop.abort(new Error("Ctrl-C"));
                }
            });
            await assert.rejects(fixture.publish(first, { signal: stop.signal }, target), /^Error: Ctrl-C$/);
            const before = fixture.nowMs;
            const { steps } = await fixture.publish(first);
            assert.equal(fixture.nowMs, before);
            assert.ok(!steps.some(({ phase }) => phase === "assets"), "the asset was complete");
            assert.deepEqual(await fixture.live(), first);
        });
    });

    describe("Earlier releases", () => {
        let fixture: SiteFixture;
        beforeEach(async () => (fixture = await SiteFixture.create(createPlace)));
        afterEach(() => fixture.remove());

        const second = { ...first, "index.html": "<h1>New home</h1>", "site.0a1b2c3d.css": "h1 {}", "new.html": "new" };
        const publish = (site: Site, jobId: string, keep = 1) => fixture.publish(site, { jobId, keep });

        it("can go live again, back or forward, without reopening their sites", async () => {
            await publish(first, "se_1");
            await publish(second, "se_2");
            fixture.opened = 0;
            const { release, earlier, sentFiles } = await publish({}, "se_1");
            assert.deepEqual(await fixture.live(), first);
            assert.deepEqual([release.jobId, earlier.map(({ jobId }) => jobId), sentFiles], ["se_1", ["se_2"], 0]);
            await publish({}, "se_2");
            assert.deepEqual(await fixture.live(), second);
            assert.equal(fixture.opened, 0);
        });

        it("store only the files that differ, and no files when the release is too old", async () => {
            const own = async (folder: string) =>
                (await fixture.place.paths()).filter((path) => path.startsWith(`.static-export/${folder}/`));
            const stored = () => own("files");
            await publish(first, "se_1");
            await publish(second, "se_2");
            assert.equal((await stored()).length, 2);
            await publish(second, "se_2", 0);
            assert.deepEqual(await stored(), []);
            // The list of the release, and that of all files at the place.
            assert.equal((await own("inventories")).length, 2);
        });

        it("survive a run that was killed while copying their contents", async () => {
            await publish(first, "se_1");
            let copies = 0;
            const killed = watchTarget(await fixture.openTarget(), (operation) => {
                copies += operation === "copy" ? 1 : 0;
                if (copies > 1) {
                    throw new Error("killed");
                }
            });
            await assert.rejects(fixture.publish(second, { jobId: "se_2", keep: 1 }, killed), /^Error: killed$/);
            assert.deepEqual(await fixture.live(), first);
            await publish(second, "se_2");
            await publish({}, "se_1");
            assert.deepEqual(await fixture.live(), first);
            assert.equal(fixture.opened, 3);
        });

        it("are published from their sites again if their stored contents are gone", async () => {
            await publish(first, "se_1");
            await publish(second, "se_2", 0);
            await publish(first, "se_1");
            assert.deepEqual([await fixture.live(), fixture.opened], [first, 3]);
        });
    });

    describe("The state of a published site", () => {
        let fixture: SiteFixture;
        beforeEach(async () => (fixture = await SiteFixture.create(createPlace)));
        afterEach(() => fixture.remove());

        const findAll = async (pattern: RegExp) => (await fixture.place.paths()).filter((path) => pattern.test(path));
        const find = async (pattern: RegExp) => (await findAll(pattern))[0] ?? "";
        const second = { "index.html": "<h1>Home</h1>", "a.html": "a" };
        const lists = /^\.static-export\/inventories\//;

        for (const damage of ["edited", "deleted", "replaced by one endless line"]) {
            it(`is restored only by a run that adopts its files if the file list was ${damage}`, async () => {
                await fixture.publish(first);
                const target = await fixture.openTarget();
                for (const path of await findAll(lists)) {
                    await (damage === "deleted"
                        ? target.remove([path], new AbortController().signal)
                        : target.write(
                              path,
                              damage === "edited" ? Buffer.from("edited") : gzipSync(Buffer.alloc(1024 * 1024, "x")),
                              new AbortController().signal,
                          ));
                }
                const message = /as files of this site, which are in no list of this site: .*index\.html.*--adopt/;
                await assert.rejects(fixture.publish(second), message);
                assert.deepEqual(await fixture.live(), first);
                await fixture.publish(second, { adopt: true });
                assert.deepEqual(await fixture.live(), { ...first, ...second });
                const log = fixture.logged.join("\n");
                assert.match(log, /the list of its files is missing or was edited/);
                assert.match(log, new RegExp(`${Object.keys(first).length} files are in no list, so this run removes`));
            });
        }

        it("never lets a run remove the files of another site, even if the list was lost", async () => {
            const nested = { "other/.static-export/site.json": "{}", "other/index.html": "another site" };
            for (const [path, content] of Object.entries(nested)) {
                await fixture.place.write(path, content);
            }
            await fixture.publish(first, { adopt: true });
            const target = await fixture.openTarget();
            await target.remove(await findAll(lists), new AbortController().signal);
            for (const site of [second, first, second]) {
                await fixture.publish(site, { adopt: true });
            }
            assert.deepEqual(await fixture.live(), { ...second, ...nested });
        });

        it("lets a run remove the files that the remaining lists name", async () => {
            await fixture.publish(first);
            await fixture.publish({ ...first, "b.html": "b" }, { graceSeconds: 3600 });
            await fixture.publish(second, { graceSeconds: 3600, keep: 1 });
            const target = await fixture.openTarget();
            const { signal } = new AbortController();
            const [all] = (await readRecord(target, signal)).record?.inventories ?? [];
            await target.remove([`.static-export/inventories/${all}.gz`], signal);
            fixture.nowMs += 3600_000;
            await fixture.publish({ "index.html": "<h1>Home</h1>" }, { graceSeconds: 0 });
            assert.deepEqual(await fixture.live(), { "index.html": "<h1>Home</h1>" });
        });

        it("is not guessed if the record was edited", async () => {
            await fixture.publish(first);
            const path = await find(/^\.static-export\/(record-\d+|site)\.json$/);
            const record = JSON.parse(await fixture.place.read(path)) as { live: object };
            for (const edited of [
                { formatVersion: 1 },
                { ...record, owner: "docs\n::error::not a line of ours" },
                { ...record, live: { ...record.live, jobId: "\u001b[2J" } },
                { ...record, live: { ...record.live, fileCount: "5" } },
                { ...record, live: { ...record.live, prefix: "../" } },
                { ...record, gone: { sinceMs: "soon", graceMs: 0 } },
            ]) {
                await fixture.place.write(path, JSON.stringify(edited));
                await assert.rejects(fixture.publish(second), /(record-\*|site)\.json cannot be used: it was edited/);
            }
            assert.deepEqual(await fixture.live(), first);
        });
    });
}
