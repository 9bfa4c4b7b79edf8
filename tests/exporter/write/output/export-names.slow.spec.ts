import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { downloadBundle } from "@pulumi-static-export/sdk";
import fc from "fast-check";
import { SiteError } from "../../../../exporter/src/problems/site-error.js";
import { exportSite, type ExportSiteOptions } from "../../../../exporter/src/write/export-site.js";
import { scaled } from "../../../scale.js";
import { failureOf, type Files, listFiles, withFolder, writeFiles } from "../../support/site-fixture.js";

const domain = "docs.example.com";
const numRuns = scaled({ short: 25, long: 150 });

/**
 * Exports a site to a folder and to an archive, unpacks the archive as pods do, and compares the files.
 * @returns the files, or undefined if the site was refused
 */
async function exportedFiles(
    files: Files,
    options: Partial<ExportSiteOptions> = {},
): Promise<readonly string[] | undefined> {
    return withFolder(async (folder) => {
        const at = (name: string) => join(folder, "deep", "deep", name);
        await writeFiles(at("site"), files);
        const before = await listFiles(folder);
        const archivePath = at("bundle.tar.gz");
        try {
            await exportSite({ sourceDir: at("site"), archivePath, domain, ...options });
        } catch (error) {
            assert.ok(error instanceof SiteError, String((error as Error).stack));
            return undefined;
        }
        await exportSite({ sourceDir: at("site"), outDir: at("out"), domain, ...options });
        await downloadBundle("https://bundles.example.com/bundle.tar.gz", at("unpacked"), {
            fetch: () => Promise.resolve({ status: 200, headers: new Headers(), body: createReadStream(archivePath) }),
        });
        const inOutput = await listFiles(at("out"));
        assert.deepEqual(await listFiles(at("unpacked")), inOutput);
        const outside = (await listFiles(folder)).filter((file) => !/^deep\/deep\/(?:out|unpacked)\//.test(file));
        assert.deepEqual(outside, [...before, "deep/deep/bundle.tar.gz"].sort());
        return inOutput;
    });
}

const odd = [
    ...[
        "..",
        ".",
        "",
        "../../esc",
        "a/../../../esc",
        "/etc",
        "//",
        "./x",
        "x/./y",
        "C:/x",
        "c:",
        "a\\b",
        "..\\..\\esc",
    ],
    ...[
        ".git/hooks",
        ".well-known",
        "_private/1",
        "static-export",
        "static-export/search",
        "node_modules",
        "access.json",
    ],
    ...[
        "bundle.json",
        "index",
        "404",
        "robots.txt",
        "llms.txt",
        "sitemap.xml",
        "guide.html",
        "guide.md",
        "guide/rss.xml",
    ],
    ...[
        "a\u0000b",
        "a\nb",
        "\u001b[2J",
        "\u007f",
        "\ud800",
        "e\u0301",
        "日本".repeat(60),
        "word ".repeat(90),
        "x".repeat(400),
    ],
    ...[
        "d/".repeat(70),
        `${"d/".repeat(62)}x`,
        `${"long-".repeat(40)}/`.repeat(12),
        "con",
        "aux.html",
        "a:b",
        "🙂".repeat(80),
    ],
];
const name = fc.oneof(
    fc.constantFrom(...odd),
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom("api", "guide"),
);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));

const operation = fc.record(
    {
        summary: name,
        operationId: name,
        tags: fc.array(name, { maxLength: 2 }),
        "x-mint": fc.record({ href: path, metadata: fc.record({ title: name }) }, { requiredKeys: [] }),
        responses: fc.constant({}),
    },
    { requiredKeys: ["responses"] },
);
const operations = fc.dictionary(fc.constantFrom("get", "post"), operation, { minKeys: 1 });
const site = fc.record({
    directories: fc.tuple(path, path, path),
    paths: fc.dictionary(
        path.map((each) => `/${each}`),
        operations,
        { minKeys: 1, maxKeys: 4 },
    ),
    webhooks: fc.dictionary(name, operations, { maxKeys: 2 }),
    channels: fc.dictionary(name, fc.record({ title: name, address: path }, { requiredKeys: [] }), { maxKeys: 2 }),
    sources: fc.array(path, { maxLength: 3 }),
    basePath: fc.constantFrom(undefined, "docs", "access.json", "_private/1"),
    privatePages: fc.constantFrom("leave-out" as const, "keep-apart" as const),
});

describe("the names of an export", () => {
    it("are accepted by the reader of bundles whenever the export completes, and never leave the output", async () => {
        await fc.assert(
            fc.asyncProperty(site, async ({ directories: [all, ofGroup, ofChannels], ...given }) => {
                const { paths, webhooks, channels, sources, basePath, privatePages } = given;
                const openapi = { openapi: "3.1.0", info: { title: "T", version: "1" }, paths, webhooks };
                const asyncapi = { asyncapi: "3.0.0", info: { title: "T", version: "1" }, channels };
                const settings = {
                    api: { openapi: { source: "o.json", directory: all } },
                    navigation: {
                        groups: [
                            { group: "Start", pages: ["index", "guide", `GET ${Object.keys(paths)[0]}`] },
                            { group: "API", openapi: { source: "o.json", directory: ofGroup } },
                            { group: "Events", asyncapi: { source: "a.json", directory: ofChannels } },
                        ],
                    },
                    redirects: sources.map((source) => ({ source: `/${source}`, destination: "/guide" })),
                };
                const files = {
                    "index.md": "# Start",
                    "guide.mdx": '---\nrss: true\n---\n\n<Update label="2026-01-01">New</Update>\n',
                    "secret.md": "---\ngroups: [staff]\n---\n# Secret",
                    "o.json": JSON.stringify(openapi),
                    "a.json": JSON.stringify(asyncapi),
                    "docs.json": JSON.stringify(settings),
                };
                await exportedFiles(files, { privatePages, ...(basePath !== undefined && { basePath }) });
            }),
            { numRuns },
        );
    });

    const home = { "index.md": "# Home" };
    const clashes: [string, Files, RegExp][] = [
        ["a page and a folder", { "a.md": "# A", "a.html/b.md": "# B" }, /^a\.md: .* file and a folder .* a\.html/],
        ["a page's feed and a folder", { "a.md": "# A", "a/rss.xml/b.md": "# B" }, /^a\.md: .* a\/rss\.xml/],
        ["a file and the export's folder", { "static-export": "x" }, /^static-export: .* file and a folder/],
        ["a generated file and a folder", { "robots.txt/b.md": "# B" }, /^robots\.txt: .* file and a folder/],
    ];
    for (const [what, files, message] of clashes) {
        it(`cannot be shared by ${what}: the export fails`, async () => {
            assert.match(await failureOf({ ...home, ...files }), message);
        });
    }

    it("of a redirect give way to pages and files", async () => {
        const sources = [
            "/a.html/x",
            "/old.html/x",
            "/old",
            "/.git/x",
            "/_private/1/x",
            "/llms.txt/x",
            "/bundle.json/x",
        ];
        const redirects = sources.map((source) => ({ source, destination: "/a" }));
        const settings = { navigation: { pages: ["index", "a"] }, redirects };
        const found = await exportedFiles({ ...home, "a.md": "# A", "docs.json": JSON.stringify(settings) });
        assert.deepEqual(
            found?.filter((file) => /\/x\.html|^old/.test(file)),
            ["bundle.json/x.html", "old.html/x.html"],
        );
    });

    it("of skills are unique: two main files in one folder fail the export", async () => {
        const skill = (named: string) => `---\nname: ${named}\ndescription: d\n---\n`;
        const folder = ".mintlify/skills/s";
        const files = { ...home, [`${folder}/SKILL.md`]: skill("one"), [`${folder}/skill.md`]: skill("two") };
        assert.match(await failureOf(files), /two files with this name/);
    });

    it("of files in a bundle are checked below the base path, too", async () => {
        const deep = Array.from({ length: 63 }, (_, level) => `d${level}`).join("/");
        const files = { ...home, [`${deep}/a.txt`]: "x" };
        assert.ok((await exportedFiles(files))?.includes(`${deep}/a.txt`));
        assert.match(await failureOf(files, { basePath: "docs" }), /more than 64 levels/);
    });

    it("do not let a file replace the page that is generated from a document", async () => {
        const document = { openapi: "3.1.0", info: {}, paths: { "/a": { get: { summary: "Get", responses: {} } } } };
        const files = {
            ...home,
            "o.json": JSON.stringify(document),
            "api-reference/get.html": "own",
            "docs.json": JSON.stringify({
                navigation: {
                    groups: [
                        { group: "G", pages: ["index"] },
                        { group: "A", openapi: "o.json" },
                    ],
                },
            }),
        };
        await withFolder(async (folder) => {
            await writeFiles(join(folder, "site"), files);
            const options = { sourceDir: join(folder, "site"), outDir: join(folder, "out"), domain };
            const { warnings } = await exportSite(options);
            assert.deepEqual(
                warnings.map(({ file, reason }) => `${file}: ${reason}`),
                ["api-reference/get.html: o.json is exported under the same name, so this file is left out"],
            );
            assert.match(await readFile(join(folder, "out/api-reference/get.html"), "utf8"), /<h1/);
        });
    });
});
