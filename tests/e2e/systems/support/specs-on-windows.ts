import { type FolderOfSpecs } from "./describe-system.js";

const noLinks = "Wine has neither symbolic links nor junctions";
const noNames = "Windows has no such names";

/**
 * The folders whose specs run on Windows under Wine, each with the titles that do not run there, by the reason. The
 * exporter's other folders only turn texts into texts; a spec compares all bytes of the guide instead.
 */
const specsOnWindows: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    contract: { [noLinks]: ["is undefined if a link leads out of the folder, or the file is named with .."] },
    provider: {
        [noLinks]: ["returns the path in node_modules instead of the target of a symlink there"],
        // describe-system.ts starts equal exports in real time instead.
        "runs that wait in no time keep the journal's files open, which Windows then does not replace": [
            "Equal exports that begin at the same time share one job",
        ],
        "files have no modes on Windows": ["is readable only by its owner"],
        "the spec names the folder for temporary files as Linux does": [
            "names the resource and the next step if it cannot be created",
        ],
        "Windows has no process id namespaces": [
            "reports nothing about processes of another host, or of a container with the same host name",
        ],
    },
    cli: { [noLinks]: ["writes nothing in place of a link whose target is missing"] },
    sdk: {
        [noLinks]: [
            "is refused if it is a link, or if the file or one of its lines is too large",
            "a non-empty folder, a file, and a link to a folder, without changing them",
            "is rejected if it contains a link",
            "stores access.json where only the host reads it, and records that location",
            "creates a new release if only the readers differ, and purges every path",
            "is rejected again if the host no longer separates readers, for live and earlier releases",
        ],
        [noNames]: ["a name that leaves its folder on Windows", "is read back as it is printed: a?b"],
        "files have no modes on Windows": ["without the file modes of the archive"],
        "Wine refuses the connections of Node's fetch, which only specs use": [
            "a folder that was filled during the download",
            "reports a disk error, and is not retried",
            "does not time out while data arrives, even if the whole download takes a long time",
            "times out if no data arrives within the idle timeout",
        ],
        "Wine takes longer to connect than the timeout of the spec": ["as ambiguous, after a timeout"],
        "the spec starts a program of Linux": [
            "Storage that starts to refuse requests during a run",
            "are not awaited from a pipe",
        ],
        "pods run Linux": ["have defaults for what the chart may leave out", "A download of the pods' program"],
    },
    "exporter/live": { [noNames]: ["is planned again when a folder that cannot be read is removed"] },
    "exporter/plan": {},
    "exporter/read": {
        [noLinks]: [
            "A symbolic link in a site",
            "A site in a mounted ConfigMap",
            "is never published through a symbolic link",
            "is not published if replaced by a link",
            "is not published if its folder is replaced by a link",
            ".mintignore fails the export if it cannot be read",
        ],
        [noNames]: [
            "is a warning if its name differs from another only in case",
            "is a warning if Windows cannot store it",
            "is a warning in finished HTML, too",
            "on one line: with ",
            "fails the export if its name is not UTF-8",
            "fails the export if the name of a folder is not UTF-8",
            "A file that archive tools refuse to unpack has no effect if the file is not published",
        ],
        "the spec starts a program of Linux": ["does not delay the export if replaced by a pipe"],
        "the spec looks for files in TypeScript": ["has an oracle that exists"],
    },
    "exporter/write": {
        [noLinks]: [
            "can be linked from another folder of the site, but not from outside of the site",
            "skips a link that leaves the site's folder, and follows a link that stays inside",
            "reports files and links that it leaves out, and files that hosts refuse",
        ],
        [noNames]: [
            "the address of a page whose file name contains # or ?",
            "refuses names that a line-by-line parser could misread",
            "of skills are unique: two main files in one folder fail the export",
        ],
        "Wine does not remove the folders of these specs": [
            "cannot be shared by a file and the export's folder: the export fails",
            "of files in a bundle are checked below the base path, too",
        ],
    },
};

/** The folders whose long form takes less than a minute. Others use thousands of files, which is slow under Wine. */
const inLongForm = new Set(["contract", "provider", "cli"]);

export const foldersOnWindows: readonly FolderOfSpecs[] = Object.entries(specsOnWindows).map(([name, titles]) => ({
    name,
    excluded: Object.values(titles).flat(),
    isLong: inLongForm.has(name),
}));
