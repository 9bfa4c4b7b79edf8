import assert from "node:assert/strict";
import { enterFolder, stackCommands } from "../../../cli/src/init/next-commands.js";
import { type Project } from "../../../cli/src/init/project-files.js";

describe("The commands that create and init print", () => {
    const project = { stack: "dev", target: "bucket" } as Project;

    it("are for PowerShell on Windows", () => {
        assert.deepEqual(stackCommands(project, "my docs/admin-api-key", "win32").slice(3), [
            'Get-Content "my docs/admin-api-key" | pulumi config set --secret static-export:adminApiKey',
            '$env:AWS_ACCESS_KEY_ID = "…"',
            '$env:AWS_SECRET_ACCESS_KEY = "…"',
            '$env:AWS_REGION = "…"',
            "pulumi up",
        ]);
    });

    it("are for a shell like bash on other systems", () => {
        assert.deepEqual(stackCommands(project, "my docs/admin-api-key", "darwin").slice(3), [
            "pulumi config set --secret static-export:adminApiKey < 'my docs/admin-api-key'",
            "export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… AWS_REGION=…",
            "pulumi up",
        ]);
    });

    it("enter a folder whose name looks like an option", () => {
        assert.deepEqual([enterFolder("-x"), enterFolder("site"), enterFolder(".")], [["cd ./-x"], ["cd site"], []]);
    });

    it("ask for a key that is in no file", () => {
        assert.equal(
            stackCommands(project, undefined, "linux")[3],
            "pulumi config set --secret static-export:adminApiKey",
        );
    });
});
