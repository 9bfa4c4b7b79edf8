import assert from "node:assert/strict";
import { type BrowserContext, type Page } from "playwright-core";
import { waitFor } from "../../../dev/cluster/src/cluster/wait-for.js";
import { checkEveryFile } from "../../charts/access/support/every-file.js";
import { type Ask } from "../../charts/access/support/private-pod.js";
import { mayRead, type ReaderGroups, type SiteFile } from "../../charts/access/support/private-site.js";
import { axeViolations, useChromium } from "../../exporter/browser/chromium.js";
import { exportKeptApart, siteOfTwoGroups } from "./support/private-pages/private-bundle.js";
import { SiteWithSignIn } from "./support/private-pages/site-with-sign-in.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { type Contents, Visitors } from "./support/visitors.js";

/** The groups of each account, in the identity provider's format. */
const accounts = { ann: ["staff"], bob: ["admins"] };

function addressesOf(files: Record<string, SiteFile>, groups: ReaderGroups): Contents[string] {
    const readable = Object.entries(files).filter(([, file]) => mayRead(file, groups));
    return Object.fromEntries(readable.map(([name, { content }]) => [`/${name}`, content]));
}

describe("a site with private pages on a cluster, with sign-in through an identity provider,", () => {
    const cluster = useSharedCluster();
    const chromium = useChromium();
    let site: SiteWithSignIn;
    let first: Record<string, SiteFile>;
    /** The browsers of signed-in readers. */
    const browsers = new Map<string, BrowserContext>();

    const ask = async (path: string, name: string | undefined, { headers, ...asked }: Ask = {}) => {
        const cookie = name === undefined ? {} : { cookie: await cookieOf(name) };
        const answer = await site.ask(path, { ...asked, headers: { ...headers, ...cookie } });
        if (answer.status !== 200) {
            // Identifies the pod in the error page.
            delete answer.headers.etag;
        }
        return answer;
    };

    const cookieOf = async (name: string) => {
        const cookies = (await browsers.get(name)?.cookies(site.url)) ?? [];
        return cookies.map(({ name: key, value }) => `${key}=${value}`).join("; ");
    };

    const open = async (page: Page, path: string) => {
        const response = await page.goto(site.url + path);
        return response?.status();
    };

    before(async () => {
        const bundle = await exportKeptApart(siteOfTwoGroups("first", "staff"));
        first = bundle.files;
        site = await SiteWithSignIn.install(cluster(), bundle.archive);
    });
    after(async () => {
        await Promise.all([...browsers.values()].map((context) => context.close()));
        await site?.stop();
    });

    for (const name of Object.keys(accounts)) {
        it(`redirects ${name}'s browser to the sign-in page and back to the requested page`, async () => {
            const context = await chromium().newContext();
            browsers.set(name, context);
            const page = await context.newPage();
            await open(page, "/team");
            assert.ok(page.url().startsWith(`${site.issuer}/`), page.url());
            await page.getByLabel("Account").fill(name);
            await page.getByRole("button", { name: "Sign in" }).click();
            await page.getByRole("heading", { name: "Team" }).waitFor();
            assert.equal(page.url(), `${site.url}/team`);
        });
    }

    it("shows the site's own not-found page if a signed-in reader requests a page for other readers", async () => {
        const page = await browsers.get("ann")?.newPage();
        assert.ok(page);
        assert.equal(await open(page, "/guides/admins"), 404);
        assert.doesNotMatch(await page.content(), /admins|secret/);
        assert.equal(await open(page, "/guides/staff"), 200);
    });

    for (const [name, groups] of [[undefined, undefined], ...Object.entries(accounts)] as const) {
        it(`serves ${name ?? "readers who are not signed in"} only the files that access.json allows`, async () => {
            await checkEveryFile((path) => ask(path, name), groups, first);
        });
    }

    it("shows readers without access a page that passes axe and fits a width of 320 pixels", async () => {
        const context = await chromium().newContext();
        const page = await context.newPage();
        // A request for HTML is redirected to the sign-in; other requests get the page for readers without access.
        await page.route("**", (route) => route.continue({ headers: { ...route.request().headers(), accept: "*/*" } }));
        try {
            assert.equal(await open(page, "/team"), 401);
            await page.setViewportSize({ width: 320, height: 700 });
            assert.deepEqual(await axeViolations(page), []);
            assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320);
        } finally {
            await context.close();
        }
    });

    it("leaks nothing private and fails no request during the rollout of another bundle", async () => {
        const { archive, files: second } = await exportKeptApart(siteOfTwoGroups("second", "admins"));
        const versions = [first, second];
        const visitorsOf = async (name: "ann" | undefined) => {
            const [old, next] = versions.map((files) => addressesOf(files, name && accounts[name]));
            const shared = Object.keys(old ?? {}).filter((address) => next?.[address] !== undefined);
            const headers = name === undefined ? {} : { headers: { cookie: await cookieOf(name) } };
            return new Visitors(site.url, { old: old ?? {}, next: next ?? {} }, shared, { ofEachKind: 1, ...headers });
        };
        const closed = versions.flatMap((files) => Object.keys(files).filter((name) => files[name]?.groups));
        const leaving = new AbortController();
        const outsider = async () => {
            let answers = 0;
            while (!leaving.signal.aborted) {
                for (const name of closed) {
                    const { status = 0, body } = await site.ask(`/${name}`);
                    assert.ok([401, 404].includes(status), `${name}: ${status}`);
                    assert.doesNotMatch(body, /secret/, name);
                    answers++;
                }
            }
            return answers;
        };
        const asking = outsider();
        const everybody = await visitorsOf(undefined);
        const ann = await visitorsOf("ann");
        const oldPods = await site.namespace.podNames();
        await site.serve(archive, "second");
        await site.namespace.podsGone(...oldPods);
        leaving.abort();
        for (const { failures, seen } of [await everybody.leave(), await ann.leave()]) {
            assert.deepEqual(failures, []);
            assert.ok(seen.get("/guides/open.html old") && seen.get("/guides/open.html next"), String([...seen]));
        }
        const answers = await asking;
        console.log(`      ${answers} requests of an outsider for private files, none answered with one`);
        assert.ok(answers > closed.length, `only ${answers} requests`);
        for (const [name, groups] of [[undefined, undefined], ...Object.entries(accounts)] as const) {
            await checkEveryFile((path) => ask(path, name), groups, second);
        }
    });

    it("allows no new sign-in and adds no pod to the Service while the identity provider is down", async () => {
        const oldPods = await site.namespace.podNames();
        await site.stopProvider();
        await site.namespace.kubectl("rollout", "restart", "deployment");
        const hasFailed = async () => {
            const pods = await site.namespace.pods();
            const newPod = pods.find(({ metadata }) => !oldPods.includes(metadata.name));
            const signIn = newPod?.status.initContainerStatuses?.find(({ name }) => name === "sign-in");
            return (signIn?.restartCount ?? 0) > 0 ? undefined : "no sign-in that has failed";
        };
        assert.equal(await waitFor(hasFailed, { timeoutMs: 60_000 }), undefined);
        const ready = await site.namespace.readyPods();
        assert.deepEqual(ready, oldPods);
        assert.equal((await ask("/guides/staff", "ann")).status, 200);
        assert.equal((await ask("/guides/staff", undefined)).status, 401);
        const context = await chromium().newContext();
        await assert.rejects(open(await context.newPage(), "/guides/staff"), /ERR_CONNECTION_REFUSED/);
        assert.equal(await open(await context.newPage(), "/guides/open"), 200);
        await context.close();
        await site.startProvider();
        await site.namespace.kubectl("rollout", "status", "deployment", "--timeout=180s");
        assert.equal((await ask("/guides/staff", "ann")).status, 200);
    });
});
