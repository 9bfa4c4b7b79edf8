import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { exportSite } from "../../../../exporter/src/write/export-site.js";
import { type Files, listFiles, warningsOf, withExport, withFolder, writeFiles } from "../../support/site-fixture.js";

const skill = (name: string, more = "") => `---\nname: ${name}\ndescription: Of ${name}.\n${more}---\n\n# ${name}\n`;

const site: Files = {
    "docs.json": JSON.stringify({ name: "Docs", navigation: { pages: ["index"] } }),
    "index.md": "# Home\n",
    "skill.md": skill("My Product"),
    ".mintlify/skills/pay/SKILL.md": skill("payments"),
    ".mintlify/skills/pay/scripts/run.sh": "echo\n",
    ".mintlify/other.json": "{}",
};

interface Index {
    readonly skills: readonly { readonly [key: string]: unknown }[];
}

describe("the skills of a site", () => {
    it("are listed with digests, following the published specification", () =>
        withExport(site, async ({ read }) => {
            const index = JSON.parse(await read(".well-known/agent-skills/index.json")) as Index;
            const entry = (name: string, description: string, text: string) => ({
                name,
                type: "skill-md",
                description,
                url: `/.well-known/agent-skills/${name}/SKILL.md`,
                digest: `sha256:${createHash("sha256").update(text).digest("hex")}`,
            });
            assert.deepEqual(index, {
                $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
                skills: [
                    entry("my-product", "Of My Product.", site["skill.md"] ?? ""),
                    entry("payments", "Of payments.", site[".mintlify/skills/pay/SKILL.md"] ?? ""),
                ],
            });
            for (const { url } of index.skills) {
                assert.match(await read(String(url).slice(1)), /^---\nname: /);
            }
        }));

    it("are listed for clients of the previous specification, with the other files of their folders", () =>
        withExport(site, async ({ read, files }) => {
            const { skills } = JSON.parse(await read(".well-known/skills/index.json")) as Index;
            assert.deepEqual(
                skills.map(({ name, files: own }) => [name, own]),
                [
                    ["my-product", ["SKILL.md"]],
                    ["payments", ["SKILL.md", "scripts/run.sh"]],
                ],
            );
            assert.equal(await read(".well-known/skills/payments/scripts/run.sh"), "echo\n");
            assert.equal(await read(".well-known/agent-skills/payments/scripts/run.sh"), "echo\n");
            assert.deepEqual(
                (await files()).filter((file) => /mintlify|other\.json|skill\.html/.test(file)),
                [],
            );
        }));

    it("include the root's skill unchanged as skill.md, or else the only skill", async () => {
        await withExport(site, async ({ read }) => assert.equal(await read("skill.md"), site["skill.md"]));
        const { "skill.md": _own, ...others } = site;
        await withExport(others, async ({ read }) =>
            assert.equal(await read("skill.md"), site[".mintlify/skills/pay/SKILL.md"]),
        );
    });

    it("do not include a page that is named skill", () =>
        withExport({ "index.md": "# A\n", "skill.md": "# Skill\n" }, async ({ read, files }) => {
            assert.match(await read("skill.html"), /Skill/);
            assert.equal(
                (await files()).some((file) => file.includes("skills/")),
                false,
            );
        }));

    it("are left out with a warning if they are for certain readers or have no valid name", async () => {
        const files = {
            ...site,
            ".mintlify/skills/admin/SKILL.md": skill("admin", "groups: [narwhal]\n"),
            ".mintlify/skills/none/SKILL.md": "# None\n",
            ".mintlify/skills/twice/SKILL.md": skill("Payments"),
        };
        await withExport(
            files,
            async ({ outDir, read }) => {
                assert.equal(
                    (await listFiles(outDir)).some((file) => file.includes("admin")),
                    false,
                );
                assert.doesNotMatch(await read(".well-known/agent-skills/index.json"), /admin|none/i);
            },
            { privatePages: "keep-apart" },
        );
        assert.deepEqual(await warningsOf(files), [
            ".mintlify/skills/admin/SKILL.md: this skill is for certain readers, so it is left out",
            ".mintlify/skills/none/SKILL.md: a skill needs a name and a description in its front matter, so this file " +
                "is left out",
            ".mintlify/skills/twice/SKILL.md: .mintlify/skills/pay/SKILL.md is already the skill payments, so this " +
                "file is left out",
        ]);
    });

    it("can be linked from another folder of the site, but not from outside of the site", () =>
        withFolder(async (folder) => {
            const [sourceDir, outDir] = [join(folder, "site"), join(folder, "out")];
            await writeFiles(sourceDir, { "index.md": "# A\n", "tools/pay/SKILL.md": skill("pay") });
            await writeFiles(join(folder, "outside"), { "x/SKILL.md": skill("narwhal") });
            await mkdir(join(sourceDir, ".mintlify"));
            await symlink("../tools", join(sourceDir, ".mintlify/skills"));
            await symlink("../../outside", join(sourceDir, "tools/outside"));
            await exportSite({ sourceDir, outDir, domain: "docs.example.com" });
            const files = await listFiles(join(outDir, ".well-known/agent-skills"));
            assert.deepEqual(files, ["index.json", "pay/SKILL.md"]);
        }));

    it("have addresses under the site's path, and can also be found at the root of the domain", () =>
        withExport(
            site,
            async ({ read }) => {
                const index = await read("docs/.well-known/agent-skills/index.json");
                assert.match(index, /"url": "\/docs\/\.well-known\/agent-skills\/payments\/SKILL\.md"/);
                assert.equal(await read(".well-known/agent-skills/index.json"), index);
            },
            { basePath: "docs" },
        ));
});

describe("the discovery of a site's MCP server", () => {
    it("names the server's address, and is missing without a server or a domain", async () => {
        await withExport(
            site,
            async ({ read }) => {
                const { url, transport, servers } = JSON.parse(await read(".well-known/mcp.json")) as {
                    [key: string]: unknown;
                };
                const address = "https://docs.example.com/mcp";
                assert.deepEqual([url, transport], [address, "http"]);
                assert.deepEqual(servers, [
                    { name: "public", url: address, transport: "http", authentication: "none" },
                ]);
                const card = JSON.parse(await read(".well-known/mcp/server-card.json")) as { [key: string]: unknown };
                assert.deepEqual([card.name, card.url], ["Docs", address]);
            },
            { answer: true },
        );
        for (const options of [{}, { answer: true, domain: "localhost" }]) {
            await withExport(
                site,
                async ({ files }) =>
                    assert.deepEqual(
                        (await files()).filter((file) => file.includes("mcp")),
                        [],
                    ),
                options,
            );
        }
    });
});
