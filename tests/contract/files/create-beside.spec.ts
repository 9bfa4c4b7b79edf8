import assert from "node:assert/strict";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createBeside } from "@pulumi-static-export/contract/create-beside";
import { withFolder } from "../../exporter/support/site-fixture.js";

describe("A folder for unfinished content", () => {
    const dayMs = 24 * 3600 * 1000;
    const lateBy = (ms: number) => () => Date.now() + ms;

    it("is new, and next to its target, whose parents it creates", async () => {
        await withFolder(async (folder) => {
            const target = join(folder, "a", "b", "out");
            const [one, other] = [await createBeside(target), await createBeside(target)];
            assert.deepEqual([dirname(one), dirname(other)], [join(folder, "a", "b"), join(folder, "a", "b")]);
            assert.equal((await readdir(join(folder, "a", "b"))).length, 2);
        });
    });

    it("is removed after a day if its process was killed, and nothing else is", async () => {
        await withFolder(async (folder) => {
            const left = await createBeside(join(folder, "out"));
            await writeFile(join(left, "page.html"), "");
            for (const name of [".out-backup", "static-export-unfinished-abc"]) {
                await mkdir(join(folder, name));
                await utimes(join(folder, name), 0, 0);
            }
            await writeFile(join(folder, ".static-export-unfinished-file"), "");
            await utimes(join(folder, ".static-export-unfinished-file"), 0, 0);
            await createBeside(join(folder, "other"), lateBy(dayMs - 60_000));
            assert.equal((await readdir(folder)).length, 5);
            await createBeside(join(folder, "other"), lateBy(dayMs + 60_000));
            const names = (await readdir(folder)).map((name) => name.replace(/(?<=unfinished-)\w{6}$/, ""));
            assert.deepEqual(names.sort(), [
                ".out-backup",
                ".static-export-unfinished-",
                ".static-export-unfinished-file",
                "static-export-unfinished-abc",
            ]);
        });
    });
});
