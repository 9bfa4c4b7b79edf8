import assert from "node:assert/strict";
import { link, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FolderTarget } from "@pulumi-static-export/sdk/publish";
import { scaled } from "../../scale.js";
import { describeCleaning } from "./cases/cleaning.js";
import { describeKilledRuns } from "./cases/killed-runs.js";
import { describeNeighbours } from "./cases/neighbours.js";
import { describePublishing } from "./cases/publishing.js";
import { describeSharedPlaces } from "./cases/shared-places.js";
import { describeTwoRuns } from "./cases/two-runs.js";
import { describeUnpublishing } from "./cases/unpublishing.js";
import { describeWholeReleases } from "./cases/whole-releases.js";
import { inFolder, inFolderOfWindows, inFolderWithoutLinks } from "./support/places.js";
import { SiteFixture } from "./support/site-fixture.js";

describe("A folder as a target", () => {
    describePublishing(inFolder);
    describeUnpublishing(inFolder);
    describeCleaning(inFolder);
    describeNeighbours(inFolder);
    describeSharedPlaces(inFolder, scaled({ short: 6, long: 300 }));
    describeTwoRuns(inFolder);
    describeKilledRuns(inFolder, scaled({ short: 12, long: 300 }));
    describeWholeReleases(inFolder, scaled({ short: 8, long: 20 }));

    it("must exist, because a missing folder may be an unmounted disk", async () => {
        await assert.rejects(
            FolderTarget.open("/no/such/folder"),
            /There is no folder .* create it, or mount the disk/,
        );
    });

    describe("on Windows", () => {
        describeWholeReleases(inFolderOfWindows, 3);

        it("links to the release by a junction, which needs no rights", async () => {
            const fixture = await SiteFixture.create(inFolderOfWindows);
            try {
                await fixture.publish({ "index.html": "home" }, { switching: "releases" });
                const { release } = await fixture.publish({ "index.html": "new" }, { switching: "releases" });
                const target = join(fixture.folder, "target");
                // Junctions are absolute.
                assert.equal(`${await readlink(join(target, "current"))}/`, join(target, release.prefix ?? ""));
                assert.equal(await readFile(join(target, "current/index.html"), "utf8"), "new");
            } finally {
                await fixture.remove();
            }
        });

        it("forgets the link to the release when the site is removed", async () => {
            const fixture = await SiteFixture.create(inFolderOfWindows);
            try {
                await fixture.publish({ "index.html": "home" }, { switching: "releases" });
                await fixture.unpublish();
                assert.deepEqual(await readdir(join(fixture.folder, "target")), []);
            } finally {
                await fixture.remove();
            }
        });
    });

    for (const [system, place] of Object.entries({ Linux: inFolder, Windows: inFolderOfWindows })) {
        it(`is refused if a folder has the name of the link to the release: ${system}`, async () => {
            const fixture = await SiteFixture.create(place);
            try {
                await fixture.publish({ "index.html": "home", "current/a.html": "a" });
                await assert.rejects(
                    fixture.publish({ "index.html": "new" }, { switching: "releases" }),
                    /current is a folder, where the link to the release belongs: move it away\./,
                );
                assert.deepEqual((await readdir(join(fixture.folder, "target"))).sort(), [
                    ".static-export",
                    "current",
                    "index.html",
                ]);
                assert.equal(await readFile(join(fixture.folder, "target/current/a.html"), "utf8"), "a");
            } finally {
                await fixture.remove();
            }
        });
    }

    for (const [what, make] of [
        ["a file", (path: string) => writeFile(path, "theirs")],
        ["a link to another place", (path: string) => symlink("/srv/other", path)],
    ] as const) {
        it(`keeps ${what} of somebody else that has the name of the link to the release`, async () => {
            const fixture = await SiteFixture.create();
            try {
                await fixture.publish({ "index.html": "home" });
                await make(join(fixture.folder, "target/current"));
                await assert.rejects(
                    fixture.publish({ "index.html": "new" }, { switching: "releases" }),
                    new RegExp(`current is ${what}, where the link to the release belongs: move it away`),
                );
            } finally {
                await fixture.remove();
            }
        });
    }

    describe("on a disk without links", () => {
        it("refuses whole releases before the first file is sent", async () => {
            const fixture = await SiteFixture.create(inFolderWithoutLinks);
            try {
                await assert.rejects(
                    fixture.publish({ "index.html": "home" }, { switching: "releases" }),
                    /target cannot contain links to folders \(EPERM\).* publish with switching "files", or to a disk/,
                );
                const sent = await readdir(join(fixture.folder, "target"), { recursive: true, withFileTypes: true });
                assert.deepEqual(
                    sent.filter((each) => each.isFile()),
                    [],
                );
            } finally {
                await fixture.remove();
            }
        });

        describePublishing(inFolderWithoutLinks);
        describeTwoRuns(inFolderWithoutLinks);

        it("waits until another run has written the end of its record", async () => {
            const folder = await mkdtemp(join(tmpdir(), "publish-spec-"));
            try {
                const record = join(folder, ".static-export/record-000000000001.json");
                await mkdir(dirname(record));
                await writeFile(record, '{ "formatVersion"');
                const sleep = () => writeFile(record, '{ "formatVersion": 1 }\n');
                const target = await FolderTarget.open(folder, { sleep });
                const found = await target.read(".static-export/site.json");
                assert.equal(String(found?.content), '{ "formatVersion": 1 }\n');
            } finally {
                await rm(folder, { recursive: true });
            }
        });

        it("returns a record without an end after a second, so that its reader refuses it", async () => {
            const folder = await mkdtemp(join(tmpdir(), "publish-spec-"));
            try {
                await mkdir(join(folder, ".static-export"));
                await writeFile(join(folder, ".static-export/record-000000000001.json"), "{");
                const waits: number[] = [];
                const sleep = (ms: number) => Promise.resolve(waits.push(ms));
                const target = await FolderTarget.open(folder, { sleep });
                assert.equal(String((await target.read(".static-export/site.json"))?.content), "{");
                const waitedMs = waits.reduce((sum, ms) => sum + ms, 0);
                assert.ok(waitedMs >= 500 && waitedMs <= 2000, String(waitedMs));
            } finally {
                await rm(folder, { recursive: true });
            }
        });
    });

    describe("on a disk that ignores case and the form of Unicode letters", () => {
        const { signal } = new AbortController();
        let folder: string;
        beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "publish-spec-"))));
        afterEach(() => rm(folder, { recursive: true }));

        for (const [before, after] of [
            ["About.md", "about.md"],
            ["Guide/Start.html", "guide/start.html"],
            ["caf\u00e9.html", "cafe\u0301.html"],
        ] as const) {
            it(`never removes a live page by its earlier spelling: ${JSON.stringify(before)}`, async () => {
                // Two names of one file, as such a disk has them.
                await mkdir(dirname(join(folder, before)), { recursive: true });
                await mkdir(dirname(join(folder, after)), { recursive: true });
                await writeFile(join(folder, before), "page");
                await link(join(folder, before), join(folder, after));
                const target = await FolderTarget.open(folder);
                await target.remove([before], signal, new Map([[after, undefined]]));
                assert.equal(await readFile(join(folder, after), "utf8"), "page");
            });
        }

        it("still removes a page whose name differs only by case if the disk has both", async () => {
            await writeFile(join(folder, "About.md"), "old");
            await writeFile(join(folder, "about.md"), "new");
            const target = await FolderTarget.open(folder);
            await target.remove(["About.md"], signal, new Map([["about.md", undefined]]));
            assert.deepEqual(await readdir(folder), ["about.md"]);
        });
    });

    describe("with links that somebody else made", () => {
        let fixture: SiteFixture;
        let elsewhere: string;
        const site = { "index.html": "home", "assets/a.css": "ours" };

        beforeEach(async () => {
            fixture = await SiteFixture.create();
            elsewhere = await mkdtemp(join(tmpdir(), "publish-spec-"));
            await writeFile(join(elsewhere, "a.css"), "theirs");
        });
        afterEach(async () => {
            await fixture.remove();
            await rm(elsewhere, { recursive: true });
        });

        for (const name of ["index.html", "assets", "current"]) {
            it(`is not empty at the first run: ${name}`, async () => {
                await symlink(elsewhere, join(fixture.folder, "target", name));
                await assert.rejects(fixture.publish(site, { adopt: false }), /is not empty/);
                assert.equal(await readlink(join(fixture.folder, "target", name)), elsewhere);
            });
        }

        it("writes nothing behind a linked folder, and says so", async () => {
            await fixture.publish({ "index.html": "home" });
            await symlink(elsewhere, join(fixture.folder, "target/assets"));
            await assert.rejects(fixture.publish(site), /assets is a link, where the site has a folder/);
            assert.equal(await readFile(join(elsewhere, "a.css"), "utf8"), "theirs");
        });

        it("removes nothing behind a linked folder", async () => {
            await fixture.publish(site, { graceSeconds: 0 });
            await rm(join(fixture.folder, "target/assets"), { recursive: true });
            await symlink(elsewhere, join(fixture.folder, "target/assets"));
            await fixture.publish({ "index.html": "home" }, { graceSeconds: 0 });
            assert.equal(await readFile(join(elsewhere, "a.css"), "utf8"), "theirs");
        });
    });

    it("replaces a file of somebody else with a folder only if it adopts the file", async () => {
        const fixture = await SiteFixture.create();
        const site = { "index.html": "home", "guides/a.html": "a page" };
        try {
            await fixture.publish({ "index.html": "home" });
            await fixture.place.write("guides", "by hand");
            await assert.rejects(fixture.publish(site), /which are in no list of this site: "guides"/);
            assert.equal((await fixture.live())["guides"], "by hand");
            await fixture.publish(site, { adopt: true });
            assert.deepEqual(await fixture.live(), site);
        } finally {
            await fixture.remove();
        }
    });

    it("replaces a page with a folder of the same name", async () => {
        const fixture = await SiteFixture.create();
        const first = { "index.html": "home" };
        try {
            await fixture.publish({ ...first, guides: "a file" });
            await fixture.publish({ ...first, "guides/a.html": "a page" });
            assert.deepEqual(await fixture.live(), { ...first, "guides/a.html": "a page" });
        } finally {
            await fixture.remove();
        }
    });
});
