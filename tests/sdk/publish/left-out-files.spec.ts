import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { isLeftOut } from "@pulumi-static-export/contract";
import { type Site, SiteFixture } from "./support/site-fixture.js";

const site: Site = { "index.html": "home", ".well-known/security.txt": "contact" };
const secret: Site = {
    ".env": "KEY=1",
    ".git/config": "url",
    ".npmrc": "token",
    "node_modules/left/pad.js": "pad",
    "guide/.DS_Store": "folder",
    id_rsa: "key",
    "certificates/site.pem": "key",
};

describe("Hidden and secret files of a published folder", () => {
    let fixture: SiteFixture;
    beforeEach(async () => (fixture = await SiteFixture.create()));
    afterEach(() => fixture.remove());

    it("are left out and listed", async () => {
        await fixture.publish({ ...site, ...secret });
        assert.deepEqual(await fixture.live(), site);
        assert.match(
            fixture.logged.join("\n"),
            /7 hidden or secret entries are not published: "\.env", "\.git\/", "\.npmrc", .* and others\. .* --all-files/,
        );
    });

    it("may have links in them, as node_modules has", async () => {
        const folder = await fixture.write(site);
        await mkdir(join(folder, "node_modules"));
        await symlink("left/pad.js", join(folder, "node_modules/pad.js"));
        await fixture.publish(site, { openSite: () => Promise.resolve({ folder }) });
        assert.deepEqual(await fixture.live(), site);
    });

    it("are published if the caller wants all files", async () => {
        const folder = await fixture.write({ ...site, ...secret });
        await fixture.publish(site, { openSite: () => Promise.resolve({ folder, allFiles: true }) });
        assert.deepEqual(await fixture.live(), { ...site, ...secret });
        assert.deepEqual(fixture.logged, []);
    });

    it("are published if an export has chosen them, because a page links to them", async () => {
        const files = {
            ...site,
            "static-export/bundle.json": "{}",
            "guide/.gitbook/assets/plan.svg": "<svg/>",
            "downloads/example.pem": "certificate",
        };
        await fixture.publish({ ...files, ".DS_Store": "folder" });
        assert.deepEqual(await fixture.live(), files);
    });

    it("of an export may not be what hides next to GitBook's assets", () => {
        const paths = [
            ".gitbook/vars.yaml",
            ".gitbook/assets/.hidden",
            "a/.gitbook/secret/x",
            ".gitbook/assets/plan.svg",
        ];
        assert.deepEqual(
            paths.map((path) => isLeftOut(path, true)),
            [true, true, true, false],
        );
    });
});
