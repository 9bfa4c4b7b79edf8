import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeEarlierVersions } from "../../../../dev/release/artifacts/replaced-packages.js";

describe("Packing into the same folder again", () => {
    it("leaves one version of each package, and other files", () => {
        const folder = mkdtempSync(join(tmpdir(), "static-export-pack-"));
        try {
            const current = [
                "pulumi-static-export-0.2.0-alpha.2.gb.tgz",
                "pulumi-static-export-cli-0.2.0-alpha.2.gb.tgz",
            ];
            const earlier = ["pulumi-static-export-0.1.0.tgz", "pulumi-static-export-cli-0.2.0-dev.1.ga.tgz"];
            const others = ["other-0.1.0.tgz", "pulumi-static-export-notes.tgz", "pulumi-static-export-sdk-0.1.0.tgz"];
            [...current, ...earlier, ...others].forEach((name) => writeFileSync(join(folder, name), ""));
            const files = current.map((name) => join(folder, name));
            assert.deepEqual(removeEarlierVersions(folder, files, "0.2.0-alpha.2.gb").sort(), earlier);
            assert.deepEqual(readdirSync(folder).sort(), [...current, ...others].sort());
        } finally {
            rmSync(folder, { recursive: true });
        }
    });
});
