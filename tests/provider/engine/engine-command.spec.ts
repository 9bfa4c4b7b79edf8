import assert from "node:assert/strict";
import { isPulumiUp } from "../../../provider/src/engine/engine-command.js";

/** Processes by id: each was started by the one before, the last one starts the provider. */
const chain = (...commands: string[]) => ({
    pid: commands.length + 1,
    read: (pid: number) =>
        commands[pid - 2] === undefined
            ? Promise.reject(new Error("no such process"))
            : Promise.resolve({ parent: pid - 1, args: commands[pid - 2]!.split(" ") }),
});

describe("The command of the engine", () => {
    for (const [expected, ...commands] of [
        [true, "pulumi up --yes"],
        [true, "/usr/bin/pulumi --cwd docs up --stack dev", "pulumi-language-nodejs 127.0.0.1:1", "/bin/sh -c x"],
        [true, "node C:\\tools\\pulumi.exe update --exec-kind auto.local"],
        [false, "pulumi preview --stack up"],
        [false, "bash deploy up", "pulumi preview"],
        [false, "pulumi refresh", "pulumi-language-nodejs"],
        [false, "bash deploy up"],
        [false],
    ] as const) {
        it(`is ${expected ? "" : "not "}pulumi up: ${commands.join(" > ") || "no process can be read"}`, async () => {
            const { pid, read } = chain(...commands);
            assert.equal(await isPulumiUp(pid, read), expected);
        });
    }

    it("is read from the system's processes", async () => assert.equal(await isPulumiUp(), false));
});
