import assert from "node:assert/strict";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, domain, Platform } from "./support/platform.js";

const program = `
const bundle = new StaticExportBundle("docs", { domain: "${domain}", version: new pulumi.Config().require("version") });
export const { bundleUrl } = bundle;
`;

/** What must not be read anywhere: the key, and whatever makes the link open. */
function assertNoSecret(text: string, signature: string, where: string): void {
    assert.ok(!text.includes(adminApiKey), `the key stands in ${where}`);
    assert.ok(!text.includes(signature), `the link's signature stands in ${where}`);
}

describe("secrets on the real engine", () => {
    let platform: Platform;
    let stack: EngineStack;
    let signature: string;

    before(async () => {
        platform = await Platform.start();
        stack = await EngineStack.create({
            program,
            config: { version: "1", "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        const { output } = await stack.up();
        signature = new URL((await stack.output("bundleUrl")) as string).searchParams.get("signature")!;
        assert.ok(signature.length > 20);
        assertNoSecret(output, signature, "the output of the first up");
    });

    after(async () => {
        await stack.remove();
        await platform.stop();
    });

    it("shows the link as [secret]", async () => {
        assert.match((await stack.succeed("stack", "output")).output, /bundleUrl\s+\[secret\]/);
    });

    for (const args of [
        ["stack", "export"],
        ["preview", "--diff"],
        ["preview", "--json"],
        ["up", "--yes", "--diff"],
        ["refresh", "--yes", "--diff"],
    ]) {
        it(`shows neither key nor signature in pulumi ${args.join(" ")}`, async () => {
            assertNoSecret((await stack.succeed(...args)).output, signature, args.join(" "));
        });
    }

    it("shows neither in the events of pulumi up --json, but for Pulumi's own debug messages", async () => {
        // Pulumi's SDK logs every answer of the engine at debug level, and --json shows that level: it concerns every
        // secret output of every provider. docs/guides/troubleshooting.md warns of it.
        const { output } = await stack.succeed("up", "--yes", "--json");
        const events = output.split("\n").filter((line) => !line.includes('"severity":"debug"'));
        assert.ok(events.length > 5);
        assertNoSecret(events.join("\n"), signature, "an event of up --json");
    });

    it("writes neither key nor signature into state, history, configuration or journal", async () => {
        assertNoSecret(await stack.writtenText(), signature, "a file of the stack");
    });

    it("shows and writes neither when the job, its wait and its bundle fail", async () => {
        await stack.succeed("config", "set", "version", "2");
        platform.service.setFaults(["bundle:status=403"]);
        const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview", "--diff");
        assert.notEqual(exitCode, 0);
        assertNoSecret(output, signature, "the output of a failed up");
        assertNoSecret(await stack.writtenText(), signature, "a file of the stack after a failed up");
        assertNoSecret((await stack.succeed("stack", "export")).output, signature, "the export of a failed state");
        platform.service.setFaults([]);
    });

    it("serialises a provider of a few hundred bytes a method, which holds no secret", async () => {
        const code = (await stack.resource())?.inputs.__provider as string;
        assert.ok(code.length < 3000, `${code.length} bytes`);
        assertNoSecret(code, signature, "__provider");
    });
});
