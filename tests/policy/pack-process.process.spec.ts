import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const pack = fileURLToPath(new URL("../../policy/bin/policy-pack.mjs", import.meta.url));

describe("The policy pack as an executable file", () => {
    it("prints the port that it listens on, and exits when its engine is killed", async function () {
        this.timeout(120_000);
        // The shell acts as the engine. Because of "; true", the shell starts the pack as a child process.
        const engine = spawn("sh", ["-c", '"$0" 127.0.0.1:1; true', pack], { stdio: ["pipe", "pipe", "inherit"] });
        const [port] = (await once(createInterface(engine.stdout), "line")) as [string];
        assert.match(port, /^\d+$/);
        // Both processes hold the writing end of the pipe, which closes when both have ended.
        const ended = once(engine.stdout, "close");
        engine.kill("SIGKILL");
        await ended;
    });
});
