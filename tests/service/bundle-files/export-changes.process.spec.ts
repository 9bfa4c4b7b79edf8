import assert from "node:assert/strict";
import { createTarGz } from "../../sdk/support/archives.js";
import { makeKey, page, signIn } from "../dashboard/support/viewer.js";
import { domain, type RunningService, withService } from "../support/running-service.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";

interface Run {
    running: RunningService;
    /** Runs an export whose bundle contains these files. */
    exportFiles: (files: Record<string, string>, body?: object) => Promise<string>;
    changesOf: (jobId: string) => Promise<Record<string, unknown>>;
}

async function withExports(use: (run: Run) => Promise<void>): Promise<void> {
    const exporter = new ScriptedExporter();
    let count = 0;
    await withService({ exporter }, async (running) => {
        await use({
            running,
            async exportFiles(files, body = {}) {
                const jobId = await running.start({ version: String(count), ...body });
                const run = await exporter.nth(++count);
                const entries = Object.entries(files).map(([name, content]) => ({ name, content }));
                await run.complete(await createTarGz(entries));
                await running.reaches(jobId, "completed");
                return jobId;
            },
            async changesOf(jobId) {
                const path = `/v1/static-export/jobs/${jobId}/changes`;
                const { status, body, text } = await running.request("GET", path);
                assert.equal(status, 200, text);
                return body;
            },
        });
    });
}

const pageOf = (title: string, text: string): string =>
    `<!doctype html><title>${title}</title><main><article>${text}</article></main>`;

const nothing = { count: 0, first: [] };

describe("The changes of an export", () => {
    it("are the pages and links that differ from the export before", async () => {
        await withExports(async ({ exportFiles, changesOf }) => {
            const before = await exportFiles({
                "index.html": pageOf("Home", "Welcome"),
                "same.html": pageOf("Same", "As it was"),
                "old.html": pageOf("Old", "Goes away"),
                "secret.html": pageOf("Secret", "For staff"),
                "access.json": '{\n  "formatVersion": 1,\n  "files": {\n    "secret.html": ["staff"]\n  }\n}\n',
            });
            const after = await exportFiles({
                "index.html": pageOf("Home", 'Hello <a href="/old">old</a>'),
                "same.html": pageOf("Same", "As it was"),
                "new.html": pageOf("New", "Appears"),
                "secret.html": pageOf("Secret", "For staff"),
            });
            assert.deepEqual(await changesOf(after), {
                jobId: after,
                before,
                added: { count: 1, first: [{ page: "/new", title: "New" }] },
                changed: { count: 1, first: [{ page: "/", title: "Home" }] },
                removed: { count: 1, first: [{ page: "/old", title: "Old" }] },
                missingRedirects: { count: 1, first: [{ page: "/old", title: "Old" }] },
                becomePublic: { count: 1, first: [{ page: "/secret", title: "Secret" }] },
                becomePrivate: nothing,
                deadLinks: { count: 1, first: [{ page: "/", href: "/old" }] },
            });
        });
    });

    it("are none for the first export, and for one with the same bundle", async () => {
        await withExports(async ({ exportFiles, changesOf }) => {
            const files = { "index.html": pageOf("Home", "Welcome") };
            const first = await exportFiles(files);
            assert.deepEqual((await changesOf(first))["before"], null);
            const second = await exportFiles(files);
            const { before, changed } = await changesOf(second);
            assert.deepEqual([before, changed], [first, nothing]);
        });
    });

    it("compare only exports of the same pages", async () => {
        await withExports(async ({ exportFiles, changesOf }) => {
            const whole = await exportFiles({ "index.html": pageOf("Home", "Welcome") });
            const part = await exportFiles({ "guide.html": pageOf("Guide", "Start") }, { paths: ["/guide"] });
            assert.equal((await changesOf(part))["before"], null);
            const next = await exportFiles({ "index.html": pageOf("Home", "Hello") });
            assert.equal((await changesOf(next))["before"], whole);
        });
    });

    it("list the first 500 pages of a large change, and count all", async () => {
        await withExports(async ({ exportFiles, changesOf }) => {
            await exportFiles({ "index.html": pageOf("Home", "Welcome") });
            const pages = Array.from({ length: 501 }, (_, index) => [`p${index}.html`, pageOf("Page", `${index}`)]);
            const added = (await changesOf(await exportFiles(Object.fromEntries(pages) as Record<string, string>)))[
                "added"
            ] as { count: number; first: object[] };
            assert.deepEqual([added.count, added.first.length], [501, 500]);
        });
    });

    it("are refused for a job without a bundle, and hidden from other teams", async () => {
        await withExports(async ({ running }) => {
            const jobId = await running.start();
            const path = (id: string) => `/v1/static-export/jobs/${id}/changes`;
            assert.equal((await running.request("GET", path(jobId))).status, 409);
            await running.request("DELETE", `/v1/static-export/jobs/${jobId}`);
            const { secret } = await makeKey(running, { name: "o", scopes: ["read"], domains: ["o.example.com"] });
            assert.equal((await running.request("GET", path(jobId), { key: secret })).status, 404);
        });
    });

    it("are a page of the dashboard, on which hostile titles are text", async () => {
        await withExports(async ({ running, exportFiles }) => {
            await exportFiles({ "index.html": pageOf("Home", "Welcome") });
            const title = "&lt;script&gt;alert(1)&lt;/script&gt;\u202e";
            const after = await exportFiles({ "index.html": pageOf("Home", "Hello"), "n.html": pageOf(title, "x") });
            const { secret } = await makeKey(running, { name: "t", scopes: ["read"], domains: [domain] });
            const viewer = await signIn(running, secret);
            const { status, text } = await viewer.get(`${page}/jobs/${after}/changes`);
            assert.equal(status, 200);
            assert.match(text, /Added pages \(1\)/);
            assert.match(text, /&lt;script>alert\(1\)/);
            assert.ok(!text.includes("\u202e"));
        });
    });
});
