import assert from "node:assert/strict";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, domain, Platform } from "./support/platform.js";

const program = `
new StaticExportBundle("docs", { domain: "${domain}" });
new StaticExportBundle("other", { domain: "other.example.com" });
`;

describe("An admin key in the stack's configuration, on the real engine,", () => {
    let platform: Platform;
    let stack: EngineStack;

    before(async () => {
        platform = await Platform.start();
        const config = { "static-export:baseUrl": platform.service.url, "static-export:adminApiKey": adminApiKey };
        stack = await EngineStack.create({ program, config });
    });
    after(async () => {
        await stack?.remove();
        await platform.stop();
    });

    for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
        it(`is reported once but not printed if it is in plain text: pulumi ${command[0]}`, async () => {
            const { output } = await stack.succeed(...command);
            const [, diagnostics = ""] = output.split("\nDiagnostics:\n");
            const warnings = diagnostics.match(
                /static-export:adminApiKey is in plaintext in this stack's configuration/g,
            );
            assert.equal(warnings?.length, 1, output);
            assert.match(diagnostics, /Run `pulumi config set --secret static-export:adminApiKey` with a new value/);
            assert.ok(!output.includes(adminApiKey));
        });
    }

    it("is not reported if it is a secret", async () => {
        await stack.configure({ secret: { "static-export:adminApiKey": adminApiKey } });
        assert.doesNotMatch((await stack.succeed("preview")).output, /in plaintext/);
    });
});
