import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { fixture } from "./support.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

describe("the bootstrap of a fresh clone", function () {
    this.timeout(60_000);
    let clone: string;

    /** Prepends to PATH an `npm` that records its arguments and then runs this script. */
    const putNpm = async (body: string) => {
        await writeFile(path.join(clone, "bin", "npm"), `#!/bin/sh\necho "$*" > npm-calls\n${body}\n`, { mode: 0o755 });
    };
    const putCompiler = async (body: string) => {
        const script = path.join(clone, "dev", "toolchain", "compile.mjs");
        await writeFile(script, `export async function compileWorkspaces() { ${body} }\n`);
    };
    const npmCalls = () => readFile(path.join(clone, "npm-calls"), "utf8").catch(() => "");
    const bootstrap = (nodeVersion?: string) =>
        new Promise<{ exitCode: number; stdout: string; stderr: string }>((resolve) => {
            const script = path.join(clone, "dev", "toolchain", "bootstrap.mjs");
            const PATH = [path.join(clone, "bin"), process.env["PATH"]].join(path.delimiter);
            const child = execFile(
                process.execPath,
                [...(nodeVersion === undefined ? [] : [`--require=${fixture("node-version.cjs")}`]), script],
                { cwd: clone, env: { ...process.env, PATH, NODE_VERSION_SAID: nodeVersion } },
                (_error, stdout, stderr) => resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
            );
        });
    /** Creates the files that `npm ci` would create. */
    const install = async () => {
        await mkdir(path.join(clone, "node_modules"));
        await writeFile(path.join(clone, "node_modules", ".package-lock.json"), "{}");
    };

    beforeEach(async () => {
        clone = await mkdtemp(path.join(tmpdir(), "static-export-bootstrap-"));
        await mkdir(path.join(clone, "bin"));
        await mkdir(path.join(clone, "dev", "toolchain"), { recursive: true });
        for (const file of [".nvmrc", "dev/toolchain/bootstrap.mjs", "dev/toolchain/node-version.mjs"]) {
            await cp(path.join(root, file), path.join(clone, file));
        }
        await writeFile(
            path.join(clone, "dev", "toolchain", "assemble-packages.mjs"),
            "export function assemblePackages() {}\n",
        );
        await putCompiler("console.log('compiled'); return true;");
        for (const script of ["exporter/bundle-processes.mjs", "sdk/bundle-pod.mjs", "plugin/write-schema.mjs"]) {
            await mkdir(path.join(clone, path.dirname(script)));
            await writeFile(path.join(clone, script), "");
        }
        await writeFile(path.join(clone, "package-lock.json"), "{}");
        await putNpm("exit 1");
    });
    afterEach(() => rm(clone, { recursive: true }));

    it("compiles, and installs nothing if the dependencies are already installed", async () => {
        await install();
        assert.deepEqual(await bootstrap(), { exitCode: 0, stdout: "compiled\n", stderr: "" });
        assert.equal(await npmCalls(), "");
    });

    it("installs missing dependencies without install scripts", async () => {
        await putNpm(`mv ${path.join(clone, "installed")} ${path.join(clone, "node_modules")}`);
        await install();
        await rename(path.join(clone, "node_modules"), path.join(clone, "installed"));
        const { exitCode, stdout } = await bootstrap();
        assert.equal(exitCode, 0);
        assert.equal(stdout, "Installing dependencies (npm ci) …\ncompiled\n");
        assert.match(await npmCalls(), /^ci --ignore-scripts /);
    });

    it("installs again if the lock file is newer, and explains a failure in one sentence", async () => {
        await install();
        const tomorrow = new Date(Date.now() + 24 * 3600_000);
        await utimes(path.join(clone, "package-lock.json"), tomorrow, tomorrow);
        const { exitCode, stderr } = await bootstrap();
        assert.match(await npmCalls(), /^ci /);
        assert.equal(exitCode, 1);
        assert.equal(
            stderr,
            "The dependencies could not be installed. Check that this machine reaches the npm registry, then try again.\n",
        );
    });

    it("reports that the project does not compile, after the compiler's errors", async () => {
        await install();
        await putCompiler("console.log('index.ts has a fault'); return false;");
        const { exitCode, stdout, stderr } = await bootstrap();
        assert.equal(exitCode, 1);
        assert.equal(stdout, "index.ts has a fault\n");
        assert.equal(stderr, "The project does not compile.\n");
    });

    for (const [version, isEnough] of [
        ["18.20.8", false],
        ["20.20.2", false],
        ["22.13.0", true],
    ] as const) {
        it(`${isEnough ? "accepts" : "refuses, before anything is installed,"} Node.js ${version}`, async () => {
            const { exitCode, stderr } = await bootstrap(version);
            assert.equal(exitCode, 1);
            const sentence = `Node.js ^22.13 || >=24 is needed, but this is ${version}. Install a newer Node.js.\n`;
            assert.equal(stderr === sentence, !isEnough, stderr);
            assert.equal((await npmCalls()) === "", !isEnough);
        });
    }
});
