import { spawn } from "node:child_process";
import { access, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { chartFolder } from "./render-chart.js";

/** The shell and tools of a Debian, Alpine or busybox image, for the script. */
export interface Image {
    name: string;
    /** Available programs besides sh and its tools. */
    downloader: "curl" | "wget";
    busybox?: string;
    /** A tool that this image lacks. */
    without?: string;
}

/** A pod for the fetch script, with its folders, its Secret and its environment. */
export class FetchPod {
    exportId = "e".repeat(64);
    environment: Record<string, string> = {};
    readonly #folder: string;
    readonly #image: Image;

    private constructor(folder: string, image: Image) {
        this.#folder = folder;
        this.#image = image;
    }

    static async create(image: Image): Promise<FetchPod> {
        const pod = new FetchPod(await mkdtemp(path.join(tmpdir(), "fetch-pod-")), image);
        for (const folder of ["secret", "site", "bin"]) {
            await mkdir(pod.path(folder));
        }
        await pod.#installTools();
        return pod;
    }

    path(...segments: string[]): string {
        return path.join(this.#folder, ...segments);
    }

    async remove(): Promise<void> {
        await rm(this.#folder, { recursive: true });
    }

    /** Continues in a new pod, which has only the Secret and the cache. */
    async restartElsewhere(): Promise<void> {
        await rm(this.path("site"), { recursive: true });
        await mkdir(this.path("site"));
    }

    async writeSecret(link: string, exportId = this.exportId): Promise<void> {
        await writeFile(this.path("secret/bundle-url"), link);
        await writeFile(this.path("secret/export-id"), exportId);
    }

    async run(): Promise<{ exitCode: number | null; log: string; message: string }> {
        await rm(this.path("message"), { force: true });
        const child = spawn(this.path("bin/sh"), [path.join(chartFolder, "files/fetch-bundle.sh")], {
            stdio: ["ignore", "pipe", "pipe"],
            env: {
                PATH: this.path("bin"),
                EXPORT_ID: this.exportId,
                HEALTHZ_JSON: '{"status":"ok","version":"v1"}',
                SECRET_DIR: this.path("secret"),
                SITE_DIR: this.path("site"),
                TERMINATION_LOG: this.path("message"),
                RETRY_DELAY_SECONDS: "0",
                ATTEMPT_TIMEOUT_SECONDS: "20",
                MAX_BUNDLE_MIB: "2048",
                MAX_SITE_MIB: "4096",
                MAX_FILES: "200000",
                ...this.environment,
            },
        });
        const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
        const [output, errors, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
        const message = await readFile(this.path("message"), "utf8").catch(() => "");
        return { exitCode, log: output + errors, message };
    }

    async #installTools(): Promise<void> {
        const programs = new Map<string, string>();
        for (const name of tools.filter((name) => name !== this.#image.without)) {
            programs.set(name, this.#image.busybox ?? (await find(name)));
        }
        programs.set(this.#image.downloader, await this.#downloader());
        for (const [name, program] of programs) {
            await symlink(program, this.path("bin", name));
        }
    }

    async #downloader(): Promise<string> {
        const { busybox, downloader } = this.#image;
        return downloader === "wget" && busybox ? busybox : find(downloader);
    }
}

/**
 * All programs that the script needs in addition to a downloader; the specs fail if the script uses any other program.
 */
const tools =
    "sh awk cat chmod cp cut find grep gzip head ls mkdir mkfifo mv rm sed sha256sum sleep stat tail tar tee timeout touch tr wc xargs".split(
        " ",
    );

/** Returns the path of a program; undefined if it is not installed. */
export async function findProgram(name: string): Promise<string | undefined> {
    for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
        const file = path.join(folder, name);
        if (
            await access(file).then(
                () => true,
                () => false,
            )
        ) {
            return file;
        }
    }
    return undefined;
}

async function find(name: string): Promise<string> {
    const program = await findProgram(name);
    if (!program) {
        throw new Error(`${name} is not on PATH`);
    }
    return program;
}
