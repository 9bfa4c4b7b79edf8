import assert from "node:assert/strict";
import { Option } from "commander";
import { type CliCommand, declareCommand } from "../../../cli/src/command-line/cli-command.js";

const fetchCommand: CliCommand = {
    name: "fetch",
    summary: "Download a bundle.",
    options: [new Option("--output <folder>", "folder for the site")],
    exitCodes: { 0: "completed", 3: "timed out", 130: "Ctrl-C" },
    notes: "It asks once.",
    examples: ["static-export fetch --output site"],
};

function helpOf(declared: CliCommand): string {
    let help = "";
    declareCommand(declared)
        .configureOutput({ writeOut: (text) => (help += text) })
        .outputHelp();
    return help;
}

describe("A declared command", () => {
    it("shows its notes, exit codes and examples in its help", () => {
        const [, rest] = helpOf(fetchCommand).split("display help for command\n");
        assert.equal(
            rest,
            [
                "",
                "It asks once.",
                "",
                "Exit codes:",
                "  0   completed",
                "  2   wrong usage or settings",
                "  3   timed out",
                "  130 Ctrl-C",
                "",
                "Examples:",
                "  $ static-export fetch --output site",
                "",
                "",
            ].join("\n"),
        );
    });

    it("lists its subcommands in its help", () => {
        const show: CliCommand = { name: "show", summary: "show a job", exitCodes: { 0: "shown" } };
        assert.match(helpOf({ ...fetchCommand, subcommands: [show] }), /show\s+show a job\n/);
    });

    for (const [returned, exitCode] of [
        [3, 3],
        [undefined, 42],
    ] as const) {
        it(`${returned === undefined ? "keeps the exit code that was set" : "exits with the code that it returns"}`, async () => {
            const before = process.exitCode;
            try {
                process.exitCode = 42;
                await declareCommand({ ...fetchCommand, run: () => returned }).parseAsync(["node", "fetch"]);
                assert.equal(process.exitCode, exitCode);
            } finally {
                process.exitCode = before;
            }
        });
    }
});
