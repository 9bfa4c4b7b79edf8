import { Argument } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { clientNotes, clientOptions, jsonOption } from "../command-line/options.js";
import { type CompareOptions } from "../compare/run-compare.js";

/** Shows what a pull request changes for readers. */
export const compareCommand: CliCommand = {
    name: "compare",
    summary: "List the pages that differ between two exports of a site, and the links and addresses that are lost.",
    arguments: [
        new Argument("<old>", "the old site: a folder, the archive of a bundle, or the id of an export job"),
        new Argument("<new>", "the new site, in one of the same forms"),
    ],
    options: [...clientOptions, jsonOption("the comparison")],
    exitCodes: {
        0: "nothing is lost",
        1: "a removed page has no redirect, or a link is newly broken",
        5: "a job's bundle could not be fetched",
        130: "Ctrl-C",
        143: "SIGTERM",
    },
    notes: `${clientNotes} The address and the key are needed only for ids of jobs.`,
    examples: [
        "static-export compare site-main site-branch          two folders that build has written",
        "static-export compare se_42 site --json              the last export, and this checkout",
    ],
    run: async (before: string, after: string, options: CompareOptions) =>
        // The parser is imported here, because loading it would slow down the other commands.
        (await import("../compare/run-compare.js")).runCompare(before, after, options),
};
