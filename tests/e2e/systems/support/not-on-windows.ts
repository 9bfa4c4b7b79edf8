/** The titles of specs that do not run on Windows under Wine, by the reason. */
const titles = {
    "Wine has neither symbolic links nor junctions": [
        "is refused if it is a link, or if the file or one of its lines is too large",
        "a non-empty folder, a file, and a link to a folder, without changing them",
        "is rejected if it contains a link",
        "stores access.json where only the host reads it, and records that location",
        "creates a new release if only the readers differ, and purges every path",
        "is rejected again if the host no longer separates readers, for live and earlier releases",
        "returns the path in node_modules instead of the target of a symlink there",
    ],
    "Wine refuses the connections of Node's fetch, which only specs use": [
        "a folder that was filled during the download",
        "reports a disk error, and is not retried",
        "does not time out while data arrives, even if the whole download takes a long time",
        "times out if no data arrives within the idle timeout",
    ],
    "Wine takes longer to connect than the timeout of the spec": ["as ambiguous, after a timeout"],
    "waiting for open files takes real time, and the spec's clock is not real": [
        "Equal exports that begin at the same time share one job",
    ],
    "files have no modes on Windows": ["without the file modes of the archive", "is readable only by its owner"],
    "Windows has no such names": ["a name that leaves its folder on Windows", "is read back as it is printed: a?b"],
    "the spec has paths of Linux": [
        "installs it with a program that is installed globally",
        "installs it with a program that is installed by npx",
    ],
    "the program runs in pods, on Linux": [
        "move to one folder for each list of groups, with one map for nginx",
        "do not exist if access.json lists no files",
    ],
    "Windows has no process id namespaces": [
        "reports nothing about processes of another host, or of a container with the same host name",
    ],
    "the spec starts a program of Linux": [
        "does not cover the part's content, which TLS protects",
        "Storage that refuses requests",
        "Storage that starts to refuse requests during a run",
    ],
} as const;

/** Matches the titles of these specs. */
export const notOnWindows = Object.values(titles)
    .flat()
    .map((title) => title.replace(/[.?]/g, "\\$&"))
    .join("|");
