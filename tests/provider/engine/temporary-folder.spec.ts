import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PublishError } from "@pulumi-static-export/sdk/publish";
import { withTemporaryFolder } from "../../../provider/src/engine/temporary-folder.js";

const subject = "Mirror of export se_42";
const systemError = (code: string) =>
    Object.assign(new Error(`${code}: no space left, write`), { code, syscall: "write" });
const failWith = (error: Error) => withTemporaryFolder(subject, "spec-", () => Promise.reject(error));

describe("A folder for temporary files", () => {
    const { TMPDIR } = process.env;
    afterEach(() => {
        if (TMPDIR === undefined) {
            delete process.env.TMPDIR;
        } else {
            process.env.TMPDIR = TMPDIR;
        }
    });

    for (const [code, pattern] of [
        ["ENOSPC", /is full\. Free space on its disk, or set TMPDIR to a folder with more space \(ENOSPC\)/],
        ["EDQUOT", /is full for this user\. .*TMPDIR.* \(EDQUOT\)/],
    ] as const) {
        it(`names the resource, the folder and the next step if its disk fills up: ${code}`, async () => {
            for (const error of [systemError(code), new PublishError("failed", { cause: systemError(code) })]) {
                await assert.rejects(failWith(error), ({ message }: Error) => {
                    assert.ok(message.startsWith(`${subject}: the folder for temporary files, ${tmpdir()}, `), message);
                    assert.match(message, pattern);
                    return true;
                });
            }
        });
    }

    it("names the resource and the next step if it cannot be created", async () => {
        process.env.TMPDIR = join(tmpdir(), "no-such-folder");
        const created = withTemporaryFolder(subject, "spec-", () => Promise.resolve());
        await assert.rejects(
            created,
            /^Error: Mirror of export se_42: .*no-such-folder, does not exist\. Create it, or set TMPDIR/,
        );
    });

    it("is removed after the work, and when the process exits during the work", async () => {
        const before = process.listeners("exit");
        let used = "";
        await withTemporaryFolder(subject, "spec-", (folder) => {
            used = folder;
            assert.ok(existsSync(folder));
            return Promise.resolve();
        });
        assert.equal(existsSync(used), false);
        assert.deepEqual(process.listeners("exit"), before);
        await withTemporaryFolder(subject, "spec-", (folder) => {
            const [exit] = process.listeners("exit").filter((each) => !before.includes(each));
            exit?.(0);
            assert.equal(existsSync(folder), false);
            return Promise.resolve();
        });
    });

    it("passes on every other error", async () => {
        const ofServer = Object.assign(new Error("the storage is full"), { code: "ENOSPC" });
        for (const error of [systemError("ECONNRESET"), systemError("ENOENT"), ofServer, new Error("refused")]) {
            await assert.rejects(failWith(error), error);
        }
    });
});
