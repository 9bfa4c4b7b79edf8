import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** A dozen files is a good size; a folder with more than twenty files certainly has two subjects. */
const maxFiles = 20;

describe("A source folder of a package", () => {
    it("contains at most twenty files", () => {
        const counts = new Map<string, number>();
        for (const file of globSync(["*/src/**/*.*", "dev/*/src/**/*.*"], { cwd: root })) {
            counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
        }
        assert.ok(counts.size > 50);
        assert.deepEqual(
            [...counts].filter(([, count]) => count > maxFiles),
            [],
        );
    });
});
