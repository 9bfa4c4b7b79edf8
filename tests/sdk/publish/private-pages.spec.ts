import assert from "node:assert/strict";
import { type PublishRequest, readRecord } from "@pulumi-static-export/sdk/publish";
import { type Site, SiteFixture, watchTarget } from "./support/site-fixture.js";

const accessOf = (files: Readonly<Record<string, readonly string[]>>) => {
    const lines = Object.entries(files).map(
        ([file, groups]) => `    "${file}": [${groups.map((each) => `"${each}"`).join(", ")}]`,
    );
    return `{\n  "formatVersion": 1,\n  "files": {\n${lines.join(",\n")}\n  }\n}\n`;
};
const pages: Site = { "index.html": "home", "secret.html": "secret" };
const staff: Site = { ...pages, "access.json": accessOf({ "secret.html": ["staff"] }) };
const admins: Site = { ...pages, "access.json": accessOf({ "secret.html": ["admins"] }) };

describe("Publishing a site with private pages", () => {
    let fixture: SiteFixture;
    beforeEach(async () => (fixture = await SiteFixture.create()));
    afterEach(() => fixture.remove());

    const publish = (site: Site, jobId: string, request: Partial<PublishRequest> = {}) =>
        fixture.publish(site, { switching: "releases", access: "edge", jobId, ...request });
    const record = async () => (await readRecord(await fixture.openTarget(), new AbortController().signal)).record;

    it("is rejected unless the host separates readers, for whole releases and for single files", async () => {
        for (const switching of ["files", "releases"] as const) {
            const published = publish(staff, "se_1", { switching, access: undefined });
            await assert.rejects(
                published,
                /Not everybody may read 1 file of this site .* publish with access "edge"\.$/,
            );
        }
        assert.deepEqual(await fixture.live(), {});
    });

    it("stores access.json where only the host reads it, and records that location", async () => {
        const { release } = await publish(staff, "se_1");
        assert.deepEqual(await fixture.live(release.prefix), pages);
        assert.equal(await fixture.place.read(release.access!), staff["access.json"]);
        assert.equal(release.access, `${release.prefix}.static-export/access.json`);
        assert.equal((await record())?.live?.access, release.access);
    });

    it("creates a new release if only the readers differ, and purges every path", async () => {
        const before = await publish(staff, "se_1", { keep: 1 });
        const after = await publish(admins, "se_2", { keep: 1 });
        assert.notEqual(after.release.prefix, before.release.prefix);
        assert.deepEqual(after.changedPaths, ["/*"]);
        const back = await publish({}, "se_1", { keep: 1 });
        assert.equal(fixture.opened, 2);
        assert.match(await fixture.place.read(back.release.access!), /staff/);
    });

    it("is rejected again if the host no longer separates readers, for live and earlier releases", async () => {
        await publish(staff, "se_1");
        await assert.rejects(publish(staff, "se_1", { access: undefined }), /Not everybody may read/);
        await publish(pages, "se_2", { keep: 1 });
        assert.equal((await record())?.earlier.length, 1);
        const { earlier } = await publish(pages, "se_3", { keep: 1, access: undefined });
        assert.deepEqual(earlier, []);
        await assert.rejects(publish(staff, "se_1", { access: undefined }), /Not everybody may read/);
    });

    it("requires whole releases, because single files mix the readers of two releases", async () => {
        await assert.rejects(
            publish(staff, "se_1", { switching: "files" }),
            /The setting access "edge" needs switching "releases"/,
        );
        assert.equal(fixture.opened, 0);
    });

    it("is refused before the run waits for another one", async () => {
        const target = watchTarget(await fixture.openTarget(), () => assert.fail("it writes"));
        target.read = () => assert.fail("it reads the record");
        await assert.rejects(fixture.publish(staff, { access: "edge" }, target), /needs switching "releases"/);
    });

    it("does not publish an access.json that the host could not read", async () => {
        await assert.rejects(publish({ ...pages, "access.json": "{}" }, "se_1"), /access\.json, .* is not usable/);
    });
});
