import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { run } from "@pulumi-static-export/toolchain";

const root = fileURLToPath(new URL("../../../", import.meta.url));

describe("npm run release:rehearse", () => {
    it("publishes a release to registries on this machine, installs it, upgrades to it and leaves nothing", async () => {
        const output = await run("npm", ["run", "release:rehearse"], { cwd: root });
        for (const done of [
            /✓ publish 0\.0\.1 /,
            /✓ create: node /,
            /✓ create: yaml /,
            /✓ create: python /,
            /✓ upgrade the projects /,
            /✓ nothing changes, then destroy: node /,
            /✓ nothing changes, then destroy: yaml /,
            /✓ nothing changes, then destroy: python /,
            /✓ install the other npm packages /,
            /✓ push the charts, and pull them /,
            /✓ tag the Go module, and find it at its path /,
        ]) {
            assert.match(output, done);
        }
    });
});
