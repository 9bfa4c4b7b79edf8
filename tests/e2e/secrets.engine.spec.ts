import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { itInLong } from "../scale.js";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, domain, Platform } from "./support/platform.js";

const program = `
const bundle = new StaticExportBundle("docs", { domain: "${domain}", version: new pulumi.Config().require("version") });
export const { bundleUrl } = bundle;
`;

const root = new URL("../../", import.meta.url);

const views = [
    ["preview", "--diff"],
    ["preview", "--json"],
    ["up", "--yes", "--skip-preview", "--diff"],
];

describe("a run with secrets on the real engine", () => {
    let platform: Platform;
    let stack: EngineStack;
    /** The signatures of all links. */
    const signatures: string[] = [];

    /** Strings that must not occur: the key, and the signatures. */
    const assertNoSecret = (text: string, where: string) => {
        assert.ok(!text.includes(adminApiKey), `the key stands in ${where}`);
        for (const signature of signatures) {
            assert.ok(!text.includes(signature), `a link's signature stands in ${where}`);
        }
    };
    const keepSignature = async () => {
        const signature = new URL((await stack.output("bundleUrl")) as string).searchParams.get("signature")!;
        assert.ok(signature.length > 20 && !signatures.includes(signature));
        signatures.push(signature);
    };
    /** Checks the output at the end, because the signature of a new link is known only after it was printed. */
    const assertViewsShowNoSecret = async () => {
        const outputs = new Map<string, string>();
        for (const args of views) {
            outputs.set(args.join(" "), (await stack.succeed(...args)).output);
        }
        await keepSignature();
        for (const [command, output] of outputs) {
            assertNoSecret(output, command);
        }
        return outputs;
    };

    before(async () => {
        platform = await Platform.start();
        stack = await EngineStack.create({
            program,
            config: { version: "1", "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
    });

    after(async () => {
        await stack.remove();
        await platform.stop();
    });

    it("shows neither the key nor the signature when it creates the export", async () => {
        const outputs = await assertViewsShowNoSecret();
        assert.match(outputs.get("preview --diff")!, /\+ 2 to create/);
        assert.match(outputs.get("up --yes --skip-preview --diff")!, /\+ 2 created/);
    });

    it("shows the link as [secret]", async () => {
        assert.match((await stack.succeed("stack", "output")).output, /bundleUrl\s+\[secret\]/);
    });

    for (const args of [["stack", "export"], ...views, ["refresh", "--yes", "--skip-preview", "--diff"]]) {
        itInLong(
            `shows neither the key nor the signature in pulumi ${args.join(" ")} if nothing has changed`,
            async () => {
                assertNoSecret((await stack.succeed(...args)).output, args.join(" "));
            },
        );
    }

    itInLong("shows neither the key nor a signature, old or new, if the version has changed", async () => {
        await stack.configure({ config: { version: "2" } });
        const outputs = await assertViewsShowNoSecret();
        assert.match(outputs.get("preview --diff")!, /~ version: "1" => "2"/);
        assert.match(outputs.get("up --yes --skip-preview --diff")!, /~ 1 updated/);
        assert.equal(signatures.length, 2);
    });

    itInLong("shows no secret in the events of pulumi up --json, except in Pulumi's own debug messages", async () => {
        // Pulumi's SDK logs every response of the engine at debug level, which --json shows. The log contains the
        // secret outputs of all providers. docs/guides/troubleshooting.md warns about this log.
        const { output } = await stack.up("--json");
        const events = output.split("\n").filter((line) => !line.includes('"severity":"debug"'));
        assert.ok(events.length > 5);
        assertNoSecret(events.join("\n"), "an event of up --json");
        assert.ok(!output.includes(adminApiKey), "the key stands in a debug message of up --json");
    });

    itInLong("does not show the key in the debug messages of pulumi up --debug", async () => {
        await stack.configure({ config: { version: "3" } });
        const { output } = await stack.up("--debug");
        await keepSignature();
        assert.match(output, /debug: RegisterResource RPC finished/);
        assert.ok(!output.includes(adminApiKey), "the key stands in the output of up --debug");
    });

    it("writes neither the key nor the signature to state, history, configuration or journal", async () => {
        assertNoSecret(await stack.writtenText(), "a file of the stack");
    });

    it("stores the key where SECURITY and the guide say: encrypted, in Pulumi's default provider", async () => {
        const { inputs, outputs } = (await stack.resource("pulumi:providers:pulumi-nodejs"))!;
        for (const stored of [inputs, outputs]) {
            const { ciphertext } = stored["static-export:adminApiKey"] as { ciphertext?: unknown };
            assert.equal(typeof ciphertext, "string");
        }
        for (const file of ["SECURITY.md", "docs/reference/settings.md"]) {
            const text = await readFile(new URL(file, root), "utf8");
            assert.match(text, /encrypted[^|]* inputs and outputs of Pulumi's default provider/, file);
        }
    });

    it("neither shows nor writes a secret when the job, its wait or its bundle fails", async () => {
        await stack.configure({ config: { version: "4" } });
        platform.service.setFaults(["bundle:status=403"]);
        const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview", "--diff");
        assert.notEqual(exitCode, 0);
        assertNoSecret(output, "the output of a failed up");
        assertNoSecret(await stack.writtenText(), "a file of the stack after a failed up");
        assertNoSecret((await stack.succeed("stack", "export")).output, "the export of a failed state");
        platform.service.setFaults([]);
    });

    it("serialises the provider in a few hundred bytes per method, without a secret", async () => {
        const code = (await stack.resource())?.inputs.__provider as string;
        assert.ok(code.length < 3000, `${code.length} bytes`);
        assertNoSecret(code, "__provider");
    });
});
