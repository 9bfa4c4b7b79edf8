import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markdownAgent, projectId, Remote } from "./agent/agent-service.js";
import { PluginFolder } from "./plugin/support/plugin-folder.js";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, Platform } from "./support/platform.js";

const domains = ["docs.example.com", "plugin.example.com", "job.example.com"];

const programFor = (remoteAddress: string) => `
import { AgentJob, StaticExportJob } from "pulumi-static-export";

class PluginBundle extends pulumi.CustomResource {
    constructor(name: string, args: pulumi.Inputs) {
        super("static-export:index:StaticExportBundle", name, { jobId: undefined, bundleUrl: undefined, ...args });
    }
}
const { asset } = pulumi;
const triggers = {
    file: new asset.FileAsset("./trigger.txt"),
    text: new asset.StringAsset("one"),
    remote: new asset.RemoteAsset("${remoteAddress}"),
    folder: new asset.FileArchive("./pages"),
    several: [new asset.AssetArchive({ file: new asset.FileAsset("./trigger.txt") })],
};
const prompt = new pulumi.Config().require("prompt");
new StaticExportBundle("dynamic", { domain: "docs.example.com", triggers });
new PluginBundle("plugin", { domain: "plugin.example.com", triggers });
new StaticExportJob("job", { domain: "job.example.com", triggers });
new AgentJob("agent", { projectId: "${projectId}", prompt, triggers });
`;

interface State {
    deployment: { resources: { urn: string; type: string; outputs: Record<string, unknown> }[] };
}

/** One stack serves all cases: after each case, the stack is deployed and unchanged. */
describe("resources with files as triggers, on the real engine,", () => {
    let folder: string;
    let remoteFile: Server;
    let platform: Platform;
    let plugin: PluginFolder;
    let stack: EngineStack;

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "file-triggers-"));
        remoteFile = createServer((_request, response) => response.end("from afar")).listen(0, "127.0.0.1");
        const remote = await Remote.create(folder);
        const template = "https://forge.example.com/compare/{branch}";
        platform = await Platform.start({
            domains,
            projects: { [projectId]: { repository: remote.url, ref: "main" } },
            agent: { command: markdownAgent, pullRequests: { kind: "link", template } },
        });
        plugin = await PluginFolder.create();
        const { port } = remoteFile.address() as AddressInfo;
        stack = await EngineStack.create({
            program: programFor(`http://127.0.0.1:${port}/trigger.txt`),
            config: { "static-export:baseUrl": platform.service.url, prompt: "append to a.md: One." },
            secret: { "static-export:adminApiKey": adminApiKey },
            pathFolders: plugin.pathFolders,
        });
        await mkdir(join(stack.folder, "pages"));
        await stack.writeFiles({ "trigger.txt": "one", "pages/index.md": "# One\n" });
        await stack.up();
    });
    after(async () => {
        await stack.remove();
        await plugin.remove();
        await platform.stop();
        remoteFile.close();
        await rm(folder, { recursive: true, force: true });
    });
    beforeEach(() => void platform.requests.splice(0));

    async function changeState(change: (outputs: Record<string, unknown>) => void): Promise<void> {
        const state = JSON.parse((await stack.succeed("stack", "export")).stdout) as State;
        const bundles = state.deployment.resources.filter(({ type }) => type.endsWith(":StaticExportBundle"));
        assert.equal(bundles.length, 2);
        bundles.forEach(({ outputs }) => change(outputs));
        await stack.writeFiles({ "state.json": JSON.stringify(state) });
        await stack.succeed("stack", "import", "--file", "state.json");
    }

    /**
     * Counts the jobs that a line with this text names; the engine prints each line immediately and again at the end.
     */
    const linesWith = (text: string, output: string) =>
        new Set(output.match(new RegExp(`\\S+ \\S+: ${text}`, "g"))).size;

    /** Returns how many requests of each kind the platform has received. */
    const counts = () => Object.fromEntries(["start", "bundle"].map((name) => [name, platform.count(name)]));

    it("renew an expired link without an export", async () => {
        await changeState((outputs) => (outputs["expiresAt"] = "2026-01-01T00:00:00Z"));
        const { output } = await stack.up();
        assert.equal(linesWith("link renewed, nothing exported", output), 2, output);
        assert.deepEqual(counts(), { start: 0, bundle: 2 });
    });

    it("start one job per resource when the content of a file changes", async () => {
        await stack.writeFiles({ "pages/index.md": "# Two\n" });
        const { output } = await stack.up();
        assert.match(output, /~ 4 updated/);
        assert.equal(linesWith("agent job created", output), 1, output);
        assert.deepEqual(counts(), { start: 3, bundle: 2 });
        await stack.up("--expect-no-changes");
    });
});
