import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writePackages } from "../../../dev/image/write-packages.mjs";
import { packPackages } from "./support/packed-packages.js";

describe("the packages in the service's image", () => {
    let folder: string;
    let notices: string;

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-image-"));
        writePackages((await packPackages()).cli, folder);
        notices = await readFile(join(folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
    });
    after(() => rm(folder, { recursive: true, force: true }));

    it("are complete: the command finds everything that it imports", () => {
        const command = join(folder, "node_modules/@pulumi-static-export/cli/bin/static-export.js");
        assert.match(execFileSync(process.execPath, [command, "serve", "--help"], { encoding: "utf8" }), /--site/);
    });

    it("are all named in the notices", async () => {
        const packages = (await readdir(folder, { recursive: true }))
            .map((path) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1])
            .filter((name) => name !== undefined && !name.startsWith("@pulumi-static-export/"));
        assert.ok(packages.length > 100);
        const unnamed = packages.filter((name) => !notices.includes(`\n${name} `));
        assert.deepEqual(unnamed, []);
    });

    it("have their licence in the notices, also without a licence file", () => {
        assert.match(notices, /^pgpass [\d.]+ \(MIT\)\n\nCopyright \(c\) Hannes Hörl.*\n\nMIT License$/m);
    });
});
