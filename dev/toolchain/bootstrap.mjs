/**
 * Makes a fresh clone runnable: installs the dependencies if they are missing or older than the lock file, and compiles
 * changed sources; with `--declarations` it also writes the packages' declarations. Runs before anything is installed,
 * so it is plain JavaScript without dependencies.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { assemblePackages } from "./assemble-packages.mjs";
import { compileWorkspaces } from "./compile.mjs";
import { isSupportedNode } from "./node-version.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** @returns {Promise<void>} Ends the process with one sentence if something is missing. */
export async function bootstrap() {
    if (!isSupportedNode(process.versions.node)) {
        fail(`Node.js ^22.13 || >=24 is needed, but this is ${process.versions.node}. Install a newer Node.js.`);
    }
    if (isInstallNeeded()) {
        console.log("Installing dependencies (npm ci) …");
        await run(
            process.platform === "win32" ? "npm.cmd" : "npm",
            // No dependency needs its install script; the one in @pulumi/kubernetes only attempts a download.
            ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            "The dependencies could not be installed. Check that this machine reaches the npm registry, then try again.",
        );
    }
    await run(process.execPath, [join("plugin", "write-schema.mjs")], "The plugin's schema could not be written.");
    if (!(await compileWorkspaces(root))) {
        fail("The project does not compile.");
    }
    if (process.argv.includes("--declarations")) {
        const compiler = join("node_modules", "typescript", "bin", "tsc");
        // Writes only declarations, because programs may be loading the JavaScript.
        const options = ["-b", "provider", "policy", "--emitDeclarationOnly"];
        await run(process.execPath, [compiler, ...options], "The type check failed.");
    }
    // The bundles contain the packages' copies of other workspaces, and a package contains a bundle.
    assemblePackages(root);
    await Promise.all([
        run(process.execPath, [join("exporter", "bundle-processes.mjs")], "The exporter could not be bundled."),
        run(process.execPath, [join("sdk", "bundle-pod.mjs")], "The pods' program could not be bundled."),
    ]);
    assemblePackages(root);
}

function isInstallNeeded() {
    const installed = join(root, "node_modules", ".package-lock.json");
    return !existsSync(installed) || statSync(installed).mtimeMs < statSync(join(root, "package-lock.json")).mtimeMs;
}

async function run(command, args, sentence) {
    const child = spawn(command, args, { cwd: root, stdio: "inherit" });
    const [exitCode, signal] = await once(child, "exit").catch(() => []);
    if (signal) {
        process.exit(130);
    }
    if (exitCode !== 0) {
        fail(sentence);
    }
}

function fail(sentence) {
    console.error(sentence);
    process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    await bootstrap();
}
