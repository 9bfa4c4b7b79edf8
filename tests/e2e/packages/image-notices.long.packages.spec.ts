import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writePackages } from "../../../dev/image/write-packages.mjs";
import { packPackages } from "./support/packed-packages.js";

describe("the notices in the service's image", () => {
    let folder: string;
    let notices: string;

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-image-"));
        writePackages((await packPackages()).cli, folder);
        notices = await readFile(join(folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
    });
    after(() => rm(folder, { recursive: true, force: true }));

    it("name every third-party package of the image", async () => {
        const packages = (await readdir(folder, { recursive: true }))
            .map((path) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1])
            .filter((name) => name !== undefined && !name.startsWith("@pulumi-static-export/"));
        assert.ok(packages.length > 100);
        const unnamed = packages.filter((name) => !notices.includes(`\n${name} `));
        assert.deepEqual(unnamed, []);
    });

    it("contain the licence of a package without a licence file", () => {
        assert.match(notices, /^pgpass [\d.]+ \(MIT\)\n\nCopyright \(c\) Hannes Hörl.*\n\nMIT License$/m);
    });
});
