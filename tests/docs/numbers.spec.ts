import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { maxNameBytes, maxNameLevels, maxPartBytes } from "../../contract/src/files/entry-name.js";
import { maxPageBytes } from "../../exporter/src/read/files/found-files.js";
import { mostPagesOfSeveralWorkers, pagesOfAWorker } from "../../exporter/src/write/workers/groups-ahead.js";
import { replayFreshForMs } from "../../provider/src/jobs/job-task.js";
import { maxPatterns } from "../../sdk/src/pod/write-redirect-maps.js";
import { limitTable, optionTable } from "../../service/src/options/option-table.js";
import { minSecretCharacters } from "../../service/src/output/secret-forms.js";
import { documents, root } from "./support/documents.js";

const count = (value: number) => value.toLocaleString("en-US");
const word = (value: number) => ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"][value];
const pageMebibytes = maxPageBytes / 1024 ** 2;
const pageSeconds = limitTable.pageTimeoutSeconds.default;
const replayMinutes = replayFreshForMs / 60_000;
const secret = `if they have ${word(minSecretCharacters)} or more characters`;

/** Sentences of the guide, with the values that the programs use. */
const sentences: readonly (readonly [page: string, sentence: string])[] = [
    ["guides/kubernetes.md", `Patterns beyond ${count(maxPatterns)} do not redirect.`],
    [
        "reference/command.md",
        `used for ${count(2 * pagesOfAWorker)} or more new pages of a site with at most ${count(mostPagesOfSeveralWorkers)} pages`,
    ],
    ["guides/pipelines.md", `it finds an update for ${replayMinutes} minutes after its end`],
    ["guides/pipelines.md", `agent job until ${replayMinutes} minutes after its creation`],
    ["guides/your-builder.md", `Logs hide these values, ${secret}`],
    ["guides/agent-jobs.md", `Logs omit these values, ${secret}`],
    ["guides/writing-pages.md", `if a page is larger than ${pageMebibytes} MiB`],
    [
        "guides/writing-pages.md",
        `more than ${maxPartBytes} bytes in a part, ${maxNameBytes} bytes or ${maxNameLevels} levels in all`,
    ],
    [
        "guides/what-the-service-trusts.md",
        `A page of Markdown may have at most ${pageMebibytes} MiB and take at most ${pageSeconds} seconds of CPU time.`,
    ],
];

/** The defaults of the service's options, by option. */
const defaults = new Map(
    Object.values({ ...limitTable, ...optionTable } as Record<string, { flag?: string; default?: unknown }>).map(
        ({ flag = "", default: value }) => [flag.split(" ", 1)[0], value],
    ),
);

describe("A number in the guide", () => {
    for (const [page, sentence] of sentences) {
        it(`is the program's own: ${sentence}`, () => {
            const text = readFileSync(join(root, "docs", page), "utf8").replace(/\s+/g, " ");
            assert.ok(text.includes(sentence), `docs/${page} does not say so`);
        });
    }

    it("after an option of the service is the option's default", () => {
        const found = documents.flatMap((document) =>
            [
                ...readFileSync(join(root, document), "utf8").matchAll(
                    /`(--[a-z-]+)[^`\n]*`[a-z\s]{0,20}\((\d+)(?: by default[^)]*)?\)/g,
                ),
            ].map(([, option, number]) => ({ document, option, number: Number(number) })),
        );
        assert.ok(found.length >= 4, "the guide names no defaults any more");
        assert.deepEqual(
            found.filter(({ option, number }) => defaults.get(option) !== number),
            [],
        );
    });
});
