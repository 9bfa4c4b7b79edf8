import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, domain, Platform } from "./support/platform.js";

/** Declares a bundle as in a JavaScript program, where no compiler checks the arguments. */
const declare = (args: string) => `new StaticExportBundle("docs", ${args} as any);\n`;

/** Pulumi repeats an error with each line about its resource; at the end, it lists each error once. */
function assertReportedOnce(output: string, problem: RegExp): void {
    const [, diagnostics = ""] = output.split("\nDiagnostics:\n");
    assert.equal(diagnostics.match(problem)?.length, 1, output);
    assert.doesNotMatch(output, /^\s+at .*:\d+:\d+\)?$/m);
}

describe("a mistake in a program or in its settings", () => {
    const stacks: EngineStack[] = [];
    let platform: Platform;

    before(async () => {
        platform = await Platform.start();
    });
    after(async () => {
        await Promise.all(stacks.map((stack) => stack.remove()));
        await platform.stop();
    });

    const create = async (program: string, baseUrl = platform.service.url): Promise<EngineStack> => {
        const env = { STATIC_EXPORT_BASE_URL: baseUrl, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey };
        const stack = await EngineStack.create({ program, env });
        stacks.push(stack);
        return stack;
    };

    it("is reported by the preview if the domain is missing", async () => {
        const { exitCode, output } = await (await create(declare("{ version: '1' }"))).run("preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /domain is required|is required: the host name of the documentation site/);
        assert.doesNotMatch(output, /Unexpected struct type/);
    });

    it("is reported for https on a port without TLS, without a warning that a job may have started", async () => {
        const baseUrl = platform.service.url.replace("http:", "https:");
        const created = await create(declare(`{ domain: "${domain}" }`), baseUrl);
        const { exitCode, output } = await created.run("up", "--yes", "--skip-preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /the server does not speak TLS at this port/);
        assert.doesNotMatch(output, /may or may not have been started/);
        const journal = join(created.folder, "journal");
        for (const name of await readdir(journal).catch(() => [])) {
            const { outcome } = JSON.parse(await readFile(join(journal, name), "utf8")) as { outcome?: string };
            assert.equal(outcome, "refused", name);
        }
    });

    describe("after an export", () => {
        let created: EngineStack;

        before(async () => {
            created = await create(declare(`{ domain: "${domain}", version: "1" }`));
            await created.up();
        });

        it("becomes visible in a preview, which names the cause of the update", async () => {
            await created.writeProgram(declare(`{ domain: "${domain}", version: "2" }`));
            const { output } = await created.succeed("preview");
            assert.match(output, /docs\.example\.com: version changed: this update runs one new export/);
        });

        it("is not made by a refresh, which only announces the renewal of an expired link", async () => {
            const { stdout } = await created.succeed("stack", "export");
            const past = stdout.replace(/"expiresAt": "[^"]+"/g, '"expiresAt": "2026-01-01T00:00:00Z"');
            await created.writeFiles({ "past.json": past });
            await created.succeed("stack", "import", "--file", "past.json");
            const { output } = await created.succeed("refresh", "--yes", "--skip-preview");
            assert.match(output, /its link expires at 2026-01-01T00:00:00Z: an update renews it and exports nothing/);
            assert.doesNotMatch(output, /this update|link renewed/);
        });

        it("is reported once, without a stack trace, if a refresh has a rejected key or finds no service", async () => {
            await platform.stop();
            platform = await Platform.start({
                adminApiKey: "another_5ecret0123456789",
                port: Number(new URL(platform.service.url).port),
            });
            const { exitCode, output } = await created.run("refresh", "--yes", "--skip-preview");
            assert.notEqual(exitCode, 0);
            assertReportedOnce(output, /the server answered 401 Unauthorized/g);
            assert.match(output, /environment variable STATIC_EXPORT_ADMIN_API_KEY/);
            assert.doesNotMatch(output, /pulumi config set|dashboard/);
            await platform.service.close();
            const gone = await created.run("refresh", "--yes", "--skip-preview");
            assert.notEqual(gone.exitCode, 0);
            assertReportedOnce(gone.output, /the connection was refused, ECONNREFUSED/g);
            assert.doesNotMatch(gone.output, /ADMIN_API_KEY|pulumi config set|dashboard/);
            assert.notEqual(await created.resource(), undefined);
        });
    });
});
