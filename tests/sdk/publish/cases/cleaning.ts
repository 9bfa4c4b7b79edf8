import assert from "node:assert/strict";
import { cleanSite, type CleanRequest, PublishError, type SiteTarget } from "@pulumi-static-export/sdk/publish";
import type { CreatePlace } from "../support/places.js";
import { type Site, SiteFixture, watchTarget } from "../support/site-fixture.js";

const site: Site = { "index.html": "<h1>Home</h1>", "old.html": "<h1>Old</h1>", "guide/older.html": "<h1>Older</h1>" };
const { "old.html": _old, ...withoutOld } = site;
const day = 86_400;

/** Declares the specs of what no release needs any more, which every target has to pass. */
export function describeCleaning(createPlace: CreatePlace): void {
    describe("Files that no release needs", () => {
        let fixture: SiteFixture;
        beforeEach(async () => (fixture = await SiteFixture.create(createPlace)));
        afterEach(() => fixture.remove());

        const clean = async (request: Partial<CleanRequest> = {}) =>
            cleanSite(await fixture.openTarget(), { ...fixture.run(), ...request });
        /** A target that refuses to remove some paths. */
        const refusing = async (refuses: (path: string) => boolean): Promise<SiteTarget> => {
            const target = await fixture.openTarget();
            const remove: SiteTarget["remove"] = async (paths, signal) => {
                await target.remove(
                    paths.filter((path) => !refuses(path)),
                    signal,
                );
                const refused = paths.filter(refuses);
                return refused.length === 0 ? undefined : { paths: refused, error: new PublishError("Not allowed.") };
            };
            return new Proxy(target, {
                get(whole, name) {
                    const value: unknown = name === "remove" ? remove : Reflect.get(whole, name, whole);
                    return typeof value === "function" ? (value.bind(whole) as unknown) : value;
                },
            });
        };

        it("are removed after the release is live", async () => {
            await fixture.publish(site);
            const target = watchTarget(await fixture.openTarget(), async (operation, path) => {
                if (operation === "remove" && path.includes("old.html")) {
                    const { live } = JSON.parse(await fixture.record()) as { live: { fileCount: number } };
                    assert.equal(live.fileCount, 2);
                }
            });
            const { removedFiles } = await fixture.publish(withoutOld, {}, target);
            assert.equal(removedFiles, 1);
            assert.deepEqual(await fixture.live(), withoutOld);
        });

        for (const switching of ["files", "releases"] as const) {
            it(`stay with a warning if the storage refuses to remove them, and do not stop ${switching}`, async () => {
                const request = { switching, graceSeconds: 0 };
                const refuses = (path: string) => path.endsWith("old.html");
                await fixture.publish(site, request);
                const changed = { ...withoutOld, "index.html": "new" };
                const refused = async (content: Site) => fixture.publish(content, request, await refusing(refuses));
                const first = await refused(changed);
                const { refused: left, removalDueAtMs } = switching === "files" ? first : await refused(changed);
                const prefix = switching === "files" ? "" : await fixture.place.served();
                const { "old.html": stays, ...live } = await fixture.live(prefix);
                assert.deepEqual(live, changed);
                assert.equal(stays, switching === "files" ? site["old.html"] : undefined);
                assert.equal(left?.paths.length, 1);
                assert.equal(removalDueAtMs, fixture.nowMs);
                assert.match(
                    fixture.logged.join("\n"),
                    /the release is live, but 1 file that nobody needs could not be removed: "\S*old.html". Not allowed. The next run tries again/,
                );
                assert.equal((await fixture.publish(changed, request)).removedFiles, 1);
                assert.ok(!(await fixture.place.paths()).some(refuses));
            });
        }

        it("stay with a warning if the target fails while they are removed", async () => {
            await fixture.publish(site);
            const failing = watchTarget(await fixture.openTarget(), (operation, path) => {
                if (operation === "remove" && path.includes("old.html")) {
                    throw new PublishError("The storage does not answer.");
                }
            });
            await fixture.publish(withoutOld, {}, failing);
            assert.match(fixture.logged.join("\n"), /could not be removed: "old.html". The storage does not answer/);
            await fixture.publish(site);
            assert.deepEqual(await fixture.live(), site);
        });

        it("are removed by a grace time of 0, also those that earlier runs left", async () => {
            await fixture.publish(site);
            await fixture.publish(withoutOld, { jobId: "se_2", graceSeconds: day });
            assert.deepEqual(await fixture.live(), site);
            const { steps } = await fixture.publish(withoutOld, { jobId: "se_2", graceSeconds: 0 });
            assert.deepEqual(steps, [{ phase: "removals", path: "old.html" }]);
            assert.deepEqual(await fixture.live(), withoutOld);
        });

        it("are removed by a schedule when they are due, with the time that the last run set", async () => {
            await fixture.publish(site);
            await fixture.publish(withoutOld, { graceSeconds: day });
            const early = await clean();
            assert.deepEqual([early.steps, early.removalDueAtMs], [[], fixture.nowMs + day * 1000]);
            fixture.nowMs += day * 1000;
            const purged: string[] = [];
            const { steps, removalDueAtMs } = await clean({
                purge: (paths) => Promise.resolve(void purged.push(...paths)),
            });
            assert.deepEqual(steps, [{ phase: "removals", path: "old.html" }]);
            assert.equal(removalDueAtMs, undefined);
            assert.deepEqual(purged, ["old.html"]);
            assert.deepEqual(await fixture.live(), withoutOld);
            assert.deepEqual((await fixture.publish(withoutOld, { graceSeconds: day })).steps, []);
        });

        it("are listed by a dry run, which removes none", async () => {
            await fixture.publish(site);
            await fixture.publish(withoutOld, { graceSeconds: day });
            const { steps } = await clean({ isDryRun: true, graceSeconds: 0 });
            assert.deepEqual(steps.length, 1);
            assert.deepEqual(await fixture.live(), site);
        });

        it("are not due, but a purge that failed is repeated", async () => {
            const purge = () => Promise.reject(new PublishError("no CDN"));
            await assert.rejects(fixture.publish(site, { purge }), /no CDN/);
            const purged: string[] = [];
            await clean({ purge: (paths) => Promise.resolve(void purged.push(...paths)) });
            assert.deepEqual(purged.sort(), Object.keys(site).sort());
            await clean({ purge: () => assert.fail("purged twice") });
        });

        it("are not removed where no site is live", async () => {
            await assert.rejects(clean(), /No site is published at .*: it has no record of a live release/);
        });

        it("are not removed after the list of the site's files was lost, until a run adopts these files", async () => {
            await fixture.publish(site);
            const lists = (await fixture.place.paths()).filter((path) => /^\.static-export\/inventories\//.test(path));
            await (await fixture.openTarget()).remove(lists, new AbortController().signal);
            await assert.rejects(
                clean(),
                /is lost: publish the site again first, with --adopt \(in a program: with adopt: true/,
            );
            await fixture.publish(site, { adopt: true });
            assert.deepEqual((await clean()).steps, []);
        });

        it("belong to earlier releases as long as these are kept", async () => {
            await fixture.publish(site, { jobId: "se_1", keep: 1 });
            await fixture.publish(withoutOld, { jobId: "se_2", keep: 1 });
            await clean({ graceSeconds: 0 });
            await fixture.publish({}, { jobId: "se_1", keep: 1 });
            assert.deepEqual(await fixture.live(), site);
        });
    });

    describe("A dry run", () => {
        let fixture: SiteFixture;
        beforeEach(async () => (fixture = await SiteFixture.create(createPlace)));
        afterEach(() => fixture.remove());

        const readOnly = async () =>
            watchTarget(await fixture.openTarget(), (operation) => assert.fail(`wrote: ${operation}`));

        it("writes nothing for the same files of another job", async () => {
            await fixture.publish(site, { jobId: "se_1", graceSeconds: day });
            const { release, steps } = await fixture.publish(site, { jobId: "se_2", isDryRun: true }, await readOnly());
            assert.deepEqual([release.jobId, steps], ["se_2", []]);
        });

        it("writes nothing while a removal, a purge or a killed run is left", async () => {
            await fixture
                .publish(site, { purge: () => Promise.reject(new PublishError("no CDN")) })
                .catch(() => undefined);
            await fixture.publish(withoutOld, { graceSeconds: day });
            fixture.nowMs += day * 1000;
            const purge = () => assert.fail("purged");
            await fixture.publish(withoutOld, { isDryRun: true, graceSeconds: day, purge }, await readOnly());
            await fixture.unpublish({ isDryRun: true, purge }, await readOnly());
            assert.deepEqual(await fixture.live(), site);
        });
    });

    describe("The first publish", () => {
        let fixture: SiteFixture;
        beforeEach(async () => (fixture = await SiteFixture.create(createPlace)));
        afterEach(() => fixture.remove());

        for (const switching of ["files", "releases"] as const) {
            it(`refuses a place with files that it did not write, and lists them (${switching})`, async () => {
                const foreign = { "index.html": "somebody else's", "shop/cart.html": "a shop" };
                for (const [path, content] of Object.entries(foreign)) {
                    await fixture.place.write(path, content);
                }
                for (const isDryRun of [true, false]) {
                    await assert.rejects(
                        fixture.publish(site, { switching, isDryRun }),
                        new RegExp(
                            `is not empty, and has no record of a published site. It has 2 files \\("index.html", ` +
                                `"shop/cart.html"\\), of which the site would replace ${switching === "files" ? 1 : 0}`,
                        ),
                    );
                }
                assert.deepEqual(await fixture.live(), foreign);
            });
        }

        it("takes such a place if it adopts it, and never removes the other files", async () => {
            await fixture.place.write("index.html", "somebody else's");
            await fixture.place.write("CNAME", "docs.example.com");
            await fixture.publish(site, { adopt: true });
            await fixture.publish(withoutOld);
            assert.deepEqual(await fixture.live(), { ...withoutOld, CNAME: "docs.example.com" });
            assert.match(fixture.logged.join("\n"), /: 1 file does not belong to the site, and will not be removed/);
        });

        it("continues after a killed first run, without adopting anything", async () => {
            const killed = watchTarget(await fixture.openTarget(), (operation, path) => {
                if (operation === "send" && path === "index.html") {
                    throw new Error("killed");
                }
            });
            await assert.rejects(fixture.publish(site, {}, killed), /killed/);
            await fixture.publish(site);
            assert.deepEqual(await fixture.live(), site);
        });
    });
}
