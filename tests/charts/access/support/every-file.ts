import assert from "node:assert/strict";
import { type Answer } from "./private-pod.js";
import { mayRead, privateSite, type ReaderGroups, type SiteFile } from "./private-site.js";

/** Requests every file of a site, and compares the responses with the access that access.json grants these groups. */
export async function checkEveryFile(
    ask: (path: string) => Promise<Answer>,
    groups: ReaderGroups,
    files: Record<string, SiteFile> = privateSite,
): Promise<void> {
    const missing = await ask("/no/such/file");
    assert.equal(missing.status, groups === undefined ? 401 : 404);
    const hidden = await ask("/_private/no-such-file");
    assert.equal(hidden.status, 404);
    for (const [file, expected] of Object.entries(files)) {
        const answer = await ask(`/${encodeURI(file)}`);
        if (mayRead(expected, groups)) {
            assert.deepEqual([file, answer.status, answer.body], [file, 200, expected.content]);
        } else {
            assert.deepEqual([file, answer], [file, file.startsWith("_private/") ? hidden : missing]);
        }
    }
}
