import assert from "node:assert/strict";
import { adminApiKey, domain, type RunningService } from "../support/running-service.js";
import { makeKey, other, page, signIn, withDashboard } from "./support/viewer.js";

type Failure = { domain: string; reason: string; count: number; firstAt: string; lastAt: string; jobId: string };

/** An exporter that fails with the next of these errors each time. */
function failing(errors: string[]) {
    return { export: () => Promise.reject(new Error(errors.shift() ?? "done")) };
}

async function failOnce({ request, start }: RunningService, site: string): Promise<string> {
    const jobId = await start({ domain: site });
    for (;;) {
        const { body } = await request("GET", `/v1/static-export/jobs/${jobId}`);
        if (body["status"] === "failed") {
            return jobId;
        }
    }
}

/** The errors of one site, and, as the last one, of another. */
const usualErrors = [
    "The page guides/start.md cannot be read.",
    "The page index.md cannot be read.",
    "The disk is full.",
    "The page index.md cannot be read.",
];

async function withFailures(
    use: (running: RunningService, jobs: string[], move: (ms: number) => void) => Promise<void>,
    errors = usualErrors,
): Promise<void> {
    let now = Date.now();
    const options = { exporter: failing([...errors]), clock: () => now };
    await withDashboard(async (running) => {
        const jobs = [];
        for (const at of errors.keys()) {
            jobs.push(await failOnce(running, at === errors.length - 1 ? other : domain));
            now += 60_000;
        }
        await use(running, jobs, (ms) => void (now += ms));
    }, options);
}

describe("Failures", () => {
    it("are grouped by site and reason, with their number, and the time of the first and the last", async () => {
        await withFailures(async ({ request }, [first, second, third, fourth]) => {
            const { body } = await request("GET", "/v1/failures");
            const failures = body["failures"] as Failure[];
            assert.deepEqual(
                failures.map((each) => [each.domain, each.reason, each.count, each.jobId]),
                [
                    [other, "The page … cannot be read.", 1, fourth],
                    [domain, "The disk is full.", 1, third],
                    [domain, "The page … cannot be read.", 2, second],
                ],
            );
            assert.notEqual(first, second);
            const [, , pages] = failures;
            assert.equal(Date.parse(pages?.lastAt ?? "") - Date.parse(pages?.firstAt ?? ""), 60_000);
            assert.deepEqual([body["reasons"], body["jobs"], body["isComplete"]], [3, 4, true]);
        });
    });

    it("are found by a text of their error, by their site and by their age", async () => {
        await withFailures(async ({ request }, _jobs, move) => {
            const counts = async (query: string) => {
                const { body } = await request("GET", `/v1/failures?${query}`);
                return (body["failures"] as Failure[]).map(({ domain: site, count }) => [site, count]);
            };
            assert.deepEqual(await counts("search=CANNOT be"), [
                [other, 1],
                [domain, 2],
            ]);
            assert.deepEqual(await counts(`search=The page … cannot&site=${domain}`), [[domain, 2]]);
            assert.deepEqual(await counts("search=%25"), []);
            assert.deepEqual(await counts("search=guides/start"), [[domain, 1]]);
            move(25 * 3600 * 1000);
            assert.deepEqual(await counts("days=1"), []);
            assert.equal((await counts("days=2")).length, 3);
            const { status } = await request("GET", "/v1/failures?days=91");
            assert.equal(status, 400);
        });
    });

    it("are found by a part of the site's domain, but only those of the site if it is a whole one", async () => {
        await withFailures(async (running) => {
            const { secret: key } = await makeKey(running, { name: "team", scopes: ["read"], domains: [other] });
            const sites = async (site: string, settings = {}) => {
                const { body } = await running.request("GET", `/v1/failures?site=${site}`, settings);
                return [...new Set((body["failures"] as Failure[]).map((each) => each.domain))];
            };
            assert.deepEqual(await sites("DOCS."), [domain]);
            assert.deepEqual(await sites("example.com"), [other, domain]);
            assert.deepEqual(await sites(domain), [domain]);
            assert.deepEqual(await sites("example.com", { key }), [other]);
            const viewer = await signIn(running, adminApiKey);
            const { text } = await viewer.get(`${page}/failures?site=unknown`);
            assert.match(text, /No failure matches\./);
        });
    });

    it("are those of a key's own sites only", async () => {
        await withFailures(async (running) => {
            const { secret: key } = await makeKey(running, { name: "team", scopes: ["read"], domains: [other] });
            const sites = async (query: string) => {
                const { body } = await running.request("GET", `/v1/failures${query}`, { key });
                return (body["failures"] as Failure[]).map((each) => each.domain);
            };
            assert.deepEqual(await sites(""), [other]);
            assert.deepEqual(await sites(`?site=${domain}`), []);
            const ofOthers = `/v1/static-export/jobs?site=${domain}`;
            assert.deepEqual((await running.request("GET", ofOthers, { key })).body["jobs"], []);
        });
    });

    it("have links on their page to the exports with the same reason", async () => {
        await withFailures(async (running, [first, second, third]) => {
            const viewer = await signIn(running, adminApiKey);
            const { text } = await viewer.get(`${page}/failures?site=${domain}`);
            assert.match(text, /3 failures with 2 reasons\./);
            const [, list = ""] =
                /<a href="([^"]+)" aria-label="2 failed exports of docs\.example\.com">/.exec(text) ?? [];
            const found = (await viewer.get(list.replaceAll("&amp;", "&"))).text;
            assert.ok(found.includes(first ?? "") && found.includes(second ?? ""));
            assert.ok(!found.includes(third ?? ""));
            assert.match((await viewer.get(`${page}/failures?search=nothing`)).text, /No failure matches\./);
        });
    });

    it("are as many behind each number as it says, also if the reason is a part of others", async () => {
        const errors = [
            ...["Error: cannot read a.md", "Error: cannot read b.md", "Error: cannot read", "ERROR: CANNOT READ"],
            ...["Error: cannot read anything else", "Wait … done", "Wait for 5 done", "42", "line one\nline two"],
            ...[`Wait for "a long\ttitle"`, "Straße Öl fehlt", "other"],
        ];
        await withFailures(async (running, jobs) => {
            const viewer = await signIn(running, adminApiKey);
            const countOf = (html: string) => jobs.filter((id) => html.includes(`href="/dashboard/jobs/${id}"`)).length;
            for (const search of ["", "&search=cannot read a"]) {
                const { text } = await viewer.get(`${page}/failures?site=${domain}${search}`);
                const links = [...text.matchAll(/<a href="([^"]+)" aria-label="(\d+) failed exports of/g)];
                assert.equal(links.length, search === "" ? 10 : 2);
                for (const [, href = "", count] of links) {
                    const list = (await viewer.get(href.replaceAll("&amp;", "&"))).text;
                    assert.deepEqual(
                        [countOf(list), /<p class="soft">(\d+) exports?<\/p>/.exec(list)?.[1]],
                        [Number(count), count],
                        href,
                    );
                }
            }
        }, errors);
    });

    it("of one reason are listed in pages, and only these can be exported again together", async () => {
        const errors = [
            ...Array.from({ length: 5 }, (_, at) => `The page ${at}.md is empty.`),
            "The page is empty.",
            "other",
        ];
        await withFailures(async (running, jobs) => {
            const reason = encodeURIComponent("The page … is empty.");
            const seen: string[] = [];
            for (let cursor: string | null = ""; cursor !== null;) {
                const at = cursor === "" ? "" : `&cursor=${cursor}`;
                const path = `/v1/static-export/jobs?reason=${reason}&limit=2&count=true${at}`;
                const { body } = await running.request("GET", path);
                assert.equal(body["total"], 5);
                seen.push(...(body["jobs"] as { jobId: string }[]).map(({ jobId }) => jobId));
                cursor = body["next"] as string | null;
            }
            assert.deepEqual(seen, jobs.slice(0, 5).toReversed());
            const viewer = await signIn(running, adminApiKey);
            const { text } = await viewer.get(`${page}/jobs?status=failed&reason=${reason}`);
            const [, all = ""] = /href="([^"]+again[^"]*all=1)"/.exec(text) ?? [];
            const question = (await viewer.get(all.replaceAll("&amp;", "&"))).text;
            // The newest failure of the site is another one with the same input.
            assert.match(question, /There is nothing to export again/);
        }, errors);
    });
});
