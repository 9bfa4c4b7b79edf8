import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { findProgram, type FetchPod } from "../support/fetch-pod.js";
import { fetchPrivate, PrivatePod } from "./support/private-pod.js";
import { accessJson, bundleOf, bundleWithoutAccess, privateSite, type SiteFile } from "./support/private-site.js";

const nginxProgram = await findProgram("nginx");

const header = { groups: "X-Forwarded-Groups" };
const networkPolicy = { ingressFrom: [{ podSelector: {} }] };
const values = { access: { header }, networkPolicy };

/** Returns the sorted files below a folder of the pod. */
async function filesIn(pod: FetchPod, folder: string): Promise<string[]> {
    const root = pod.path("site", folder);
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)))
        .sort();
}

const front = { "index.html": { content: "front" } };
const secret = { "secret.html": { content: "private", groups: ["staff"] } };
const good = accessJson({ ...front, ...secret });

/** Invalid access.json files: accepting one could expose a private file. */
const odd: { title: string; access: string; says: RegExp }[] = [
    { title: "ends before its end", access: good.slice(0, good.lastIndexOf("  }")), says: /it is truncated/ },
    { title: "has carriage returns", access: good.replaceAll("\n", "\r\n"), says: /line 1 is not of the form/ },
    { title: "has a byte of zero", access: good.replace("secret", "secret\0"), says: /line \d is not of the form/ },
    { title: "has a tab", access: good.replace("    ", "\t"), says: /line \d is not of the form/ },
    { title: "names a file that is missing", access: accessTwice("other.html"), says: /does not contain: other\.html/ },
    { title: "names a folder", access: good.replace("secret.html", "guides"), says: /does not contain: guides/ },
    { title: "names itself", access: accessTwice("access.json"), says: /does not contain: access\.json/ },
];

function accessTwice(file: string): string {
    return good.replace('["staff"]', `["staff"],\n    "${file}": ["admins"]`);
}

describe("documentation-site: the private files of a bundle", function () {
    this.timeout(60_000);

    it("move out of the public folder into one folder per list of groups", async () => {
        const pod = await fetchPrivate(await bundleOf(privateSite), ",");
        try {
            assert.equal(pod.exitCode, 0, pod.log);
            const named = Object.entries(privateSite);
            const open = named.filter(([, { groups }]) => groups === undefined).map(([name]) => name);
            assert.deepEqual(await filesIn(pod, "public"), open.sort());
            const moved = await filesIn(pod, "private");
            assert.equal(moved.length, named.length - open.length);
            for (const file of moved) {
                const [list = "", ...name] = file.split("/");
                const expected: SiteFile | undefined = privateSite[name.join("/")];
                assert.equal(await readFile(pod.path("site/private", file), "utf8"), expected?.content);
                const map = await readFile(pod.path(`site/access/${list}.map`), "utf8");
                assert.equal(map.trim().split("\n").length, Math.max(1, expected?.groups?.length ?? 0));
            }
            assert.match(pod.log, /13 files are for readers in certain groups/);
        } finally {
            await pod.remove();
        }
    });

    for (const { title, access, says } of odd) {
        it(`make the pod refuse the bundle if access.json ${title}`, async () => {
            const pod = await fetchPrivate(await bundleOf({ ...front, ...secret }, access), ",");
            try {
                assert.equal(pod.exitCode, 1);
                assert.match(pod.message, /access\.json, which says who may read what, is not usable: /);
                assert.match(pod.message, says);
                assert.deepEqual(await readdir(pod.path("site")), []);
            } finally {
                await pod.remove();
            }
        });
    }

    it("make the pod refuse the bundle if the site does not restrict readers", async () => {
        const pod = await fetchPrivate(await bundleOf({ ...front, ...secret }), undefined);
        try {
            assert.equal(pod.exitCode, 1);
            assert.match(
                pod.message,
                /only some readers may read, but this site does not identify readers\. Set access/,
            );
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
