import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bucket, credentials, S3Server } from "../provider/bundle-mirror/s3-server.js";
import { markdownAgent, projectId, Remote } from "./agent/agent-service.js";
import { PluginFolder } from "./plugin/support/plugin-folder.js";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, Platform } from "./support/platform.js";

/** Every resource twice: as a dynamic resource, and of the plugin. Options and names come from options.json. */
const program = `
import { AgentJob, BundleMirror, StaticExportJob } from "pulumi-static-export";
import { BundleCheck } from "pulumi-static-export/site";
import { readFileSync } from "node:fs";

interface Options {
    version: string; prefix?: string; mirror?: pulumi.CustomResourceOptions;
}
const options = JSON.parse(readFileSync("options.json", "utf8")) as Options;
const { version, prefix = "" } = options;
const config = new pulumi.Config();

const optionsOf = (kind: string): pulumi.CustomResourceOptions => (kind === "mirror" && options.mirror) || {};
class PluginResource extends pulumi.CustomResource {
    declare readonly jobId: pulumi.Output<string>;
    constructor(type: string, name: string, args: pulumi.Inputs, kind: string) {
        super(
            "static-export:index:" + type, name, { jobId: undefined, url: undefined, ...args }, optionsOf(kind),
        );
    }
}
const settings = { bucket: "${bucket}", endpoint: config.require("endpoint"), deleteOnRemoval: true };
for (const [way, domains] of [["dynamic", ["one", "two"]], ["plugin", ["three", "four"]]] as const) {
    const name = (kind: string) => prefix + way + "-" + kind;
    const [site, other] = domains.map((domain) => domain + ".example.com");
    const args = {
        bundle: { domain: site!, version },
        job: { domain: other!, version },
        agent: { projectId: "${projectId}", prompt: "change nothing" },
    };
    const inPlugin = way === "plugin";
    const bundle = inPlugin
        ? new PluginResource("StaticExportBundle", name("bundle"), args.bundle, "bundle")
        : new StaticExportBundle(name("bundle"), args.bundle, optionsOf("bundle"));
    const mirror = { ...settings, jobId: bundle.jobId, prefix: way + "/" };
    const check = { jobId: bundle.jobId };
    if (inPlugin) {
        new PluginResource("StaticExportJob", name("job"), args.job, "job");
        new PluginResource("AgentJob", name("agent"), args.agent, "agent");
        new PluginResource("BundleCheck", name("check"), check, "check");
        new PluginResource("BundleMirror", name("mirror"), mirror, "mirror");
    } else {
        new StaticExportJob(name("job"), args.job, optionsOf("job"));
        new AgentJob(name("agent"), args.agent, optionsOf("agent"));
        new BundleCheck(name("check"), check, optionsOf("check"));
        new BundleMirror(name("mirror"), mirror, optionsOf("mirror"));
    }
}
`;

interface State {
    deployment: { resources: { urn: string; type: string; outputs?: Record<string, unknown> }[] };
}

const ours = 10;

/** One stack for all cases: each leaves the resources deployed and unchanged. */
describe("the options and commands of the engine, on every resource, dynamic and of the plugin", () => {
    let folder: string;
    let platform: Platform;
    let s3: S3Server;
    let plugin: PluginFolder;
    let stack: EngineStack;
    let options: Record<string, unknown> = { version: "1" };

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "engine-options-"));
        const remote = await Remote.create(folder);
        platform = await Platform.start({
            domains: ["one", "two", "three", "four"].map((name) => `${name}.example.com`),
            projects: { [projectId]: { repository: remote.url, ref: "main" } },
            agent: {
                command: markdownAgent,
                pullRequests: { kind: "link", template: "https://f.example.com/{branch}" },
            },
        });
        s3 = await S3Server.start();
        plugin = await PluginFolder.create();
        stack = await EngineStack.create({
            program,
            config: { "static-export:baseUrl": platform.service.url, endpoint: s3.endpoint },
            secret: {
                "static-export:adminApiKey": adminApiKey,
                "static-export:mirrorAccessKeyId": credentials.accessKeyId,
                "static-export:mirrorSecretAccessKey": credentials.secretAccessKey,
            },
            pathFolders: plugin.pathFolders,
        });
        await setOptions({});
    });
    after(async () => {
        await stack.remove();
        await plugin.remove();
        await s3.stop();
        await platform.stop();
        await rm(folder, { recursive: true, force: true });
    });
    beforeEach(() => void platform.requests.splice(0));

    async function setOptions(change: Record<string, unknown>): Promise<void> {
        options = { ...options, ...change };
        await stack.writeFiles({ "options.json": JSON.stringify(options) });
    }
    const state = async () => JSON.parse((await stack.succeed("stack", "export")).stdout) as State;
    const resources = async () => {
        const all = (await state()).deployment.resources;
        return all.filter(({ type }) => /static-export:/.test(type) && !type.startsWith("pulumi:providers:"));
    };
    const urns = async (kind: string) => (await resources()).map(({ urn }) => urn).filter((urn) => urn.endsWith(kind));
    const starts = () => platform.count("start");

    /** Each bundle is served from its copy, and nothing else is in the bucket. */
    async function assertCopies(): Promise<void> {
        const mirrors = (await resources()).filter(({ type }) => type.endsWith(":BundleMirror"));
        const keys = mirrors.map(({ outputs }) => String(outputs?.["key"]));
        assert.equal(keys.length, 2);
        assert.deepEqual(await s3.keys(), keys.flatMap((key) => [key, `${key}.sha256`]).sort());
    }

    it("update plans create what they planned", async () => {
        await stack.succeed("preview", "--save-plan", "plan.json");
        assert.deepEqual(platform.requests, []);
        await stack.up("--plan", "plan.json");
        assert.equal((await resources()).length, ours);
        assert.equal(starts(), 4);
        await assertCopies();
        await stack.up("--expect-no-changes");
    });

    it("an update plan forbids the renewal of a link that has expired since, which an update without a plan renews", async () => {
        await stack.succeed("preview", "--save-plan", "plan.json");
        const past = await state();
        const bundles = past.deployment.resources.filter(({ type }) => type.endsWith(":StaticExportBundle"));
        bundles.forEach(({ outputs }) => Object.assign(outputs ?? {}, { expiresAt: "2026-01-01T00:00:00Z" }));
        await stack.writeFiles({ "past.json": JSON.stringify(past) });
        await stack.succeed("stack", "import", "--file", "past.json");
        const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview", "--plan", "plan.json");
        assert.notEqual(exitCode, 0);
        // As the guide quotes it.
        assert.match(output, /update is not allowed by the plan: this resource is constrained to same/);
        assert.match(output, /its link expires at 2026-01-01T00:00:00Z: this update renews it and exports nothing/);
        await stack.up();
        assert.deepEqual([starts(), platform.count("bundle")], [0, 2]);
    });

    for (const [way, replace] of [
        ["up --replace", async (given: string[]) => stack.up(...given.flatMap((urn) => ["--replace", urn]))],
        [
            "state taint",
            async (given: string[]) => {
                await stack.succeed("state", "taint", ...given, "--yes");
                return stack.up();
            },
        ],
        [
            "replacementTrigger",
            async () => {
                await setOptions({ mirror: { replacementTrigger: "1" } });
                await stack.up();
                await setOptions({ mirror: { replacementTrigger: "2" } });
                return stack.up();
            },
        ],
    ] as const) {
        it(`${way} replaces mirrors with deleteOnRemoval, and their copies stay`, async () => {
            const { output } = await replace(await urns("-mirror"));
            assert.match(output, /\+-2 replaced/);
            await assertCopies();
            assert.equal(starts(), 0);
            await stack.up("--expect-no-changes");
        });
    }

    it("--target and --exclude export only the sites that they name", async () => {
        await setOptions({ version: "2" });
        const [first = "", second = ""] = await urns("-bundle");
        await stack.up("--target", first);
        assert.equal(starts(), 1);
        await stack.up("--exclude", second, "--exclude-dependents");
        assert.equal(starts(), 3);
        await stack.up();
        assert.equal(starts(), 4);
        await assertCopies();
    });

    it("refresh --run-program keeps every resource, and starts nothing", async () => {
        await stack.succeed("refresh", "--run-program", "--yes", "--skip-preview");
        assert.equal((await resources()).length, ours);
        assert.equal(starts(), 0);
        await stack.up("--expect-no-changes");
    });

    it("state rename changes no resource", async () => {
        for (const { urn } of await resources()) {
            await stack.succeed("state", "rename", urn, `renamed-${urn.split("::").at(-1)}`, "--yes");
        }
        await setOptions({ prefix: "renamed-" });
        await stack.up("--expect-no-changes");
        assert.deepEqual(platform.requests, []);
    });
});
