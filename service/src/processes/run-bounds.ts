import { basename } from "node:path";
import { ControlGroups, type ProcessLimits, type RunGroup } from "./control-group.js";
import { RunProcesses } from "./kill-processes.js";
import { type ProcessMark } from "./process-mark.js";
import { type ProgramUser, ProgramUsers } from "./program-user.js";
import { type RunDisks } from "./run-disk.js";
import { WatchedGroup } from "./watched-group.js";

/** How a limit of builds is enforced on this machine. */
export interface EnforcedLimit {
    readonly limit: string;
    readonly by: "the kernel" | "watching" | "nothing";
    /** Why the kernel does not enforce it, and what the operator can do. */
    readonly advice?: string;
}

/** The limits that the kernel of this machine enforces for each run of programs, and those that this process checks. */
export class RunBounds {
    readonly #users: ProgramUsers | string;
    readonly #groups: ControlGroups | string;

    /**
     * @param users of {@link ProgramUsers}, or why runs have none
     * @param groups of {@link ControlGroups}, or why runs have none
     */
    private constructor(
        readonly disks: RunDisks,
        users: ProgramUsers | string,
        groups: ControlGroups | string,
    ) {
        this.#users = users;
        this.#groups = groups;
    }

    /**
     * @param isSandboxed whether the programs run in a sandbox, without which they need this process's user
     * @throws ServiceOptionsError if root cannot start programs as another user
     */
    static open(disks: RunDisks, env: NodeJS.ProcessEnv, isSandboxed = true): RunBounds {
        const groups = ControlGroups.open();
        const users = isSandboxed ? ProgramUsers.open(env) : "programs without a sandbox run as the service's user";
        // This process cannot measure the memory of another user's processes.
        const isUnmeasured = typeof groups === "string" && typeof users !== "string" && users.areSubordinate;
        return new RunBounds(
            disks,
            isUnmeasured ? "without control groups, runs have the service's user" : users,
            groups,
        );
    }

    /**
     * How each limit is enforced here, or for one run.
     * @param hasDisk whether the run has a separate file system. @default whether runs can have one
     */
    limits(hasDisk = this.disks.fault === undefined): EnforcedLimit[] {
        const [users, groups] = [this.#users, this.#groups].map((each) =>
            typeof each === "string" ? each : undefined,
        );
        const disks = hasDisk ? undefined : (this.disks.fault ?? "no file system is free, or none can be mounted");
        return enforcedLimits({ users, groups, disks });
    }

    /** @returns a user for one run; undefined if runs share this process's user */
    userForRun(): ProgramUser | undefined {
        return typeof this.#users === "string" ? undefined : this.#users.forRun();
    }

    /** The group of a run's processes. @param folder of the run, with a name that no other run has */
    groupOf(folder: string, mark: ProcessMark, limits: ProcessLimits): RunGroup {
        return typeof this.#groups === "string"
            ? new WatchedGroup(new RunProcesses({ mark, folder }), limits)
            : this.#groups.create(basename(folder), limits);
    }
}

/** Why the kernel cannot enforce some limits. */
interface Faults {
    readonly users?: string | undefined;
    readonly groups?: string | undefined;
    readonly disks?: string | undefined;
}

/** The limits of builds, in the order of the guide's table. */
export function enforcedLimits({ users, groups, disks }: Faults): EnforcedLimit[] {
    const limit = (
        name: string,
        fault: string | undefined,
        otherwise: "watching" | "nothing",
        fix: string,
    ): EnforcedLimit =>
        fault === undefined
            ? { limit: name, by: "the kernel" }
            : { limit: name, by: otherwise, advice: `${fault}: ${fix}` };
    const delegated = "set Delegate=yes in the systemd unit";
    return [
        limit("memory", groups, "watching", delegated),
        limit("processes", groups, "watching", delegated),
        limit("disk and files", disks, "watching", "mount one there for each build that runs at once"),
        limit(
            "what belongs to a user, such as watches of files",
            users,
            "nothing",
            "let the unit delegate control groups (Delegate=yes), install uidmap, and give the service's user " +
                "subordinate ids in /etc/subuid and /etc/subgid",
        ),
    ];
}

/** Describes how a limit is enforced, in a line. */
export function describeLimit({ limit, by, advice }: EnforcedLimit): string {
    return by === "the kernel"
        ? `${limit}: by the kernel`
        : `${limit}: ${by === "nothing" ? "not enforced" : "checked every second"} (${advice})`;
}
