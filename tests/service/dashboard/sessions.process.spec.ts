import assert from "node:assert/strict";
import { adminApiKey, domain } from "../support/running-service.js";
import { createViewer, makeKey, page, signIn, type Viewer, withDashboard } from "./support/viewer.js";

const hour = 3600 * 1000;
const team = { name: "team", scopes: ["read", "keys"], domains: [domain] };

/** Returns a browser with the same cookies, as a thief who has copied them. */
function copyOf(viewer: Awaited<ReturnType<typeof signIn>>, running: Parameters<typeof signIn>[0]) {
    const copy = createViewer(running);
    viewer.cookies.forEach((value, name) => copy.cookies.set(name, value));
    return copy;
}

describe("A session of the dashboard", () => {
    it("ends everywhere when the person signs out", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            const thief = copyOf(viewer, running);
            assert.equal((await thief.get(`${page}/sites`)).status, 200);
            assert.equal((await viewer.post(`${page}/sign-out`, {})).status, 303);
            assert.equal((await thief.get(`${page}/sites`)).status, 303);
        });
    });

    it("ends when the secret of its key is rotated, and after the grace period if there is one", async () => {
        let now = Date.now();
        await withDashboard(
            async (running) => {
                const { id, secret } = await makeKey(running, team);
                const thief = await signIn(running, secret);
                await running.request("POST", `/v1/keys/${id}/rotate?graceSeconds=60`);
                assert.equal((await thief.get(`${page}/sites`)).status, 200);
                now += 61_000;
                assert.equal((await thief.get(`${page}/sites`)).status, 303);
                const again = await signIn(
                    running,
                    String((await running.request("POST", `/v1/keys/${id}/rotate`)).body["secret"]),
                );
                await running.request("POST", `/v1/keys/${id}/rotate`);
                assert.equal((await again.get(`${page}/sites`)).status, 303);
            },
            { clock: () => now },
        );
    });

    it("is not kept alive by pages that update themselves or listen, while nobody touches them", async () => {
        let now = Date.now();
        await withDashboard(
            async (running) => {
                const [untouched, touched] = [await signIn(running, adminApiKey), await signIn(running, adminApiKey)];
                for (let half = 0; half < 3; half += 1) {
                    now += hour / 2;
                    await untouched.get(`${page}/sites`, { "x-untouched": "true" });
                    await untouched.head(`${page}/sites`, { "x-untouched": "true" });
                    await untouched.open(`${page}/events`);
                    await touched.get(`${page}/sites`);
                }
                now += hour / 2;
                assert.equal((await untouched.get(`${page}/sites`)).status, 303);
                assert.equal((await touched.get(`${page}/sites`)).status, 200);
            },
            { clock: () => now },
        );
    });

    it("is opened by its cookie only, without anything after it", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            const [name = "", cookie = ""] = [...viewer.cookies].find(([each]) => each.endsWith("session")) ?? [];
            for (const suffix of [".", ".2", `.${cookie}`, "="]) {
                viewer.cookies.set(name, cookie + suffix);
                assert.equal((await viewer.get(`${page}/sites`)).status, 303, suffix);
            }
            viewer.cookies.set(name, cookie);
            assert.equal((await viewer.get(`${page}/sites`)).status, 200);
        });
    });

    it("shows the secret of a new key to nobody after its end, also not to the next person in the browser", async () => {
        await withDashboard(async (running) => {
            const nameOf = (viewer: Viewer): string =>
                [...viewer.cookies.keys()].find((name) => name.endsWith("new_key")) ?? "";
            const create = async (): Promise<[Viewer, string]> => {
                const viewer = await signIn(running, adminApiKey);
                const form = { name: `new${Math.random()}`, scopes: "read" };
                assert.equal((await viewer.post(`${page}/keys`, form, `${page}/keys`)).status, 303);
                const cookie = viewer.cookies.get(nameOf(viewer)) ?? "";
                assert.notEqual(cookie, "");
                return [viewer, cookie];
            };
            const [leaving] = await create();
            await leaving.post(`${page}/sign-out`, {});
            assert.equal(leaving.cookies.get(nameOf(leaving)), "");
            const [ended] = await create();
            const { body } = await running.request("GET", "/v1/sessions?limit=1");
            await running.request("DELETE", `/v1/sessions/${(body["sessions"] as { id: string }[])[0]?.id}`);
            await ended.get(`${page}/sites`);
            assert.equal(ended.cookies.get(nameOf(ended)), "");
            const [first, cookie] = await create();
            const next = await signIn(running, adminApiKey);
            next.cookies.set(nameOf(first), cookie);
            assert.match((await next.get(`${page}/keys/created`)).text, /The secret was already shown/);
            assert.match((await first.get(`${page}/keys/created`)).text, /The key is shown only now/);
        });
    });

    it("ends after two hours without use, and after twelve hours in any case", async () => {
        let now = Date.now();
        await withDashboard(
            async (running) => {
                const [idle, used] = [await signIn(running, adminApiKey), await signIn(running, adminApiKey)];
                for (let hours = 1; hours < 12; hours += 1) {
                    now += hour;
                    assert.equal((await used.get(`${page}/sites`)).status, 200);
                }
                assert.equal((await idle.get(`${page}/sites`)).status, 303);
                now += hour;
                assert.equal((await used.get(`${page}/sites`)).status, 303);
            },
            { clock: () => now },
        );
    });
});

describe("The list of sessions", () => {
    it("shows a person their own ones, and the operator all, and ends them", async () => {
        await withDashboard(async (running) => {
            const { secret } = await makeKey(running, team);
            const [member, other] = [await signIn(running, secret), await signIn(running, secret)];
            const boss = await signIn(running, adminApiKey);
            const namesFor = async (key: string) => {
                const { body } = await running.request("GET", "/v1/sessions", { key });
                return (body["sessions"] as { name: string }[]).map(({ name }) => name).sort();
            };
            assert.deepEqual(await namesFor(secret), ["team", "team"]);
            assert.deepEqual(await namesFor(adminApiKey), ["Operator", "team", "team"]);
            const { text } = await member.get(`${page}/sessions`);
            assert.ok(!text.includes("operator</code>"));
            for (const [, path = ""] of (await boss.get(`${page}/sessions`)).text.matchAll(/action="([^"]+\/end)"/g)) {
                const isOwn = (await running.request("GET", "/v1/sessions")).body["sessions"] as {
                    id: string;
                    name: string;
                }[];
                if (isOwn.some(({ id, name }) => path.includes(id) && name === "team")) {
                    assert.equal((await boss.post(path, {})).status, 303);
                }
            }
            assert.equal((await member.get(`${page}/sites`)).status, 303);
            assert.equal((await other.get(`${page}/sites`)).status, 303);
            assert.equal((await boss.get(`${page}/sites`)).status, 200);
        });
    });
});

describe("The sessions of a key", () => {
    it("are at most 100: a new one ends the oldest, so that nobody else's disappear from the list", async () => {
        await withDashboard(async (running) => {
            const { secret } = await makeKey(running, team);
            const boss = await signIn(running, adminApiKey);
            const [oldest, second] = [await signIn(running, secret), await signIn(running, secret)];
            const visitor = createViewer(running);
            const { text } = await visitor.get(`${page}/sign-in`);
            const [, token = ""] = /name="_csrf" value="([^"]+)"/.exec(text) ?? [];
            for (let count = 0; count < 99; count += 1) {
                const { status } = await fetch(`${running.service.url}${page}/sign-in`, {
                    method: "POST",
                    redirect: "manual",
                    body: new URLSearchParams({ _csrf: token, key: secret }),
                });
                assert.equal(status, 303);
            }
            assert.equal((await oldest.get(`${page}/sites`)).status, 303);
            assert.equal((await second.get(`${page}/sites`)).status, 200);
            assert.equal((await boss.get(`${page}/sites`)).status, 200);
            const { body } = await running.request("GET", "/v1/sessions?limit=1000");
            assert.equal((body["sessions"] as object[]).length, 101);
        });
    });

    it("are not listed after the key is revoked or its secret replaced", async () => {
        await withDashboard(async (running) => {
            const [gone, rotated, kept] = [
                await makeKey(running, { ...team, name: "gone" }),
                await makeKey(running, { ...team, name: "rotated" }),
                await makeKey(running, { ...team, name: "kept" }),
            ];
            for (const { secret } of [kept, gone, rotated]) {
                await signIn(running, secret);
            }
            await running.request("DELETE", `/v1/keys/${gone.id}`);
            await running.request("POST", `/v1/keys/${rotated.id}/rotate`);
            const { body } = await running.request("GET", "/v1/sessions?limit=1");
            assert.deepEqual([(body["sessions"] as { name: string }[])[0]?.name, body["next"]], ["kept", null]);
        });
    });

    it("are listed page by page, and the page marks the person's own session", async () => {
        await withDashboard(async (running) => {
            const { secret } = await makeKey(running, team);
            for (let count = 0; count < 52; count += 1) {
                await signIn(running, secret);
            }
            const boss = await signIn(running, adminApiKey);
            const { text } = await boss.get(`${page}/sessions`);
            assert.match(text, /<code>operator<\/code> <span class="status active">this session<\/span>/);
            assert.equal(text.split("this session<").length, 2);
            const [, older = ""] = /href="([^"]+)" rel="next"/.exec(text) ?? [];
            const next = (await boss.get(older.replaceAll("&amp;", "&"))).text;
            assert.equal(`${text}${next}`.match(/action="[^"]+\/end"/g)?.length, 53);
            assert.ok(!next.includes('rel="next"'));
            assert.equal((await running.request("GET", "/v1/sessions?cursor=7")).status, 400);
        });
    });
});

describe("The audit log", () => {
    it("says who did what from where, also what pages did, and is for operators only", async () => {
        await withDashboard(async (running, log) => {
            const { id, secret } = await makeKey(running, team);
            const boss = await signIn(running, adminApiKey);
            await boss.post(`${page}/sites/${domain}/export`, {}, `${page}/sites`, {
                "x-forwarded-for": "203.0.113.7",
            });
            await boss.post(`${page}/keys/${id}/revoke`, {}, `${page}/keys`, { "x-forwarded-for": "203.0.113.8" });
            await createViewer(running).post(`${page}/sign-in`, { key: "guess" }, `${page}/sign-in`);
            const { body } = await running.request("GET", "/v1/audit");
            const entries = body["entries"] as { actor: string; act: string; address: string }[];
            assert.deepEqual(
                entries.map(({ actor, act, address }) => [actor, act.replace(/se_\w+/, "se"), address]),
                [
                    ["Somebody", "failed to sign in to the dashboard", "127.0.0.1"],
                    ["Key of the service", `revoked key team (${id})`, "203.0.113.8"],
                    ["Key of the service", `started export job se of ${domain}`, "203.0.113.7"],
                    ["Key of the service", "signed in to the dashboard", "127.0.0.1"],
                    [
                        "Key of the service",
                        `created key team (${id}): read, keys for ${domain}, without an expiry`,
                        "127.0.0.1",
                    ],
                ],
            );
            assert.match((await boss.get(`${page}/audit`)).text, new RegExp(`revoked key team \\(${id}\\)`));
            assert.ok(log.some((line) => line.startsWith("Key of the service revoked key team")));
            const { secret: limited } = await makeKey(running, { ...team, name: "limited" });
            assert.equal((await running.request("GET", "/v1/audit", { key: limited })).status, 403);
            assert.equal((await running.request("GET", "/v1/audit", { key: secret })).status, 401);
        });
    });

    it("has what a key may do, and until when, also after a change", async () => {
        await withDashboard(async (running) => {
            const { id } = await makeKey(running, { name: "ci", scopes: ["read"] });
            const json = { domains: [domain], projects: ["a\nb"], expiresAt: "2100-01-31T00:00:00Z" };
            await running.request("PATCH", `/v1/keys/${id}`, { json });
            const { body } = await running.request("GET", "/v1/audit");
            assert.deepEqual(
                (body["entries"] as { act: string }[]).map(({ act }) => act),
                [
                    `changed key ci (${id}): read for ${domain}, project a b, until 2100-01-31T00:00:00.000Z`,
                    `created key ci (${id}): read for everything, without an expiry`,
                ],
            );
        });
    });

    it("has each opening of a site, because the address of its files works for everybody", async () => {
        await withDashboard(async (running) => {
            const jobId = await running.start();
            await running.reaches(jobId, "completed");
            const { id, secret } = await makeKey(running, team);
            const viewer = await signIn(running, secret);
            assert.equal((await viewer.get(`${page}/jobs/${jobId}/open`)).status, 200);
            const { body } = await running.request("GET", "/v1/audit?limit=1");
            const [entry] = body["entries"] as { actor: string; act: string }[];
            assert.deepEqual(
                [entry?.actor, entry?.act],
                [`Key team (${id})`, `opened the files of export job ${jobId} of ${domain}`],
            );
        });
    });

    it("has sign-outs and links to bundles", async () => {
        await withDashboard(async (running) => {
            const jobId = await running.start();
            await running.reaches(jobId, "completed");
            const boss = await signIn(running, adminApiKey);
            await boss.post(`${page}/jobs/${jobId}/download`, {}, `${page}/jobs/${jobId}`);
            await boss.post(`${page}/sign-out`, {});
            const { body } = await running.request("GET", "/v1/audit?limit=2");
            assert.deepEqual(
                (body["entries"] as { actor: string; act: string }[]).map(({ actor, act }) => [actor, act]),
                [
                    ["Key of the service", "signed out of the dashboard"],
                    ["Key of the service", `got a link to the bundle of export job ${jobId} of ${domain}`],
                ],
            );
        });
    });
});
