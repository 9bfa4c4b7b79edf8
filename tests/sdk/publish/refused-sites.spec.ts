import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { SiteFixture } from "./support/site-fixture.js";

const site = { "index.html": "home" };

describe("A site that no storage can store", () => {
    let fixture: SiteFixture;
    beforeEach(async () => (fixture = await SiteFixture.create()));
    afterEach(() => fixture.remove());

    for (const [what, path, message] of [
        ["a name that is too long", `${"long/".repeat(20)}${"x".repeat(200)}/`.repeat(3), /is longer than 900/],
        ["a folder for our own records", ".static-export/", /where publishing keeps its own records/],
        [
            "a name that leaves its folder on Windows",
            "a\\b",
            /^The site cannot be published: the entry "a\\b.*Rename it\.$/,
        ],
    ] as const) {
        it(`is rejected before any upload: ${what}`, async () => {
            const name = path.endsWith("/") ? `${path}x.html` : `${path}.html`;
            await assert.rejects(fixture.publish({ ...site, [name]: "x" }), { message });
            assert.deepEqual(await fixture.live(), {});
        });
    }

    it("is rejected if it contains a link", async () => {
        const folder = await fixture.write(site);
        await symlink("index.html", join(folder, "home.html"));
        const published = fixture.publish(site, { openSite: () => Promise.resolve({ folder }) });
        await assert.rejects(published, /"home.html" is not a file or folder: replace the link/);
    });
});
