import assert from "node:assert/strict";
import { mkdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ExportedSite, FolderFiles, PodFiles, type Reader } from "../../answer/src/index.js";
import { type Files } from "../exporter/support/site-fixture.js";
import { siteWithReaders, withAnsweredSite } from "./support/answered-site.js";

const keepApart = { privatePages: "keep-apart" } as const;

async function pathsFound(site: ExportedSite, query: string, reader?: Reader): Promise<string[]> {
    return (await site.search({ query, max: 20 }, reader)).map(({ path }) => path);
}

describe("Searching an exported site from a program", () => {
    it("finds sections with their path, heading and an excerpt", () =>
        withAnsweredSite(siteWithReaders, async (site) => {
            const [hit] = await site.search({ query: "clams", max: 5 });
            assert.deepEqual(hit, {
                path: "/guides/start#next-steps",
                title: "Start",
                heading: "Next steps",
                excerpt: "Feed the walrus with clams.",
                tab: "",
            });
        }));

    it("finds private pages only for readers who may read them", () =>
        withAnsweredSite(
            siteWithReaders,
            async (site) => {
                assert.deepEqual((await pathsFound(site, "walrus")).sort(), [
                    "/",
                    "/guides/start",
                    "/guides/start#next-steps",
                ]);
                const ofA = await pathsFound(site, "walrus", { groups: ["a"] });
                assert.ok(ofA.includes("/only-a") && ofA.includes("/signed-in"), ofA.join(" "));
                assert.ok(!ofA.includes("/only-b"), ofA.join(" "));
                const ofMembers = await pathsFound(site, "walrus", { groups: [] });
                assert.ok(ofMembers.includes("/signed-in"));
                assert.ok(!ofMembers.includes("/only-a") && !ofMembers.includes("/only-b"), ofMembers.join(" "));
                assert.deepEqual(await pathsFound(site, "beluga", { groups: ["a"] }), []);
                assert.deepEqual(await pathsFound(site, "beluga", { groups: ["b"] }), ["/only-b"]);
            },
            keepApart,
        ));

    it("covers the first language and version unless the request names others", () => {
        const navigation = {
            languages: ["en", "fr"].map((language) => ({
                language,
                versions: ["v2", "v1"].map((version) => ({ version, pages: [`${language}/${version}`] })),
            })),
        };
        const pages = ["en/v2", "en/v1", "fr/v2", "fr/v1"].map((page) => [
            `${page}.md`,
            `---\ntitle: Page\n---\nWalrus ${page.replace("/", " ")}.\n`,
        ]);
        const files = {
            "docs.json": JSON.stringify({ name: "N", navigation }),
            ...(Object.fromEntries(pages) as Files),
        };
        return withAnsweredSite(files, async (site) => {
            const find = async (filter: object) =>
                (await site.search({ query: "walrus", max: 9, ...filter })).map(({ path }) => path);
            assert.deepEqual(await find({}), ["/en/v2"]);
            assert.deepEqual(await find({ version: "v1" }), ["/en/v1"]);
            assert.deepEqual(await find({ language: "fr" }), ["/fr/v2"]);
            assert.deepEqual(await find({ language: "fr", version: "v1" }), ["/fr/v1"]);
            await assert.rejects(find({ language: "de" }), {
                message: 'This site has no language "de". It has en, fr.',
            });
            await assert.rejects(find({ language: "fr", version: "v3" }), {
                message: 'This site has no version "v3" in "fr". It has v2, v1.',
            });
            await assert.rejects(find({ version: "v3" }), {
                message: 'This site has no version "v3". It has v2, v1.',
            });
        });
    });
});

describe("Reading a page of an exported site from a program", () => {
    it("returns the page's Markdown, whether the request names a path, file or address", () =>
        withAnsweredSite(siteWithReaders, async (site) => {
            const markdown = "# Start\n\nInstall the walrus.\n\n## Next steps\n\nFeed the walrus with clams.\n";
            for (const name of [
                "/guides/start",
                "guides/start",
                "guides/start.md",
                "/guides/start.html#next-steps",
                "https://docs.example.com/guides/start?x=1",
            ]) {
                assert.deepEqual(await site.page(name), { path: "/guides/start", markdown }, name);
            }
            assert.equal((await site.page("/"))?.path, "/");
        }));

    it("converts the HTML if the page has no Markdown, such as an operation in an older export", () => {
        const openapi = {
            openapi: "3.1.0",
            info: { title: "Pets", version: "1" },
            paths: { "/pets": { get: { summary: "List pets", description: "All **pets**.", responses: {} } } },
        };
        const files = {
            "docs.json": JSON.stringify({
                name: "N",
                navigation: { groups: [{ group: "API", openapi: "pets.json", pages: ["GET /pets"] }] },
            }),
            "pets.json": JSON.stringify(openapi),
        };
        return withAnsweredSite(files, async (site, outDir) => {
            const [hit] = await site.search({ query: "pets", max: 1 });
            await rm(join(outDir, `${hit?.path ?? ""}.md`));
            const page = await site.page(hit?.path ?? "");
            assert.match(page?.markdown ?? "", /^API\n\n# List pets\n[^]*All \*\*pets\*\*\./);
        });
    });

    it("does not find a page for readers who may not read the page", () =>
        withAnsweredSite(
            siteWithReaders,
            async (site) => {
                for (const name of ["only-a", "only-a.md", "/only-a.html", "only-a/", "%6Fnly-a"]) {
                    assert.equal(await site.page(name), undefined, name);
                    assert.equal(await site.page(name, { groups: ["b"] }), undefined, name);
                    assert.match((await site.page(name, { groups: ["b", "a"] }))?.markdown ?? "", /narwhal/, name);
                }
            },
            keepApart,
        ));

    it("never returns a file that is not a page or is outside the folder", () =>
        withAnsweredSite(
            siteWithReaders,
            async (site, outDir) => {
                await writeFile(`${outDir}-secret.md`, "secret");
                await symlink(`${outDir}-secret.md`, join(outDir, "linked.md"));
                for (const name of [
                    "access.json",
                    "../out-secret",
                    "..%2Fout-secret",
                    "guides/..\\..\\out-secret",
                    "linked",
                    "_private/1/search/0/scope.js",
                    "static-export/search/0/scope",
                    "a\0b",
                    "x".repeat(2000),
                    "%",
                ]) {
                    assert.equal(await site.page(name, { groups: ["a", "b"] }), undefined, name);
                }
            },
            keepApart,
        ));
});

describe("An exported site in a pod of the chart", () => {
    /** Moves group a's files and the rules as the pods do. */
    async function moveToPod(outDir: string): Promise<string> {
        const pod = `${outDir}-pod`;
        await mkdir(join(pod, "private/0"), { recursive: true });
        await mkdir(join(pod, "access"));
        await rename(join(outDir, "only-a.md"), join(pod, "private/0/only-a.md"));
        await rename(join(outDir, "only-a.html"), join(pod, "private/0/only-a.html"));
        await rename(join(outDir, "access.json"), join(pod, "access/access.json"));
        await rename(outDir, join(pod, "public"));
        await writeFile(join(pod, "export-id"), "1");
        return pod;
    }

    it("returns a group's page only to readers in the group", () =>
        withAnsweredSite(
            siteWithReaders,
            async (_, outDir) => {
                const site = await ExportedSite.open(new PodFiles(await moveToPod(outDir)));
                assert.match((await site.page("/only-a", { groups: ["a"] }))?.markdown ?? "", /narwhal/);
                assert.equal(await site.page("/only-a"), undefined);
                assert.match((await site.page("/guides/start"))?.markdown ?? "", /clams/);
            },
            keepApart,
        ));

    it("is refused if it contains private files but no access rules", () =>
        withAnsweredSite(
            siteWithReaders,
            async (_, outDir) => {
                const pod = await moveToPod(outDir);
                await rm(join(pod, "access/access.json"));
                await assert.rejects(ExportedSite.open(new PodFiles(pod)), /but no access\.json/);
                await rm(join(pod, "private"), { recursive: true });
                await ExportedSite.open(new PodFiles(pod));
            },
            keepApart,
        ));
});

describe("Listing the pages of an exported site from a program", () => {
    it("returns the public pages in reading order, with their descriptions", () =>
        withAnsweredSite(siteWithReaders, async (site) => {
            assert.deepEqual((await site.pages()).slice(0, 2), [
                { path: "/", title: "Home", description: "Where to begin." },
                { path: "/guides/start", title: "Start" },
            ]);
        }));

    it("returns all pages even if llms.txt is too short to list them", () => {
        const names = Array.from({ length: 600 }, (_, at) => `p${at}`);
        const title = "A long title ".repeat(20);
        const navigation = { languages: ["en", "fr"].map((language) => ({ language, pages: [language] })) };
        const files = {
            "docs.json": JSON.stringify({ navigation, seo: { indexing: "all" } }),
            ...Object.fromEntries(["en", "fr", ...names].map((name) => [`${name}.md`, `# ${title}${name}\n`])),
        };
        return withAnsweredSite(files, async (site) => {
            assert.equal((await site.publicText("llms.txt"))?.includes("p599"), false);
            const paths = (await site.pages()).map(({ path }) => path);
            assert.deepEqual([paths[0], paths[1], paths.length], ["/en", "/fr", 602]);
        });
    });

    it("reads llms.txt if the site, such as an older export, contains no list of pages", () =>
        withAnsweredSite(siteWithReaders, async (site, outDir) => {
            for (const text of ["{", '{"pages":[["a"]]}', '{"pages":[["a",{}]]}', "null"]) {
                await writeFile(join(outDir, "static-export/pages-1.json"), text);
                assert.deepEqual(
                    (await site.pages()).map(({ path }) => path),
                    [],
                );
            }
            await rm(join(outDir, "static-export/pages-1.json"));
            assert.deepEqual(
                (await site.pages()).map(({ path }) => path),
                ["/", "/guides/start"],
            );
        }));

    it("omits the base path of a site that is served under a path", () =>
        withAnsweredSite(
            siteWithReaders,
            async (site) => {
                assert.deepEqual(
                    (await site.pages()).map(({ path }) => path),
                    ["/", "/guides/start"],
                );
            },
            { domain: "example.com/docs" },
        ));

    it("appends the private pages that the reader may read", () =>
        withAnsweredSite(
            siteWithReaders,
            async (site) => {
                const list = async (reader?: Reader) => (await site.pages(reader)).map(({ title }) => title);
                assert.deepEqual(await list(), ["Home", "Start"]);
                assert.deepEqual(await list({ groups: ["b"] }), ["Home", "Start", "Plan B", "Members"]);
            },
            keepApart,
        ));
});

describe("A site from an untrusted source", () => {
    it("is refused if its access.json is unreadable, because private pages would become public", () =>
        withAnsweredSite(
            siteWithReaders,
            async (_, outDir) => {
                for (const text of [
                    "{",
                    "[]",
                    '{"formatVersion":2,"files":{}}',
                    '{"formatVersion":1,"files":{"a":"b"}}',
                ]) {
                    await writeFile(join(outDir, "access.json"), text);
                    await assert.rejects(
                        ExportedSite.open(new FolderFiles(outDir)),
                        /access\.json does not have format/,
                    );
                }
            },
            keepApart,
        ));

    it("hides its private pages even if its access.json is large", () =>
        withAnsweredSite(
            siteWithReaders,
            async (_, outDir) => {
                const file = join(outDir, "access.json");
                const rules = JSON.parse(await readFile(file, "utf8")) as { files: object };
                const further = Array.from({ length: 50 }, (__, at) => [`${at}-${"x".repeat(200_000)}.html`, []]);
                const files = { ...rules.files, ...(Object.fromEntries(further) as object) };
                await writeFile(file, JSON.stringify({ ...rules, files }));
                assert.ok((await stat(file)).size > 8 * 1024 * 1024);
                const site = await ExportedSite.open(new FolderFiles(outDir));
                assert.equal(await site.page("/only-a"), undefined);
                await truncate(file, 65 * 1024 * 1024);
                await assert.rejects(ExportedSite.open(new FolderFiles(outDir)), /access\.json is larger than/);
            },
            keepApart,
        ));

    it("is read without executing its scripts", () =>
        withAnsweredSite(siteWithReaders, async (_, outDir) => {
            const scope = join(outDir, "static-export/search/0/scope.js");
            await writeFile(scope, 'staticExportSearch("0/scope",(globalThis.hacked=true,{"names":[]}));\n');
            const site = await ExportedSite.open(new FolderFiles(outDir));
            await assert.rejects(site.search({ query: "walrus", max: 1 }), /cannot be read\. Export the site again/);
            assert.equal("hacked" in globalThis, false);
        }));

    it("is refused if it is not an export", () =>
        assert.rejects(ExportedSite.open(new FolderFiles("tests/answer")), /not an exported site/));
});
