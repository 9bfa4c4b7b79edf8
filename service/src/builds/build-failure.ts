import { limitIn, type RunLimit, sayReached } from "../shared/reached-limit.js";
import { type BuildLimits } from "./site-build.js";

const cannotFork = /cannot fork|fork: (?:retry: )?resource temporarily unavailable/i;
const outOfMemory = /SIGKILL|code 137|out of memory|cannot allocate memory|MemoryError|ENOMEM/i;
const outOfDisk = /no space left on device|ENOSPC/i;
const largeFile = /code 153|EFBIG|file size limit exceeded/i;

/** The keys of limits in the sites file. */
const keys: Readonly<Record<RunLimit, keyof BuildLimits>> = {
    memory: "memoryMegabytes",
    disk: "diskMegabytes",
    files: "maxFiles",
    processes: "maxProcesses",
    time: "timeoutSeconds",
};

/** Read the Docs and other platforms publish nothing after this exit code. */
const skipped = "exited with code 183";

/** The build has decided that its commit needs no new site. */
export class SkippedBuildError extends Error {
    override readonly name = "SkippedBuildError";

    constructor() {
        super("The build skips this commit (exit code 183): the site stays as it is.");
    }
}

/** The limits that a way of building has. */
type KnownLimits = Omit<BuildLimits, "maxProcesses" | "maxFiles"> & Partial<BuildLimits>;

/**
 * Says why a build failed, and what its operator can change.
 * @param failure what the build did, such as `exited with code 1` @param limits those of this way of building
 * @param advice for this way of building
 * @param roomMegabytes what the disk around a build had room for, if that was less than the build's limit
 */
export function buildError(
    failure: string,
    logEnd: string,
    limits: KnownLimits,
    advice: readonly string[] = [],
    roomMegabytes?: number,
): Error {
    if (failure === skipped) {
        return new SkippedBuildError();
    }
    const what =
        limits.maxProcesses !== undefined && cannotFork.test(logEnd)
            ? sayReached("processes", limits.maxProcesses)
            : limitIn(failure) === "time"
              ? sayReached("time", limits.timeoutSeconds)
              : failure;
    const reached = limitIn(what);
    const log = `${failure}\n${logEnd}`;
    const isDisk = reached === "disk" || (reached === undefined && outOfDisk.test(log));
    const fix =
        isDisk && roomMegabytes !== undefined
            ? [`The service's disk had room for only ${roomMegabytes} MB of the build's files: free some of it.`]
            : reached === undefined
              ? guesses(log, limits)
              : [`Raise build.${keys[reached]} in the sites file.`];
    const ending = logEnd === "" ? [] : [`Its log ends with: ${logEnd}`];
    return new Error([`The build ${what}.`, ...fix, ...advice, ...ending].join(" "));
}

/** The limits that a build may have reached by its log. */
function guesses(log: string, { memoryMegabytes, diskMegabytes, maxFiles }: KnownLimits): string[] {
    const [orFiles, orKey] =
        maxFiles === undefined ? ["", ""] : [`, or more files than ${maxFiles}`, " or build.maxFiles"];
    return [
        ...(outOfMemory.test(log)
            ? [`It may need more memory than ${memoryMegabytes} MB: raise build.memoryMegabytes in the sites file.`]
            : []),
        ...(outOfDisk.test(log)
            ? [
                  `It may need more disk than ${diskMegabytes} MB${orFiles}: raise build.diskMegabytes${orKey} in ` +
                      "the sites file.",
              ]
            : []),
        ...(largeFile.test(log)
            ? [
                  `It may have written a file larger than ${diskMegabytes} MB: raise build.diskMegabytes in the ` +
                      "sites file.",
              ]
            : []),
    ];
}

const notFound = /not found|cannot find (?:module|package)|MODULE_NOT_FOUND/i;

/** Names the variable that leaves packages out. @param nodeEnv the build's variable NODE_ENV */
export function adviceOnPackages(logEnd: string, nodeEnv: string | undefined): string[] {
    return nodeEnv === "production" && notFound.test(logEnd)
        ? [
              "With NODE_ENV=production, package managers leave out devDependencies, to which builders belong: " +
                  "remove the variable, or set it in the command.",
          ]
        : [];
}
