import assert from "node:assert/strict";
import { cleanSite, type PublishRequest, type SiteTarget } from "@pulumi-static-export/sdk/publish";
import type { CreatePlace } from "../support/places.js";
import { type Site, SiteFixture } from "../support/site-fixture.js";

const outer: Site = { "index.html": "outer", "about.html": "about" };
const inner: Site = { "index.html": "inner", "start.html": "start" };

/** Declares the specs of a place that contains another place, which every target has to pass. */
export function describeNeighbours(createPlace: CreatePlace): void {
    describe("A site below another site", () => {
        let fixture: SiteFixture;
        beforeEach(async () => (fixture = await SiteFixture.create(createPlace)));
        afterEach(() => fixture.remove());

        const openInner = async () => fixture.place.open("docs/");
        const publishInner = async (site: Site, request: Partial<PublishRequest> = {}) =>
            fixture.publish(site, { owner: "inner", ...request }, await openInner());
        const clean = async (target: SiteTarget) => cleanSite(target, { ...fixture.run(), graceSeconds: 0 });
        const innerFiles = () => fixture.live("docs/");

        it("can be published first or second, if the other site has no file there", async () => {
            await publishInner(inner);
            await fixture.publish(outer);
            await publishInner({ ...inner, "index.html": "changed" });
            await fixture.publish({ ...outer, "index.html": "changed" });
            assert.deepEqual(await innerFiles(), { ...inner, "index.html": "changed" });
            assert.equal((await fixture.live())["index.html"], "changed");
        });

        for (const [what, page] of [
            ["a page that it has", "docs/index.html"],
            ["another page", "docs/more.html"],
        ] as const) {
            it(`keeps its files if the site above adds ${what}, which is refused with both places`, async () => {
                await fixture.publish(outer);
                await publishInner(inner);
                await assert.rejects(
                    fixture.publish({ ...outer, [page]: "outer" }, { adopt: true }),
                    new RegExp(`contains another site: "inner" has published to .*docs/, .* 1 file, such as "${page}"`),
                );
                assert.deepEqual(await innerFiles(), inner);
            });
        }

        it("is refused where the site above has files, even if it adopts them", async () => {
            const site = { ...outer, "docs/index.html": "of the outer site" };
            await fixture.publish(site);
            for (const adopt of [false, true]) {
                await assert.rejects(
                    publishInner(inner, { adopt }),
                    /has files of another site: "docs" has published to .*, and 1 file is here, such as "docs\/index.html"/,
                );
            }
            assert.deepEqual(await fixture.live(), site);
            await fixture.publish(outer);
            await publishInner(inner);
            assert.deepEqual(await innerFiles(), inner);
        });

        it("keeps a file that both sites list if the site above drops, cleans or removes it", async () => {
            const site = {
                ...outer,
                "docs/index.html": "of the outer site",
                "docs/only.html": "only the outer site's",
            };
            await fixture.publish(site);
            // Somebody makes room by hand, so the site above still lists the files.
            await (await fixture.openTarget()).remove(["docs/index.html", "docs/only.html"], fixture.run().signal);
            await publishInner(inner);
            await assert.rejects(fixture.publish(site), /contains another site/);
            await fixture.publish(outer, { graceSeconds: 60 });
            await clean(await fixture.openTarget());
            await fixture.unpublish();
            assert.deepEqual(await innerFiles(), inner);
        });

        it("keeps its files if the record says nothing to this program", async () => {
            await publishInner(inner);
            await fixture.editRecord("docs/", () => '{"formatVersion":7}\n');
            await fixture.publish(outer);
            await assert.rejects(
                fixture.publish({ ...outer, "docs/new.html": "outer" }),
                /contains another site: another program has published to .*docs\//,
            );
            assert.deepEqual(await innerFiles(), inner);
        });
    });

    describe("A file that a site did not write", () => {
        let fixture: SiteFixture;
        beforeEach(async () => (fixture = await SiteFixture.create(createPlace)));
        afterEach(() => fixture.remove());

        it("is not replaced by a later version of the site, unless it adopts the file", async () => {
            await fixture.publish(outer);
            await fixture.place.write("logs/2026-11-29", "a log");
            await fixture.publish({ ...outer, "logs/index.html": "about the logs" });
            const site = { ...outer, "logs/2026-11-29": "a page" };
            await assert.rejects(
                fixture.publish(site),
                /has 1 file of the same name as files of this site, which are in no list of this site: "logs\/2026-11-29"/,
            );
            assert.equal((await fixture.live())["logs/2026-11-29"], "a log");
            await fixture.publish(site, { adopt: true });
            assert.deepEqual(await fixture.live(), site);
        });
    });

    describe("A file that somebody else changes", () => {
        let fixture: SiteFixture;
        beforeEach(async () => (fixture = await SiteFixture.create(createPlace)));
        afterEach(() => fixture.remove());

        const edit = (path: string) => fixture.place.write(path, "edite");
        const remove = async (path: string) =>
            (await fixture.openTarget()).remove([path], new AbortController().signal);

        for (const keep of [0, 3]) {
            it(`is restored by the same and by the next version, and reported (keep ${keep})`, async () => {
                for (const site of [outer, { ...outer, "index.html": "next!" }]) {
                    await fixture.publish(outer, { keep });
                    fixture.logged.length = 0;
                    await edit("index.html");
                    await remove("about.html");
                    await fixture.publish(site, { keep });
                    assert.deepEqual(await fixture.live(), site);
                    assert.match(
                        fixture.logged.join("\n"),
                        /1 file was changed \("index.html"\), and 1 file was removed \("about.html"\) by somebody else/,
                    );
                    fixture.logged.length = 0;
                    await fixture.publish(site, { keep });
                    assert.deepEqual(fixture.logged, []);
                }
            });
        }

        it("is fetched again for a job whose files need not be opened", async () => {
            await fixture.publish(outer, { jobId: "se_1" });
            await edit("index.html");
            await fixture.publish(outer, { jobId: "se_1" });
            assert.deepEqual([await fixture.live(), fixture.opened], [outer, 2]);
        });

        it("does not make the release newer when it is restored", async () => {
            const { release } = await fixture.publish(outer);
            fixture.nowMs += 3_600_000;
            await edit("index.html");
            assert.equal((await fixture.publish(outer)).release.publishedAt, release.publishedAt);
        });

        it("is no change if its content stays: a backup may have written it, and is read once", async () => {
            await fixture.publish(outer);
            await fixture.place.write("index.html", outer["index.html"]!);
            fixture.logged.length = 0;
            const reads: string[] = [];
            for (let runs = 0; runs < 2; runs += 1) {
                const target = await fixture.openTarget();
                const { read } = target;
                target.read = (path, signal) => {
                    reads.push(path);
                    return read.call(target, path, signal);
                };
                assert.deepEqual((await fixture.publish(outer, {}, target)).steps, []);
            }
            assert.ok(reads.filter((path) => path === "index.html").length <= 1, reads.join(" "));
            assert.deepEqual(fixture.logged, []);
        });

        it("stays if the run trusts the record", async () => {
            await fixture.publish(outer);
            await edit("index.html");
            await fixture.publish({ ...outer, "about.html": "more" }, { trustRecord: true });
            assert.deepEqual(await fixture.live(), { "index.html": "edite", "about.html": "more" });
        });

        it("is not stored as a part of an earlier release, which is dropped with a warning", async () => {
            await fixture.publish(outer, { jobId: "se_1", keep: 1 });
            await edit("index.html");
            const { earlier } = await fixture.publish({ ...outer, "index.html": "new" }, { jobId: "se_2", keep: 1 });
            assert.deepEqual(earlier, []);
            assert.match(fixture.logged.join("\n"), /files of se_1 are missing, so this release is not kept/);
        });

        it("was the only copy of an earlier release's file: the release is dropped with a warning", async () => {
            const second = { ...outer, "index.html": "new" };
            await fixture.publish(outer, { jobId: "se_1", keep: 1 });
            await fixture.publish(second, { jobId: "se_2", keep: 1 });
            const kept = (await fixture.place.paths()).filter((path) => path.startsWith(".static-export/files/"));
            await fixture.place.write(kept[0]!, "outEr");
            const { earlier } = await fixture.publish(second, { jobId: "se_2", keep: 1 });
            assert.deepEqual(earlier, []);
            assert.match(fixture.logged.join("\n"), /files of se_1 are missing, so this release is not kept/);
            await assert.rejects(fixture.publish({}, { releaseId: "se_1" }), /has no release se_1/);
        });

        it("is restored in a release that is a folder of its own", async () => {
            const { release } = await fixture.publish(outer, { switching: "releases" });
            await edit(`${release.prefix}index.html`);
            await fixture.publish(outer, { switching: "releases" });
            assert.deepEqual(await fixture.served(), outer);
        });

        it("is reported by a cleaning run, which restores nothing", async () => {
            await fixture.publish(outer);
            await remove("about.html");
            await cleanSite(await fixture.openTarget(), { ...fixture.run(), graceSeconds: 0 });
            assert.match(fixture.logged.join("\n"), /1 file was removed \("about.html"\) .* Publish the site again/);
        });
    });
}
