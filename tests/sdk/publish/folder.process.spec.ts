import assert from "node:assert/strict";
import { FolderTarget } from "@pulumi-static-export/sdk/publish";
import { scaled } from "../../scale.js";
import { describeKilledRuns } from "./cases/killed-runs.js";
import { describePublishing } from "./cases/publishing.js";
import { describeTwoRuns } from "./cases/two-runs.js";
import { describeUnpublishing } from "./cases/unpublishing.js";
import { describeWholeReleases } from "./cases/whole-releases.js";
import { inFolder } from "./support/places.js";
import { SiteFixture } from "./support/site-fixture.js";

describe("A folder as a target", () => {
    describePublishing(inFolder);
    describeUnpublishing(inFolder);
    describeTwoRuns(inFolder);
    describeKilledRuns(inFolder, scaled({ short: 12, long: 1500 }));
    // `npm run test:all` runs 50 rounds.
    describeWholeReleases(inFolder, scaled({ short: 8, long: 50 }));

    it("must exist, because a missing folder may be an unmounted disk", async () => {
        await assert.rejects(
            FolderTarget.open("/no/such/folder"),
            /There is no folder .* create it, or mount the disk/,
        );
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
