import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Readable } from "node:stream";
import { readEvents } from "../../../../cli/src/preview/log/read-events.js";
import { renderMarkdown } from "../../../../cli/src/report/markdown.js";
import { createWritableReport, type WritableReport } from "../../../../cli/src/report/write-report.js";

const folder = fileURLToPath(new URL("../", import.meta.url));
/** Set to write what is found instead of comparing with it. */
const isRecording = process.env["RECORD_PREVIEWS"] === "1";

export const commit = "0123456789abcdef0123456789abcdef01234567";

export async function reportOf(log: string): Promise<WritableReport> {
    return createWritableReport(await readEvents(Readable.from([log]), "The log"), {}, {});
}

/** The comment that a log leads to. */
export async function markdownOf(log: string): Promise<string> {
    const { report, clean } = await reportOf(log);
    return renderMarkdown(report, clean, { commit });
}

/** The recorded log, which specs without an engine read. */
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
 * Compares what the engine says today with the golden comment of the recorded log, job ids apart: were the two to
 * differ, the recorded log would no longer be what an engine says.
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
