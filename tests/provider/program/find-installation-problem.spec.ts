import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findInstallationProblem } from "../../../provider/src/program/find-installation-problem.js";
import { readOwnPackage } from "../../../provider/src/program/own-package.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const ownPackage = readOwnPackage(fileURLToPath(new URL("../../../provider/", import.meta.url)));
const installation = { plugAndPlay: undefined, bun: undefined, sdkVersion: "3.245.0", ownPackage };

describe("findInstallationProblem", () => {
    let folder: string;

    beforeEach(() => {
        folder = realpathSync(mkdtempSync(join(tmpdir(), "installation-")));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** Installs a package with this name and version in a place where the program finds it. */
    function installInProgram(version: string): void {
        const installed = join(folder, "node_modules", "pulumi-static-export");
        mkdirSync(join(installed, "dist"), { recursive: true });
        writeFileSync(join(installed, "dist", "lifecycle.js"), "");
        const manifest = { name: "pulumi-static-export", version, exports: { "./lifecycle": "./dist/lifecycle.js" } };
        writeFileSync(join(installed, "package.json"), JSON.stringify(manifest));
    }

    it("finds no problem if the package is visible from the program's folder", () => {
        assert.equal(findInstallationProblem(here), undefined);
        assert.equal(findInstallationProblem(here, installation), undefined);
    });

    it("names the folder and the dependency to add if the package is not visible from the folder", () => {
        const problem = findInstallationProblem(folder, installation) ?? "";
        assert.ok(problem.includes(folder));
        assert.match(problem, /Add it to the program's own dependencies/);
    });

    it("explains what to add to .yarnrc.yml if Yarn Plug'n'Play loads the program", () => {
        assert.match(
            findInstallationProblem(here, { ...installation, plugAndPlay: "3" }) ?? "",
            /nodeLinker: node-modules/,
        );
    });

    it("names the runtime to set and the plugin to use if Bun runs the program", () => {
        const problem = findInstallationProblem(here, { ...installation, bun: "1.4.5" }) ?? "";
        assert.match(problem, /Set `runtime: nodejs` in Pulumi\.yaml, or use the plugin `static-export`/);
    });

    it("names the package to exclude if a bundler has put it into the program", () => {
        const problem = findInstallationProblem(here, { ...installation, ownPackage: undefined }) ?? "";
        assert.match(problem, /--external:pulumi-static-export/);
    });

    it("refuses a Pulumi SDK below the peer range, and names both versions and the command", () => {
        assert.equal(
            findInstallationProblem(here, { ...installation, sdkVersion: "3.215.9" }),
            "pulumi-static-export needs @pulumi/pulumi 3.216.0 or later, but 3.215.9 is installed. Run `npm install " +
                "@pulumi/pulumi@^3.216.0` in the folder of your Pulumi program",
        );
    });

    it("names the command of the program's own package manager", () => {
        const folder = mkdtempSync(join(realpathSync(tmpdir()), "pnpm-program-"));
        try {
            writeFileSync(join(folder, "package.json"), '{ "packageManager": "pnpm@12.0.0" }');
            const problem = findInstallationProblem(folder, { ...installation, sdkVersion: "3.215.9" }) ?? "";
            assert.match(problem, /Run `pnpm add @pulumi\/pulumi@\^3\.216\.0`/);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });

    for (const sdkVersion of ["3.216.0", "3.1000.0", "4.0.0", "3.300.0-alpha.1", "a build of one's own"]) {
        it(`accepts this version of the Pulumi SDK: ${sdkVersion}`, () => {
            assert.equal(findInstallationProblem(here, { ...installation, sdkVersion }), undefined);
        });
    }

    it("refuses an installed copy of the package that is older than the declaring copy", () => {
        installInProgram("0.0.9");
        const problem = findInstallationProblem(folder, installation) ?? "";
        assert.match(
            problem,
            /the older 0\.0\.9 of the program's folder\. Install \d+\.\d+\.\d+ or later in the program/,
        );
    });

    it("accepts an installed copy of the package that is newer than the declaring copy", () => {
        installInProgram("999.0.0");
        assert.equal(findInstallationProblem(folder, installation), undefined);
    });

    it("does not look for the package if the program's folder is unknown", () => {
        assert.equal(findInstallationProblem(undefined, installation), undefined);
    });
});

describe("readOwnPackage", () => {
    it("returns the version in the package's folder, and undefined in any other folder", () => {
        assert.match(ownPackage?.version ?? "", /^\d+\.\d+\.\d+$/);
        assert.equal(readOwnPackage(fileURLToPath(new URL("../../../sdk/", import.meta.url))), undefined);
        assert.equal(readOwnPackage(here), undefined);
    });
});
