import assert from "node:assert/strict";
import { type ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { freePort } from "@pulumi-static-export/toolchain";
import { findProgram } from "../support/fetch-pod.js";
import { checkEveryFile } from "./support/every-file.js";
import { PrivatePod } from "./support/private-pod.js";
import { bundleOf, privateSite, type ReaderGroups } from "./support/private-site.js";
import { end, siteUrl, startIdentityProvider, startSignIn } from "./support/sign-in.js";
import { Visitor } from "./support/visitor.js";

const nginxProgram = await findProgram("nginx");

const cookieSecret = "0123456789abcdef0123456789abcdef";
const page = { accept: "text/html" };

/** Readers and their groups, in the format of the identity provider's claims. */
const accounts: Record<string, ReaderGroups> = {
    ann: ["staff"],
    bob: ["admins"],
    joe: ["guests", "admins", "staff"],
    eve: [],
    una: [],
};

describe("documentation-site: readers who sign in with an identity provider", function () {
    this.timeout(120_000);
    let pod: PrivatePod;
    let values: object;
    let issuer: string;
    let signInPort: number;
    let identityProvider: ChildProcess;
    let signIn: ChildProcess;

    const visitor = (name?: string) => new Visitor(pod, name === undefined ? undefined : { name, provider: issuer });
    const reader = async (name: string) => {
        const signedIn = visitor(name);
        assert.equal((await signedIn.open("/guides/any")).body, "private: any");
        return signedIn;
    };

    before(async function () {
        if (!nginxProgram) {
            console.log("      skipped: there is no nginx on PATH (Debian: apt-get install nginx-light)");
            this.skip();
        }
        const providerPort = await freePort();
        signInPort = await freePort();
        issuer = `http://127.0.0.1:${providerPort}`;
        const oidc = { issuer, clientId: "docs", existingSecret: "docs-sign-in", url: siteUrl };
        values = { access: { oidc } };
        pod = await PrivatePod.start(nginxProgram, await bundleOf(privateSite), values, { signIn: signInPort });
        identityProvider = await startIdentityProvider(providerPort);
        signIn = await startSignIn(values, signInPort, cookieSecret);
    });
    after(async () => {
        await Promise.all([signIn, identityProvider].filter(Boolean).map((child) => end(child)));
        await pod?.stop();
    });

    it("can read every public file without a session, and no other file", async () => {
        await checkEveryFile((path) => visitor().ask(path), undefined);
    });

    for (const [name, groups] of Object.entries(accounts)) {
        it(`can read only the files that access.json allows: ${name}`, async () => {
            const signedIn = await reader(name);
            await checkEveryFile((path) => signedIn.ask(path), groups);
        });
    }

    it("return to the page that they requested, with its query", async () => {
        const { status, url, body } = await visitor("ann").open("/guides/secret?q=a&b=%20");
        assert.deepEqual([status, url, body], [200, `${siteUrl}/guides/secret?q=a&b=%20`, "private: secret"]);
        const refused = await visitor("eve").open("/guides/secret");
        assert.deepEqual([refused.status, refused.body], [404, "no page of this site"]);
    });

    it("are sent to the provider for every non-public address, and never back to another site", async () => {
        for (const path of ["/guides/secret", "/guides/nowhere", "/a?rd=https://evil.example", "/%0d%0aset-cookie:x"]) {
            const { status, headers } = await visitor().ask(path, { headers: page });
            assert.equal(status, 302, path);
            const { origin, searchParams } = new URL(headers.location ?? "");
            assert.deepEqual([origin, searchParams.get("redirect_uri")], [issuer, `${siteUrl}/oauth2/callback`]);
            assert.equal(searchParams.get("code_challenge_method"), "S256");
        }
        const start = "/oauth2/start?rd=https://evil.example/";
        assert.equal((await visitor("ann").open(start)).url, `${siteUrl}/`);
        assert.equal((await visitor().ask("/_private/0/search.json", { headers: page })).status, 404);
    });

    it("gain no access from headers that they send themselves", async () => {
        const eve = await reader("eve");
        for (const name of ["x-auth-request-groups", "x-forwarded-groups", "x-auth-request-user", "authorization"]) {
            const headers = { [name]: "admins" };
            assert.equal((await visitor().ask("/guides/boss", { headers })).status, 401, name);
            assert.equal((await eve.ask("/guides/boss", { headers })).status, 404, name);
        }
    });

    it("are signed out by /oauth2/sign_out", async () => {
        const ann = await reader("ann");
        await ann.ask("/oauth2/sign_out");
        assert.equal((await ann.ask("/guides/secret")).status, 401);
    });

    it("lose their session if its cookie was altered or is older than access.oidc.sessionMinutes", async () => {
        const ann = await reader("ann");
        const cookies = ann.cookiesOf(siteUrl);
        const [value = ""] = (cookies.get("static-export") ?? "").split("|");
        const signed = (seconds: number) => {
            const time = String(Math.floor(Date.now() / 1000) - seconds);
            const hmac = createHmac("sha256", cookieSecret).update(`static-export${value}${time}`).digest("base64");
            return `${value}|${time}|${hmac.replaceAll("+", "-").replaceAll("/", "_")}`;
        };
        const statusWith = async (cookie: string) => {
            cookies.set("static-export", cookie);
            return (await ann.ask("/guides/secret")).status;
        };
        const hour = 3600;
        assert.equal(await statusWith(signed(7 * hour)), 200);
        assert.equal(await statusWith(signed(9 * hour)), 401);
        assert.equal(await statusWith(signed(hour).replace(/\|\d+\|/, `|${Math.floor(Date.now() / 1000)}|`)), 401);
        assert.equal(await statusWith(`${value}x`), 401);
        assert.equal(await statusWith(""), 401);
    });

    it("lose their session when the cookie secret changes", async () => {
        const ann = await reader("ann");
        await end(signIn);
        signIn = await startSignIn(values, signInPort, cookieSecret.toUpperCase());
        assert.equal((await ann.ask("/guides/secret")).status, 401);
        await reader("ann");
    });

    it("can read public files but nothing private while oauth2-proxy is down, even with a session", async () => {
        const ann = await reader("ann");
        await end(signIn);
        try {
            for (const [path, status] of [
                ["/guides/start", 200],
                ["/guides/secret", 500],
                ["/guides/nowhere", 500],
                ["/oauth2/start", 502],
            ] as const) {
                for (const each of [ann, visitor()]) {
                    const answer = await each.ask(path);
                    assert.deepEqual([path, answer.status], [path, status]);
                    assert.doesNotMatch(answer.body, /private: /);
                }
            }
        } finally {
            signIn = await startSignIn(values, signInPort, cookieSecret);
        }
    });

    it("can continue reading while the provider is down, but nobody can sign in", async () => {
        const ann = await reader("ann");
        await end(identityProvider);
        assert.equal((await ann.ask("/guides/secret")).body, "private: secret");
        const stranger = visitor("bob");
        assert.equal((await stranger.ask("/guides/boss")).status, 401);
        await assert.rejects(stranger.open("/guides/boss"), /ECONNREFUSED/);
        assert.equal((await stranger.ask("/guides/start")).body, "start");
    });
});
