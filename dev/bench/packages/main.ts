/**
 * Measures the size of the packed packages, and the time a new user needs from an empty folder to the first export, for
 * each package manager. `npm run bench packages` prints the tables of dev/bench/README.md. Registry files may be
 * cached.
 */
import { stat } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { InstalledProject } from "../../../tests/e2e/packages/support/installed-project.js";
import { type PackageManager } from "../../../tests/e2e/packages/support/package-managers.js";
import { packPackages } from "../../../tests/e2e/packages/support/packed-packages.js";
import { unpackTarball } from "../../../tests/e2e/packages/support/tarball.js";
import { adminApiKey, domain, Platform } from "../../../tests/e2e/support/platform.js";

const managers: PackageManager[] = ["npm", "pnpm", "yarn 1", "yarn 4"];

const program = `const { StaticExportBundle } = require("pulumi-static-export");
const bundle = new StaticExportBundle("docs", { domain: "${domain}" });
exports.jobId = bundle.jobId;
`;

const kilobytes = (bytes: number) => Math.round(bytes / 1000).toLocaleString("en");

async function printSizes(): Promise<void> {
    console.log("| Package | packed, kB | unpacked, kB | files |\n| --- | --- | --- | --- |");
    for (const [name, file] of Object.entries(await packPackages())) {
        const files = await unpackTarball(file);
        const unpacked = [...files.values()].reduce((sum, { length }) => sum + length, 0);
        console.log(`| ${name} | ${kilobytes((await stat(file)).size)} | ${kilobytes(unpacked)} | ${files.size} |`);
    }
}

/**
 * Returns the seconds that the installation takes, and the seconds from its end until the first export is in the state.
 */
async function timeStranger(manager: PackageManager, platform: Platform): Promise<[number, number]> {
    const { provider } = await packPackages();
    const startedMs = performance.now();
    const project = await InstalledProject.create({
        manager,
        manifest: {
            main: "index.js",
            dependencies: { "@pulumi/pulumi": "3.270.0", "pulumi-static-export": `file:${provider}` },
        },
        files: { "index.js": program },
    });
    const installedMs = performance.now();
    try {
        await project.pulumiSucceeds(["stack", "init", "dev"]);
        await project.pulumiSucceeds(["config", "set", "static-export:baseUrl", platform.service.url]);
        await project.pulumiSucceeds(["config", "set", "--secret", "static-export:adminApiKey", adminApiKey]);
        await project.pulumiSucceeds(["up", "--yes"]);
        return [(installedMs - startedMs) / 1000, (performance.now() - installedMs) / 1000];
    } finally {
        await project.remove();
    }
}

await printSizes();
const platform = await Platform.start();
try {
    console.log("\n| Package manager | install, s | first export, s |\n| --- | --- | --- |");
    for (const manager of managers) {
        const [install, first] = await timeStranger(manager, platform);
        console.log(`| ${manager} | ${install.toFixed(0)} | ${first.toFixed(0)} |`);
    }
} finally {
    await platform.stop();
}
