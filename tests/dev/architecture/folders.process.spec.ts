import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** A dozen files is a good size; a folder with more than twenty files certainly has two subjects. */
const maxFiles = 20;

describe("A source folder of a package", () => {
    it("contains at most twenty files", () => {
        const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
        const counts = new Map<string, number>();
        for (const file of files.filter((each) => /^(?:dev\/)?[a-z]+\/src\//.test(each))) {
            const folder = posix.dirname(file);
            counts.set(folder, (counts.get(folder) ?? 0) + 1);
        }
        assert.ok(counts.size > 50);
        assert.deepEqual(
            [...counts].filter(([, count]) => count > maxFiles),
            [],
        );
    });
});
