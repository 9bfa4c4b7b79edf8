import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KnownFiles, type KnownPage } from "../../../exporter/src/plan/known-files.js";

const nowMs = 1_800_000_000_000;
const identityAt = (changedMs: number) => `1 2 3 4 ${BigInt(changedMs) * 1_000_000n}`;
const digestOf = (text: string) => createHash("sha256").update(text).digest("base64");
const page: KnownPage = {
    route: "start",
    subject: "",
    meta: { title: "Start" },
    problems: [],
    title: "Start",
    hasSource: true,
    cacheKey: "key",
};

interface SeenFile {
    readonly text: string;
    readonly changedMs: number;
    readonly page?: KnownPage;
    readonly context?: string;
}

/**
 * Exports the site once in each state. @returns for each export: whether it read the file, and its record of the page
 */
async function exportsOf(...seen: SeenFile[]) {
    const folder = await mkdtemp(join(tmpdir(), "known-files-"));
    const done = () => Promise.resolve();
    try {
        const results: { wasRead: boolean; digest: string; title: string | undefined }[] = [];
        for (const { text, changedMs, page: added, context = "settings" } of seen) {
            const known = KnownFiles.open(folder, "docs.example.com", () => nowMs);
            const identity = identityAt(changedMs);
            let wasRead = false;
            const { digest } = known.stateOf("start.md", identity, () => {
                wasRead = true;
                return { identity, digest: digestOf(text) };
            });
            known.setContext(context);
            results.push({ wasRead, digest, title: known.pageOf("start.md", "start")?.title });
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

describe("the files of the last export", () => {
    const old = { text: "# Start", changedMs: nowMs - 60_000, page };

    it("are not read again while they are unchanged", async () => {
        const [first, second, third] = await exportsOf(old, old, { ...old, changedMs: nowMs - 50_000 });
        assert.deepEqual([first?.wasRead, second?.wasRead, third?.wasRead], [true, false, true]);
        assert.deepEqual(second?.digest, digestOf("# Start"));
    });

    it("are read again after recent changes, because later changes may have the same timestamp", async () => {
        const recent = { ...old, changedMs: nowMs - 1000 };
        const [, second] = await exportsOf(recent, recent);
        assert.equal(second?.wasRead, true);
    });

    it("are parsed again if their text, the site's settings or the page's route has changed", async () => {
        const touched = { ...old, changedMs: nowMs - 50_000 };
        const [, same, other] = await exportsOf(old, touched, { text: "# Other", changedMs: nowMs - 40_000 });
        assert.deepEqual([same?.title, other?.title], ["Start", undefined]);
        const [, settings] = await exportsOf(old, { ...old, context: "other settings" });
        const [, route] = await exportsOf({ ...old, page: { ...page, route: "other" } }, old);
        assert.deepEqual([settings?.title, route?.title], [undefined, undefined]);
    });
});
