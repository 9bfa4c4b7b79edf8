import { spawn } from "node:child_process";
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fetchSite } from "../../../sdk/src/pod/fetch-site.js";
import { describePodError } from "../../../sdk/src/pod/pod-error.js";
import { readPodSettings } from "../../../sdk/src/pod/pod-settings.js";
import { type Clock, systemClock } from "../../../sdk/src/time/clock.js";
import { chartFolder } from "./render-chart.js";

interface Outcome {
    readonly exitCode: number | null;
    readonly log: string;
    /** Why the pod does not start. */
    readonly message: string;
}

/** A pod that fetches a bundle with the chart's program, with its folders, its Secret and its environment. */
export class FetchPod {
    exportId = "e".repeat(64);
    environment: Record<string, string> = {};
    clock: Clock = systemClock;
    readonly #folder: string;

    private constructor(folder: string) {
        this.#folder = folder;
    }

    static async create(): Promise<FetchPod> {
        const pod = new FetchPod(await mkdtemp(path.join(tmpdir(), "fetch-pod-")));
        await mkdir(pod.path("secret"));
        await mkdir(pod.path("site"));
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

    async writeSecret(link: string): Promise<void> {
        await writeFile(this.path("secret/bundle-url"), link);
    }

    /** Runs the program as the chart contains it. */
    async runProgram(): Promise<Outcome> {
        await rm(this.path("message"), { force: true });
        const child = spawn(process.execPath, [path.join(chartFolder, "files/fetch-bundle.cjs")], {
            stdio: ["ignore", "pipe", "pipe"],
            env: this.#settings(),
        });
        const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
        const [output, errors, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
        const message = await readFile(this.path("message"), "utf8").catch(() => "");
        return { exitCode, log: output + errors, message };
    }

    /** Runs the program's function in this process. */
    async run(): Promise<Outcome> {
        const lines: string[] = [];
        const log = (line: string) => void lines.push(line);
        try {
            await fetchSite(readPodSettings(this.#settings()), { log, clock: this.clock });
            return { exitCode: 0, log: lines.join("\n"), message: "" };
        } catch (error) {
            const message = describePodError(error);
            return { exitCode: 1, log: [...lines, message].join("\n"), message };
        }
    }

    #settings(): Record<string, string> {
        return {
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
        };
    }
}

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
