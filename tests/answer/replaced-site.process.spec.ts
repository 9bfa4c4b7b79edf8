import assert from "node:assert/strict";
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ExportedSite, FolderFiles, PodFiles, type SiteFiles } from "../../answer/src/index.js";
import { moveSite, recordFiles } from "../../cli/src/build/output-folder.js";
import { type Files, withExport } from "../exporter/support/site-fixture.js";
import { serveSite } from "./support/answering.js";
import { withAssistant } from "./support/ask-assistant.js";

const keepApart = { privatePages: "keep-apart" } as const;
const admin = { groups: ["admin"] };
const member = { groups: [] };

function siteOf(pages: Files): Files {
    const names = Object.keys(pages).map((file) => file.replace(/\.md$/, ""));
    return { "docs.json": JSON.stringify({ name: "N", navigation: { pages: names } }), ...pages };
}

const before = siteOf({
    "index.md": "# Home\n",
    "open.md": "# Open\n\nAn open walrus.\n",
    "members.md": "---\ntitle: Members\npublic: false\n---\nA walrus of members.\n",
});
const after = siteOf({
    "index.md": "# Home\n",
    "open.md": "---\ntitle: Open\ngroups: [admin]\n---\nA closed narwhal.\n",
    "members.md": "---\ntitle: Members\ngroups: [admin]\n---\nA narwhal of admins.\n",
    "new.md": "---\ntitle: New\ngroups: [admin]\n---\nA new narwhal.\n",
});
const pages = ["/open", "/members", "/new"];

interface Rebuilt {
    readonly site: ExportedSite;
    readonly outDir: string;
    /** The next version, in another folder. */
    readonly nextDir: string;
    /** Puts the next version into the folder, as `build` does. */
    readonly rebuild: () => Promise<void>;
}

/** Opens a site with a folder of its next version. */
async function withNextVersion(use: (rebuilt: Rebuilt) => Promise<void>): Promise<void> {
    await withExport(
        before,
        ({ outDir }) =>
            withExport(
                after,
                async ({ outDir: nextDir }) => {
                    const site = await ExportedSite.open(new FolderFiles(outDir));
                    const rebuild = async () => {
                        await recordFiles(nextDir);
                        await moveSite(nextDir, outDir);
                    };
                    await use({ site, outDir, nextDir, rebuild });
                },
                keepApart,
            ),
        keepApart,
    );
}

async function assertClosed(site: ExportedSite): Promise<void> {
    for (const reader of [undefined, member]) {
        for (const page of pages) {
            assert.equal(await site.page(page, reader), undefined, page);
        }
        assert.deepEqual(await site.search({ query: "narwhal", max: 9 }, reader), []);
        assert.deepEqual(await site.search({ query: "walrus", max: 9 }, reader), []);
        assert.deepEqual(
            (await site.pages(reader)).map(({ path }) => path),
            ["/"],
        );
    }
    for (const page of pages) {
        assert.match((await site.page(page, admin))?.markdown ?? "", /narwhal/, page);
    }
    assert.equal((await site.search({ query: "narwhal", max: 9 }, admin)).length, 3);
}

const replaced = /is replacing the files/;

describe("A site that is built again while programs read it", () => {
    it("closes pages that become private, new private pages, and pages whose readers become fewer", () =>
        withNextVersion(async ({ site, rebuild }) => {
            assert.match((await site.page("/open"))?.markdown ?? "", /walrus/);
            assert.match((await site.page("/members", member))?.markdown ?? "", /walrus/);
            await rebuild();
            await assertClosed(site);
        }));

    it("is closed in API and MCP, too, and refuses requests while its files are replaced", () =>
        withNextVersion(({ site, outDir, rebuild }) =>
            serveSite(site, {}, async ({ address, post, connect, errors }) => {
                const { call } = await connect("/mcp", "auto");
                assert.match(await call("read_page", { path: "/open" }), /walrus/);
                await writeFile(join(outDir, "static-export/replacing"), "");
                const response = await fetch(`${address}/v1/page/x`, {
                    method: "POST",
                    headers: { "content-type": "application/json" },
                    body: JSON.stringify({ path: "open" }),
                });
                assert.deepEqual([response.status, response.headers.get("retry-after")], [503, "2"]);
                assert.deepEqual(await response.json(), {
                    error: "The site is being replaced. Try again in a few seconds.",
                });
                assert.match(errors.join("\n"), replaced);
                await rm(join(outDir, "static-export/replacing"));
                await rebuild();
                assert.match(await call("read_page", { path: "/open" }), /^There is no page \/open/);
                const [status] = await post("/v1/page/x", { path: "open" });
                assert.equal(status, 404);
            }),
        ));

    it("is closed while its access.json is unreadable, and open again afterwards", () =>
        withNextVersion(async ({ site, outDir }) => {
            const rules = await readFile(join(outDir, "access.json"), "utf8");
            for (const text of ["{", '{"formatVersion":2,"files":{}}', ""]) {
                await writeFile(join(outDir, "access.json"), text);
                await assert.rejects(site.page("/open"), /access\.json does not have format version 1/);
                await assert.rejects(site.search({ query: "walrus", max: 1 }), /access\.json/);
            }
            await writeFile(join(outDir, "access.json"), rules);
            assert.match((await site.page("/open"))?.markdown ?? "", /walrus/);
        }));

    it("answers a request from one version if another version replaces the site during the request", () =>
        withNextVersion(async ({ outDir, rebuild }) => {
            let change: (() => Promise<void>) | undefined;
            const folder = new FolderFiles(outDir);
            const files: SiteFiles = {
                version: () => folder.version(),
                readRules: () => folder.readRules(),
                async read(file) {
                    const next = file === "open.md" ? change : undefined;
                    change = next === undefined ? change : undefined;
                    await next?.();
                    return folder.read(file);
                },
            };
            const site = await ExportedSite.open(files);
            change = rebuild;
            assert.equal(await site.page("/open"), undefined);
            assert.equal(change, undefined);
            await assertClosed(site);
        }));

    it("gives up instead of mixing versions if the site changes again and again", () =>
        withNextVersion(async ({ outDir }) => {
            const folder = new FolderFiles(outDir);
            let versions = 0;
            const files: SiteFiles = {
                version: () => Promise.resolve(String((versions += 1) > 2 ? versions : 0)),
                readRules: () => folder.readRules(),
                read: (file) => folder.read(file),
            };
            const site = await ExportedSite.open(files);
            await assert.rejects(site.page("/open"), /Another version has replaced the site/);
        }));

    it("is the latest version of a link that another program switches", () =>
        withNextVersion(async ({ outDir, nextDir }) => {
            const live = join(dirname(outDir), "live");
            await symlink(outDir, live, "junction");
            const site = await ExportedSite.open(new FolderFiles(live));
            assert.match((await site.page("/open"))?.markdown ?? "", /walrus/);
            await symlink(nextDir, `${live}-next`, "junction");
            await rm(live);
            await rename(`${live}-next`, live);
            await assertClosed(site);
        }));

    it("is closed in a pod until all of its files are fetched", () =>
        withNextVersion(async ({ outDir, nextDir }) => {
            const pod = `${outDir}-pod`;
            await mkdir(join(pod, "access"), { recursive: true });
            await cp(outDir, join(pod, "public"), { recursive: true });
            await rename(join(pod, "public/access.json"), join(pod, "access/access.json"));
            await assert.rejects(ExportedSite.open(new PodFiles(pod)), /is not complete: it has no file export-id/);
            await writeFile(join(pod, "export-id"), "1");
            const site = await ExportedSite.open(new PodFiles(pod));
            assert.match((await site.page("/open"))?.markdown ?? "", /walrus/);
            await rm(join(pod, "export-id"));
            await rm(join(pod, "public"), { recursive: true });
            await cp(nextDir, join(pod, "public"), { recursive: true });
            await assert.rejects(site.page("/new"), /is not complete/);
            await rename(join(pod, "public/access.json"), join(pod, "access/access.json"));
            await writeFile(join(pod, "export-id"), "2");
            await assertClosed(site);
        }));
});

describe("An answer of the assistant", () => {
    it("fails instead of mixing two versions of the site", async () => {
        const steps = [
            { calls: "search", with: { query: "walrus" } },
            { calls: "read_page", with: { path: "/guides/start" } },
            { says: "Install the walrus: [Start](/guides/start)." },
        ];
        await withAssistant(steps, async ({ ask, outDir, endpoint, log }) => {
            endpoint.onAsked = async () => {
                if (endpoint.asked.length === 2) {
                    await writeFile(join(outDir, "index.html"), "another version");
                }
            };
            const { chunks, text } = await ask("How?");
            assert.equal(chunks.at(-2)?.type, "error");
            assert.equal(text, "");
            assert.match(log.join("\n"), /Another version has replaced the site/);
        });
    });
});

describe("A build into the folder of an earlier build", () => {
    /** Moves a site, and checks before each file whether the folder shows a file to readers who may not read it. */
    async function moveChecked(nextDir: string, outDir: string): Promise<number> {
        let checks = 0;
        const check = async () => {
            checks += 1;
            const rules = JSON.parse(await readFile(join(outDir, "access.json"), "utf8")) as { files: object };
            const groupsOf = (file: string) => JSON.stringify((rules.files as Record<string, string[]>)[file]);
            for (const page of ["open.html", "members.html", "new.html"]) {
                const html = await readFile(join(outDir, page), "utf8").catch(() => "");
                assert.ok(!html.includes("narwhal") || groupsOf(page) === '["admin"]', page);
            }
        };
        await recordFiles(nextDir);
        await moveSite(nextDir, outDir, {
            rename: async (from, to) => {
                await check();
                await rename(from, to);
                await check();
            },
        });
        return checks;
    }

    it("never shows a private page to a server that reads access.json for each request", () =>
        withNextVersion(async ({ outDir, nextDir, site }) => {
            const checks = await moveChecked(nextDir, outDir);
            assert.ok(checks > 20, String(checks));
            await assertClosed(site);
        }));

    it("leaves a note for servers until it has replaced all files", () =>
        withNextVersion(async ({ outDir, nextDir, site }) => {
            await recordFiles(nextDir);
            let refused = 0;
            await moveSite(nextDir, outDir, {
                rename: async (from, to) => {
                    await assert.rejects(site.page("/open"), replaced);
                    refused += 1;
                    await rename(from, to);
                },
            });
            assert.ok(refused > 10);
            await assertClosed(site);
        }));

    it("is a new version for servers even if no list of the site changes", () =>
        withNextVersion(async ({ outDir }) => {
            const files = new FolderFiles(outDir);
            const id = await files.version();
            const copy = `${outDir}-copy`;
            await cp(outDir, copy, { recursive: true });
            await recordFiles(copy);
            await moveSite(copy, outDir);
            assert.notEqual(await files.version(), id);
        }));
});
