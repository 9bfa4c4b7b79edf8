import assert from "node:assert/strict";
import { adminApiKey, domain } from "../support/running-service.js";
import { makeKey, other, page, signIn, withDashboard } from "./support/viewer.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";

describe("The list of exports", () => {
    it("says how many exports match its filters", async () => {
        await withDashboard(async (running) => {
            await running.reaches(await running.start(), "completed");
            await running.reaches(await running.start({ domain: other }), "completed");
            const viewer = await signIn(running, adminApiKey);
            assert.match((await viewer.get(`${page}/jobs`)).text, /<p class="soft">2 exports<\/p>/);
            assert.match((await viewer.get(`${page}/jobs?search=${other}`)).text, /<p class="soft">1 export<\/p>/);
            const { body } = await running.request("GET", "/v1/static-export/jobs?limit=1&count=true");
            assert.deepEqual([(body["jobs"] as object[]).length, body["total"]], [1, 2]);
            assert.ok(!("total" in (await running.request("GET", "/v1/static-export/jobs")).body));
        });
    });

    it("finds the exports of a pasted address, and so does the list of sites", async () => {
        await withDashboard(async (running) => {
            await running.reaches(await running.start({ domain: other }), "completed");
            const viewer = await signIn(running, adminApiKey);
            const pasted = encodeURIComponent(`https://${other.toUpperCase()}/guides/start?x=1#top`);
            assert.match((await viewer.get(`${page}/jobs?search=${pasted}`)).text, /<p class="soft">1 export<\/p>/);
            const { text } = await viewer.get(`${page}/sites?search=${pasted}`);
            assert.ok(text.includes(`/sites/${other}"`) && !text.includes(`/sites/${domain}"`));
        });
    });
});

describe("A waiting export", () => {
    it("shows how many jobs have waited longer, and the running export that must end first", async () => {
        const exporter = new ScriptedExporter();
        await withDashboard(
            async (running) => {
                const first = await running.start();
                await exporter.nth(1);
                const second = await running.start({ version: "v2" });
                const third = await running.start({ version: "v3" });
                const viewer = await signIn(running, adminApiKey);
                const waits = async (jobId: string) => (await viewer.get(`${page}/jobs/${jobId}`)).text;
                assert.match(await waits(second), /No job has waited longer\./);
                const { text } = await viewer.get(`${page}/jobs/${third}`);
                assert.match(text, /1 of 2 waiting jobs have waited longer/);
                const behind = new RegExp(
                    `<a href="${page}/jobs/${first}">The site.{1,5}s running export must end first`,
                );
                assert.match(text, behind);
                assert.doesNotMatch(await waits(first), /In the queue/);
            },
            { exporter },
        );
    });
});

describe("The list of audit entries", () => {
    it("is filtered by who, what, which site and when, and says how many entries match", async () => {
        let now = Date.UTC(2026, 10, 20, 12);
        await withDashboard(
            async (running) => {
                const { id, secret } = await makeKey(running, { name: "ci", scopes: ["export"] });
                await running.request("POST", "/v1/static-export/jobs", { key: secret, json: { domain } });
                now += 24 * 3600 * 1000;
                await running.request("POST", "/v1/static-export/jobs", { key: secret, json: { domain: other } });
                await running.request("DELETE", `/v1/keys/${id}`);
                const acts = async (query: string) => {
                    const { body, text } = await running.request("GET", `/v1/audit?count=true&${query}`);
                    const entries = body["entries"] as { act: string }[];
                    assert.equal(body["total"], entries.length, text);
                    return entries.map(({ act }) => act.replace(/se_\w+/, "se").replace(/ \(.*/, ""));
                };
                const [own, others] = [`started export job se of ${domain}`, `started export job se of ${other}`];
                assert.deepEqual(await acts("actor=KEY%20ci"), [others, own]);
                assert.deepEqual(await acts(`actor=${id}`), [others, own]);
                assert.deepEqual(await acts("act=revoked"), ["revoked key ci"]);
                assert.deepEqual(await acts(`site=${other}`), [others]);
                assert.deepEqual(await acts("until=2026-11-21T00:00:00Z"), [own, "created key ci"]);
                assert.deepEqual(await acts(`since=2026-11-21T00:00:00Z&actor=ci`), [others]);
                assert.deepEqual(await acts("act=%25"), []);
                const viewer = await signIn(running, adminApiKey);
                const { text } = await viewer.get(`${page}/audit?act=revoked&since=2026-11-21&until=2026-11-21`);
                assert.match(text, /<p class="soft">1 entry<\/p>/);
                assert.match((await viewer.get(`${page}/audit?act=nothing`)).text, /No entry matches\./);
            },
            { clock: () => now },
        );
    });
});

describe("A list with a filter that the service refuses", () => {
    it("says why, and shows the filter again", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            for (const [path, shown] of [
                [`/failures?site=${"x".repeat(254)}`, "site must be"],
                ["/failures?days=91", "days must be"],
                ["/audit?since=yesterday&act=revoked", 'value="revoked"'],
                [`/audit?act=${"x".repeat(301)}`, "act must be"],
                ["/jobs?site=not%20a%20host", 'value="not a host"'],
                ["/jobs?error=%00", "NUL"],
            ] as const) {
                const { status, text } = await viewer.get(page + path);
                assert.equal(status, 400, path);
                assert.match(text, /<div class="note warning" role="status">/, path);
                assert.ok(text.includes(shown), path);
                // An empty list would say that all is well.
                assert.doesNotMatch(text, /Nothing has failed|There are no|No \w+ matches|>0 \w+s</, path);
            }
        });
    });

    it("accepts a pasted address as a site", async () => {
        await withDashboard(async (running) => {
            await running.reaches(await running.start({ domain: other }), "completed");
            const viewer = await signIn(running, adminApiKey);
            const site = encodeURIComponent(`https://${other}/guides/start`);
            assert.match((await viewer.get(`${page}/jobs?site=${site}`)).text, /<p class="soft">1 export<\/p>/);
            assert.match((await viewer.get(`${page}/audit?site=${site}`)).text, /<p class="soft">1 entry<\/p>/);
            assert.equal((await viewer.get(`${page}/failures?site=${site}`)).status, 200);
        });
    });
});
