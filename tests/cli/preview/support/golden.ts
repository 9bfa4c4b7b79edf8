import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Readable } from "node:stream";
import { readEvents } from "../../../../cli/src/preview/log/read-events.js";
import { renderMarkdown } from "../../../../cli/src/report/markdown.js";
import { createWritableReport, type WritableReport } from "../../../../cli/src/report/write-report.js";

const folder = fileURLToPath(new URL("../", import.meta.url));
/** If set, the results are written instead of compared. */
const isRecording = process.env["RECORD_PREVIEWS"] === "1";

export const commit = "0123456789abcdef0123456789abcdef01234567";

export async function reportOf(log: string): Promise<WritableReport> {
    return createWritableReport(await readEvents(Readable.from([log]), "The log"), {}, {});
}

/** The comment for a log. */
export async function markdownOf(log: string): Promise<string> {
    const { report, clean } = await reportOf(log);
    return renderMarkdown(report, clean, { commit });
}

/** The recorded log, for specs without an engine. */
export function readFixture(name: string): Promise<string> {
    return readFile(`${folder}fixtures/${name}.jsonl`, "utf8");
}

export async function assertGolden(name: string, markdown: string): Promise<void> {
    const file = `${folder}golden/${name}.md`;
    if (isRecording) {
        await writeFile(file, markdown);
    }
    assert.equal(markdown, await readFile(file, "utf8"));
}

/**
 * Compares the comment for the engine's current output with the golden comment of the recorded log, except job ids: a
 * difference means that the recorded log is outdated.
 */
export async function assertRecorded(name: string, log: string): Promise<void> {
    const stable = withStableJobs(log);
    if (isRecording) {
        await writeFile(`${folder}fixtures/${name}.jsonl`, stable);
    }
    await assertGolden(name, await markdownOf(stable));
}

function withStableJobs(log: string): string {
    const jobs = [...new Set(log.match(/se_[0-9a-f]{24}/g))];
    return jobs.reduce((text, job, index) => text.replaceAll(job, `se_${index + 1}`), log);
}
