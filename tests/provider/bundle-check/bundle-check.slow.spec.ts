import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdminClient } from "@pulumi-static-export/sdk";
import { BundleCheckLifecycle, type BundleCheckRuntime } from "../../../provider/src/bundle-check/lifecycle.js";
import { EngineWatch } from "../../../provider/src/engine/engine-watch.js";
import { bundleOf, privateSite } from "../../charts/access/support/private-site.js";
import { archive, sha256, site } from "../../charts/support/archives.js";
import { PlatformServer } from "../bundle-mirror/platform-server.js";

describe("BundleCheck", () => {
    let platform: PlatformServer;
    let runtime: BundleCheckRuntime;
    let lifecycle: BundleCheckLifecycle;
    let scratch: string;
    const { TMPDIR } = process.env;

    beforeEach(async () => {
        scratch = await mkdtemp(join(tmpdir(), "static-export-spec-"));
        process.env.TMPDIR = scratch;
        platform = await PlatformServer.start();
        const client = new AdminClient({ baseUrl: platform.url, adminApiKey: "test_0123456789" });
        runtime = {
            connect: () => ({ client }),
            openStorage: () => Promise.reject(new Error("no mirror was named")),
            engine: new EngineWatch(undefined),
            signal: new AbortController().signal,
            clock: { now: Date.now },
        };
        lifecycle = new BundleCheckLifecycle(runtime);
    });
    afterEach(async () => {
        if (TMPDIR === undefined) {
            delete process.env.TMPDIR;
        } else {
            process.env.TMPDIR = TMPDIR;
        }
        await rm(scratch, { recursive: true });
        platform.stop();
    });

    async function refusal(content: Buffer, inputs = {}): Promise<string> {
        platform.serve(content);
        return lifecycle.create({ jobId: "se_42", ...inputs }).then(
            () => "accepted",
            (error: Error) => error.message,
        );
    }

    it("measures a valid bundle, and leaves nothing on disk", async () => {
        const content = await site();
        platform.serve(content);
        const { outs } = await lifecycle.create({ jobId: "se_42" });
        const measured = { sha256: sha256(content), sizeBytes: content.length, fileCount: 3, privateFileCount: 0 };
        assert.deepEqual(outs, { jobId: "se_42", ...measured });
        assert.deepEqual(await readdir(scratch), []);
    });

    it("outputs the data that pages send according to the bundle, or nothing without a valid declaration", async () => {
        const sendsOf = async (facts: string): Promise<unknown> => {
            const pages = { name: "index.html", content: "<h1>Docs</h1>" };
            platform.serve(await archive([pages, { name: "static-export/bundle.json", content: facts }]));
            return ((await lifecycle.create({ jobId: "se_42" })).outs as { sends?: unknown }).sends;
        };
        const service = { name: "plausible", title: "P", kind: "analytics", sends: "page views", needsConsent: false };
        const facts = {
            ...{ version: 1, domain: "docs.example.com", basePath: "", deployment: "client-hosted" },
            ...{ pages: 1, privatePages: 0, apiServers: [], aiTools: [], embeds: [] },
            features: { documentationSearch: true, aiAssistant: false, webAnalytics: true, apiPlayground: false },
            services: [{ ...service, hosts: ["plausible.example.com"] }],
        };
        assert.deepEqual(await sendsOf(JSON.stringify(facts)), ["page views to plausible.example.com"]);
        assert.deepEqual(await sendsOf(JSON.stringify({ ...facts, services: [] })), []);
        for (const other of ["{", "[]", JSON.stringify({ ...facts, version: 2 }), " ".repeat(1024 * 1024 + 1)]) {
            assert.equal(await sendsOf(other), undefined);
        }
    });

    it("treats null as a missing input", async () => {
        const news = { jobId: "se_1", mirror: null, expectedSha256: null, maxBytes: null } as never;
        assert.deepEqual(await lifecycle.check({ jobId: "se_1" }, news), { inputs: { jobId: "se_1" }, failures: [] });
    });

    it("refuses an invalid digest before it sends any request", async () => {
        const { failures } = await lifecycle.check({ jobId: "" }, { jobId: "se_42", expectedSha256: "abc" });
        assert.deepEqual(failures, [
            {
                property: "expectedSha256",
                reason: 'must be a SHA-256 digest of 64 hexadecimal digits, got "abc"',
            },
        ]);
    });

    it("reports why a bundle cannot be served, without its link", async () => {
        const whole = await site();
        const linked = await archive([
            { name: "index.html", content: "x" },
            { name: "start.html", type: "symlink", linkname: "index.html" },
        ]);
        const reasons = [
            await refusal(whole.subarray(0, whole.length - 30)),
            await refusal(await archive([{ name: "../escaped.html", content: "x" }])),
            await refusal(Buffer.from("<html>Sign in</html>")),
            await refusal(whole, { expectedSha256: "0".repeat(64) }),
            await refusal(whole, { maxBytes: 10 }),
            await refusal(whole, { maxFiles: 4 }),
            await refusal(whole, { maxArchiveBytes: whole.length - 1 }),
            await refusal(linked, { refuseLinks: true }),
            await refusal(await archive([{ name: "readme.txt", content: "x" }])),
            await refusal(Buffer.from("PK\x03\x04 the rest of a zip archive")),
        ];
        for (const reason of reasons) {
            assert.match(reason, /^Bundle refused: /);
            assert.doesNotMatch(reason, /s3cr3t/);
        }
        assert.match(String(reasons[1]), /\.\.\/escaped\.html/);
        assert.match(String(reasons[3]), new RegExp(sha256(whole)));
        assert.match(String(reasons[4]), /raise maxBytes .* In a DocumentationSite, .* fetch\.limits\.siteMiB/);
        assert.match(String(reasons[5]), /raise maxFiles\. In a DocumentationSite, .* fetch\.limits\.files/);
        assert.match(String(reasons[7]), /"start\.html" is a link/);
        assert.match(String(reasons[8]), /contains no \.html page/);
        assert.match(String(reasons[9]), /not a gzipped tar archive \(\.tar\.gz\)/);
        assert.equal(await refusal(linked), "accepted");
    });

    it("counts a bundle's private files, and refuses the bundle unless the deployment restricts readers", async () => {
        const content = await bundleOf(privateSite);
        const privateFiles = Object.values(privateSite).filter(({ groups }) => groups !== undefined).length;
        assert.equal(
            await refusal(content),
            `Check of export se_42: not everybody may read ${privateFiles} of its files (see its access.json), and this ` +
                "deployment would show them to everybody. Set access of the DocumentationSite, or access: true of a " +
                "BundleCheck whose deployment enforces access.json. Or export without --access, which leaves " +
                "these pages out.",
        );
        const { outs } = await lifecycle.create({ jobId: "se_42", access: true });
        assert.equal((outs as { privateFileCount: number }).privateFileCount, privateFiles);
        assert.deepEqual(await readdir(scratch), []);
    });

    it("refuses an unreliable access.json even if readers are restricted", async () => {
        const content = await bundleOf(privateSite, "{}");
        const says =
            /^Bundle refused: access\.json, which says who may read what, is not usable: line 1 is not of the form/;
        assert.match(await refusal(content, { access: true }), says);
    });

    it("checks a job once, even if its link changes", async () => {
        platform.serve(await site());
        const outs = (await lifecycle.create({ jobId: "se_42" })).outs as never;
        assert.deepEqual(await lifecycle.diff("se_42", outs, { jobId: "se_42" }), { changes: false });
        assert.deepEqual(await lifecycle.diff("se_42", outs, { jobId: "se_43" }), { changes: true });
        for (const stricter of [
            { expectedSha256: "0".repeat(64) },
            { maxBytes: 10 },
            { maxArchiveBytes: 10 },
            { maxFiles: 2 },
            { refuseLinks: true },
            { access: true },
        ]) {
            const pinned = { jobId: "se_42", timeoutSeconds: 60, ...stricter };
            assert.deepEqual(await lifecycle.diff("se_42", outs, pinned), { changes: true });
        }
    });

    it("fails at its time limit, reports the limit and leaves nothing on disk", async () => {
        const beginning = (await site()).subarray(0, 40);
        platform.archive = (_request, response) => void response.writeHead(200).write(beginning);
        for (const [limited, timeoutSeconds] of [
            [lifecycle, 1],
            // An engine's customTimeouts takes precedence.
            [new BundleCheckLifecycle({ ...runtime, timeoutSeconds: 1 }), 60],
        ] as const) {
            await assert.rejects(limited.create({ jobId: "se_42", timeoutSeconds }), {
                message:
                    "Check of export se_42: not finished within 1 s. Nothing was left behind. Check the network " +
                    "connection to the bundle's storage, or raise timeoutSeconds, and run `pulumi up` again.",
            });
        }
        assert.deepEqual(await readdir(scratch), []);
    });

    it("checks at most two bundles at the same time", async () => {
        const content = await site();
        const waiting: (() => void)[] = [];
        const begunAtAnswer: number[] = [];
        let begun = 0;
        platform.archive = (_request, response) => {
            waiting.push(() => response.writeHead(200).end(content));
            if (waiting.length === 2) {
                begunAtAnswer.push(begun);
                waiting.splice(0).forEach((answer) => answer());
            }
        };
        const connect = () => {
            begun += 1;
            return runtime.connect();
        };
        const counted = new BundleCheckLifecycle({ ...runtime, connect });
        await Promise.all(["se_1", "se_2", "se_3", "se_4"].map((jobId) => counted.create({ jobId })));
        assert.deepEqual(begunAtAnswer, [2, 4]);
    });
});
