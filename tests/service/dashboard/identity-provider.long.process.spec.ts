import assert from "node:assert/strict";
import { adminApiKey, domain, type RunningService } from "../support/running-service.js";
import { type Claims, type ScriptedProvider, withScriptedProvider } from "./support/scripted-provider.js";
import { createViewer, makeKey, other, page, signIn, type Viewer, withDashboard } from "./support/viewer.js";

const groups = {
    team: { scopes: ["read", "export"], domains: [domain], projects: [] },
    readers: { scopes: ["read"] },
    keepers: { scopes: ["keys", "read"], domains: [domain], projects: [] },
} as const;

interface Sides {
    running: RunningService;
    provider: ScriptedProvider;
    log: string[];
    now: (ms: number) => void;
}

async function withProvider(use: (sides: Sides) => Promise<void>, options: object = {}): Promise<void> {
    let moved = 0;
    await withScriptedProvider(async (provider) => {
        const oidc = { issuer: provider.issuer, clientId: "docs", clientSecret: "client-secret", groups, ...options };
        const now = (ms: number): void => void (moved += ms);
        const clock = () => Date.now() + moved;
        await withDashboard((running, log) => use({ running, provider, log, now }), { oidc, clock });
    });
}

/** Goes to the provider, and returns the address to which the provider would send the browser back. */
async function begin(viewer: Viewer): Promise<string> {
    const { status, headers } = await viewer.get(`${page}/sign-in/provider`);
    assert.equal(status, 303);
    const address = new URL(headers.get("location") ?? "");
    assert.equal(address.searchParams.get("code_challenge_method"), "S256");
    const back = await fetch(address, { redirect: "manual" });
    return back.headers.get("location") ?? "";
}

async function signInWith({ running, provider }: Sides, claims: Claims): Promise<Viewer> {
    provider.claims((usual) => ({ ...usual, ...claims }));
    const viewer = createViewer(running);
    const { status, text, headers } = await viewer.get(await begin(viewer));
    assert.equal(status, 303, text);
    assert.equal(headers.get("location"), "/dashboard/");
    return viewer;
}

async function assertRefused(viewer: Viewer, callback: string): Promise<void> {
    const { status, text } = await viewer.get(callback);
    assert.equal(status, 403);
    assert.match(text, /role="alert"/);
    assert.equal((await viewer.get(`${page}/sites`)).status, 303);
}

describe("The sign-in to the dashboard with an identity provider", () => {
    it("allows what the person's group may do, and logs the person", async () => {
        await withProvider(async (sides) => {
            const { running, log } = sides;
            const viewer = await signInWith(sides, {});
            const { text } = await viewer.get(`${page}/sites`);
            assert.ok(text.includes(domain) && !text.includes(other));
            const started = await viewer.post(`${page}/sites/${domain}/export`, {});
            const [, jobId = ""] = /(se_\w+)$/.exec(started.headers.get("location") ?? "") ?? [];
            assert.ok(log.includes("Person ann (4711) signed in to the dashboard."));
            assert.ok(log.includes(`Person ann (4711) started export job ${jobId} of ${domain}.`));
            assert.equal((await viewer.post(`${page}/sites/${other}/export`, {})).status, 403);
            const { body } = await running.request("GET", "/v1/static-export/jobs?key=user:4711");
            assert.equal((body["jobs"] as object[]).length, 1);
        });
    });

    it("names the person who started an export, with the id", async () => {
        await withProvider(async (sides) => {
            const viewer = await signInWith(sides, {});
            const started = await viewer.post(`${page}/sites/${domain}/export`, {});
            const { text } = await viewer.get(started.headers.get("location") ?? "");
            assert.match(text, /by <span class="foreign">ann<\/span> <code class="soft">4711<\/code>/);
        });
    });

    it("gives the rights of each group only where the group has them", async () => {
        await withProvider(async (sides) => {
            const viewer = await signInWith(sides, { groups: ["team", "readers"] });
            const { text } = await viewer.get(`${page}/sites/${other}`);
            assert.ok(text.includes(other));
            assert.doesNotMatch(text, />Export</);
            assert.equal((await viewer.post(`${page}/sites/${other}/export`, {})).status, 403);
            assert.equal((await viewer.post(`${page}/sites/${domain}/export`, {})).status, 303);
        });
    });

    it("lets nobody create a key with the rights of two groups together", async () => {
        await withProvider(async (sides) => {
            const viewer = await signInWith(sides, { groups: ["team", "keepers"] });
            const form = { name: "mixed", domains: domain, projects: "none" };
            const create = (scopes: string) => viewer.post(`${page}/keys`, { ...form, scopes, projects: "" });
            assert.equal((await create("export")).status, 403);
            assert.equal((await create("read")).status, 303);
        });
    });

    for (const [verified, isAccepted] of [
        [true, true],
        [false, false],
        [undefined, false],
    ] as const) {
        it(`${isAccepted ? "accepts" : "refuses"} an email address that decides the rights with email_verified ${verified}`, async () => {
            const byEmail = { groupsClaim: "email", groups: { "ann@example.com": { scopes: ["read"] as const } } };
            await withProvider(async ({ running, provider }) => {
                provider.claims((usual) => ({ ...usual, email: "ann@example.com", email_verified: verified }));
                const viewer = createViewer(running);
                const { status } = await viewer.get(await begin(viewer));
                assert.equal(status, isAccepted ? 303 : 403);
            }, byEmail);
        });
    }

    it("refuses a person whose groups may do nothing", async () => {
        await withProvider(async (sides) => {
            for (const claims of [{ groups: ["guests"] }, { groups: [] }, { groups: undefined }, { groups: {} }]) {
                sides.provider.claims((usual) => ({ ...usual, ...claims }));
                const viewer = createViewer(sides.running);
                await assertRefused(viewer, await begin(viewer));
            }
            assert.ok(sides.log.includes("Person ann (4711) is in no group that may use the dashboard."));
        });
    });

    it("names the groups that would be accepted in the log only, because anybody with an account comes so far", async () => {
        await withProvider(
            async ({ running, provider, log }) => {
                provider.claims((usual) => ({ ...usual, groups: ["/guests"] }));
                const viewer = createViewer(running);
                const { text } = await viewer.get(await begin(viewer));
                assert.match(text, /sent the groups \/guests/);
                assert.doesNotMatch(text, /secret-team/);
                assert.match(log.join("\n"), /sent \/guests, and the groups file has secret-team\./);
            },
            { groups: { "secret-team": { scopes: ["read"] } } },
        );
    });

    it("logs one line about a person in no group, whatever the names of the person's groups contain", async () => {
        await withProvider(async ({ running, provider, log }) => {
            provider.claims((usual) => ({ ...usual, groups: ["guests\u001b[2J\nforged"] }));
            const viewer = createViewer(running);
            await assertRefused(viewer, await begin(viewer));
            const line = log.find((each) => each.includes("the groups file has"));
            assert.match(String(line), /^Person ann .* sent guests\?\[2J forged, and the groups file has [^\n]+$/);
        });
    });

    it("refuses a state that the browser did not begin with, and a callback without a beginning", async () => {
        await withProvider(async ({ running }) => {
            const viewer = createViewer(running);
            const callback = await begin(viewer);
            await assertRefused(viewer, callback.replace(/state=.*/, "state=guess"));
            await assertRefused(viewer, callback.replace(/&state=.*/, ""));
            await assertRefused(createViewer(running), await begin(createViewer(running)));
        });
    });

    it("signs in with each of several tabs in which the person began, in any order", async () => {
        await withProvider(async ({ running }) => {
            const viewer = createViewer(running);
            const [first, second, third] = [await begin(viewer), await begin(viewer), await begin(viewer)];
            for (const callback of [second, first, third]) {
                const { status, text } = await viewer.get(callback);
                assert.equal(status, 303, text);
            }
            assert.equal((await viewer.get(`${page}/sites`)).status, 200);
        });
    });

    it("signs in with each of five tabs that return in the order in which they began", async () => {
        await withProvider(async ({ running }) => {
            const viewer = createViewer(running);
            const callbacks = [];
            for (let count = 0; count < 5; count += 1) {
                callbacks.push(await begin(viewer));
            }
            for (const callback of callbacks) {
                const { status, text } = await viewer.get(callback);
                assert.equal(status, 303, text);
            }
            assert.equal((await viewer.get(`${page}/sites`)).status, 200);
        });
    });

    it("refuses a forgotten tab, and signs in with the ten newest ones afterwards", async () => {
        await withProvider(async ({ running }) => {
            const viewer = createViewer(running);
            const callbacks = [];
            for (let count = 0; count < 11; count += 1) {
                callbacks.push(await begin(viewer));
            }
            const [forgotten = "", ...known] = callbacks;
            await assertRefused(viewer, forgotten);
            for (const callback of known) {
                assert.equal((await viewer.get(callback)).status, 303);
            }
        });
    });

    it("keeps the cookies of the newest tabs only", async () => {
        await withProvider(async ({ running }) => {
            const viewer = createViewer(running);
            const callbacks = [];
            for (let count = 0; count < 30; count += 1) {
                callbacks.push(await begin(viewer));
            }
            const length = [...viewer.cookies].map((pair) => pair.join("=")).join("; ").length;
            assert.ok(length < 4096, `${length} bytes`);
            assert.equal((await viewer.get(callbacks.at(-1) ?? "")).status, 303);
        });
    });

    it("leads people who have signed in to their pages when they load the way back again", async () => {
        await withProvider(async ({ running }) => {
            const viewer = createViewer(running);
            const callback = await begin(viewer);
            await viewer.get(callback);
            const { status, headers } = await viewer.get(callback);
            assert.deepEqual([status, headers.get("location")], [303, `${page}/`]);
        });
    });

    it("ends the session before", async () => {
        await withProvider(async (sides) => {
            const viewer = await signIn(sides.running, adminApiKey);
            const before = createViewer(sides.running);
            viewer.cookies.forEach((value, name) => before.cookies.set(name, value));
            assert.equal((await viewer.get(await begin(viewer))).status, 303);
            assert.equal((await before.get(`${page}/sites`)).status, 303);
            assert.equal((await viewer.get(`${page}/sites`)).status, 200);
        });
    });

    const hostileTokens: Record<string, [Claims, reason: RegExp]> = {
        "another issuer": [{ iss: "https://evil.example.com" }, /unexpected JWT "iss"/],
        "another client": [{ aud: "others" }, /unexpected JWT "aud"/],
        "an expiry in the past": [{ iat: 1, exp: 3600 }, /unexpected JWT "exp"/],
        "the nonce of another sign-in": [{ nonce: "other" }, /unexpected ID Token "nonce"/],
        "no id of a person": [{ sub: undefined }, /JWT "sub"/],
    };
    for (const [what, [claims, reason]] of Object.entries(hostileTokens)) {
        it(`refuses an ID token with ${what}`, async () => {
            await withProvider(async ({ running, provider, log }) => {
                provider.claims((usual) => ({ ...usual, ...claims }));
                const viewer = createViewer(running);
                await assertRefused(viewer, await begin(viewer));
                assert.match(log.join("\n"), reason);
            });
        });
    }

    it("refuses an ID token that the provider's key did not sign", async () => {
        await withProvider(async ({ running, provider, log }) => {
            provider.useOtherKey();
            const viewer = createViewer(running);
            await assertRefused(viewer, await begin(viewer));
            assert.match(log.join("\n"), /signature verification failed/);
        });
    });

    it("shows a hostile name as text, on one line of the log", async () => {
        await withProvider(async (sides) => {
            const viewer = await signInWith(sides, { preferred_username: "<b>x\nKey admin \u202e" });
            assert.match((await viewer.get(`${page}/sites`)).text, /&lt;b>xKey admin</);
            assert.ok(sides.log.includes("Person <b>xKey admin (4711) signed in to the dashboard."));
        });
    });

    it("ends the session after an hour", async () => {
        await withProvider(async (sides) => {
            const viewer = await signInWith(sides, {});
            sides.now(59 * 60_000);
            assert.equal((await viewer.get(`${page}/sites`)).status, 200);
            sides.now(60_000);
            assert.equal((await viewer.get(`${page}/sites`)).status, 303);
        });
    });

    it("still accepts admin keys if the provider cannot be reached, and says so", async () => {
        const oidc = { issuer: "http://127.0.0.1:9", clientId: "docs", groups };
        await withDashboard(
            async (running, log) => {
                const { status, text } = await createViewer(running).get(`${page}/sign-in/provider`);
                assert.equal(status, 503);
                assert.match(text, /cannot be reached\. Try again later, or sign in with an admin API key/);
                assert.match(log.join("\n"), /The identity provider 127\.0\.0\.1:9 cannot be used: .*ECONNREFUSED/);
                await makeKey(running, { name: "ci", scopes: ["read"] });
            },
            { oidc },
        );
    });
});
