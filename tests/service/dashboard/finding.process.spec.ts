import assert from "node:assert/strict";
import { adminApiKey, domain, type RunningService } from "../support/running-service.js";
import { makeKey, other, page, signIn, type Viewer, withDashboard } from "./support/viewer.js";

async function withJobs(use: (running: RunningService, viewer: Viewer, jobs: string[]) => Promise<void>) {
    await withDashboard(async (running) => {
        const { secret } = await makeKey(running, { name: "nightly", scopes: ["read", "export"] });
        const first = await running.start({ domain });
        await running.reaches(first, "completed");
        const { body } = await running.request("POST", "/v1/static-export/jobs", {
            json: { domain: other },
            key: secret,
        });
        const second = String(body["jobId"]);
        await running.reaches(second, "completed");
        await use(running, await signIn(running, adminApiKey), [first, second]);
    });
}

/** The jobs that a page links to. */
async function jobsOn(viewer: Viewer, path: string): Promise<string[]> {
    const { text } = await viewer.get(page + path);
    return [...new Set([...text.matchAll(/href="[^"]*\/jobs\/(se_\w+)"/g)].map(([, id = ""]) => id))];
}

describe("People find on the dashboard", () => {
    it("an export by a part of its domain, its id, or a part of the name of its key", async () => {
        await withJobs(async (_running, viewer, [first = "", second]) => {
            assert.deepEqual(await jobsOn(viewer, "/jobs?search=other.ex"), [second]);
            assert.deepEqual(await jobsOn(viewer, `/jobs?search=${first}`), [first]);
            assert.deepEqual(await jobsOn(viewer, "/jobs?search=NIGHT"), [second]);
        });
    });

    it("an empty list for a text that no job has, with the form that was sent", async () => {
        await withJobs(async (_running, viewer) => {
            for (const search of ["nothing.example.org", "%", "se_42", "0123456789abcdef", "' OR 1=1"]) {
                const { status, text } = await viewer.get(`${page}/jobs?search=${encodeURIComponent(search)}`);
                assert.equal(status, 200, search);
                assert.match(text, /No export matches\./);
                assert.match(text, /<input type="search" name="search" value="[^"]+"/);
            }
        });
    });

    it("no export of another team by its key's name or its id", async () => {
        await withJobs(async (running, _viewer, jobs) => {
            const { secret } = await makeKey(running, { name: "team", scopes: ["read"], domains: [domain] });
            const team = await signIn(running, secret);
            for (const search of ["nightly", "other", jobs[1] ?? ""]) {
                assert.deepEqual(await jobsOn(team, `/jobs?search=${search}`), []);
            }
            assert.deepEqual(await jobsOn(team, "/jobs?search=docs"), [jobs[0]]);
        });
    });

    it("the form and why nothing is found, for a filter that no job can match", async () => {
        await withJobs(async (_running, viewer) => {
            for (const query of [
                ...["domain=gone.example.org", "status=lost", "sinceAt=tomorrow"],
                ...["until=%2B275760-09-13", "since=x", "untilAt=2026-12-31T23:59:60Z"],
            ]) {
                const { status, text } = await viewer.get(`${page}/jobs?${query}`);
                assert.ok(status >= 400 && status < 500, query);
                assert.match(text, /role="search".*role="status"/s, query);
                assert.doesNotMatch(text, /There are none|No export matches/, query);
            }
        });
    });

    it("the exports of a whole day, also of its end", async () => {
        await withJobs(async (_running, viewer, jobs) => {
            const today = new Date().toISOString().slice(0, 10);
            const found = await jobsOn(viewer, `/jobs?since=${today}&until=${today}`);
            assert.deepEqual(found, [...jobs].reverse());
            const [from, to] = ["2026-01-01T05:00:00.000Z", "2026-01-02T05:00:00.000Z"];
            const times = `since=${today}&until=${today}&sinceAt=${from}&untilAt=${to}`;
            assert.deepEqual(await jobsOn(viewer, `/jobs?${times}`), []);
        });
    });

    it("the page before, with the same filters", async () => {
        await withDashboard(async (running) => {
            const names = Array.from({ length: 110 }, (_, index) => `key-${index}`);
            for (const name of names) {
                await makeKey(running, { name, scopes: ["read"] });
            }
            const viewer = await signIn(running, adminApiKey);
            const shown = async (path: string) => {
                const { text } = await viewer.get(path);
                const link = (rel: string) =>
                    new RegExp(`href="([^"]+)" rel="${rel}"`).exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
                return { first: /<strong>(key-\d+)/.exec(text)?.[1], prev: link("prev"), next: link("next") };
            };
            const first = await shown(`${page}/keys?search=key`);
            assert.deepEqual([first.first, first.prev], ["key-109", ""]);
            const second = await shown(first.next);
            const third = await shown(second.next);
            assert.deepEqual([second.first, third.first, third.next], ["key-59", "key-9", ""]);
            const back = await shown(third.prev);
            assert.equal(back.first, "key-59");
            assert.deepEqual(await shown(back.prev), first);
            assert.equal((await shown(`${page}/keys?search=key-77`)).first, "key-77");
        });
    });

    it("a page of the dashboard at an unknown address, and the API's answer without a browser", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            const cookie = [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
            for (const [headers, type] of [
                [{ accept: "text/html", cookie }, /^text\/html/],
                [{ accept: "text/html" }, /^text\/html/],
                [{ accept: "application/json" }, /^application\/json/],
            ] as const) {
                const answer = await fetch(`${running.service.url}${page}/nowhere`, { headers });
                assert.equal(answer.status, 404);
                assert.match(answer.headers.get("content-type") ?? "", type);
                const text = await answer.text();
                assert.equal(text.includes("Sign out"), "cookie" in headers, text);
            }
        });
    });

    it("a page that leads to the dashboard at an unknown address outside of it", async () => {
        await withDashboard(async ({ service }) => {
            for (const path of ["/", "/nowhere", "/dashboards"]) {
                const page404 = await fetch(service.url + path, { headers: { accept: "text/html,*/*" } });
                assert.equal(page404.status, 404, path);
                assert.match(page404.headers.get("content-type") ?? "", /^text\/html/);
                assert.match(page404.headers.get("content-security-policy") ?? "", /default-src 'none'/);
                assert.match(await page404.text(), /<a href="\/dashboard">/);
                const answer = await fetch(service.url + path, { headers: { accept: "application/json" } });
                assert.deepEqual(await answer.json(), { error: `There is no GET ${path} on this service.` });
            }
        });
    });

    it("the API's answer at an unknown address of a service without pages, also in a browser", async () => {
        await withDashboard(
            async ({ service }) => {
                const answer = await fetch(`${service.url}/nowhere`, { headers: { accept: "text/html" } });
                assert.deepEqual(await answer.json(), { error: "There is no GET /nowhere on this service." });
            },
            { dashboard: false },
        );
    });

    it("a page at the address of a button, and the API's 405 without a browser", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            const cookie = [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
            const ask = (accept: string) =>
                fetch(`${running.service.url}${page}/jobs/se_1/retry`, { headers: { accept, cookie } });
            const [shown, answer] = [await ask("text/html"), await ask("application/json")];
            assert.deepEqual([shown.status, shown.headers.get("allow")], [405, "POST"]);
            assert.match(await shown.text(), /Only a button on a page can use this address/);
            assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST"]);
            assert.deepEqual(await answer.json(), {
                error: "/dashboard/jobs/se_1/retry takes no GET; it takes POST.",
            });
        });
    });

    it("what each limit of the service is, with its unit", async () => {
        await withDashboard(async (running) => {
            const { text } = await (await signIn(running, adminApiKey)).get(`${page}/health`);
            assert.match(text, /<dt>A bundle link works for<\/dt><dd>3600 seconds<\/dd>/);
            assert.doesNotMatch(text, /linkTtlSeconds|undefined/);
        });
    });

    it("the settings of a site, and the size of its bundles", async () => {
        await withJobs(async (_running, viewer) => {
            const { text } = await viewer.get(`${page}/sites/${domain}`);
            const fact = (name: string) =>
                new RegExp(`<dt>${name}</dt><dd><span class="foreign">([^<]+)`).exec(text)?.[1];
            assert.equal(fact("Source"), "a folder on the service's machine");
            assert.equal(fact("Builder"), "none: its Markdown is exported");
            assert.match(fact("Stored") ?? "", /^\d+ bytes?, 1 bundle$/);
        });
    });

    it("the log of an export as text", async () => {
        await withJobs(async (_running, viewer, jobs) => {
            const { text, headers } = await viewer.get(`${page}/jobs/${jobs[0] ?? ""}/log.txt`);
            assert.match(headers.get("content-disposition") ?? "", /^attachment; filename="se_\w+\.log"$/);
            assert.match(text, /^\d{4}-\d\d-\d\dT[\d:.]+Z .*Exported 1 page\.\n$/s);
        });
    });
});

describe("The form that changes a key", () => {
    const unchanged = {
        scopes: "read",
        domains: domain,
        projects: "",
        expires: "",
    };

    async function withKey(use: (running: RunningService, viewer: Viewer, id: string, key: string) => Promise<void>) {
        await withDashboard(async (running) => {
            const { id, secret } = await makeKey(running, {
                name: "ci",
                scopes: ["read"],
                domains: [domain],
                expiresAt: "2099-12-31T10:00:00Z",
            });
            await use(running, await signIn(running, adminApiKey), id, secret);
        });
    }
    const keyOf = async ({ request }: RunningService) =>
        ((await request("GET", "/v1/keys")).body["keys"] as Record<string, unknown>[])[0] ?? {};

    it("changes what the key may do, and removes limits that are emptied", async () => {
        await withKey(async (running, viewer, id, secret) => {
            const path = `${page}/keys/${id}/change`;
            assert.match((await viewer.get(path)).text, /name="expires" value="2099-12-31"/);
            const { status, headers } = await viewer.post(path, { ...unchanged, scopes: "export", domains: "" }, path);
            assert.deepEqual([status, headers.get("location")], [303, `${page}/keys?search=${id}`]);
            const { scopes, domains, projects, expiresAt } = await keyOf(running);
            assert.deepEqual(
                { scopes, domains, projects, expiresAt },
                { scopes: ["export"], domains: null, projects: null, expiresAt: null },
            );
            const { body } = await running.request("GET", "/v1/whoami", { key: secret });
            assert.deepEqual(body["scopes"], ["export"]);
        });
    });

    it("leaves the time at which the key expires if its day stays", async () => {
        await withKey(async (running, viewer, id) => {
            const path = `${page}/keys/${id}/change`;
            await viewer.post(path, { ...unchanged, expires: "2099-12-31" }, path);
            assert.equal((await keyOf(running))["expiresAt"], "2099-12-31T10:00:00.000Z");
            await viewer.post(path, { ...unchanged, expires: "2098-01-31" }, path);
            assert.equal((await keyOf(running))["expiresAt"], "2098-01-31T23:59:59.000Z");
        });
    });

    it("refuses an invalid expiry or domain next to its field, and keeps what was typed", async () => {
        await withKey(async (running, viewer, id) => {
            const path = `${page}/keys/${id}/change`;
            const { lastUsedAt: _before, ...before } = await keyOf(running);
            for (const [field, value, message] of [
                ["expires", "soon", /expires must be a day, or empty/],
                ["expires", "2001-01-01", /The expiry must be in the future/],
                ["domains", "other.example.com docs.example.com/guide", /Entry 2 must be/],
            ] as const) {
                const form = { ...unchanged, projects: "typed", [field]: value };
                const { status, text } = await viewer.post(path, form, path);
                assert.equal(status, 400, value);
                assert.match(text, new RegExp(`name="${field}"[^>]*aria-invalid`));
                assert.match(text.slice(text.indexOf(`name="${field}"`)), message);
                assert.match(text, /<textarea[^>]*name="projects"[^>]*>typed</);
            }
            const { lastUsedAt: _now, ...now } = await keyOf(running);
            assert.deepEqual(now, before);
        });
    });
});
