import { type ChildProcess } from "node:child_process";
import { once } from "node:events";

export interface RunSettings {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
}

/** Another system on this machine, with Node.js and a project with the packed packages. */
export interface System {
    /** The folder in which the system's files are. */
    readonly files: string;
    /** The program of `static-export`. */
    readonly program: string;
    /** A program that runs one operation of the provider. */
    readonly lifecycle: string;
    /** The system's native parser. The node_modules of this repository contain only the parser for this machine. */
    readonly parser: string;
    /** Why a process cannot tell whether another one still runs; missing if it can. */
    readonly unknownProcesses?: string;
    /** Returns the name that the system has for one of its files. */
    pathOf(file: string): string;
    /** Starts a program with Node.js. */
    start(
        args: readonly string[],
        settings: RunSettings,
    ): Promise<{ child: ChildProcess; output: () => Promise<string> }>;
    remove(): Promise<void>;
}

/** Runs a program with Node.js to completion. */
export async function runOn(system: System, args: readonly string[], settings: RunSettings) {
    const { child, output } = await system.start(args, settings);
    const [exitCode] = (await once(child, "exit")) as [number | null];
    return { exitCode, output: await output() };
}
