import assert from "node:assert/strict";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileTimes } from "../../../sdk/src/pod/file-times.js";

const [of2001, of2002, of1970] = [1_006_632_960, 1_020_000_000, 1];
const digests = ["1".repeat(64), "2".repeat(64)] as const;

/** Sets the times of files of an archive, in this order. @returns their times in seconds */
async function timesOf(digest: string, archived: readonly (number | undefined)[]): Promise<number[]> {
    const folder = await mkdtemp(join(tmpdir(), "file-times-"));
    try {
        const times = new FileTimes(folder, digest);
        for (const [index, seconds] of archived.entries()) {
            await writeFile(join(folder, `${index}`), "");
            times.set(`${index}`, seconds === undefined ? undefined : new Date(seconds * 1000));
        }
        const stats = await Promise.all(archived.map((_, index) => stat(join(folder, `${index}`))));
        return stats.map(({ mtimeMs }) => mtimeMs / 1000);
    } finally {
        await rm(folder, { recursive: true });
    }
}

describe("The modification times of a site's files", () => {
    it("are those of the archive if they differ, so that an ETag changes only with its file", async () => {
        assert.deepEqual(await timesOf(digests[0], [of2001, of2002]), [of2001, of2002]);
    });

    it("come from the bundle's digest for files that share one time, so that ETags change with the bundle", async () => {
        const [one, same, other] = await Promise.all(
            [digests[0], digests[0], digests[1]].map((digest) => timesOf(digest, [of2001, of2001, of2002, of2001])),
        );
        assert.deepEqual(one, same);
        const [first, second, alone, third] = one ?? [];
        assert.deepEqual([first, second, alone], [third, third, of2002]);
        assert.notEqual(first, of2001);
        assert.notEqual(first, other?.[0]);
    });

    it("come from the bundle's digest if the archive has none, or one of a fixed early date", async () => {
        const [missing, early] = await timesOf(digests[0], [undefined, of1970]);
        assert.equal(missing, early);
        assert.notEqual(missing, of1970);
    });
});
