/**
 * Builds a repository with its own builder, and compares the bundle with the builder's output, byte for byte:
 * `npm run bench builders -- REPOSITORY COMMAND OUTPUT_FOLDER [BASE_FOLDER] [OPTION…]`. REPOSITORY is a folder or an
 * address that git clones, and the options are those of `static-export build`.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "../../../tests/cli/support/command.js";
import { listFiles } from "../../../tests/exporter/support/site-fixture.js";

const [repository, command, outputFolder, baseFolder = ".", ...options] = process.argv.slice(2);
if (repository === undefined || command === undefined || outputFolder === undefined) {
    console.error("Usage: npm run bench builders -- REPOSITORY COMMAND OUTPUT_FOLDER [BASE_FOLDER] [OPTION…]");
    process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), "static-export-bench-"));
try {
    const [site, bundle] = [join(folder, "site"), join(folder, "bundle")];
    execFileSync("git", ["clone", "--quiet", repository, site], { stdio: "inherit" });
    const startedMs = performance.now();
    const places = ["--output-folder", outputFolder, "--base-folder", baseFolder, "--output", bundle];
    const args = ["build", site, "--command", command, ...places, "--json", ...options];
    const { exitCode, stdout, stderr } = await new Command(args, { cwd: folder }).exited;
    assert.equal(exitCode, 0, stderr.slice(-5000));
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    const output = join(site, baseFolder, outputFolder);
    // Bundles contain no hidden files, and their own list of files.
    const built = (await listFiles(output)).filter((file) => !/(?:^|\/)\.(?!well-known\/)/.test(file));
    // Below a base path, the bundle's folders are those of the addresses.
    const basePath = options[options.indexOf("--base-path") + 1] ?? "";
    const place = join(bundle, options.includes("--base-path") ? basePath : "");
    const exported = (await listFiles(place)).filter((file) => !file.startsWith("static-export/"));
    assert.deepEqual(exported, built);
    for (const file of built) {
        const [one, other] = await Promise.all([join(output, file), join(place, file)].map((path) => readFile(path)));
        assert.ok(one !== undefined && other !== undefined && one.equals(other), `${file} differs`);
    }
    const { pageCount, warnings } = JSON.parse(stdout) as {
        pageCount: number;
        warnings: { countByKind: Record<string, number> };
    };
    const count = Object.values(warnings.countByKind).reduce((sum, each) => sum + each, 0);
    console.log(
        `${built.length} files of the builder, ${exported.length} files in the bundle, each byte for byte; ` +
            `${pageCount} pages, ${count} warnings, ${seconds} s`,
    );
} finally {
    await rm(folder, { recursive: true, force: true });
}
