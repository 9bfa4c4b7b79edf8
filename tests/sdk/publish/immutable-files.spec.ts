import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { SiteTarget } from "@pulumi-static-export/sdk/publish";
import { type Site, SiteFixture } from "./support/site-fixture.js";

const digestOf = (content: string, name = "sha256") => createHash(name).update(content).digest("hex");

describe("Files that browsers may keep for a year", () => {
    let fixture: SiteFixture;
    let target: SiteTarget;
    const sent = new Map<string, string>();

    beforeEach(async () => {
        fixture = await SiteFixture.create();
        sent.clear();
        target = Object.assign(await fixture.openTarget(), { hasHeaders: true });
        const { send } = target;
        target.send = (path, localPath, file, signal) => {
            sent.set(path, (JSON.parse(file.headers) as { cacheControl: string }).cacheControl);
            return send.call(target, path, localPath, file, signal);
        };
    });
    afterEach(() => fixture.remove());

    const publish = async (site: Site) => {
        await fixture.publish({ "index.html": "home", ...site }, {}, target);
        return (path: string) => /immutable/.test(sent.get(path) ?? "");
    };

    for (const name of ["sha256", "sha1", "md5"]) {
        it(`are named after their content: ${name}`, async () => {
            const digits = digestOf("<svg/>", name).slice(0, 12);
            // The name needs a letter, which twelve digits nearly always have.
            const path = `assets/plan.${digits}.svg`;
            const isImmutable = await publish({ [path]: "<svg/>", [`assets/plan.${digits}.png`]: "another" });
            assert.deepEqual([isImmutable(path), isImmutable(`assets/plan.${digits}.png`)], [true, false]);
        });
    }

    it("are not pictures whose name only looks like a digest", async () => {
        const names = ["photo-20260115a.png", "icon.facade01.png"];
        const isImmutable = await publish(Object.fromEntries(names.map((name) => [name, "picture"])));
        assert.deepEqual(names.map(isImmutable), [false, false]);
    });

    it("are scripts, styles and fonts with a digest, until their content changes under the same name", async () => {
        const files = { "main.4f1f4fcd.js": "one", "site.0a1b2c3d.css": "a {}" };
        const isImmutable = await publish(files);
        assert.deepEqual(Object.keys(files).map(isImmutable), [true, true]);
        await publish({ ...files, "site.0a1b2c3d.css": "corrected" });
        assert.deepEqual([isImmutable("main.4f1f4fcd.js"), isImmutable("site.0a1b2c3d.css")], [true, false]);
        sent.clear();
        await publish({ ...files, "site.0a1b2c3d.css": "corrected" });
        assert.deepEqual([...sent.keys()], []);
    });

    it("stay so when their release goes live again", async () => {
        const site = { "index.html": "home", "main.4f1f4fcd.js": "one" };
        await fixture.publish(site, { keep: 1, jobId: "se_1" }, target);
        await fixture.publish({ "index.html": "home" }, { keep: 1, jobId: "se_2" }, target);
        const { copy } = target;
        target.copy = (from, to, file, signal) => {
            sent.set(to, file.headers);
            return copy.call(target, from, to, file, signal);
        };
        sent.clear();
        await fixture.publish({}, { keep: 1, jobId: "se_1" }, target);
        assert.match(sent.get("main.4f1f4fcd.js") ?? "", /immutable/);
    });
});
