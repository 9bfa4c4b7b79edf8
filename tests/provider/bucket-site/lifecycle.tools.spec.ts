import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import type { BucketSiteInputs } from "../../../provider/src/bucket-site/model.js";
import { bucket, useS3Server } from "../bundle-mirror/s3-server.js";
import { watchTarget } from "../../sdk/publish/support/site-fixture.js";
import { BucketSiteFixture } from "./bucket-site-fixture.js";

const first = { "index.html": "home", "a.html": "a", "site.0a1b2c3d.css": "body {}" };
const second = { ...first, "index.html": "new home", "b.html": "b" };

for (const kind of ["a bucket", "a folder"] as const) {
    describe(`BucketSite in ${kind}`, function () {
        this.timeout(120_000);
        const s3 = kind === "a bucket" ? useS3Server() : undefined;
        let fixture: BucketSiteFixture;
        let folder: string;
        let inputs: BucketSiteInputs;

        beforeEach(async () => {
            fixture = await BucketSiteFixture.start();
            folder = mkdtempSync(join(tmpdir(), "bucket-site-"));
            fixture.serve("se_1", first);
            fixture.serve("se_2", second);
            inputs = {
                jobId: "se_1",
                ...(s3 === undefined ? { folder } : { bucket, prefix: "docs/", endpoint: s3().endpoint }),
            };
        });
        afterEach(() => {
            fixture.stop();
            rmSync(folder, { recursive: true });
        });

        const read = async (path: string) =>
            String(s3 === undefined ? await readFile(join(folder, path)) : await s3().read(`docs/${path}`));

        const write = async (path: string, Body: string) => {
            if (s3 === undefined) {
                return writeFile(join(folder, path), Body);
            }
            await s3().client.send(new PutObjectCommand({ Bucket: bucket, Key: `docs/${path}`, Body }));
        };
        const remove = async (path: string) => {
            if (s3 === undefined) {
                return rm(join(folder, path));
            }
            await s3().client.send(new DeleteObjectCommand({ Bucket: bucket, Key: `docs/${path}` }));
        };

        it("publishes a job's files, and outputs the live release and the uploads", async () => {
            const outs = await fixture.create(inputs);
            assert.equal(await read("index.html"), "home");
            const { servedJobId, fileCount, uploadedFiles, uploadedBytes, changedPaths } = outs;
            assert.deepEqual([servedJobId, fileCount, uploadedFiles, uploadedBytes], ["se_1", 3, 3, 12]);
            assert.deepEqual(changedPaths, ["/site.0a1b2c3d.css", "/a.html", "/index.html"]);
            assert.match(outs.sha256, /^[0-9a-f]{64}$/);
        });

        it("uploads only the files that changed in the next job, and outputs the changed paths for a CDN", async () => {
            const olds = await fixture.create(inputs);
            const outs = await fixture.update(olds, { ...inputs, jobId: "se_2" });
            assert.deepEqual([outs.uploadedFiles, outs.changedPaths], [2, ["/b.html", "/index.html"]]);
            assert.equal(await read("index.html"), "new home");
        });

        it("serves an earlier job again without calling the platform, and then the later job again", async () => {
            const olds = await fixture.create({ ...inputs, keep: 2 });
            const newer = await fixture.update(olds, { ...inputs, keep: 2, jobId: "se_2" });
            assert.deepEqual(newer.earlierJobIds, ["se_1"]);
            const { bundleRequests } = fixture.platform;
            const pinned = await fixture.update(newer, { ...inputs, keep: 2, jobId: "se_2", pin: "se_1" });
            assert.deepEqual([pinned.servedJobId, pinned.uploadedFiles], ["se_1", 0]);
            assert.equal(await read("index.html"), "home");
            const back = await fixture.update(pinned, { ...inputs, keep: 2, jobId: "se_2" });
            assert.equal(await read("index.html"), "new home");
            assert.deepEqual([back.earlierJobIds, fixture.platform.bundleRequests], [["se_1"], bundleRequests]);
        });

        it("purges the CDN, and retries a failed purge without uploading", async () => {
            const behind: BucketSiteInputs = { ...inputs, purge: { cloudFront: { distributionId: "E1" } } };
            fixture.cdnIsDown = true;
            await assert.rejects(fixture.create(behind), /the CDN is down/);
            fixture.cdnIsDown = false;
            const { uploadedFiles } = await fixture.create(behind);
            const all = ["site.0a1b2c3d.css", "a.html", "index.html"];
            assert.deepEqual([uploadedFiles, fixture.purged], [0, [all, all]]);
        });

        it("switches to whole releases, and back to single files without copying", async () => {
            const whole: BucketSiteInputs = { ...inputs, switching: "releases", keep: 1 };
            const olds = await fixture.create(whole);
            assert.match(olds.releasePrefix, /(^|\/)releases\/[0-9a-f]{16}\/$/);
            const outs = await fixture.update(olds, { ...whole, jobId: "se_2" });
            assert.notEqual(outs.releasePrefix, olds.releasePrefix);
            assert.deepEqual([...outs.changedPaths].sort(), ["/b.html", "/index.html"]);
            const readLive = async (path: string) => {
                const folder = outs.releasePrefix.slice((inputs.prefix ?? "").length);
                return read(folder + path);
            };
            assert.deepEqual([await readLive("index.html"), await readLive("a.html")], ["new home", "a"]);
            const back = await fixture.update(outs, { ...whole, pin: "se_1" });
            assert.deepEqual([back.releasePrefix, back.uploadedFiles], [olds.releasePrefix, 0]);
            assert.deepEqual((await fixture.lifecycle().read("id", back)).props?.releasePrefix, olds.releasePrefix);
        });

        it("rejects a bundle with private files unless access is set to edge", async () => {
            const access = '{\n  "formatVersion": 1,\n  "files": {\n    "a.html": ["staff"]\n  }\n}\n';
            fixture.serve("se_1", { ...first, "access.json": access });
            await assert.rejects(fixture.create(inputs), /Not everybody may read 1 file of this site/);
            await assert.rejects(read("index.html"));
            const { releasePrefix } = await fixture.create({ ...inputs, switching: "releases", access: "edge" });
            const release = releasePrefix.slice((inputs.prefix ?? "").length);
            assert.equal(await read(`${release}.static-export/access.json`), access);
        });

        it("resumes a killed create on another machine", async () => {
            let writes = 0;
            fixture.wrapTarget = (target) =>
                watchTarget(target, () => {
                    writes += 1;
                    if (writes > 3) {
                        throw new Error("killed");
                    }
                });
            await assert.rejects(fixture.create(inputs), /^Error: killed$/);
            fixture.wrapTarget = (target) => target;
            const { uploadedFiles } = await fixture.create(inputs);
            assert.ok(uploadedFiles >= 2);
            assert.deepEqual([await read("index.html"), await read("a.html")], ["home", "a"]);
        });

        it("shows a diff when the grace time of files is over, and removes the files in that update", async () => {
            const olds = await fixture.create({ ...inputs, jobId: "se_2" });
            const outs = await fixture.update(olds, inputs);
            assert.equal(await read("b.html"), "b");
            const lifecycle = fixture.lifecycle();
            assert.equal((await lifecycle.diff("id", outs, inputs)).changes, false);
            fixture.clock.pass(86_400_000);
            assert.equal((await lifecycle.diff("id", outs, inputs)).changes, true);
            const { removalDueAt, changedPaths } = await fixture.update(outs, inputs);
            assert.deepEqual([removalDueAt, changedPaths], [undefined, ["/b.html"]]);
            await assert.rejects(read("b.html"), /ENOENT|NoSuchKey/);
        });

        it("rejects a place that another stack publishes to, and names both stacks", async () => {
            await fixture.create(inputs);
            fixture.stack = "dev";
            await assert.rejects(
                fixture.create(inputs),
                /belongs to "docs\/production\/site", but this run publishes for "docs\/dev\/site"/,
            );
            const taken = await fixture.create({ ...inputs, owner: "docs/production/site" });
            assert.equal(taken.uploadedFiles, 0);
        });

        it("keeps its place when the resource is renamed", async () => {
            const olds = await fixture.create(inputs);
            fixture.stack = "renamed";
            assert.equal((await fixture.update(olds, { ...inputs, jobId: "se_2" })).servedJobId, "se_2");
        });

        it("shows a diff after a refresh if another run has published, and disappears if the record is gone", async () => {
            const props = await fixture.create(inputs);
            await fixture.update(props, { ...inputs, jobId: "se_2" });
            const refreshed = await fixture.lifecycle().read("id", props);
            assert.equal((await fixture.lifecycle().diff("id", refreshed.props!, inputs)).changes, true);
            const other = s3 === undefined ? mkdtempSync(join(tmpdir(), "bucket-site-")) : undefined;
            const place = other === undefined ? { prefix: "other/" } : { folder: other };
            assert.equal((await fixture.lifecycle().read("id", { ...props, ...place })).id, "");
            if (other !== undefined) {
                rmSync(other, { recursive: true });
            }
        });

        it("shows drift after a refresh if somebody has changed or removed files, and restores them", async () => {
            const props = await fixture.create({ ...inputs, keep: 3 });
            await write("a.html", "by hand");
            await remove("index.html");
            const { props: drifted } = await fixture.lifecycle().read("id", props);
            assert.deepEqual(drifted?.driftedPaths, ["/a.html", "/index.html"]);
            assert.equal((await fixture.lifecycle().diff("id", drifted, { ...inputs, keep: 3 })).changes, true);
            const restored = await fixture.update(drifted, { ...inputs, keep: 3 });
            assert.deepEqual([await read("index.html"), await read("a.html")], ["home", "a"]);
            assert.equal(restored.driftedPaths, undefined);
            const { props: intact } = await fixture.lifecycle().read("id", restored);
            assert.equal((await fixture.lifecycle().diff("id", intact!, { ...inputs, keep: 3 })).changes, false);
        });

        it("sees no drift if it trusts the record", async () => {
            const props = await fixture.create({ ...inputs, trustRecord: true });
            await write("a.html", "by hand");
            const { props: refreshed } = await fixture.lifecycle().read("id", props);
            assert.equal(refreshed?.driftedPaths, undefined);
        });

        it("rejects a site below it that would replace its pages, and a page inside that site", async () => {
            fixture.serve("se_2", { ...first, "guide/index.html": "of the whole" });
            const props = await fixture.create(inputs);
            const guide = s3 === undefined ? { folder: join(folder, "guide") } : { prefix: "docs/guide/" };
            await mkdir(join(folder, "guide"), { recursive: true });
            await fixture.create({ ...inputs, ...guide, owner: "docs/production/guide" });
            await assert.rejects(
                fixture.update(props, { ...inputs, jobId: "se_2" }),
                /contains another site: "docs\/production\/guide" .* 1 file, such as "guide\/index.html"/,
            );
            assert.equal(await read("guide/index.html"), "home");
        });

        it("keeps its files when the resource is deleted", async () => {
            await fixture.lifecycle().delete("id", await fixture.create(inputs));
            assert.equal(await read("index.html"), "home");
        });

        it("fails with a message at the deadline, and keeps the live site", async () => {
            const olds = await fixture.create(inputs);
            const slow = { ...inputs, jobId: "se_2", timeoutSeconds: 0.001 };
            await assert.rejects(
                fixture.update(olds, slow),
                /^Error: Site of export se_2 at .*: not finished within 0\.001 s\. .* the next `pulumi up` continues/,
            );
            assert.equal(await read("index.html"), "home");
        });

        it("stores its progress when interrupted, so the next update need not wait", async () => {
            const olds = await fixture.create(inputs);
            const stop = new AbortController();
            fixture.wrapTarget = (target) =>
                watchTarget(target, (operation) => {
                    if (operation === "send") {
                        stop.abort(new Error("interrupted by SIGINT"));
                    }
                });
            const interrupted = fixture.lifecycle(stop.signal).update("id", olds, { ...inputs, jobId: "se_2" });
            await assert.rejects(interrupted, /^Error: interrupted by SIGINT$/);
            fixture.wrapTarget = (target) => target;
            const before = fixture.clock.now();
            await fixture.update(olds, { ...inputs, jobId: "se_2" });
            assert.equal(fixture.clock.now(), before);
            assert.equal(await read("index.html"), "new home");
        });
    });
}
