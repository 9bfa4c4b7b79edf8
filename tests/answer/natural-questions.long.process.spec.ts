import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExportedSite, FolderFiles } from "@pulumi-static-export/answer";
import { run } from "../cli/support/command.js";
import { root } from "../docs/support/documents.js";
import { type Question } from "./support/asked-site.js";
import { askedSites } from "./support/natural-questions.js";

interface Site {
    readonly folder: string;
    readonly search: (query: string) => Promise<string[]>;
}

describe("The search over three sites, for questions in readers' words", function () {
    this.timeout(10 * 60_000);
    let scratch: string;
    const sites: Site[] = [];

    before(async () => {
        scratch = await mkdtemp(join(tmpdir(), "static-export-questions-"));
        for (const [number, { folder: source }] of askedSites.entries()) {
            const built = await run(scratch, ["build", join(root, source), "--output", `site-${number}`]);
            assert.ok(built.exitCode === 0, built.stderr);
            const folder = join(scratch, `site-${number}`);
            const site = await ExportedSite.open(new FolderFiles(folder));
            const search = async (query: string) => {
                const hits = await site.search({ query, max: 20 });
                return [...new Set(hits.map(({ path }) => path.replace(/#.*/, "")))];
            };
            sites.push({ folder, search });
        }
    });

    after(() => rm(scratch, { recursive: true, force: true }));

    it("shows the right page first for three quarters of the known questions", async () => {
        const { first, four } = await share("known");
        assert.ok(first >= 0.75 && four >= 0.85, `${first} first, ${four} among the first four`);
    });

    it("shows the right page among the first four for nearly all unseen questions, and first for most", async () => {
        const { first, four } = await share("unseen");
        assert.ok(first >= 0.55 && four >= 0.85, `${first} first, ${four} among the first four`);
    });

    /** Returns the share of questions with the right page first, and among the first four. */
    async function share(set: "known" | "unseen"): Promise<{ first: number; four: number }> {
        const ranks = await Promise.all(
            askedSites.flatMap((site, number) => site[set].map((question) => rankOf(sites[number]!, question))),
        );
        const [first = 0, four = 0] = [1, 4].map((count) => ranks.filter((rank) => rank >= 0 && rank < count).length);
        console.log(`      ${set}: ${first} of ${ranks.length} first, ${four} among the first four`);
        return { first: first / ranks.length, four: four / ranks.length };
    }
});

async function rankOf({ folder, search }: Site, [query, ...pages]: Question): Promise<number> {
    for (const page of pages) {
        assert.ok(existsSync(join(folder, `${page}.html`)), `${page} does not exist`);
    }
    return (await search(query)).findIndex((path) => pages.includes(path));
}
