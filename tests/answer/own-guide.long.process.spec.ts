import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExportedSite, FolderFiles } from "@pulumi-static-export/answer";
import { run } from "../cli/support/command.js";
import { root } from "../docs/support/documents.js";

/** Questions in a reader's words, written before the ranking was changed, each with the pages that answer it. */
const questions: readonly (readonly [question: string, ...pages: string[]])[] = [
    ["how do I cancel a running export", "/reference/command"],
    ["rollback to the previous version", "/guides/roll-back", "/guides/any-static-host"],
    ["port already in use", "/guides/troubleshooting", "/guides/self-hosted-service", "/reference/command"],
    ["search is slow or empty", "/guides/troubleshooting", "/guides/docs-json"],
    ["what happens if my laptop dies during pulumi up", "/guides/troubleshooting", "/guides/pipelines"],
    ["how do I keep some pages private for employees", "/guides/private-pages"],
    ["deploy docs to a kubernetes cluster", "/guides/kubernetes"],
    ["use azure blob storage instead of s3", "/reference/bucket-site", "/guides/any-static-host"],
    ["write the program in python", "/guides/every-language", "/own-project"],
    ["show a preview comment on a pull request", "/guides/pull-request-checks", "/reference/preview-report"],
    ["let chatgpt or claude search my documentation", "/guides/readers-and-agents"],
    ["which environment variables can I set", "/reference/settings"],
    ["single sign-on for the dashboard", "/guides/dashboard"],
    ["run several instances for high availability", "/guides/one-machine-or-many", "/guides/service-on-kubernetes"],
    ["restore from a backup", "/guides/restore-and-regions"],
    ["publish a docusaurus site", "/guides/your-builder"],
    ["get alerted when an export fails", "/guides/alerts"],
    [
        "how long is the download link valid",
        "/how-exports-work",
        "/reference/static-export-bundle",
        "/reference/admin-api",
    ],
    ["does it work with github actions", "/guides/pipelines", "/guides/pull-request-checks"],
    ["print the documentation as pdf", "/guides/readers-and-agents"],
];

describe("The search over this project's guide", function () {
    this.timeout(10 * 60_000);

    it("shows the right page first for most questions, and among the first four for nearly all", async () => {
        const folder = await mkdtemp(join(tmpdir(), "static-export-guide-"));
        try {
            const built = await run(folder, ["build", join(root, "docs"), "--output", "site"]);
            assert.equal(built.exitCode, 0, built.stderr);
            const site = await ExportedSite.open(new FolderFiles(join(folder, "site")));
            const ranks: number[] = [];
            for (const [query, ...pages] of questions) {
                const hits = await site.search({ query, max: 20 });
                const found = [...new Set(hits.map(({ path }) => path.replace(/#.*/, "")))];
                ranks.push(found.findIndex((path) => pages.includes(path)));
            }
            const [first, four] = [1, 4].map((count) => ranks.filter((rank) => rank >= 0 && rank < count).length);
            console.log(`      ${first} of ${questions.length} first, ${four} among four`);
            assert.ok(first! >= 0.6 * questions.length && four! >= 0.85 * questions.length);
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
    });
});
