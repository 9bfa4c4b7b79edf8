import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { type BrowserContext, type Page } from "playwright-core";
import { mayRead, type ReaderGroups } from "../../charts/access/support/private-site.js";
import { type Files, withExport } from "../support/site-fixture.js";
import { useChromium } from "./chromium.js";

const page = (title: string, frontMatter = "") => `---\ntitle: ${title}\n${frontMatter}\n---\n\nText about quokkas.\n`;
const files = {
    "docs.json": JSON.stringify({
        name: "Docs",
        navigation: {
            tabs: [
                {
                    tab: "Guides",
                    pages: [
                        "index",
                        "guides/staff",
                        { group: "Both", pages: ["guides/open", { group: "Inner", pages: ["guides/boss"] }] },
                        "team",
                    ],
                },
                { tab: "More", pages: ["more/first", "more/plans"] },
            ],
        },
    }),
    "index.md": page("Home"),
    "guides/open.md": page("Open"),
    "guides/staff.md": page("For staff", "groups: [staff]"),
    "guides/boss.md": page("For admins", "groups: [admins]"),
    "team.md": page("Team", "public: false"),
    "more/first.md": page("First"),
    "more/plans.md": page("Plans", "groups: [staff]"),
};

/**
 * A server that sends files only to readers who may read them, according to the bundle's access.json; a cookie contains
 * the groups.
 */
class KeptApart {
    readonly asked: string[] = [];

    private constructor(
        private readonly server: Server,
        readonly url: string,
    ) {}

    static async start(folder: string): Promise<KeptApart> {
        const access = JSON.parse(await readFile(join(folder, "access.json"), "utf8")) as {
            files: Record<string, string[]>;
        };
        const server = createServer((request, response) => {
            const name = decodeURI(request.url ?? "").slice(1);
            site.asked.push(name);
            const groups = /groups=([\w,]*)/.exec(request.headers.cookie ?? "")?.[1]?.split(",");
            const readers = access.files[name];
            const isOpen = mayRead({ content: "", ...(readers && { groups: readers }) }, groups);
            const content = isOpen ? readFile(join(folder, name)) : Promise.reject(new Error("closed"));
            const types = { html: "text/html", js: "text/javascript", css: "text/css" };
            const type = types[name.split(".").at(-1) as keyof typeof types] ?? "text/plain";
            content.then(
                (bytes) => response.writeHead(200, { "content-type": type }).end(bytes),
                () => response.writeHead(404).end(),
            );
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const site = new KeptApart(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
        return site;
    }

    get askedPrivate(): string[] {
        return this.asked.filter((name) => name.startsWith("_private/"));
    }

    stop(): void {
        this.server.closeAllConnections();
        this.server.close();
    }
}

const listed = (tab: Page) => tab.locator("#sidebar-content a").allTextContents();

describe("a public page for a signed-in reader", function () {
    this.timeout(60_000);
    const browser = useChromium();

    async function withSite(
        use: (site: KeptApart, context: BrowserContext) => Promise<void>,
        ofSite: Files = files,
    ): Promise<void> {
        await withExport(
            ofSite,
            async ({ outDir }) => {
                const site = await KeptApart.start(outDir);
                const context = await browser().newContext({ reducedMotion: "reduce" });
                try {
                    await use(site, context);
                } finally {
                    await context.close();
                    site.stop();
                }
            },
            { privatePages: "keep-apart" },
        );
    }

    const signIn = (context: BrowserContext, { url }: KeptApart, groups: NonNullable<ReaderGroups>) =>
        context.addCookies([{ name: "groups", value: groups.join(), url }]);

    const open = async (context: BrowserContext, { url }: KeptApart, path: string) => {
        const tab = await context.newPage();
        await tab.goto(`${url}/${path}`, { waitUntil: "networkidle" });
        return tab;
    };

    it("lists the reader's private pages in navigation order after the reader has opened a private page", async () => {
        await withSite(async (site, context) => {
            await signIn(context, site, ["staff"]);
            assert.deepEqual(await listed(await open(context, site, "guides/open.html")), ["Home", "Open"]);
            await open(context, site, "team.html");
            const tab = await open(context, site, "guides/open.html");
            assert.deepEqual(await listed(tab), ["Home", "For staff", "Open", "Team"]);
            await tab.getByRole("link", { name: "For staff" }).click();
            assert.equal(tab.url(), `${site.url}/guides/staff.html`);
            assert.deepEqual(await listed(await open(context, site, "more/first.html")), ["First", "Plans"]);
        });
    });

    it("lists the pages for all groups of the reader, even in sections hidden from other readers", async () => {
        await withSite(async (site, context) => {
            await signIn(context, site, ["staff", "admins"]);
            await open(context, site, "guides/boss.html");
            const tab = await open(context, site, "index.html");
            assert.deepEqual(await listed(tab), ["Home", "For staff", "Open", "For admins", "Team"]);
            assert.equal(await tab.locator("[aria-current=page]").count(), 1);
        });
    });

    it("lists private pages in the visible part of a long list, and in a folded part once it is unfolded", async () => {
        const name = (at: number, end = "") => `p${String(at).padStart(3, "0")}${end}`;
        const open310 = Array.from({ length: 310 }, (_, at) => [`${name(at)}.md`, page(`Open ${at}`)] as const);
        const closed = [3, 150, 300].map(
            (at) => [`${name(at, "x")}.md`, page(`Closed ${at}`, "groups: [staff]")] as const,
        );
        await withSite(
            async (site, context) => {
                await signIn(context, site, ["staff"]);
                await open(context, site, "p150x.html");
                const tab = await open(context, site, "p151.html");
                const titles = await listed(tab);
                assert.equal(titles[titles.indexOf("Open 150") + 1], "Closed 150");
                assert.ok(!titles.includes("Closed 3") && !titles.includes("Closed 300"), titles.join());
                await tab.locator("#sidebar summary").last().click();
                await tab.getByRole("link", { name: "Closed 300" }).click();
                await tab.waitForURL(`${site.url}/p300x.html`);
                await tab.locator("#sidebar summary").first().click();
                await tab.locator("#sidebar summary").filter({ hasText: "Open 0 –" }).nth(1).click();
                await tab.getByRole("link", { name: "Closed 3", exact: true }).waitFor();
                await context.clearCookies();
                const signedOut = await open(context, site, "p151.html");
                await signedOut.locator("#sidebar summary").first().click();
                await signedOut.getByRole("link", { name: "Open 3", exact: true }).waitFor();
                assert.ok(!(await listed(signedOut)).some((title) => title.startsWith("Closed")));
            },
            Object.fromEntries([...open310, ...closed]),
        );
    });

    it("finds private pages in the search", async () => {
        await withSite(async (site, context) => {
            await signIn(context, site, ["staff"]);
            await open(context, site, "guides/staff.html");
            const tab = await open(context, site, "more/first.html");
            await tab.keyboard.press("/");
            await tab.getByRole("combobox", { name: "Search" }).fill("quokkas");
            await tab.getByRole("option", { name: "Plans" }).waitFor();
            const titles = await tab.locator(".hit-title").allTextContents();
            assert.equal(titles.filter((title) => title.includes("For staff")).length, 1);
            assert.equal(titles.filter((title) => title.includes("For admins")).length, 0);
        });
    });

    it("requests no private files before the reader opens a private page, or after the session has ended", async () => {
        await withSite(async (site, context) => {
            await open(context, site, "index.html");
            assert.deepEqual(site.askedPrivate, []);
            await signIn(context, site, ["staff"]);
            await open(context, site, "team.html");
            await context.clearCookies();
            assert.deepEqual(await listed(await open(context, site, "index.html")), ["Home", "Open"]);
            site.asked.length = 0;
            assert.deepEqual(await listed(await open(context, site, "guides/open.html")), ["Home", "Open"]);
            assert.deepEqual(site.askedPrivate, []);
        });
    });

    it("has no script for signed-in readers if the site has no private pages", async () => {
        await withExport(
            { "index.md": "# Home\n" },
            async ({ read, outDir }) => {
                assert.doesNotMatch(await read("index.html"), /readers|data-parts|data-section/);
                assert.doesNotMatch((await readFile(join(outDir, "access.json"))).toString(), /_private/);
            },
            { privatePages: "keep-apart" },
        );
    });
});
