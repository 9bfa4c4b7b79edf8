import { EventEmitter, once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Exporter } from "@pulumi-static-export/exporter";
import type { Operation, RequestLogEntry, ServiceOptions } from "@pulumi-static-export/service";
import { EngineStack, type EngineStackOptions } from "./engine-stack.js";
import { adminApiKey, domain, Platform } from "./platform.js";
import { descendantsOf, isAlive, type ProcessEntry } from "./process-tree.js";
import type { CommandResult, RunningCommand } from "./run-command.js";

/** The ways to interrupt a run. */
export type Interruption =
    | "second Ctrl-C"
    | "second SIGTERM"
    | "SIGKILL of the engine"
    | "SIGKILL of the provider"
    | "SIGKILL of the engine and the provider";

const bundleProgram = `
const bundle = new StaticExportBundle("docs", { domain: "${domain}" });
export const { jobId } = bundle;
`;
const signals: Partial<Record<Interruption, NodeJS.Signals>> = {
    "second Ctrl-C": "SIGINT",
    "second SIGTERM": "SIGTERM",
};
const goneWithinMs = 60_000;

/** A stack with its own service, by default with one bundle, and functions to interrupt a run. */
export class InterruptedStack {
    readonly #events = new EventEmitter();
    readonly #requests: RequestLogEntry[] = [];
    readonly #processes: ProcessEntry[] = [];
    #platform!: Platform;
    #stack!: EngineStack;
    /** The number of requests and journal entries before the current run. */
    #doneBefore = 0;

    private constructor() {}

    static async create(
        exporter?: Exporter,
        {
            program = bundleProgram,
            pathFolders = [],
            env = {},
            ...options
        }: Partial<ServiceOptions> & Partial<Pick<EngineStackOptions, "program" | "pathFolders" | "env">> = {},
    ): Promise<InterruptedStack> {
        const created = new InterruptedStack();
        created.#platform = await Platform.start({
            ...options,
            ...(exporter === undefined ? {} : { exporter }),
            onRequest: (entry) => {
                created.#requests.push(entry);
                created.#events.emit("request");
            },
        });
        created.#stack = await EngineStack.create({
            program,
            env,
            pathFolders,
            config: { "static-export:baseUrl": created.#platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        return created;
    }

    get platform(): Platform {
        return this.#platform;
    }

    get stack(): EngineStack {
        return this.#stack;
    }

    startUp(...args: string[]): RunningCommand {
        this.#doneBefore = this.#done();
        return this.#stack.start("up", "--yes", "--skip-preview", ...args);
    }

    /** Runs the next `pulumi up`, as a user does. */
    async upAgain(): Promise<CommandResult> {
        await this.unlock();
        return this.startUp().result;
    }

    /**
     * After a SIGKILL of the engine, the file backend is still locked, and Pulumi requires `pulumi cancel` for any
     * stack. Without a lock, nothing is cancelled.
     */
    async unlock(): Promise<void> {
        const folder = join(this.#stack.folder, "state", ".pulumi", "locks");
        const locks = await readdir(folder, { recursive: true }).catch(() => []);
        if (locks.some((name) => name.endsWith(".json"))) {
            await this.#stack.succeed("cancel", "--yes");
        }
    }

    /** Resolves when the service has answered this many requests of an operation. */
    async answered(operation: Operation, count = 1): Promise<void> {
        while (this.count(operation) < count) {
            await once(this.#events, "request");
        }
    }

    count(operation: Operation): number {
        return this.#requests.filter((request) => request.operation === operation).length;
    }

    /** Returns the path of the latest request of an operation. */
    lastPath(operation: Operation): string | undefined {
        return this.#requests.findLast((request) => request.operation === operation)?.path;
    }

    /** Ends a run, and resolves when all of its processes that run our code have ended. */
    async interrupt(run: RunningCommand, interruption: Interruption): Promise<CommandResult> {
        const engine = run.child.pid!;
        const signal = signals[interruption];
        const killsEngine = interruption.startsWith("SIGKILL of the engine");
        if (killsEngine) {
            // Stops the engine first, so that it starts no other process after this code has listed the processes to
            // kill.
            sendSignal(engine, "SIGSTOP");
        }
        const processes = descendantsOf(engine);
        this.#processes.push(...processes);
        const providers = processes.filter(({ command }) =>
            /dynamic-provider|pulumi-resource-(pulumi-nodejs|static-export)/.test(command),
        );
        // The host of dynamic providers loads our code at its first call; before that, nothing ends an orphaned
        // process.
        const ours = this.#done() > this.#doneBefore ? providers : [];
        if (interruption.endsWith("the provider")) {
            providers
                .filter(({ command }) => command.startsWith("node "))
                .forEach(({ pid }) => sendSignal(pid, "SIGKILL"));
        }
        if (killsEngine) {
            sendSignal(engine, "SIGKILL");
            await this.#gone(ours);
            // Pulumi's language host keeps running for minutes after its engine, and keeps the output open.
            this.#killRest();
        }
        if (signal !== undefined) {
            // A terminal signals the whole foreground group, which does not contain the processes that Pulumi starts.
            sendSignal(-engine, signal);
            await run.seen(/If you would like to terminate immediately/).then(
                () => sendSignal(-engine, signal),
                // The run had ended, or did not yet listen for the first signal.
                () => undefined,
            );
        }
        const result = await run.result;
        await this.#gone(ours);
        return result;
    }

    /** Kills the engine without waiting: the processes that it has started continue. */
    abandon(run: RunningCommand): void {
        const engine = run.child.pid!;
        sendSignal(engine, "SIGSTOP");
        this.#processes.push(...descendantsOf(engine));
        sendSignal(engine, "SIGKILL");
    }

    /** Resolves when the provider is about to send a start, or has sent it. */
    async journalWritten(): Promise<void> {
        while (this.#journalEntries() === 0) {
            await delay(20);
        }
    }

    /** Removes the journal, as when a machine is lost. */
    removeJournal(): Promise<void> {
        return rm(join(this.#stack.folder, "journal"), { recursive: true, force: true });
    }

    async dispose(): Promise<void> {
        this.#killRest();
        await this.#stack.remove();
        await this.#platform.stop();
    }

    #done(): number {
        return this.#requests.length + this.#journalEntries();
    }

    #journalEntries(): number {
        const folder = join(this.#stack.folder, "journal");
        // Ignores an entry's draft: a process that was killed before renaming the draft has not sent a request.
        const isEntry = (name: string) => /\.start\.\d+\.json$/.test(name);
        const names = existsSync(folder) ? readdirSync(folder).filter(isEntry) : [];
        return names.filter((name) => readText(join(folder, name)).includes('"isSent":true')).length;
    }

    #killRest(): void {
        for (const { pid } of this.#processes.splice(0).filter(isAlive)) {
            sendSignal(pid, "SIGKILL");
        }
    }

    async #gone(processes: readonly ProcessEntry[]): Promise<void> {
        const giveUpAt = Date.now() + goneWithinMs;
        for (let left = processes.filter(isAlive); left.length > 0; left = left.filter(isAlive)) {
            if (Date.now() > giveUpAt) {
                throw new Error(`still alive: ${left.map(({ pid, command }) => `${pid} ${command}`).join("; ")}`);
            }
            await delay(50);
        }
    }
}

/** A run may end by itself just before it is interrupted. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
    try {
        process.kill(pid, signal);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") {
            throw error;
        }
    }
}

/** Returns an empty string if the file is gone, because a provider may remove its entries in the meantime. */
function readText(file: string): string {
    try {
        return readFileSync(file, "utf8");
    } catch {
        return "";
    }
}
