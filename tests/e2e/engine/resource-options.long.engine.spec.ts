import assert from "node:assert/strict";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../support/platform.js";

const program = `
const version = new pulumi.Config().require("version");
const bundle = new StaticExportBundle("docs", { domain: "${domain}", version }, { replaceOnChanges: ["version"] });
export const { jobId } = bundle;
`;

describe("Pulumi's own options and commands:", () => {
    let platform: Platform;
    let stack: EngineStack;

    before(async () => {
        platform = await Platform.start();
        stack = await EngineStack.create({
            program,
            config: { version: "1", "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        await stack.up();
    });

    after(async () => {
        await stack.remove();
        await platform.stop();
    });

    it("replaceOnChanges has no effect, because a dynamic provider decides what replaces a resource", async () => {
        await stack.configure({ config: { version: "2" } });
        const { output } = await stack.up();
        assert.match(output, /~ 1 updated/);
        assert.equal(platform.count("start"), 2);
    });

    it("aliases move a resource into a component under another name, without an export", async () => {
        await stack.writeProgram(`
class Site extends pulumi.ComponentResource {
    readonly jobId: pulumi.Output<string>;
    constructor(name: string) {
        super("acme:index:Site", name);
        const version = new pulumi.Config().require("version");
        const aliases = [{ name: "docs", parent: pulumi.rootStackResource }];
        this.jobId = new StaticExportBundle("pages", { domain: "${domain}", version }, { parent: this, aliases }).jobId;
    }
}
export const { jobId } = new Site("site");
`);
        const before = await stack.output("jobId");
        const { output } = await stack.up();
        assert.match(output, /\+ 1 created/);
        assert.doesNotMatch(output, /deleted|updated|replaced/);
        assert.equal(await stack.output("jobId"), before);
        assert.equal(platform.count("start"), 2);
    });

    it("pulumi import fails, sends no requests, and does not change the state", async () => {
        const before = await stack.succeed("stack", "export");
        platform.requests.length = 0;
        const type = "pulumi-nodejs:dynamic/static-export:StaticExportBundle";
        const { exitCode, output } = await stack.run("import", type, "other", "se_42", "--yes");
        assert.notEqual(exitCode, 0);
        // The text that the guide quotes.
        assert.match(output, /error: Preview failed: code must be a string, not undefined/);
        assert.deepEqual(platform.requests, []);
        const resourcesOf = (text: string) =>
            (JSON.parse(text) as { deployment: { resources: unknown[] } }).deployment.resources.length;
        assert.equal(resourcesOf((await stack.succeed("stack", "export")).stdout), resourcesOf(before.stdout));
    });
});
