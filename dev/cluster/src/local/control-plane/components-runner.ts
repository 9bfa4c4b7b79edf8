import { readFile } from "node:fs/promises";
import path from "node:path";
import { ClusterError } from "../../cluster/cluster-error.js";
import { identifyProcess, type ProcessIdentity } from "../../cluster/process-identity.js";
import { waitFor } from "../../cluster/wait-for.js";
import { type ComponentName } from "./components.js";
import { environmentInside, inNamespace, startDetached } from "../network/node-namespace.js";

const shownLogLines = 15;

/** Starts components in the node's namespaces; waiting fails as soon as one of them exits. */
export class ComponentsRunner {
    readonly processes: Partial<Record<ComponentName, ProcessIdentity>> = {};
    #ended: { name: string; how: string } | undefined;

    constructor(
        private readonly clusterName: string,
        private readonly logFolder: string,
        private readonly signal: AbortSignal | undefined,
    ) {}

    async start(name: ComponentName, init: ProcessIdentity, command: readonly string[]): Promise<void> {
        const child = await startDetached(inNamespace(init, command), this.logFile(name), environmentInside);
        this.watch(name, child.exited);
        const identity = child.pid === undefined ? undefined : await identifyProcess(child.pid);
        if (identity !== undefined) {
            this.processes[name] = identity;
        }
    }

    /** Makes waiting fail as soon as the process has exited. */
    watch(name: string, exited: Promise<string>): void {
        void exited.then((how) => (this.#ended ??= { name, how }));
    }

    /** @throws {ClusterError} that names the component and shows the end of its log. */
    async waitFor(name: string, timeoutMs: number, findMissing: () => Promise<string | undefined>): Promise<void> {
        const findMissingUnlessEnded = async () => (this.#ended === undefined ? findMissing() : undefined);
        const missing = await waitFor(findMissingUnlessEnded, { timeoutMs, signal: this.signal });
        if (this.#ended !== undefined) {
            throw await this.#error(this.#ended.name, this.#ended.how);
        }
        if (missing !== undefined) {
            throw await this.#error(name, `was not ready within ${timeoutMs / 1000} s: ${missing}`);
        }
    }

    logFile(name: string): string {
        return path.join(this.logFolder, `${name}.log`);
    }

    async #error(name: string, what: string): Promise<ClusterError> {
        const log = await readFile(this.logFile(name), "utf8").catch(() => "");
        const end = log.trimEnd().split("\n").slice(-shownLogLines).join("\n");
        return new ClusterError(
            `Cluster ${this.clusterName} did not start: ${name} ${what}. ` +
                `All its components were stopped. The log ${this.logFile(name)} ends with:\n${end}`,
        );
    }
}
