import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KnownFiles, type PageFile } from "../../../exporter/src/plan/known-files.js";

const nowMs = 1_800_000_000_000;
/** @param ns nanoseconds within the second */
const identityAt = (changedMs: number, ns = 0) => `1 2 3 4 ${BigInt(changedMs) * 1_000_000n + BigInt(ns)}`;
const digestOf = (text: string) => createHash("sha256").update(text).digest("base64");
const page: PageFile = {
    meta: { title: "Start", values: { limit: Number.POSITIVE_INFINITY } },
    problems: [{ line: undefined, reason: "the page is empty" }],
    hasSource: true,
    heading: undefined,
    digest: "digest",
};

interface SeenFile {
    readonly text: string;
    readonly identity: string;
    readonly page?: PageFile;
    readonly context?: string;
}

/** Exports the site once in each state. @returns for each export: whether it read the file, and what it knew of it */
async function exportsOf(...seen: SeenFile[]) {
    const folder = await mkdtemp(join(tmpdir(), "known-files-"));
    const done = () => Promise.resolve();
    try {
        const results: { wasRead: boolean; digest: string; page: PageFile | undefined }[] = [];
        for (const { text, identity, page: added, context = "settings" } of seen) {
            const known = KnownFiles.open(folder, "docs.example.com", () => nowMs);
            let wasRead = false;
            const { digest } = known.stateOf("start.md", identity, () => {
                wasRead = true;
                return { identity, digest: digestOf(text) };
            });
            known.setContext(context);
            results.push({ wasRead, digest, page: known.pageOf("start.md") });
            if (added !== undefined) {
                known.addPage("start.md", added);
            }
            await known.save(done);
            known.close();
        }
        return results;
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

describe("The files of the last export", () => {
    const old = { text: "# Start", identity: identityAt(nowMs - 60_000), page };

    it("are not read again while they are unchanged", async () => {
        const [first, second, third] = await exportsOf(old, old, { ...old, identity: identityAt(nowMs - 50_000) });
        assert.deepEqual([first?.wasRead, second?.wasRead, third?.wasRead], [true, false, true]);
        assert.deepEqual(second?.digest, digestOf("# Start"));
        assert.deepEqual(second?.page, page);
    });

    it("are read again if a later change could have the same time on their disk", async () => {
        const isReadAgain = async (identity: string) => {
            const [, second] = await exportsOf({ ...old, identity }, { ...old, identity });
            return second?.wasRead;
        };
        assert.equal(await isReadAgain(identityAt(nowMs - 2000)), true);
        assert.equal(await isReadAgain(identityAt(nowMs - 3000)), false);
        assert.equal(await isReadAgain(identityAt(nowMs - 90, 500)), true);
        assert.equal(await isReadAgain(identityAt(nowMs - 110, 500)), false);
    });

    it("are parsed again if their text or the context has changed", async () => {
        const touched = { ...old, identity: identityAt(nowMs - 50_000) };
        const changed = { text: "# Other", identity: identityAt(nowMs - 40_000) };
        const [, same, other] = await exportsOf(old, touched, changed);
        assert.deepEqual([same?.page, other?.page], [page, undefined]);
        const [, settings] = await exportsOf(old, { ...old, context: "other settings" });
        assert.equal(settings?.page, undefined);
    });
});
