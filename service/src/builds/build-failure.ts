import { type BuildLimits } from "./site-build.js";

const cannotFork = /cannot fork|fork: (?:retry: )?resource temporarily unavailable/i;
const outOfMemory = /SIGKILL|code 137|out of memory|cannot allocate memory|MemoryError|ENOMEM/i;
const outOfDisk = /no space left on device|ENOSPC|code 153|EFBIG|file size limit exceeded/i;

/** Read the Docs and other platforms publish nothing after this exit code. */
const skipped = "exited with code 183";

/**
 * Says why a build failed, and what its operator can change.
 * @param failure what the build did, such as `exited with code 1` @param limits those of this way of building
 * @param advice for this way of building
 * @param roomMegabytes what the disk around a build had room for, if that was less than the build's limit
 */
export function explainFailure(
    failure: string,
    logEnd: string,
    limits: Pick<BuildLimits, "memoryMegabytes" | "timeoutSeconds"> & Partial<BuildLimits>,
    advice: readonly string[] = [],
    roomMegabytes?: number,
): string {
    if (failure === skipped) {
        return "The build skips this commit (exit code 183): the site stays as it is.";
    }
    const what =
        limits.maxProcesses !== undefined && cannotFork.test(logEnd)
            ? `started more than ${limits.maxProcesses} processes`
            : failure.startsWith("did not end within")
              ? `did not end within ${limits.timeoutSeconds} s`
              : failure;
    const memory = outOfMemory.test(`${failure}\n${logEnd}`)
        ? [`It may need more memory than ${limits.memoryMegabytes} MB: raise build.memoryMegabytes.`]
        : [];
    const disk = outOfDisk.test(`${failure}\n${logEnd}`)
        ? [
              roomMegabytes === undefined
                  ? "It may need more disk or files than it may use: raise build.diskMegabytes or build.maxFiles."
                  : `The service's disk had room for only ${roomMegabytes} MB of the build's files: free some of it.`,
          ]
        : [];
    return [
        `The build ${what}.`,
        ...memory,
        ...disk,
        ...advice,
        ...(logEnd === "" ? [] : [`Its log ends with: ${logEnd}`]),
    ].join(" ");
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
