import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { MirrorFixture } from "./mirror-fixture.js";
import { archiveOf } from "./platform-server.js";
import { bucket } from "./s3-server.js";

const key = "static-exports/se_42.tar.gz";
const mebibyte = 1024 * 1024;
const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");

describe("BundleMirror against a real S3 server", function () {
    this.timeout(120_000);
    let fixture: MirrorFixture;

    beforeEach(async () => {
        fixture = await MirrorFixture.start();
    });
    afterEach(() => fixture.stop());

    for (const size of [1000, 20 * mebibyte + 1]) {
        it(`copies a bundle of ${size} bytes byte for byte, with its digest and size`, async () => {
            const content = archiveOf(size);
            fixture.platform.serve(content);
            const outs = await fixture.create();
            assert.equal(outs.sha256, sha256(content));
            assert.equal(outs.sizeBytes, size);
            assert.equal(outs.key, key);
            assert.ok((await fixture.s3.read(key)).equals(content));
        });
    }

    it("stores the digest next to the copy, in the format of sha256sum", async () => {
        const content = archiveOf(1000);
        fixture.platform.serve(content);
        await fixture.create();
        assert.deepEqual(await fixture.s3.keys(), [key, `${key}.sha256`]);
        assert.equal(String(await fixture.s3.read(`${key}.sha256`)), `${sha256(content)}  se_42.tar.gz\n`);
    });

    it("returns an address that works without credentials, and changes only with the bundle", async () => {
        const content = archiveOf(1000);
        fixture.platform.serve(content);
        // The server checks signatures against the real time, so the clock of the spec must match it.
        fixture.clock.pass(Date.now() - fixture.clock.now());
        const first = await fixture.create();
        fixture.clock.pass(1000);
        const again = await fixture.create();
        assert.equal(new URL(first.url).pathname, new URL(again.url).pathname);
        assert.notEqual(first.url, again.url);
        const response = await fetch(first.url);
        assert.equal(response.status, 200);
        assert.ok(Buffer.from(await response.arrayBuffer()).equals(content));
    });

    it("returns the public address if one is set, without an expiry", async () => {
        fixture.platform.serve(archiveOf(1000));
        const outs = await fixture.create({ publicUrl: "https://bundles.example.com/" });
        assert.equal(outs.url, "https://bundles.example.com/static-exports/se_42.tar.gz");
        assert.equal(outs.urlExpiresAt, undefined);
        assert.equal(outs.urlRenewAt, undefined);
    });

    it("neither copies again nor calls the platform when run again", async () => {
        fixture.platform.serve(archiveOf(1000));
        const first = await fixture.create();
        const { bundleRequests, downloads } = fixture.platform;
        const again = await fixture.create();
        assert.equal(again.sha256, first.sha256);
        assert.deepEqual([fixture.platform.bundleRequests, fixture.platform.downloads], [bundleRequests, downloads]);
    });

    it("copies again if the object in the bucket has been replaced", async () => {
        const content = archiveOf(1000);
        fixture.platform.serve(content);
        await fixture.create();
        await fixture.s3.client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: archiveOf(1000, 9) }));
        await fixture.create();
        assert.ok((await fixture.s3.read(key)).equals(content));
    });

    it("starts over with a fresh link when the download is interrupted", async () => {
        const content = archiveOf(12 * mebibyte);
        fixture.platform.archive = (_request, response) => {
            response.writeHead(200, { "content-length": content.length });
            if (fixture.platform.downloads === 1) {
                response.write(content.subarray(0, 10 * mebibyte), () => response.destroy());
            } else {
                response.end(content);
            }
        };
        assert.equal((await fixture.create()).sha256, sha256(content));
        assert.equal(fixture.platform.bundleRequests, 2);
    });

    it("leaves no object behind when every download is interrupted", async () => {
        const content = archiveOf(12 * mebibyte);
        fixture.platform.archive = (_request, response) => {
            response.writeHead(200, { "content-length": content.length });
            response.write(content.subarray(0, 10 * mebibyte), () => response.destroy());
        };
        const message = await fixture.failure();
        assert.match(message, /connection was lost/);
        assert.doesNotMatch(message, /s3cr3t/);
        assert.deepEqual(await fixture.s3.keys(), []);
    });

    it("stops at its deadline and leaves no object behind", async () => {
        const content = archiveOf(12 * mebibyte);
        // The rest of the archive never arrives.
        fixture.platform.archive = (_request, response) => response.write(content.subarray(0, 10 * mebibyte));
        assert.match(await fixture.failure({ timeoutSeconds: 1 }), /not finished within 1 s/);
        assert.deepEqual(await fixture.s3.keys(), []);
    });

    it("makes one copy if two stacks copy the same job at the same time", async () => {
        const content = archiveOf(20 * mebibyte);
        fixture.platform.serve(content);
        const [one, other] = await Promise.all([fixture.create(), fixture.createLifecycle().create(fixture.inputs)]);
        assert.equal(one.sha256, sha256(content));
        assert.equal((other.outs as { sha256: string }).sha256, sha256(content));
        assert.ok((await fixture.s3.read(key)).equals(content));
        const { bundleRequests } = fixture.platform;
        await fixture.create();
        assert.equal(fixture.platform.bundleRequests, bundleRequests);
    });

    describe("as a restricted user", () => {
        const user = { accessKeyId: "restricted", secretAccessKey: "s3cr3t-of-the-user" };
        const rights = ["s3:GetObject", "s3:PutObject", "s3:ListBucket"];

        beforeEach(() => {
            fixture.credentials = user;
            fixture.platform.serve(archiveOf(12 * mebibyte));
        });

        it("copies and removes with only the documented permissions", async () => {
            await fixture.s3.addUser(user, [...rights, "s3:DeleteObject"]);
            const outs = await fixture.create({ deleteOnRemoval: true });
            await fixture.lifecycle.delete("id", outs);
            assert.deepEqual(await fixture.s3.keys(), []);
        });

        it("names the missing permission when access is denied, even by a response without a body", async () => {
            await fixture.s3.addUser(user, ["s3:ListBucket"]);
            const message = await fixture.failure();
            assert.match(message, /HeadObject failed \(HTTP 403\)|GetObject failed \(AccessDenied, HTTP 403/);
            for (const right of [...rights, "s3:DeleteObject"]) {
                assert.ok(message.includes(right), message);
            }
            assert.doesNotMatch(message, /s3cr3t|Unknown/);
        });
    });

    it("names the bucket, the operation and the remedy when the storage denies access", async () => {
        fixture.platform.serve(archiveOf(1000));
        const missing = await fixture.failure({ bucket: "no-such-bucket" });
        assert.match(missing, /export se_42 at s3:\/\/no-such-bucket\/static-exports\/se_42\.tar\.gz/);
        assert.match(missing, /NoSuchBucket.*Create the bucket first/);
        fixture.credentials = { accessKeyId: "mirror-spec", secretAccessKey: "wr0ng" };
        const refused = await fixture.failure();
        assert.match(refused, /HeadObject|GetObject/);
        assert.match(refused, /403/);
        assert.doesNotMatch(refused, /wr0ng|s3cr3t/);
    });

    it("explains how to continue when the storage cannot be reached", async () => {
        assert.match(await fixture.failure({ endpoint: "http://127.0.0.1:1" }), /ECONNREFUSED.*Check the endpoint/);
    });

    it("keeps the copy when deleted, and needs neither credentials nor a request", async () => {
        fixture.platform.serve(archiveOf(1000));
        const outs = await fixture.create();
        const { opened } = fixture;
        await fixture.lifecycle.delete("id", outs);
        assert.equal(fixture.opened, opened);
        assert.deepEqual(await fixture.s3.keys(), [key, `${key}.sha256`]);
    });

    it("removes the copy on deletion if configured to, and ignores an object that is already gone", async () => {
        fixture.platform.serve(archiveOf(1000));
        const outs = await fixture.create({ deleteOnRemoval: true });
        await fixture.lifecycle.delete("id", outs);
        assert.deepEqual(await fixture.s3.keys(), []);
        await fixture.lifecycle.delete("id", outs);
    });

    it("is removed from the state by a refresh only if the object is gone", async () => {
        fixture.platform.serve(archiveOf(1000));
        const outs = await fixture.create({ deleteOnRemoval: true });
        assert.deepEqual(await fixture.lifecycle.read("id", outs), { id: "id", props: outs });
        fixture.credentials = { accessKeyId: "mirror-spec", secretAccessKey: "wr0ng" };
        await assert.rejects(fixture.lifecycle.read("id", outs), { name: "StorageError" });
        fixture.credentials = { accessKeyId: "mirror-spec", secretAccessKey: "s3cr3t-of-the-mirror-spec" };
        await fixture.lifecycle.delete("id", outs);
        assert.deepEqual(await fixture.lifecycle.read("id", outs), { id: "" });
    });

    it("renews a link without calling the platform", async () => {
        fixture.platform.serve(archiveOf(1000));
        const outs = await fixture.create({ urlExpirySeconds: 3600 });
        const { bundleRequests } = fixture.platform;
        fixture.clock.pass(1800_000);
        const inputs = { ...fixture.inputs, urlExpirySeconds: 3600 };
        assert.deepEqual(await fixture.lifecycle.diff("id", outs, inputs), { changes: true });
        const renewed = (await fixture.lifecycle.update("id", outs, inputs)).outs as typeof outs;
        assert.ok(String(renewed.urlExpiresAt) > String(outs.urlExpiresAt));
        assert.equal(fixture.platform.bundleRequests, bundleRequests);
        assert.deepEqual(await fixture.lifecycle.diff("id", renewed, inputs), { changes: false });
    });

    it("stores no credentials", async () => {
        fixture.platform.serve(archiveOf(1000));
        const stored = JSON.stringify(await fixture.create());
        assert.doesNotMatch(stored, /s3cr3t|secretAccessKey|test_0123456789/);
    });
});
