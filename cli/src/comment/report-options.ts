import { InvalidArgumentError, Option } from "commander";
import { addTo } from "../command-line/options.js";
import { defaultProtectedStacks, type ProtectedStacks } from "../preview/explain/protected-stacks.js";
import { readComparison } from "../preview/comparison.js";
import { type PreviewContext } from "../preview/preview-report.js";
import { type ReportOptions } from "../report/write-report.js";
import { type CommentOptions, platforms } from "./write-comment.js";

/** The options of every command that writes a report. */
export interface ReportCommandOptions extends ReportOptions, CommentOptions {
    protectedStack?: string[];
    deletions: ProtectedStacks["level"];
    compare?: string;
}

export const reportOptions: readonly Option[] = [
    new Option("--json", "write JSON instead of Markdown"),
    new Option("--out <file>", "write the report to a file instead of standard output"),
    new Option("--commit <sha>", "commit that the report names (default: that of the CI job)"),
    new Option("--folder <path>", "folder of the program in the repository, which the report names"),
    new Option("--comment <platform>", "create or update the comment on the pull request").choices(platforms),
    new Option(
        "--pull-request <number>",
        "pull or merge request to comment on (default: that of the CI job)",
    ).argParser(readNumber),
    new Option(
        "--protected-stack <name>",
        "stack in which deletions are reported, * for any characters (default: prod*)",
    ).argParser(addTo),
    new Option("--deletions <level>", "how a site's deletion in such a stack is reported; mandatory exits with 1")
        .choices(["advisory", "mandatory"])
        .default(defaultProtectedStacks.level),
    new Option(
        "--compare <file>",
        "output of `static-export compare OLD NEW --json`: the report begins with pages that become public or private",
    ),
    new Option("--no-step-summary", "do not write the GitHub job summary, even if GITHUB_STEP_SUMMARY is set"),
];

/** The preview settings in the options. @throws UsageError for a file that is not a comparison */
export function contextOf({
    protectedStack,
    deletions,
    compare,
}: ReportCommandOptions): Pick<PreviewContext, "protectedStacks" | "pages"> {
    return {
        protectedStacks: { stacks: protectedStack ?? defaultProtectedStacks.stacks, level: deletions },
        pages: compare === undefined ? undefined : readComparison(compare),
    };
}

function readNumber(text: string): number {
    if (!/^[1-9]\d{0,9}$/.test(text)) {
        throw new InvalidArgumentError("Use the number of a pull request.");
    }
    return Number(text);
}
