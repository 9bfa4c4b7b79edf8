interface HostileBuild {
    /** An argument of `hostile.py`. */
    readonly kind: string;
    readonly limits: Readonly<Record<string, number>>;
    /** How the build ends; undefined for a build that takes less than its limits, and is stopped. */
    readonly error: RegExp | undefined;
}

const memory = { limits: { memoryMegabytes: 300 }, error: /^The build used more than 300 MB of memory\./ };
const disk = { limits: { diskMegabytes: 200 }, error: /^The build used more than 200 MB of disk\./ };
const processes = { limits: { maxProcesses: 100 }, error: /^The build started more than 100 processes\./ };

/** Builds that take what the kernel limits. */
export const hostileBuilds: readonly HostileBuild[] = [
    // On a machine with little memory, the kernel allows a user fewer watches than would fill the build's memory.
    {
        kind: "epoll",
        limits: { ...memory.limits, timeoutSeconds: 100 },
        error: /^The build used more than 300 MB of memory\.|^stopped$/,
    },
    { kind: "system_v", ...memory },
    { kind: "sockets", ...memory },
    { kind: "memfd", ...memory },
    { kind: "mapped", ...disk },
    { kind: "travelling", ...disk },
    { kind: "full_disk", ...disk },
    { kind: "unnamed_files", limits: { maxFiles: 1000 }, error: /^The build created more than 1000 files\./ },
    { kind: "bomb", ...processes },
    { kind: "threads", ...processes },
    { kind: "inotify", limits: {}, error: undefined },
    { kind: "keys", limits: {}, error: undefined },
    { kind: "open_files", limits: {}, error: undefined },
];
