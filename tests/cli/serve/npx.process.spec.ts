import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bin, withFolder } from "../support/command.js";
import { itInLong } from "../../scale.js";
import { waitUntil } from "../../wait-until.js";

/** Installs this checkout's command in a folder, and starts it with npx on a free port. */
async function startWithNpx(folder: string, args: readonly string[]): Promise<{ npx: ChildProcess; url: string }> {
    await mkdir(join(folder, "node_modules/.bin"), { recursive: true });
    await symlink(bin, join(folder, "node_modules/.bin/static-export"));
    await writeFile(join(folder, "package.json"), "{}");
    const npx = spawn("npx", ["--no", "--", "static-export", ...args, "--port", "0"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    npx.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    const url = await waitUntil("the address", () => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]);
    return { npx, url };
}

const answers = (url: string) =>
    fetch(url).then(
        () => true,
        () => false,
    );

describe("A command that npx has started", function () {
    this.timeout(60_000);

    for (const [what, args] of [
        ["the service", ["serve", "--site", "docs.example.com=docs"]],
        ["dev", ["dev", "docs"]],
    ] as const) {
        for (const signal of ["SIGTERM", "SIGKILL"] as const) {
            const declare = what === "the service" && signal === "SIGTERM" ? it : itInLong;
            declare(`ends when its npx gets ${signal}: ${what}`, async () => {
                await withFolder(async (folder) => {
                    const { npx, url } = await startWithNpx(folder, args);
                    assert.equal(await answers(url), true);
                    const ended = once(npx, "exit");
                    npx.kill(signal);
                    await ended;
                    await waitUntil("the end of the command", async () => !(await answers(url)));
                });
            });
        }
    }
});
