import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { freePort } from "@pulumi-static-export/toolchain";
import { startCommand } from "../e2e/support/run-command.js";
import { withoutSettings } from "../e2e/support/without-settings.js";
import { codeBlocks, root } from "./support/documents.js";

describe("The systemd unit of the guide", function () {
    this.timeout(90_000);
    let folder: string;
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "systemd-unit-"));
    });
    after(() => rm(folder, { recursive: true, maxRetries: 5 }));

    it("starts a service that is ready, and that stops without waiting if no request is running", async () => {
        const blocks = codeBlocks("docs/guides/self-hosted-service.md");
        const unit = blocks.find(({ title }) => title === "static-export.service")?.text ?? "";
        const [, command = ""] = /^ExecStart=((?:.*\\\n)*.*)$/m.exec(unit) ?? [];
        const [program, ...args] = command.replaceAll("\\\n", " ").trim().split(/\s+/);
        assert.equal(program, "/usr/local/bin/static-export");
        await mkdir(join(folder, "docs"));
        await writeFile(join(folder, "docs/index.md"), "# Home\n");
        await writeFile(join(folder, "sites"), `docs.example.com=${folder}/docs\n`);
        const health = `127.0.0.1:${await freePort()}`;
        const places: Readonly<Record<string, string>> = {
            "/var/lib/static-export": join(folder, "data"),
            "/etc/static-export/sites": join(folder, "sites"),
            "127.0.0.1:9090": health,
        };
        const bin = join(root, "cli/bin/static-export.js");
        const typed = [bin, ...args.map((word) => places[word] ?? word), "--port", String(await freePort())];
        const service = startCommand(process.execPath, typed, {
            cwd: folder,
            env: { ...process.env, ...withoutSettings },
        });
        await service.seen(/Press Ctrl-C to stop\./);
        assert.equal((await fetch(`http://${health}/readyz`)).status, 200);
        const stoppedMs = performance.now();
        service.child.kill("SIGTERM");
        const { exitCode, output } = await service.result;
        assert.equal(exitCode, 0, output);
        const takenMs = performance.now() - stoppedMs;
        assert.ok(takenMs < 20_000, `the service stopped after ${takenMs} ms`);
    });
});
