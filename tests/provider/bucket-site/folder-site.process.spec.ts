import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BucketSiteInputs } from "../../../provider/src/bucket-site/model.js";
import { watchTarget } from "../../sdk/publish/support/site-fixture.js";
import { BucketSiteFixture } from "./bucket-site-fixture.js";

describe("BucketSite in a folder", () => {
    let fixture: BucketSiteFixture;
    let folder: string;
    let inputs: BucketSiteInputs;

    beforeEach(async () => {
        fixture = await BucketSiteFixture.start();
        folder = mkdtempSync(join(tmpdir(), "bucket-site-"));
        fixture.serve("se_1", { "index.html": "home", "a.html": "a" });
        inputs = { jobId: "se_1", folder };
    });
    afterEach(() => {
        fixture.stop();
        rmSync(folder, { recursive: true, force: true });
    });

    it("logs what it published, and that the CDN was purged", async () => {
        await fixture.create({ ...inputs, purge: { cloudFront: { distributionId: "E1" } } });
        assert.deepEqual(
            fixture.lines.filter((line) => /purged|live at/.test(line)),
            ["se_1: purged the CDN", `se_1: live at file://${folder}/ (2 files: 2 sent, 5 bytes; 0 copied, 0 removed)`],
        );
    });

    it("logs its progress, at most every ten seconds", async () => {
        const progress = () => fixture.lines.filter((line) => / of \d+ files at /.test(line));
        await fixture.create(inputs);
        assert.deepEqual(progress(), []);
        fixture.serve("se_2", Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`${at}.html`, "x"])));
        fixture.wrapTarget = (target) =>
            watchTarget(target, (operation) => fixture.clock.pass(operation === "send" ? 4_000 : 0));
        await fixture.create({ ...inputs, jobId: "se_2" });
        const counts = progress().map((line) =>
            /^se_2: (\d+) of 6 files at .*, (\d+) bytes sent$/.exec(line)?.slice(1),
        );
        assert.deepEqual(counts, [
            ["3", "3"],
            ["6", "6"],
        ]);
    });

    it("closes its target, also after a failure", async () => {
        let open = 0;
        fixture.wrapTarget = (target) => {
            open += 1;
            const close = target.close.bind(target);
            return Object.assign(target, {
                close: () => {
                    open -= 1;
                    close();
                },
            });
        };
        const state = await fixture.create(inputs);
        await fixture.lifecycle().read("id", state);
        await assert.rejects(fixture.create({ ...inputs, jobId: "se_9" }));
        assert.equal(open, 0);
    });

    it("refuses a bundle without pages", async () => {
        fixture.serve("se_2", { "a.txt": "a" });
        await assert.rejects(fixture.create({ ...inputs, jobId: "se_2" }), /contains no \.html page/);
    });

    it("publishes all files of an export, also those that other publishers would leave out", async () => {
        fixture.serve("se_2", { "index.html": "home", ".env": "x", "node_modules/x.js": "x" });
        const { fileCount } = await fixture.create({ ...inputs, jobId: "se_2" });
        assert.equal(fileCount, 3);
    });

    it("names a shared owner if the resource is unknown, unless the program names one", async () => {
        fixture.stack = undefined;
        const state = await fixture.create(inputs);
        assert.equal(state.recordedOwner, "pulumi/unknown/site");
        const { recordedOwner } = await fixture.create({ ...inputs, owner: "team/docs" }).catch((error: Error) => {
            assert.match(error.message, /belongs to "pulumi\/unknown\/site"/);
            return { recordedOwner: "refused" };
        });
        assert.equal(recordedOwner, "refused");
    });

    it("stays in the state if its folder cannot be read: the disk may not be mounted", async () => {
        const state = await fixture.create(inputs);
        fixture.wrapTarget = (target) =>
            Object.assign(target, { read: () => Promise.reject(new Error("the disk is broken")) });
        await assert.rejects(fixture.lifecycle().read("id", state), /the disk is broken/);
        fixture.wrapTarget = (target) => target;
        rmSync(folder, { recursive: true });
        await assert.rejects(fixture.lifecycle().read("id", state), /create it, or mount the disk that contains it/);
    });

    it("lists a hundred changed paths at most after a refresh", async () => {
        const many = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`${at}.html`, "x"]));
        fixture.serve("se_2", many);
        const state = await fixture.create({ ...inputs, jobId: "se_2" });
        Object.keys(many).forEach((path) => rmSync(join(folder, path)));
        const { props } = await fixture.lifecycle().read("id", state);
        assert.equal(props?.driftedPaths?.length, 100);
    });
});
