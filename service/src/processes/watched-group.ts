import { type ProcessLimits, type RunGroup } from "./control-group.js";
import { type RunProcesses } from "./kill-processes.js";
import { sayReached } from "../shared/reached-limit.js";

/** The processes of a run where the kernel has no group for them: they are counted each time somebody asks. */
export class WatchedGroup implements RunGroup {
    constructor(
        private readonly processes: RunProcesses,
        private readonly limits: ProcessLimits,
    ) {}

    wrap<T>(command: T): T {
        return command;
    }

    async findExcess(): Promise<string | undefined> {
        const { memoryMegabytes, maxProcesses } = this.limits;
        const { count, memoryBytes } = await this.processes.measure();
        if (count > maxProcesses) {
            return sayReached("processes", maxProcesses);
        }
        return memoryBytes > memoryMegabytes * 2 ** 20 ? sayReached("memory", `${memoryMegabytes} MB`) : undefined;
    }

    end(): Promise<void> {
        return this.processes.killAll();
    }
}
