import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeLimit, enforcedLimits } from "../../service/src/processes/run-bounds.js";

const guide = readFileSync(join(import.meta.dirname, "../../docs/guides/your-builder.md"), "utf8");

/** The cells of the guide's table about limits: the limit, as root, with the unit, and in a shell. */
function tableRows(): string[][] {
    const [, section = ""] = guide.split("## Who enforces the limits");
    const [, table = ""] = /\| --- .*\n((?:\|.*\n)+)/.exec(section) ?? [];
    const rows = table.trim().split("\n");
    return rows.map((row) =>
        row
            .split("|")
            .slice(1, 5)
            .map((cell) => cell.trim()),
    );
}

describe("The limits of builds", () => {
    it("are enforced as the guide's table says, with and without the kernel", () => {
        const withKernel = enforcedLimits({});
        const without = enforcedLimits({ users: "no ids", groups: "no groups", disks: "no disk" });
        assert.deepEqual(
            tableRows().map(([limit, asRoot, withUnit = "", inShell]) => [
                limit,
                asRoot,
                withUnit.split(",")[0],
                inShell,
            ]),
            withKernel.map(({ limit, by }, index) => {
                const shell = without[index]?.by === "watching" ? "checked" : "not enforced";
                return [limit, by, by, shell];
            }),
        );
    });

    it("that the kernel does not enforce are described with what is missing", () => {
        const lines = enforcedLimits({ groups: "the system has no control groups" }).map(describeLimit);
        assert.match(lines[0] ?? "", /^memory: checked every second \(the system has no .*Delegate=yes.*\)$/);
        assert.equal(lines[2], "disk and files: by the kernel");
    });
});
