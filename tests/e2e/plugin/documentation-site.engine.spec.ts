import assert from "node:assert/strict";
import { stringify } from "yaml";
import { itInLong } from "../../scale.js";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, domain } from "../support/platform.js";
import { guideProgram } from "./support/guide-program.js";
import { PluginFolder } from "./support/plugin-folder.js";
import { kubernetesProviderFolder } from "../../support/kubernetes-provider.js";

const chart = "../../charts/documentation-site";
const component = "static-export:index:DocumentationSite";
const service = "static-export:index:DocumentationService";
const children = [
    "static-export:index:StaticExportBundle",
    "static-export:index:BundleCheck",
    "kubernetes:helm.sh/v3:Release",
];

function siteProgram(properties: Record<string, unknown>, resources: Record<string, unknown> = {}, options = {}) {
    const site = {
        type: "static-export:DocumentationSite",
        properties: { domain, deploymentType: "client-hosted", chart, ...properties },
        options,
    };
    return { "Pulumi.yaml": stringify({ name: "site", runtime: "yaml", resources: { docs: site, ...resources } }) };
}

describe("the plugin's DocumentationSite on the real engine", () => {
    let plugin: PluginFolder;
    let stack: EngineStack;

    before(async () => {
        plugin = await PluginFolder.create();
        const kubernetes = await kubernetesProviderFolder();
        stack = await EngineStack.create({
            program: siteProgram({}),
            pathFolders: [...plugin.pathFolders, kubernetes],
            env: { KUBECONFIG: "/dev/null" },
        });
    });
    after(async () => {
        await stack.remove();
        await plugin.remove();
    });

    it("previews its resources in a YAML program without a key, network or cluster", async () => {
        await stack.writeFiles(siteProgram({ version: "1", values: { replicaCount: 2 } }));
        const { output } = await stack.succeed("preview", "--diff");
        for (const type of [component, ...children]) {
            assert.match(output, new RegExp(`\\+ ${type}: \\(create\\)`));
        }
        assert.match(output, /replicaCount\s*: 2/);
        assert.match(output, /staticExport\s*: \{\s*bundleUrl\s*: \[secret\]\s*enabled\s*: true\s*version\s*: "1"/);
    });

    itInLong("uses the program's providers for the platform and for Kubernetes", async () => {
        const elsewhere = {
            type: "pulumi:providers:static-export",
            properties: { baseUrl: "https://elsewhere.example.com/api", adminApiKey: { "fn::secret": adminApiKey } },
        };
        const cluster = { type: "pulumi:providers:kubernetes", properties: { kubeconfig: "{}" } };
        const options = { providers: ["${elsewhere}", "${cluster}"] };
        await stack.writeFiles(siteProgram({}, { elsewhere, cluster }, options));
        const { stdout } = await stack.succeed("preview", "--json");
        const { steps } = JSON.parse(stdout) as { steps: { newState: { type: string; provider?: string } }[] };
        const providerOf = (type: string) => steps.find(({ newState }) => newState.type === type)?.newState.provider;
        assert.deepEqual(
            children.map((type) => providerOf(type)?.split("::").at(-2)),
            ["elsewhere", "elsewhere", "cluster"],
        );
    });

    itInLong(
        "can be previewed with the service that exports it, as in the guide, without a plain-text secret",
        async () => {
            const program = String(guideProgram("self-hosted", { domain, version: "1" })["Pulumi.yaml"]);
            // The name of the stack's project.
            const text = program.replace("name: docs", "name: site").replaceAll("./charts/", "../../charts/");
            await stack.writeFiles({ "Pulumi.yaml": text });
            await stack.configure({ secret: { adminApiKey: "admin_planted-key", databaseUrl: "postgres://planted" } });
            const { output } = await stack.succeed("preview", "--diff");
            for (const type of [service, "kubernetes:core/v1:Secret", component, ...children]) {
                assert.match(output, new RegExp(`\\+ ${type}: \\(create\\)`));
            }
            assert.match(output, /database\s*: \{\s*existingSecret: "service-[0-9a-f]+"/);
            assert.doesNotMatch(output, /planted/);
        },
    );
});
