import assert from "node:assert/strict";
import { readNote, removeObject, writeNote } from "../../../provider/src/bundle-mirror/copy-note.js";
import type { Storage } from "../../../provider/src/bundle-mirror/storage/storage.js";

const key = "docs/se_42.tar.gz";
const sha256 = "ab".repeat(32);

/** A bucket in memory. */
class MemoryBucket {
    object: { etag: string; sizeBytes: number } | undefined = { etag: '"e1"', sizeBytes: 5 };
    note: { text: string; metadata: Record<string, string> } | undefined;
    readonly calls: string[] = [];

    readonly storage = {
        find: () => Promise.resolve(this.object),
        readText: () => Promise.resolve(this.note),
        writeText: (name: string, text: string, metadata: Record<string, string>) => {
            this.calls.push(`write ${name}`);
            this.note = { text, metadata };
            return Promise.resolve();
        },
        remove: (name: string) => Promise.resolve(void this.calls.push(`remove ${name}`)),
    } as unknown as Storage;
}

describe("The note about a copy", () => {
    let bucket: MemoryBucket;
    beforeEach(async () => {
        bucket = new MemoryBucket();
        await writeNote(bucket.storage, key, { sha256, sizeBytes: 5 });
    });

    it("says that the copy is complete, in the format of sha256sum", async () => {
        assert.deepEqual(bucket.note, {
            text: `${sha256}  se_42.tar.gz\n`,
            metadata: { etag: "e1", "size-bytes": "5" },
        });
        assert.deepEqual(bucket.calls, [`write ${key}.sha256`]);
        assert.deepEqual(await readNote(bucket.storage, key), { sha256, sizeBytes: 5 });
    });

    it("does not count if another object has replaced the copy, or the copy is gone", async () => {
        for (const object of [{ etag: '"e2"', sizeBytes: 5 }, { etag: '"e1"', sizeBytes: 6 }, undefined]) {
            bucket.object = object;
            assert.equal(await readNote(bucket.storage, key), undefined);
        }
    });

    it("counts although the storage has dropped or added quotation marks", async () => {
        bucket.object = { etag: "e1", sizeBytes: 5 };
        assert.deepEqual(await readNote(bucket.storage, key), { sha256, sizeBytes: 5 });
    });

    it("does not count if it is missing or begins with no digest", async () => {
        const { metadata } = bucket.note!;
        for (const note of [undefined, { text: "", metadata }, { text: `x${sha256}  se_42.tar.gz\n`, metadata }]) {
            bucket.note = note;
            assert.equal(await readNote(bucket.storage, key), undefined);
        }
    });

    it("is not written for a copy of another size", async () => {
        const write = () => writeNote(bucket.storage, key, { sha256, sizeBytes: 6 });
        await assert.rejects(write, { message: `The storage has 5 bytes at ${key}, but 6 were sent.` });
        bucket.object = undefined;
        await assert.rejects(write, { message: `The storage has no bytes at ${key}, but 6 were sent.` });
        assert.equal(bucket.calls.length, 1);
    });

    it("is removed before its copy, because a copy without a note counts as incomplete", async () => {
        await removeObject(bucket.storage, key);
        assert.deepEqual(bucket.calls.slice(1), [`remove ${key}.sha256`, `remove ${key}`]);
    });
});
