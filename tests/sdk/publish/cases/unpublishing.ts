import assert from "node:assert/strict";
import { everyPath } from "../../../../sdk/src/publish/site/address-of.js";
import type { CreatePlace } from "../support/places.js";
import { type Site, SiteFixture, watchTarget } from "../support/site-fixture.js";

const site: Site = { "index.html": "<h1>Home</h1>", "guide/intro.html": "<h1>Intro</h1>", "site.0a1b2c3d.css": "a {}" };

/** Declares the specs of removal that every target has to pass. */
export function describeUnpublishing(createPlace: CreatePlace): void {
    describe("Removing a published site", () => {
        let fixture: SiteFixture;
        beforeEach(async () => (fixture = await SiteFixture.create(createPlace)));
        afterEach(() => fixture.remove());

        it("removes every release with its record, and no file that is not the site's", async () => {
            await fixture.place.write("robots.txt", "not the site's");
            const request = { switching: "releases", keep: 1, adopt: true } as const;
            await fixture.publish(site, { ...request, jobId: "se_1" });
            await fixture.publish({ ...site, "index.html": "new" }, { ...request, jobId: "se_2" });
            await fixture.unpublish();
            assert.deepEqual(await fixture.place.paths(), ["robots.txt"]);
            await assert.rejects(fixture.place.served(), /ENOENT|NoSuchKey|BlobNotFound|undefined|specified/);
        });

        it("removes a site whose files were replaced one by one, with the contents of its earlier releases", async () => {
            await fixture.publish(site, { keep: 1, graceSeconds: 60 });
            await fixture.publish({ "index.html": "new" }, { keep: 1, graceSeconds: 60 });
            await fixture.unpublish();
            assert.deepEqual(await fixture.place.paths(), []);
        });

        it("continues after a killed run, whose site no reader gets", async () => {
            await fixture.publish(site, { switching: "releases" });
            const target = watchTarget(await fixture.openTarget(), (operation) => {
                if (operation === "remove") {
                    throw new Error("killed");
                }
            });
            await assert.rejects(fixture.unpublish({}, target), /killed/);
            const { live } = JSON.parse(await fixture.record()) as { live?: unknown };
            assert.equal(live, undefined);
            await fixture.unpublish();
            assert.deepEqual(await fixture.place.paths(), []);
        });

        it("can be followed by the same site", async () => {
            await fixture.publish(site);
            await fixture.unpublish();
            const { sentFiles } = await fixture.publish(site);
            assert.equal(sentFiles, 3);
            assert.deepEqual(await fixture.live(), site);
        });

        it("purges everything from the CDN before the record is removed", async () => {
            await fixture.publish(site);
            const purged: string[] = [];
            const purge = async (paths: readonly string[]) => {
                purged.push(...paths);
                assert.match(await fixture.record(), /"owner"/);
            };
            await fixture.unpublish({ purge });
            assert.deepEqual(purged, [everyPath]);
        });

        it("refuses a site of another owner, and a place without a site", async () => {
            await assert.rejects(fixture.unpublish(), /No site is published at .*: it has no record/);
            await fixture.publish(site);
            await assert.rejects(
                fixture.unpublish({ owner: "blog" }),
                /belongs to "docs", and this run removes.*"blog"/,
            );
            assert.deepEqual(await fixture.live(), site);
        });

        it("changes nothing in a dry run, which lists the files", async () => {
            await fixture.publish(site);
            const { steps } = await fixture.unpublish({ isDryRun: true });
            assert.deepEqual(steps.map(({ path }) => path).sort(), Object.keys(site).sort());
            assert.deepEqual(await fixture.live(), site);
        });
    });
}
