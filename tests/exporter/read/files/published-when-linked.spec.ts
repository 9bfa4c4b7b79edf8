import assert from "node:assert/strict";
import { config } from "../../support/one-page.js";
import { withExport } from "../../support/site-fixture.js";

const secret = "admin_0123456789abcdef";

describe("The files for a repository's contributors", () => {
    it("are not exported as pages, but pages with similar names are exported", async () => {
        await withExport(
            {
                "docs.json": config(),
                "a.mdx": "# A\n\n[Changes](/changelog), [Claude](/connect/claude), [safety](/run/security)",
                "changelog.mdx": "# Changelog",
                "connect/claude.md": "# Connect Claude",
                "run/security.mdx": "# Security",
                "README.mdx": "# For authors",
                "CHANGELOG.md": "# For authors",
                "Contributing.md": "# For authors",
                "SECURITY.md": "# For authors",
                "run/AGENTS.md": "# For authors",
                "CLAUDE.md": "# For authors",
            },
            async (site) => {
                const pages = (await site.files()).filter((file) => /^(?!404|index).*html$/.test(file));
                assert.deepEqual(pages, ["a.html", "changelog.html", "connect/claude.html", "run/security.html"]);
                assert.doesNotMatch(await site.read("index.html"), /For authors/);
            },
        );
    });
});

describe("GitBook's hidden folder", () => {
    const files = {
        "index.md": "# Home\n\n![A plan](<.gitbook/assets/plan (1).svg>)\n\n[Notes](guide/.gitbook/assets/notes.md)",
        ".gitbook/assets/plan (1).svg": "<svg/>",
        ".gitbook/assets/unused.svg": "<svg/>",
        ".gitbook/vars.yaml": secret,
        ".gitbook/tests/a.md": secret,
        "guide/.gitbook/assets/notes.md": "# Notes",
        "other/.gitbook": secret,
    };

    it("publishes only pictures and downloads that pages link to", async () => {
        await withExport(files, async (site) => {
            const published = (await site.files()).filter((file) => file.includes(".gitbook"));
            assert.deepEqual(published, [".gitbook/assets/plan (1).svg", "guide/.gitbook/assets/notes.md"]);
            assert.match(await site.read("index.html"), /<img src="\.gitbook\/assets\/plan%20\(1\)\.svg" alt="A plan"/);
            assert.deepEqual(site.warnings, []);
        });
    });
});

describe("Pictures in folders whose names begin with _", () => {
    it("are published if pages link to them, without the drafts next to them", async () => {
        await withExport(
            {
                "index.md": "# Home\n\n![A plan](_media/plan.svg) [draft](_drafts/plan.md)",
                "_media/plan.svg": "<svg/>",
                "_media/unused.svg": "<svg/>",
                "_media/.env": secret,
                "_drafts/plan.md": secret,
                "_drafts/plan.json": secret,
                _redirects: "/a /b",
            },
            async (site) => {
                const published = (await site.files()).filter((file) => file.includes("_"));
                assert.deepEqual(published, ["_media/plan.svg"]);
                assert.deepEqual(
                    site.warnings.map(({ reason }) => reason),
                    ["the link _drafts/plan.md leads to no page and no file of this site"],
                );
            },
        );
    });
});
