import assert from "node:assert/strict";
import { type Exporter } from "@pulumi-static-export/exporter";
import { waitUntil } from "../../wait-until.js";
import { adminApiKey, domain, type RunningService } from "../support/running-service.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";
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
                const failed = [
                    await fail(running, { domain }),
                    await fail(running, { domain }),
                    await fail(running, { domain, version: "v1", paths: ["/a"] }),
                    await fail(running, { domain: other }),
                ];
                const viewer = await signIn(running, adminApiKey);
                const { text } = await viewer.get(`${page}/jobs?status=failed`);
                const [, all = ""] = /href="([^"]+again[^"]*all=1)"/.exec(text) ?? [];
                const question = await viewer.get(all.replaceAll("&amp;", "&"));
                assert.match(question.text, /<h1>Start 3 exports again\?<\/h1>/);
                const first = await answer(viewer, question.text);
                assert.deepEqual([first.status, first.headers.get("location")], [303, `${page}/jobs`]);
                // A second click on the same page starts nothing.
                await answer(viewer, question.text);
                const again = await viewer.get(all.replaceAll("&amp;", "&"));
                assert.doesNotMatch(again.text, new RegExp(`value="(?:${failed.join("|")})"`));
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

    it("are left out of all failed ones if somebody has started them again", async () => {
        const results = [false, false, true];
        const exporter: Exporter = {
            export: (request, control) =>
                results.shift() === true ? copyingExporter.export(request, control) : failing.export(),
        };
        await withDashboard(
            async (running) => {
                await fail(running, { domain, version: "v1" });
                const wanted = await fail(running, { domain, version: "v2" });
                await running.reaches(await running.start({ domain, version: "v1" }), "completed");
                const viewer = await signIn(running, adminApiKey);
                const { text } = await viewer.get(`${page}/jobs/again?all=1`);
                assert.match(text, /<h1>Start 1 export again\?<\/h1>/);
                assert.ok(text.includes(`name="job" value="${wanted}"`));
                assert.match(
                    (await viewer.get(`${page}/jobs?status=failed`)).text,
                    /<p class="soft">2 exports<\/p>/,
                    "the list has all",
                );
            },
            { exporter },
        );
    });

    it("for which the queue has no room are counted with the reason, and can start later with one button", async () => {
        const exporter = new ScriptedExporter();
        await withDashboard(
            async (running) => {
                for (const [at, version] of ["v1", "v2", "v3", "v4", "v5"].entries()) {
                    const jobId = await running.start({ domain, version });
                    (await exporter.nth(at + 1)).fail(new Error("The disk is full."));
                    await running.reaches(jobId, "failed");
                }
                const viewer = await signIn(running, adminApiKey);
                const question = await viewer.get(`${page}/jobs/again?all=1`);
                assert.match(question.text, /Start 5 exports again\?[^]*no room can start later/);
                await running.start({ domain, version: "running" });
                await exporter.nth(6);
                const first = await answer(viewer, question.text);
                assert.match(first.text, /3 exports started, 2 refused/);
                assert.equal(first.text.match(/Too many static export jobs are waiting/g)?.length, 1);
                assert.match(first.text, /<button class="main">Try 2 exports again<\/button>/);
                for (const at of [6, 7, 8, 9]) {
                    await (await exporter.nth(at)).complete();
                }
                const list = "/v1/static-export/jobs?status=completed";
                await waitUntil("the others have ended", async () => {
                    const { body } = await running.request("GET", list);
                    return (body["jobs"] as object[]).length === 4 ? true : undefined;
                });
                const second = await answer(viewer, first.text);
                assert.deepEqual([second.status, second.headers.get("location")], [303, `${page}/jobs`]);
                const { body } = await running.request("GET", "/v1/static-export/jobs?status=queued,running");
                assert.equal((body["jobs"] as object[]).length, 2);
            },
            { exporter, maxQueuedJobsPerDomain: 3 },
        );
    });

    it("start for some seconds, before a proxy gives up, and the others with the next form", async () => {
        let now = Date.now();
        let stepMs = 0;
        await withDashboard(
            async (running) => {
                for (const version of ["v1", "v2", "v3"]) {
                    await fail(running, { domain, version });
                }
                const viewer = await signIn(running, adminApiKey);
                const question = await viewer.get(`${page}/jobs/again?all=1`);
                stepMs = 4000;
                const { text } = await answer(viewer, question.text);
                stepMs = 0;
                assert.match(text, /1 export started, 2 refused/);
                assert.match(text, /One form starts exports for 15 seconds at most\./);
                assert.equal((await answer(viewer, text)).status, 303);
                const { body } = await running.request("GET", "/v1/static-export/jobs");
                assert.equal((body["jobs"] as object[]).length, 6);
            },
            { exporter: failing, clock: () => (now += stepMs) },
        );
    });

    it("that are refused name the job or the site of each refusal, however similar the reasons are", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            const form = new URLSearchParams([
                ["job", "se_41"],
                ["job", "se_42"],
            ]);
            const { text } = await viewer.post(`${page}/jobs/again`, form, `${page}/sites`);
            assert.match(text, /There is no job se_41\.[^]*There is no job se_42\./);
        });
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
