const noLinks = "Wine has neither symbolic links nor junctions";

/** The folders whose specs run on Windows under Wine, each with the titles that do not run there, by the reason. */
export const specsOnWindows: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    contract: {
        "the spec has paths of Linux": ["that is installed globally", "that is installed by npx"],
    },
    provider: {
        [noLinks]: ["returns the path in node_modules instead of the target of a symlink there"],
        // A later spec here starts equal exports in several processes.
        "runs that wait without real time keep the journal open, which Windows then does not replace": [
            "Equal exports that begin at the same time share one job",
        ],
        "files have no modes on Windows": ["is readable only by its owner"],
        "Windows has no process id namespaces": [
            "reports nothing about processes of another host, or of a container with the same host name",
        ],
    },
    cli: {},
};

/** Matches the titles of a folder's specs that do not run on Windows. */
export function notOnWindows(folder: string): string {
    const titles = Object.values(specsOnWindows[folder]!).flat();
    return titles.map((title) => title.replace(/[.?()[\]*+|^$]/g, "\\$&")).join("|") || "^$";
}
