import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { findProgram } from "../support/fetch-pod.js";
import { fetchPrivate, PrivatePod } from "./support/private-pod.js";
import { accessJson, bundleOf, bundleWithoutAccess, type SiteFile } from "./support/private-site.js";

const nginxProgram = await findProgram("nginx");

const header = { groups: "X-Forwarded-Groups" };
const networkPolicy = { ingressFrom: [{ podSelector: {} }] };
const values = { access: { header }, networkPolicy };

const front = { "index.html": { content: "front" } };
const secret = { "secret.html": { content: "private", groups: ["staff"] } };
const good = accessJson({ ...front, ...secret });

describe("documentation-site: the private files of a bundle", function () {
    this.timeout(60_000);

    it("make the pod refuse the bundle if access.json is not usable", async () => {
        const truncated = good.slice(0, good.lastIndexOf("  }"));
        const pod = await fetchPrivate(await bundleOf({ ...front, ...secret }, truncated), ",");
        try {
            assert.equal(pod.exitCode, 1);
            assert.match(pod.message, /access\.json, which says who may read what, is not usable: it is truncated/);
            assert.deepEqual(await readdir(pod.path("site")), []);
        } finally {
            await pod.remove();
        }
    });

    describe("in nginx", () => {
        before(function () {
            if (!nginxProgram) {
                console.log("      skipped: there is no nginx on PATH (Debian: apt-get install nginx-light)");
                this.skip();
            }
        });

        for (const [title, pack] of Object.entries({
            "without access.json": bundleWithoutAccess,
            "with an empty one": bundleOf,
        })) {
            it(`are never requested if the bundle has no private files, ${title}`, async () => {
                assert.ok(nginxProgram);
                const bundle = await pack({ ...front, "folder/index.html": { content: "folder" } });
                const pod = await PrivatePod.start(nginxProgram, bundle, values);
                try {
                    for (const [address, status] of [
                        ["/", 200],
                        ["/folder", 308],
                        ["/folder/", 200],
                        ["/nowhere", 404],
                        ["/nowhere/", 308],
                        ["/access.json", 404],
                    ] as const) {
                        assert.deepEqual([address, (await pod.ask(address)).status], [address, status]);
                    }
                } finally {
                    await pod.stop();
                }
            });
        }

        it("may have as many lists of groups as the pods support", async () => {
            assert.ok(nginxProgram);
            const files: Record<string, SiteFile> = { ...front };
            for (let index = 0; index < 64; index++) {
                files[`${index}.html`] = { content: "x", groups: [`g${index}`] };
            }
            const pod = await PrivatePod.start(nginxProgram, await bundleOf(files), values);
            try {
                for (const path of ["/0", "/63"]) {
                    const groups = `x,g${path.slice(1)},y`;
                    const read = await pod.ask(path, { headers: { "x-forwarded-groups": groups } });
                    assert.deepEqual([path, read.status], [path, 200]);
                    const refused = await pod.ask(path, { headers: { "x-forwarded-groups": "g1,g62" } });
                    assert.deepEqual([path, refused.status], [path, 404]);
                }
            } finally {
                await pod.stop();
            }
        });

        it("may make up the whole site", async () => {
            assert.ok(nginxProgram);
            const bundle = await bundleOf({ "index.html": { content: "private: front", groups: [] } });
            const pod = await PrivatePod.start(nginxProgram, bundle, values);
            try {
                assert.deepEqual([(await pod.ask("/")).status, (await pod.ask("/index.html")).status], [401, 401]);
                const headers = { "x-forwarded-groups": "any" };
                assert.equal((await pod.ask("/", { headers })).body, "private: front");
            } finally {
                await pod.stop();
            }
        });

        it("are readable by the groups in a header with a custom separator", async () => {
            assert.ok(nginxProgram);
            const access = { header: { ...header, separator: ", " } };
            const bundle = await bundleOf({ ...front, "a.html": { content: "private", groups: ["a,b", "c"] } });
            const pod = await PrivatePod.start(nginxProgram, bundle, { ...values, access });
            try {
                for (const [groups, status] of [
                    ["x, a,b, y", 200],
                    ["c", 200],
                    ["a, b", 404],
                    ["x,c", 404],
                ] as const) {
                    const headers = { "x-forwarded-groups": groups };
                    assert.deepEqual([groups, (await pod.ask("/a", { headers })).status], [groups, status]);
                }
            } finally {
                await pod.stop();
            }
        });
    });
});
