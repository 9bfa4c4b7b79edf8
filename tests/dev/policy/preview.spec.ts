import assert from "node:assert/strict";
import { accessSync, constants, readFileSync } from "node:fs";
import { packFor } from "../../../dev/policy/preview.js";

describe("npm run policy", () => {
    for (const [version, platform, kind] of [
        ["3.259.0", "linux", "file"],
        ["3.255.0", "darwin", "file"],
        ["4.0.0", "linux", "file"],
        ["3.254.1", "linux", "folder"],
        ["3.259.0", "win32", "folder"],
    ] as const) {
        it(`runs the pack as a ${kind} with pulumi ${version} on ${platform}`, () => {
            const pack = packFor(version, platform);
            if (kind === "file") {
                assert.match(pack, /\/policy\/bin\/policy-pack\.mjs$/);
                accessSync(pack, constants.X_OK);
            } else {
                assert.match(readFileSync(`${pack}/PulumiPolicy.yaml`, "utf8"), /^runtime: nodejs$/m);
            }
        });
    }
});
