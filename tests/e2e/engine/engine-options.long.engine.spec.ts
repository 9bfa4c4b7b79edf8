import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { markdownAgent, projectId, Remote } from "../agent/agent-service.js";
import { PluginFolder } from "../plugin/support/plugin-folder.js";
import { EngineStack } from "../support/engine-stack.js";
import { domainsOf, program, type ProgramOptions, resourceCount } from "../support/every-resource.js";
import { adminApiKey, Platform } from "../support/platform.js";

interface State {
    deployment: { resources?: { urn: string; type: string; outputs?: Record<string, unknown> }[] };
}

/** The provider's variables, by their names in the engine's environment. */
const envVarMappings = {
    DOCS_BASE_URL: "STATIC_EXPORT_BASE_URL",
    DOCS_ADMIN_API_KEY: "STATIC_EXPORT_ADMIN_API_KEY",
    DOCS_ACCESS_KEY_ID: "AWS_ACCESS_KEY_ID",
    DOCS_SECRET_ACCESS_KEY: "AWS_SECRET_ACCESS_KEY",
};

/** One stack serves all cases: after each case, the resources are deployed and unchanged. */
describe("the engine's options and commands, with every dynamic resource and every plugin resource:", () => {
    let folder: string;
    let platform: Platform;
    let s3: S3Server;
    let plugin: PluginFolder;
    let stack: EngineStack;
    let options: ProgramOptions = { version: "1" };

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "engine-options-"));
        const remote = await Remote.create(folder);
        platform = await Platform.start({
            domains: Object.values(domainsOf)
                .flat()
                .map((name) => `${name}.example.com`),
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
            env: {
                DOCS_BASE_URL: platform.service.url,
                DOCS_ADMIN_API_KEY: adminApiKey,
                DOCS_ACCESS_KEY_ID: credentials.accessKeyId,
                DOCS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
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

    async function setOptions(change: ProgramOptions): Promise<void> {
        options = { ...options, ...change };
        await stack.writeFiles({ "options.json": JSON.stringify(options) });
    }
    const state = async () => JSON.parse((await stack.succeed("stack", "export")).stdout) as State;
    const resources = async () => {
        const { resources: all = [] } = (await state()).deployment;
        return all.filter(({ type }) => type.includes("static-export:"));
    };
    const urns = async (kind: string) => (await resources()).map(({ urn }) => urn).filter((urn) => urn.endsWith(kind));
    const starts = () => platform.count("start");
    const assertStarted = (expected: Record<"exports" | "agents" | "updates", number>) =>
        assert.deepEqual(
            { exports: starts(), agents: platform.count("agent-start"), updates: platform.count("update") },
            expected,
        );

    /** Asserts that each bundle is served from its copy, and that the bucket contains nothing else. */
    async function assertCopies(): Promise<void> {
        const mirrors = (await resources()).filter(({ type }) => type.endsWith(":BundleMirror"));
        const keys = mirrors.map(({ outputs }) => String(outputs?.["key"]));
        assert.equal(keys.length, 2);
        assert.deepEqual(await s3.keys(), keys.flatMap((key) => [key, `${key}.sha256`]).sort());
    }

    it("update plans apply the planned changes", async () => {
        await stack.succeed("preview", "--save-plan", "plan.json");
        assert.deepEqual(platform.requests, []);
        await stack.up("--plan", "plan.json");
        assert.equal((await resources()).length, resourceCount);
        assertStarted({ exports: 4, agents: 2, updates: 2 });
        await assertCopies();
        await stack.up("--expect-no-changes");
    });

    it("an update plan blocks renewing a link that has since expired, but an update without a plan renews it", async () => {
        await stack.succeed("preview", "--save-plan", "plan.json");
        const past = await state();
        const bundles = (past.deployment.resources ?? []).filter(({ type }) => type.endsWith(":StaticExportBundle"));
        bundles.forEach(({ outputs }) => Object.assign(outputs ?? {}, { expiresAt: "2026-01-01T00:00:00Z" }));
        await stack.writeFiles({ "past.json": JSON.stringify(past) });
        await stack.succeed("stack", "import", "--file", "past.json");
        const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview", "--plan", "plan.json");
        assert.notEqual(exitCode, 0);
        // The text that the guide quotes.
        assert.match(output, /update is not allowed by the plan: this resource is constrained to same/);
        assert.match(output, /its link expires at 2026-01-01T00:00:00Z: an update renews it and exports nothing/);
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
        it(`${way} replaces mirrors with deleteOnRemoval, and preserves their copies`, async () => {
            const { output } = await replace(await urns("-mirror"));
            assert.match(output, /\+-2 replaced/);
            await assertCopies();
            assert.equal(starts(), 0);
            await stack.up("--expect-no-changes");
        });
    }

    it("stack references can be triggers, and envVarMappings can configure an explicit provider, in another stack", async () => {
        const { version } = options;
        await copyFile(join(stack.folder, "Pulumi.dev.yaml"), join(stack.folder, "Pulumi.other.yaml"));
        await stack.succeed("stack", "init", "other");
        await setOptions({ version: undefined, reference: "organization/e2e/dev", envVarMappings });
        await stack.up();
        assertStarted({ exports: 4, agents: 2, updates: 2 });
        await stack.up("--expect-no-changes");
        await setOptions({ version, reference: undefined, envVarMappings: undefined });
        await stack.succeed("stack", "select", "dev");
    });

    it("--target and --exclude limit the export to the selected sites", async () => {
        await setOptions({ version: "2" });
        const [first = "", second = ""] = await urns("-bundle");
        await stack.up("--target", first);
        assert.equal(starts(), 1);
        await stack.up("--exclude", second, "--exclude-dependents");
        assert.equal(starts(), 3);
        await stack.up();
        assert.equal(starts(), 4);
    });

    it("stack references trigger another export after the referenced stack has exported", async () => {
        await stack.succeed("stack", "select", "other");
        await setOptions({ version: undefined, reference: "organization/e2e/dev", envVarMappings });
        await stack.up();
        assertStarted({ exports: 4, agents: 2, updates: 2 });
        platform.requests.splice(0);
        await stack.succeed("destroy", "--yes", "--skip-preview");
        assert.deepEqual(platform.requests, []);
        await setOptions({ version: "2", reference: undefined, envVarMappings: undefined });
        await stack.succeed("stack", "select", "dev");
        // Only the copies of the stack `dev` remain.
        await assertCopies();
    });

    it("refresh --run-program preserves every resource, and starts no jobs", async () => {
        await stack.succeed("refresh", "--run-program", "--yes", "--skip-preview");
        assert.equal((await resources()).length, resourceCount);
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

    it("state move changes no resource", async () => {
        const moved = (await resources()).map(({ urn }) => urn);
        await stack.succeed("state", "move", "--source", "dev", "--dest", "other", ...moved, "--yes");
        assert.deepEqual(await resources(), []);
        await stack.succeed("stack", "select", "other");
        assert.equal((await resources()).length, resourceCount);
        await stack.up("--expect-no-changes");
        assert.deepEqual(platform.requests, []);
    });

    it("retainOnDelete retains the copies of mirrors with deleteOnRemoval", async () => {
        await setOptions({ all: { retainOnDelete: true } });
        await stack.up();
        const copies = await s3.keys();
        assert.equal(copies.length, 4);
        await stack.succeed("destroy", "--yes", "--skip-preview");
        assert.deepEqual(await resources(), []);
        assert.deepEqual(await s3.keys(), copies);
        assert.deepEqual(platform.requests, []);
    });
});
