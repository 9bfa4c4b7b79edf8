import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../../service/schema/", import.meta.url);

/** The digests of the files on main. Databases exist that these files have set up: add a file instead of changing one. */
const digests: Readonly<Record<string, string>> = {
    "001-schema.sql": "62973b4720da5412eb4989ba4cd07e9331e905851ad8209aee5b5c98f5a5eee4",
    "002-gone-sites.sql": "ed9ea8189705ee161e07b7ecb46e95e64be4704502a79acee88b1c22c294169b",
};

describe("The files of the schema", () => {
    it("never change once they are on main, and later ones are only added", () => {
        const names = readdirSync(folder).sort();
        assert.deepEqual(names.slice(0, Object.keys(digests).length), Object.keys(digests));
        for (const [name, digest] of Object.entries(digests)) {
            const content = readFileSync(new URL(name, folder));
            assert.equal(createHash("sha256").update(content).digest("hex"), digest, name);
        }
        assert.equal(names.length, Object.keys(digests).length, "add the new file's digest to this spec");
    });
});
