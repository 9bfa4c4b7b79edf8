import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
    addName,
    type AddNameOptions,
    readReplacedFile,
    replaceFile,
} from "@pulumi-static-export/contract/replace-file";

/** Fails as long as another program has the file open. */
function openFile(code: string, failures: number) {
    const slept: number[] = [];
    let tries = 0;
    const use = () => {
        tries += 1;
        return tries > failures ? Promise.resolve("text") : Promise.reject(Object.assign(new Error(code), { code }));
    };
    return {
        slept,
        read: use,
        rename: async () => void (await use()),
        sleep: (ms: number) => Promise.resolve(slept.push(ms)),
    };
}

describe("replaceFile", () => {
    for (const code of ["EPERM", "EACCES", "EBUSY"]) {
        it(`waits on Windows until another program has closed the file (${code})`, async () => {
            const { slept, ...file } = openFile(code, 3);
            await replaceFile("new", "old", { platform: "win32", ...file });
            assert.deepEqual(slept, [10, 20, 40]);
        });
    }

    it("gives up after about ten seconds, with the system's error", async () => {
        const { slept, ...file } = openFile("EPERM", Infinity);
        await assert.rejects(replaceFile("new", "old", { platform: "win32", ...file }), { code: "EPERM" });
        const waitedMs = slept.reduce((sum, ms) => sum + ms, 0);
        assert.ok(waitedMs > 8000 && waitedMs < 12_000, String(waitedMs));
    });

    it("fails at once if a folder is in the place, because Windows never replaces a folder", async () => {
        const { slept, ...file } = openFile("EPERM", Infinity);
        await assert.rejects(replaceFile("new", tmpdir(), { platform: "win32", ...file }), { code: "EPERM" });
        assert.deepEqual(slept, []);
    });

    it("fails at once where an open file can be replaced, and for every other error", async () => {
        for (const [platform, code] of [
            ["linux", "EACCES"],
            ["win32", "ENOENT"],
        ] as const) {
            const { slept, ...file } = openFile(code, 1);
            await assert.rejects(replaceFile("new", "old", { platform, ...file }), { code });
            assert.deepEqual(slept, []);
        }
    });
});

describe("readReplacedFile", () => {
    for (const code of ["EPERM", "EACCES", "EBUSY"]) {
        it(`waits on Windows until another process has replaced the file (${code})`, async () => {
            const { slept, ...file } = openFile(code, 3);
            assert.equal(await readReplacedFile("file", { platform: "win32", ...file }), "text");
            assert.deepEqual(slept, [10, 20, 40]);
        });
    }

    it("gives up after about a second, because the file may belong to somebody else", async () => {
        const { slept, ...file } = openFile("EPERM", Infinity);
        await assert.rejects(readReplacedFile("file", { platform: "win32", ...file }), { code: "EPERM" });
        assert.ok(slept.reduce((sum, ms) => sum + ms, 0) < 1500, String(slept));
    });

    it("fails at once for a missing file, and on other systems", async () => {
        for (const [platform, code] of [
            ["win32", "ENOENT"],
            ["linux", "EACCES"],
        ] as const) {
            const { slept, ...file } = openFile(code, 1);
            await assert.rejects(readReplacedFile("file", { platform, ...file }), { code });
            assert.deepEqual(slept, []);
        }
    });
});

describe("addName", () => {
    let folder: string;
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "name-spec-"));
        await writeFile(join(folder, "draft"), "content");
    });
    afterEach(() => rm(folder, { recursive: true }));

    const refuse = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
    const disks: Record<string, AddNameOptions> = {
        "with hard links": {},
        "without hard links on Linux": { link: refuse("EPERM") },
        "without hard links in FUSE": { link: refuse("ENOSYS") },
        "without hard links on Windows": { link: refuse("EISDIR") },
    };
    for (const [disk, options] of Object.entries(disks)) {
        it(`gives a file a name once on a disk ${disk}`, async () => {
            const add = () => addName(join(folder, "draft"), join(folder, "name"), options);
            assert.deepEqual((await Promise.all([add(), add(), add()])).filter(Boolean), [true]);
            assert.equal(await readFile(join(folder, "name"), "utf8"), "content");
        });

        it(`leaves a file of this name unchanged on a disk ${disk}`, async () => {
            await writeFile(join(folder, "name"), "other");
            assert.equal(await addName(join(folder, "draft"), join(folder, "name"), options), false);
            assert.equal(await readFile(join(folder, "name"), "utf8"), "other");
        });
    }

    it("fails with every other error of the disk", async () => {
        const add = addName(join(folder, "draft"), join(folder, "name"), { link: refuse("ENOSPC") });
        await assert.rejects(add, { code: "ENOSPC" });
        assert.deepEqual(await readdir(folder), ["draft"]);
    });
});
