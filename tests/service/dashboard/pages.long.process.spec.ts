import assert from "node:assert/strict";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { adminApiKey, domain, withFolder, withServiceOver } from "../support/running-service.js";
import { waitUntil } from "../../wait-until.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";
import { createViewer, makeKey, other, page, signIn, withDashboard } from "./support/viewer.js";

const newKey = { name: "ci", scopes: "export", domains: "", projects: "", days: "30" };

describe("The dashboard", () => {
    it("shows nothing before the sign-in, and is absent if it is turned off", async () => {
        await withDashboard(async (running) => {
            const viewer = createViewer(running);
            for (const path of ["/sites", `/sites/${domain}`, "/jobs", "/keys", "/health", "/events"]) {
                const { status, headers } = await viewer.get(page + path);
                const signInPage = `${page}/sign-in?next=${encodeURIComponent(path)}`;
                assert.deepEqual([status, headers.get("location")], [303, signInPage], path);
            }
            assert.equal((await viewer.post(`${page}/sign-in`, { key: "admin_guess" }, `${page}/sign-in`)).status, 401);
        });
        await withDashboard(
            async (running) => {
                assert.equal((await createViewer(running).get(`${page}/sign-in`)).status, 404);
                assert.equal(running.service.createSignInLink(), undefined);
            },
            { dashboard: false },
        );
    });

    it("refuses forms without their token", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            const refused = await viewer.post(`${page}/sites/${domain}/export`, { _csrf: "guess" });
            assert.equal(refused.status, 403);
            const { body } = await running.request("GET", "/v1/static-export/jobs");
            assert.deepEqual(body["jobs"], []);
        });
    });

    it("logs who started a job, and shows its result and a link to its bundle", async () => {
        await withDashboard(async (running, log) => {
            const { id, secret } = await makeKey(running, {
                name: "team",
                scopes: ["read", "export"],
                domains: [domain],
            });
            const viewer = await signIn(running, secret);
            const { status, headers } = await viewer.post(`${page}/sites/${domain}/export`, {});
            assert.equal(status, 303);
            const [, jobId = ""] = /(se_\w+)$/.exec(headers.get("location") ?? "") ?? [];
            assert.ok(log.includes(`Key team (${id}) started export job ${jobId} of ${domain}.`));
            await running.reaches(jobId, "completed");
            const shown = await viewer.get(`${page}/jobs/${jobId}`);
            assert.match(shown.text, /Exported 1 page\./);
            assert.doesNotMatch(shown.text, /signature=/);
            assert.equal((await viewer.get(`${page}/jobs/${jobId}/download`)).status, 405);
            const download = await viewer.post(`${page}/jobs/${jobId}/download`, {});
            assert.match(download.text, /http-equiv="refresh" content="0;url=http[^"]+\/bundles\/se_\w+\.tar\.gz\?/);
        });
    });

    it("needs less than 60 kB for the first view, compressed", async () => {
        await withFolder(async (folder) => {
            const names = Array.from({ length: 60 }, (_, index) => `site-${index}.example.com`);
            const sites = Object.fromEntries(names.map((name) => [name, join(folder, "site")]));
            await withServiceOver(folder, { sites, exporter: copyingExporter }, async (running) => {
                await Promise.all(names.slice(0, 20).map((name) => running.start({ domain: name })));
                const viewer = await signIn(running, adminApiKey);
                const { text } = await viewer.get(`${page}/sites`);
                const assets = [...text.matchAll(/(?:href|src)="([^"]+\/assets\/[^"]+)"/g)].map(
                    ([, path = ""]) => path,
                );
                assert.equal(assets.length, 3, text);
                const texts = await Promise.all(assets.map(async (path) => (await viewer.get(path)).text));
                const bytes = [text, ...texts].reduce((sum, each) => sum + gzipSync(each).length, 0);
                assert.ok(bytes < 60_000, `${bytes} bytes`);
            });
        });
    });

    it("names file and line of what is wrong in the sites file, but only for operators", async () => {
        await withFolder(async (folder) => {
            const sitesFile = join(folder, "sites.txt");
            await writeFile(sitesFile, `${domain}=${join(folder, "site")}\n${other}=${join(folder, "gone")}\n`);
            await withServiceOver(folder, { sites: {}, sitesFile }, async (running) => {
                const message = `Sites file ${sitesFile}, line 2: `;
                const operator = await signIn(running, adminApiKey);
                assert.ok((await operator.get(`${page}/health`)).text.includes(message));
                const { secret } = await makeKey(running, { name: "team", scopes: ["read"], domains: [domain] });
                const team = await signIn(running, secret);
                assert.ok(!(await team.get(`${page}/health`)).text.includes(sitesFile));
                await mkdir(join(folder, "gone"));
                await appendFile(sitesFile, "\n");
                await waitUntil("the file is read again", async () =>
                    (await operator.get(`${page}/health`)).text.includes(message) ? undefined : true,
                );
            });
        });
    });

    it("shows a new key once, with the lines to copy, and a reload creates no other one", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            const created = await viewer.post(`${page}/keys`, { ...newKey, domains: `${domain}\n` });
            assert.deepEqual([created.status, created.headers.get("location")], [303, `${page}/keys/created`]);
            const { text } = await viewer.get(`${page}/keys/created`);
            const [, key = ""] = /adminApiKey (admin_[0-9a-f]+)/.exec(text) ?? [];
            assert.ok(text.includes(`pulumi config set static-export:baseUrl ${running.service.url}`));
            assert.equal((await running.request("GET", "/v1/whoami", { key })).body["name"], "ci");
            await viewer.post(`${page}/keys`, { ...newKey, name: "typo", domains: "dosc.example.org" });
            assert.match((await viewer.get(`${page}/keys/created`)).text, /No site .* has the domain dosc/);
            const again = await viewer.get(`${page}/keys/created`);
            assert.match(again.text, /The secret was already shown/);
            assert.ok(!again.text.includes(key) && !(await viewer.get(`${page}/keys`)).text.includes(key));
        });
    });

    it("names the site whose files it shows", async () => {
        await withDashboard(async (running) => {
            const jobId = await running.start();
            await running.reaches(jobId, "completed");
            const viewer = await signIn(running, adminApiKey);
            const { text } = await viewer.get(`${page}/jobs/${jobId}/open`);
            assert.match(text, /<h1>Exported files of docs\.example\.com<\/h1>/);
        });
    });

    it("shows a key that may only publish what it may see, after the sign-in and after its acts", async () => {
        await withDashboard(async (running) => {
            const { secret } = await makeKey(running, { name: "publisher", scopes: ["update"] });
            const viewer = await signIn(running, secret);
            const done = await viewer.post(`${page}/sites/${domain}/update`, {}, `${page}/sites/${domain}`);
            assert.deepEqual([done.status, done.headers.get("location")], [303, `${page}/updates`]);
            assert.equal((await viewer.get(`${page}/updates`)).status, 200);
        });
    });

    it("sends events to twenty pages of a session, and none to further ones", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            const cookie = [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
            const end = new AbortController();
            const open = () =>
                fetch(`${running.service.url}${page}/events`, { headers: { cookie }, signal: end.signal });
            const answers = await Promise.all(Array.from({ length: 20 }, open));
            assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
            assert.equal((await open()).status, 204);
            end.abort();
        });
    });

    it("asks before it rotates, revokes or cancels, and says what will break", async () => {
        const exporter = new ScriptedExporter();
        await withDashboard(
            async (running) => {
                const { id, secret } = await makeKey(running, { name: "lead", scopes: ["keys", "read"] });
                const child = { json: { name: "child", scopes: ["read"] }, key: secret };
                const made = (await running.request("POST", "/v1/keys", child)).body;
                const viewer = await signIn(running, adminApiKey);
                const rotate = await viewer.get(`${page}/keys/${id}/rotate`);
                assert.match(rotate.text, /Rotate key lead\?/);
                assert.match(rotate.text, /Its last use was at/);
                assert.match(rotate.text, /name="grace"/);
                const { status } = await viewer.post(`${page}/keys/${id}/rotate`, { grace: "60" });
                assert.equal(status, 303);
                assert.equal((await running.request("GET", "/v1/whoami", { key: secret })).status, 200);

                const revoke = await viewer.get(`${page}/keys/${id}/revoke`);
                assert.match(revoke.text, /Also revoke the keys that it created: child \(ak_/);
                await viewer.post(`${page}/keys/${id}/revoke`, { created: "true" });
                const childSecret = String(made["secret"]);
                assert.equal((await running.request("GET", "/v1/whoami", { key: childSecret })).status, 401);

                const jobId = await running.start();
                await exporter.nth(1);
                const cancel = await viewer.get(`${page}/jobs/${jobId}/cancel`);
                assert.match(cancel.text, /Cancel the export of docs\.example\.com\?/);
                assert.equal(
                    (await running.request("GET", `/v1/static-export/jobs/${jobId}`)).body["status"],
                    "running",
                );
            },
            { exporter },
        );
    });

    it("shows hostile texts as text, under a policy without inline scripts", async () => {
        await withDashboard(async (running) => {
            const version = '<script>alert(1)</script>"\u202e<img src=x onerror=alert(1)>';
            const jobId = await running.start({ version });
            const viewer = await signIn(running, adminApiKey);
            const prompt = `</textarea><script>alert(1)</script>\u0000\u202e${"x".repeat(90_000)}`;
            const { body } = await running.request("POST", "/v2/agent/docs/job", { json: { prompt } });
            for (const path of [`/jobs/${jobId}`, "/jobs", "/agent-jobs", `/agent-jobs/docs/${String(body["id"])}`]) {
                const { text, headers } = await viewer.get(page + path);
                assert.doesNotMatch(text, /<script>|<img/, path);
                assert.ok(!text.includes("\u202e") && !text.includes("\0"), path);
                const policy = headers.get("content-security-policy") ?? "";
                assert.match(policy, /^default-src 'none';/);
                assert.doesNotMatch(policy, /unsafe/);
            }
        });
    });
});
