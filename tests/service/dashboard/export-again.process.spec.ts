import assert from "node:assert/strict";
import { adminApiKey, domain, type RunningService } from "../support/running-service.js";
import { makeKey, other, page, signIn, type Viewer, withDashboard } from "./support/viewer.js";

const failing = { export: () => Promise.reject(new Error("The disk is full.")) };

async function fail({ request, start }: RunningService, body: Record<string, unknown>): Promise<string> {
    const jobId = await start(body);
    for (;;) {
        const { body: job } = await request("GET", `/v1/static-export/jobs/${jobId}`);
        if (job["status"] === "failed") {
            return jobId;
        }
    }
}

/** Presses the button of a question. */
async function answer(viewer: Viewer, text: string) {
    const inputs = [...text.matchAll(/<input type="hidden" name="(job|request)" value="([^"]+)"/g)];
    const form = new URLSearchParams(inputs.map(([, name = "", value = ""]) => [name, value]));
    return viewer.post(`${page}/jobs/again`, form, `${page}/sites`);
}

describe("Failed exports", () => {
    it("start again together, each input once, after a question that names their number", async () => {
        await withDashboard(
            async (running) => {
                await fail(running, { domain });
                await fail(running, { domain });
                await fail(running, { domain, version: "v1", paths: ["/a"] });
                await fail(running, { domain: other });
                const viewer = await signIn(running, adminApiKey);
                const { text } = await viewer.get(`${page}/jobs?status=failed`);
                const [, all = ""] = /href="([^"]+again[^"]*all=1)"/.exec(text) ?? [];
                const question = await viewer.get(all.replaceAll("&amp;", "&"));
                assert.match(question.text, /<h1>Start 3 exports again\?<\/h1>/);
                assert.match(question.text, /4 failed jobs have these inputs/);
                const first = await answer(viewer, question.text);
                assert.deepEqual([first.status, first.headers.get("location")], [303, `${page}/jobs`]);
                // A second click on the same page starts nothing.
                await answer(viewer, question.text);
                const { body } = await running.request("GET", "/v1/static-export/jobs");
                const jobs = body["jobs"] as { domain: string; version: string | null }[];
                assert.equal(jobs.length, 7);
                assert.deepEqual(
                    jobs
                        .slice(0, 3)
                        .map((job) => `${job.domain} ${job.version}`)
                        .sort(),
                    [`${domain} null`, `${domain} v1`, `${other} null`],
                );
            },
            { exporter: failing },
        );
    });

    it("that somebody selects start again, and others do not", async () => {
        await withDashboard(
            async (running) => {
                const [wanted] = [await fail(running, { domain }), await fail(running, { domain: other })];
                const viewer = await signIn(running, adminApiKey);
                const { text } = await viewer.get(`${page}/jobs`);
                assert.ok(text.includes(`value="${wanted}" form="again"`));
                assert.doesNotMatch(text, /all=1/);
                const question = await viewer.get(`${page}/jobs/again?job=${wanted}&job=se_42`);
                assert.match(question.text, /<h1>Start 1 export again\?<\/h1>/);
                await answer(viewer, question.text);
                const { body } = await running.request("GET", `/v1/static-export/jobs?domain=${domain}`);
                assert.equal((body["jobs"] as object[]).length, 2);
                assert.match((await viewer.get(`${page}/jobs/again`)).text, /There is nothing to export again/);
            },
            { exporter: failing },
        );
    });

    it("cannot be started again by a person who may only read them, or in another team", async () => {
        await withDashboard(
            async (running) => {
                const [own, ofOthers] = [await fail(running, { domain }), await fail(running, { domain: other })];
                const reader = await makeKey(running, { name: "reader", scopes: ["read"] });
                const team = await makeKey(running, { name: "team", scopes: ["export"], domains: [domain] });
                const count = async () =>
                    ((await running.request("GET", "/v1/static-export/jobs")).body["jobs"] as object[]).length;
                const viewer = await signIn(running, reader.secret);
                assert.doesNotMatch((await viewer.get(`${page}/jobs`)).text, /form="again"/);
                const refused = await viewer.post(`${page}/jobs/again`, { job: own }, `${page}/sites`);
                assert.match(refused.text, /0 exports started, 1 refused/);
                assert.equal(await count(), 2);
                const member = await signIn(running, team.secret);
                assert.doesNotMatch((await member.get(`${page}/jobs/again?job=${ofOthers}`)).text, /other\.example/);
                const form = new URLSearchParams([
                    ["job", own],
                    ["job", ofOthers],
                ]);
                const { text } = await member.post(`${page}/jobs/again`, form, `${page}/sites`);
                assert.match(text, /1 export started, 1 refused/);
                assert.match(text, new RegExp(`There is no job ${ofOthers}`));
            },
            { exporter: failing },
        );
    });
});

describe("The page of a site", () => {
    it("shows how its newest exports ended, and leads to its failures", async () => {
        await withDashboard(
            async (running) => {
                const jobId = await fail(running, { domain });
                const viewer = await signIn(running, adminApiKey);
                const { text } = await viewer.get(`${page}/sites/${domain}`);
                assert.match(
                    text,
                    new RegExp(`<a class="status failed" href="/dashboard/jobs/${jobId}" title="failed: `),
                );
                const [, list = ""] = /<a href="([^"]+)">Failures of this site/.exec(text) ?? [];
                assert.match((await viewer.get(list.replaceAll("&amp;", "&"))).text, /1 failure with 1 reason\./);
            },
            { exporter: failing },
        );
    });
});
