import { execFile } from "node:child_process";
import { type ClientOptions } from "../command-line/admin-client.js";

/** The options of `doctor`, parsed. */
export interface DoctorOptions extends ClientOptions {
    cwd: string;
    stack?: string;
    chart?: string;
    project?: string;
    bucket?: string;
    region?: string;
    endpoint?: string;
    /** The sites file of a service on this machine. */
    sitesFile?: string;
    /** The variables with the tokens of the sites' repositories, by origin. */
    gitTokenEnv?: Record<string, string>;
    dataDir?: string;
    /** An exported site: a folder, or the archive of a bundle. */
    site?: string;
    json?: boolean;
}

/** The input of the checks. */
export interface Examination {
    options: DoctorOptions;
    env: NodeJS.ProcessEnv;
    /** Of this process. */
    nodeVersion: string;
    /** Runs a program in the project's folder; undefined if it is not on the PATH. */
    run: (program: string, args: readonly string[]) => Promise<ProgramResult | undefined>;
}

export interface ProgramResult {
    exitCode: number;
    stdout: string;
    stderr: string;
}

const maxRunMs = 30_000;

export function createExamination(options: DoctorOptions, env: NodeJS.ProcessEnv): Examination {
    return {
        options,
        env,
        nodeVersion: process.versions.node,
        run: (program, args) =>
            new Promise((resolve) => {
                const settings = { cwd: options.cwd, env, timeout: maxRunMs, maxBuffer: 64 * 1024 ** 2 };
                execFile(program, args, settings, (failure, stdout, stderr) => {
                    const { code } = (failure ?? {}) as { code?: string | number };
                    resolve(
                        code === "ENOENT"
                            ? undefined
                            : { exitCode: typeof code === "number" ? code : failure === null ? 0 : 1, stdout, stderr },
                    );
                });
            }),
    };
}
