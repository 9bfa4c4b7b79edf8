import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import {
    type RunningService,
    type RequestSettings,
    useService,
    withFolder,
    withService,
    withServiceOver,
} from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";

const content = "# Welcome\n\nHello.\n";
const etag = `"${createHash("sha256").update(content).digest("hex")}"`;

describe("Bundle download", () => {
    const running = useService({ exporter: copyingExporter });
    let path = "";
    before(async () => {
        path = await linkOfCompletedJob(running());
    });

    /** Fetches the bundle as a deployment does: with only the link. */
    const download = ({ method = "GET", ...settings }: RequestSettings & { method?: string } = {}) =>
        running().request(method, path, { key: null, ...settings });

    it("serves the archive without Authorization, and sends length, type, digest and a file name", async () => {
        const { status, headers, text } = await download();
        assert.deepEqual([status, text], [200, content]);
        assert.equal(headers.get("content-type"), "application/gzip");
        assert.equal(headers.get("content-length"), String(content.length));
        assert.equal(headers.get("accept-ranges"), "bytes");
        assert.equal(headers.get("etag"), etag);
        const [, jobId] = /(se_[0-9a-f]+)/.exec(path) ?? [];
        assert.equal(headers.get("content-disposition"), `attachment; filename="docs.example.com-${jobId}.tar.gz"`);
    });

    it("answers HEAD with the same headers and no body", async () => {
        const { status, headers, text } = await download({ method: "HEAD" });
        assert.deepEqual([status, text], [200, ""]);
        assert.equal(headers.get("content-length"), String(content.length));
        assert.equal(headers.get("etag"), etag);
    });

    const ranges: [string, string, number, string, string | null][] = [
        ["a first part", "bytes=0-4", 206, content.slice(0, 5), `bytes 0-4/${content.length}`],
        ["the rest", "bytes=5-", 206, content.slice(5), `bytes 5-${content.length - 1}/${content.length}`],
        ["the end", "bytes=-3", 206, content.slice(-3), `bytes ${content.length - 3}-17/${content.length}`],
        ["more than there is", "bytes=10-999", 206, content.slice(10), `bytes 10-17/${content.length}`],
        ["several parts (the whole answers)", "bytes=0-1,5-6", 200, content, null],
        ["a range that is malformed (the whole answers)", "bytes=x", 200, content, null],
        ["a range of another unit (the whole answers)", "pages=0-1", 200, content, null],
    ];
    for (const [what, range, expectedStatus, part, contentRange] of ranges) {
        it(`answers a request for ${what}`, async () => {
            const { status, headers, text } = await download({ headers: { range } });
            assert.deepEqual([status, text], [expectedStatus, part]);
            assert.equal(headers.get("content-range"), contentRange);
            assert.equal(headers.get("content-length"), String(part.length));
        });
    }

    it("answers 416 with the archive's size to a range outside the archive", async () => {
        const { status, headers, body } = await download({ headers: { range: "bytes=999-" } });
        assert.equal(status, 416);
        assert.equal(headers.get("content-range"), `bytes */${content.length}`);
        assert.deepEqual(body, { error: "The range lies outside of the bundle's 18 bytes." });
    });

    it("resumes a download only if the archive has not changed", async () => {
        const range = "bytes=5-";
        assert.equal((await download({ headers: { range, "if-range": etag } })).status, 206);
        assert.equal((await download({ headers: { range, "if-range": '"other"' } })).status, 200);
    });

    it("answers 304 to clients that have the current archive", async () => {
        const known = await download({ headers: { "if-none-match": `"other", W/${etag}` } });
        assert.deepEqual([known.status, known.text], [304, ""]);
        assert.equal((await download({ headers: { "if-none-match": '"other"' } })).status, 200);
    });
});

describe("The bundle endpoint", () => {
    const forged = "This service did not issue the bundle link, or the link was changed.";

    it("answers 403 to altered or incomplete links, and to links without a query", async () => {
        await withService({ exporter: copyingExporter }, async (running) => {
            const { request } = running;
            const path = await linkOfCompletedJob(running);
            const [file = "", query = ""] = path.split("?");
            const { expires = "", signature = "" } = Object.fromEntries(new URLSearchParams(query));
            const otherFirst = signature.startsWith("A") ? "B" : "A";
            const altered = [
                file,
                `${file}?expires=${expires}`,
                `${file}?signature=${signature}`,
                `${file}?expires=${Number(expires) + 1}&signature=${signature}`,
                `${file}?expires=0${expires}&signature=${signature}`,
                `${file}?expires=${expires}&signature=${otherFirst}${signature.slice(1)}`,
                `${file}?expires=${expires}&signature=${signature}=`,
                `${file}?expires=${expires}&signature=`,
                `${file}?expires=${expires}&expires=${expires}&signature=${signature}`,
                `${file.replace(".tar.gz", "")}?${query}`,
            ];
            for (const address of altered) {
                const { status, body } = await request("GET", address, { key: null });
                assert.deepEqual([status, body], [403, { error: forged }], address);
            }
        });
    });

    it("refuses one job's signature for another job's bundle, even with the admin API key", async () => {
        await withService({ exporter: copyingExporter }, async ({ request, start, reaches, link }) => {
            const [first, second] = [await start(), await start({ version: "2" })];
            await reaches(second, "completed");
            const stolen = (await link(first)).replace(first, second);
            assert.equal((await request("GET", stolen)).status, 403);
        });
    });

    it("refuses a link as soon as it expires, and explains how to request a new link", async () => {
        let now = Date.parse("2026-11-01T10:00:00Z");
        const options = { exporter: copyingExporter, clock: () => now, linkTtlSeconds: 60 };
        await withService(options, async ({ request, start, reaches, link }) => {
            const jobId = await start();
            await reaches(jobId, "completed");
            const old = await link(jobId);
            now += 59_999;
            assert.equal((await request("GET", old, { key: null })).status, 200);
            now += 1;
            const { status, body } = await request("GET", old, { key: null });
            assert.deepEqual(
                [status, body["error"]],
                [403, `The bundle link has expired: POST /v1/static-export/jobs/${jobId}/bundle gives a fresh one.`],
            );
            assert.equal((await request("GET", await link(jobId), { key: null })).status, 200);
        });
    });

    it("serves no files outside the folder of bundles", async () => {
        await withService({ exporter: copyingExporter }, async (running) => {
            const { service } = running;
            const path = await linkOfCompletedJob(running);
            const query = path.split("?")[1] ?? "";
            for (const file of [
                "../service.sqlite",
                "..%2Fservice.sqlite",
                "%2e%2e%2flink-secret",
                "..",
                "link-secret",
            ]) {
                assert.ok([403, 404].includes(await rawStatus(service.url, `/bundles/${file}?${query}`)), file);
            }
        });
    });

    it("answers 404 if the archive was removed from the data folder", async () => {
        await withFolder(async (folder) => {
            await withServiceOver(folder, { exporter: copyingExporter }, async ({ request, start, reaches, link }) => {
                const jobId = await start();
                await reaches(jobId, "completed");
                const path = await link(jobId);
                await rm(join(folder, "data", "bundles"), { recursive: true });
                const error = `The bundle of static export job ${jobId} is no longer stored: start a new export.`;
                for (const [method, address] of [
                    ["GET", path],
                    ["POST", `/v1/static-export/jobs/${jobId}/bundle`],
                ] as const) {
                    const { status, body } = await request(method, address);
                    assert.deepEqual([status, body], [404, { error }]);
                }
            });
        });
    });

    it("serves one stored archive for jobs with identical results", async () => {
        await withFolder(async (folder) => {
            await withServiceOver(folder, { exporter: copyingExporter }, async ({ start, reaches }) => {
                await start();
                await reaches(await start(), "completed");
                assert.deepEqual(await readdir(join(folder, "data", "bundles")), [`${etag.slice(1, -1)}.tar.gz`]);
            });
        });
    });
});

async function linkOfCompletedJob({ start, reaches, link }: RunningService): Promise<string> {
    const jobId = await start();
    await reaches(jobId, "completed");
    return link(jobId);
}

/** Requests a path unchanged, because `fetch` would resolve its dots. Returns the status. */
async function rawStatus(base: string, path: string): Promise<number> {
    const { hostname, port } = new URL(base);
    return new Promise((resolve, reject) => {
        httpRequest({ hostname, port, path, agent: false }, (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
        })
            .on("error", reject)
            .end();
    });
}
