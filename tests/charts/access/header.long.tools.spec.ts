import assert from "node:assert/strict";
import { findProgram } from "../support/fetch-pod.js";
import { type Answer, type Ask, PrivatePod } from "./support/private-pod.js";
import { checkEveryFile } from "./support/every-file.js";
import { bundleOf, privateSite, type ReaderGroups } from "./support/private-site.js";
import { pathTricks } from "./support/path-tricks.js";

const nginxProgram = await findProgram("nginx");

const values = {
    access: {
        header: {
            groups: "X-Forwarded-Groups",
            user: "X-Forwarded-User",
            signInUrl: "https://login.example.com/start?rd=https://docs.example.com{path}",
        },
    },
    networkPolicy: { ingressFrom: [{ podSelector: { matchLabels: { app: "proxy" } } }] },
};

/** Returns the headers that the proxy sets for a reader. Node sends each character as one byte. */
function headersOf(groups: ReaderGroups): Record<string, string> {
    const list = Buffer.from(groups?.join(",") ?? "").toString("latin1");
    return groups === undefined ? {} : { "x-forwarded-groups": list, "x-forwarded-user": "ann" };
}

const readers: Record<string, ReaderGroups> = {
    "nobody who is signed in": undefined,
    "a reader without groups": [],
    "a reader of staff": ["staff"],
    "a reader of admins": ["admins"],
    "a reader of both": ["guests", "admins", "staff"],
    "a reader of a group with signs of regular expressions": ["team (a|b).*"],
    "a reader of a group beyond ASCII": ["größe $x"],
    "a reader of groups that only look like those": ["staf", "staffs", "Staff", "ADMINS", "x staff", "team a", "a|b"],
};

const page = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("documentation-site, for readers who sign in through a proxy,", function () {
    this.timeout(60_000);
    let pod: PrivatePod;

    const ask = (path: string, groups: ReaderGroups, { method = "GET", headers = {} }: Ask = {}): Promise<Answer> =>
        pod.ask(path, { method, headers: { ...headers, ...headersOf(groups) } });

    before(async function () {
        if (!nginxProgram) {
            console.log("      skipped: there is no nginx on PATH (Debian: apt-get install nginx-light)");
            this.skip();
        }
        const files = { ...privateSite, "v1/kept.html": { content: "private: kept", groups: ["staff"] } };
        pod = await PrivatePod.start(nginxProgram, await bundleOf(files), values);
    });
    after(async () => pod?.stop());

    for (const [name, groups] of Object.entries(readers)) {
        it(`serves ${name} every file that access.json allows, and no other file`, async () => {
            await checkEveryFile((path) => ask(path, groups), groups);
        });
    }

    it("finds private pages, like public pages, at addresses without an extension", async () => {
        for (const [path, status, bodyOrLocation] of [
            ["/guides/secret", 200, "private: secret"],
            ["/guides/secret/", 308, "/guides/secret"],
            ["/team", 308, "/team/"],
            ["/team?q=1", 308, "/team/?q=1"],
            ["/team/", 200, "private: team"],
            ["/both", 200, "public page beside a private folder"],
            ["/both/below", 200, "private: below"],
            ["/both/", 200, "private: folder beside a public page"],
        ] as const) {
            const { status: got, headers, body } = await ask(path, ["admins", "staff"]);
            assert.deepEqual([path, got, headers.location ?? body], [path, status, bodyOrLocation]);
        }
    });

    it("treats a private page as missing for a reader outside the group, in every form of its address", async () => {
        for (const [path, missing] of [
            ["/guides/boss", "/guides/nowhere"],
            ["/guides/boss.html", "/guides/nowhere.html"],
            ["/both/below", "/both/nowhere"],
        ] as const) {
            assert.deepEqual(await ask(path, ["staff"]), await ask(missing, ["staff"]), path);
        }
        assert.equal((await ask("/team", ["admins"])).status, 404);
        assert.equal((await ask("/team/", ["admins"])).headers.location, "/team");
        assert.equal((await ask("/nowhere/", ["admins"])).headers.location, "/nowhere");
        assert.equal((await ask("/both/", ["staff"])).headers.location, "/both");
    });

    it("redirects browsers without a session to the sign-in for each non-public address, even without a page", async () => {
        const start = "https://login.example.com/start?rd=https://docs.example.com";
        for (const [path, returnTo] of [
            ["/guides/secret", "/guides/secret"],
            ["/guides/nowhere", "/guides/nowhere"],
            ["/guides/secret?q=1", "/guides/secret"],
            ["/gr%C3%B6%C3%9Fe%201", "/gr%C3%B6%C3%9Fe%201"],
            ["/team", "/team"],
            ["/a&rd=https://evil.example", "/"],
            ["/a%26rd=https://evil.example", "/"],
            ["/a%0d%0aset-cookie:x", "/"],
            ["/a%23", "/"],
        ]) {
            for (const method of ["GET", "HEAD"]) {
                const { status, headers } = await ask(path ?? "", undefined, { method, headers: page });
                assert.deepEqual([path, status, headers.location], [path, 302, `${start}${returnTo}`]);
                assert.equal(headers["cache-control"], "private, no-cache");
            }
        }
        for (const path of ["/team/", "/nowhere/"]) {
            const { status, headers } = await ask(path, undefined, { headers: page });
            assert.deepEqual([status, headers.location], [308, path.slice(0, -1)]);
        }
    });

    it("answers 401 to requests without a session, unless a browser loads a page", async () => {
        for (const asked of [
            { headers: { accept: "image/avif,*/*" } },
            { headers: { accept: "*/*" } },
            { method: "POST", headers: page },
            { method: "PUT", headers: page },
            { method: "OPTIONS", headers: page },
        ]) {
            const { status, headers, body } = await ask("/guides/secret", undefined, asked);
            assert.deepEqual([status, headers.location], [401, undefined]);
            assert.match(body, /Sign in to read on/);
        }
    });

    it("never redirects requests for access.json, or for files that only pages load, to the sign-in", async () => {
        for (const path of ["/access.json", "/_private/0/search.json", "/_private/nothing", "/_private/-reader"]) {
            assert.equal((await ask(path, undefined, { headers: page })).status, 404, path);
        }
        for (const path of ["/access.json", "/_private/-reader", "/_private/-sign-in"]) {
            assert.equal((await ask(path, ["staff", "admins"])).status, 404, path);
        }
    });

    it("keeps the bundle's redirects public, but serves a private page to its readers instead", async () => {
        assert.equal((await ask("/old", undefined)).headers.location, "/guides/start");
        assert.equal((await ask("/v1/a", undefined)).headers.location, "/guides/a");
        assert.equal((await ask("/v1/kept", undefined)).headers.location, "/guides/kept");
        assert.equal((await ask("/v1/kept", ["admins"])).headers.location, "/guides/kept");
        assert.equal((await ask("/v1/kept", ["staff"])).body, "private: kept");
    });

    it("returns nothing private for other spellings of an address", async () => {
        const secret = await ask("/guides/secret", ["staff"]);
        const conditions: Ask[] = [
            {},
            { headers: page },
            { method: "HEAD" },
            { method: "POST" },
            { headers: { range: "bytes=0-" } },
            { headers: { range: "bytes=-5", "if-range": String(secret.headers.etag) } },
            { headers: { "if-none-match": String(secret.headers.etag) } },
            { headers: { "if-none-match": "*" } },
            { headers: { "if-modified-since": new Date(4e12).toUTCString() } },
        ];
        for (const path of pathTricks("guides/secret")) {
            for (const groups of [undefined, ["guests"]]) {
                const answers = conditions.map(async (condition) => {
                    const answer = await ask(path, groups, condition);
                    const { status = 0, headers, body } = answer;
                    const told = JSON.stringify({ path, groups, condition, answer });
                    assert.ok(status >= 300 && status !== 304 && status < 500, told);
                    assert.doesNotMatch(body + JSON.stringify(headers), /private: /, told);
                    assert.notEqual(headers.etag, secret.headers.etag, told);
                });
                await Promise.all(answers);
            }
        }
    });

    it("supports ranges and 304 for private files, too", async () => {
        const { headers: first } = await ask("/guides/secret", ["staff"]);
        const part = await ask("/guides/secret", ["staff"], { headers: { range: "bytes=0-6" } });
        assert.deepEqual([part.status, part.body], [206, "private"]);
        const known = { headers: { "if-none-match": String(first.etag) } };
        assert.equal((await ask("/guides/secret", ["staff"], known)).status, 304);
        assert.deepEqual(await ask("/guides/secret", undefined, known), await ask("/guides/secret", undefined));
        assert.deepEqual(await ask("/guides/secret", [], known), await ask("/guides/secret", []));
    });

    it("prevents caching of reader-dependent responses, but not of public files", async () => {
        for (const [path, groups] of [
            ["/guides/secret", ["staff"]],
            ["/app.3f2a9c1d.js", ["staff"]],
            ["/guides/nowhere", ["staff"]],
            ["/team", ["staff"]],
            ["/app.3f2a9c1d.js", undefined],
        ] as const) {
            const { headers } = await ask(path, groups);
            assert.equal(headers["cache-control"], "private, no-cache", path);
            assert.match(headers.vary ?? "", /Cookie, X-Forwarded-Groups, X-Forwarded-User/, path);
        }
        const { headers } = await ask("/guides/start", ["staff"]);
        assert.deepEqual([headers["cache-control"], headers.vary], ["no-cache", "Accept"]);
    });

    it("trusts only the proxy's header, and rejects a header that was sent twice", async () => {
        const boss = async (headers: NonNullable<Ask["headers"]>) =>
            (await pod.ask("/guides/boss", { headers })).status;
        assert.equal(await boss({ "X-FORWARDED-GROUPS": "admins" }), 200);
        assert.equal(await boss({ x_forwarded_groups: "admins" }), 401);
        assert.equal(await boss({ "x-forwarded_groups": "admins" }), 401);
        assert.equal(await boss({ "x-forwarded-group": "admins" }), 401);
        assert.equal(await boss({ "x-forwarded-groups-": "admins" }), 401);
        assert.equal(await boss({ "x-forwarded-user": "admins" }), 404);
        assert.equal(await boss({ "x-forwarded-groups": "", "x-forwarded-user": "" }), 401);
        assert.notEqual(await boss({ "x-forwarded-groups": ["staff", "admins"] }), 200);
        // Since 1.23, nginx joins two headers of the same name with a comma.
        assert.equal(await boss({ "x-forwarded-groups": "admins, staff" }), 401);
        assert.equal(await boss({ "x-forwarded-groups": "admins;staff" }), 404);
        assert.equal(await boss({ "x-forwarded-groups": "[admins]" }), 404);
    });

    it("distinguishes readers whose requests are pipelined on one connection", async () => {
        const asking = (headers: string) => `GET /guides/secret HTTP/1.1\r\nHost: docs.example.com\r\n${headers}\r\n`;
        const staff = "X-Forwarded-Groups: staff\r\nX-Forwarded-User: ann\r\n";
        const guest = "X-Forwarded-Groups: guests\r\nX-Forwarded-User: eve\r\n";
        const answers = await pod.exchange(
            asking("") + asking(staff) + asking(guest) + asking("") + asking("Connection: close\r\n"),
        );
        const told = answers.match(/(?<=HTTP\/1\.1 )\d+|private: secret/g);
        assert.deepEqual(told, ["401", "200", "private: secret", "404", "401", "401"]);
    });

    it("returns nothing private to HTTP/2 clients that bypass the proxy, even after an upgrade from HTTP/1.1", async () => {
        const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
        const upgrade =
            "GET /guides/secret HTTP/1.1\r\nHost: docs.example.com\r\n" +
            "Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n";
        assert.doesNotMatch(await pod.exchange(preface), /^HTTP\/1\.1 [^4]|private: /);
        assert.match(await pod.exchange(upgrade), /^HTTP\/1\.1 401 /);
    });

    it("continues to restrict readers while the pod is drained", async () => {
        await pod.markDraining();
        for (const [path, groups, status] of [
            ["/guides/start", undefined, 200],
            ["/guides/secret", undefined, 401],
            ["/guides/secret", [], 404],
            ["/guides/secret", ["staff"], 200],
            ["/team", ["staff"], 308],
            ["/team/", ["staff"], 200],
            ["/team/", undefined, 308],
        ] as const) {
            const answer = await ask(path, groups);
            assert.deepEqual([path, answer.status, answer.headers.connection], [path, status, "close"]);
        }
        assert.equal((await ask("/guides/nowhere", [])).body, "no page of this site");
    });
});
