import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mostPagesOfSeveralWorkers, pagesOfAWorker } from "../../exporter/src/write/workers/groups-ahead.js";
import { replayFreshForMs } from "../../provider/src/jobs/job-task.js";
import { maxPatterns } from "../../sdk/src/pod/write-redirect-maps.js";
import { root } from "./support/documents.js";

const count = (value: number) => value.toLocaleString("en-US");

/** Sentences of the guide, with the values that the programs use. */
const sentences: readonly (readonly [page: string, sentence: string])[] = [
    ["docs/guides/kubernetes.md", `Patterns beyond ${count(maxPatterns)} do not redirect.`],
    [
        "docs/reference/command.md",
        `used for ${count(2 * pagesOfAWorker)} or more new pages of a site with at most ${count(mostPagesOfSeveralWorkers)} pages`,
    ],
    ["docs/guides/pipelines.md", `it finds an update for ${replayFreshForMs / 60_000} minutes after its end`],
    ["docs/guides/pipelines.md", `agent job until ${replayFreshForMs / 60_000} minutes after its creation`],
];

describe("A number in the guide", () => {
    for (const [page, sentence] of sentences) {
        it(`is the program's own: ${sentence}`, () => {
            const text = readFileSync(join(root, page), "utf8").replace(/\s+/g, " ");
            assert.ok(text.includes(sentence), `${page} does not say so`);
        });
    }
});
