import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type CliCommand } from "../../../cli/src/command-line/cli-command.js";
import { commands } from "../../../cli/src/run-cli.js";

describe("The guide's table of exit codes", () => {
    it("contains every code that a command declares, and no other", async () => {
        const page = readFileSync("docs/reference/command.md", "utf8");
        const [, table = ""] = /^## Exit codes\n([^]*?)^## /m.exec(page) ?? [];
        const listed = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
        const declared = await Promise.all(Object.values(commands).map(async (load) => codesOf(await load())));
        assert.deepEqual(
            listed,
            [...new Set([2, ...declared.flat()])].sort((one, other) => one - other),
        );
    });
});

function codesOf({ exitCodes, subcommands = [] }: CliCommand): number[] {
    return [...Object.keys(exitCodes).map(Number), ...subcommands.flatMap(codesOf)];
}
