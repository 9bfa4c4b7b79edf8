import assert from "node:assert/strict";
import { stringify } from "yaml";
import { PluginFolder } from "../plugin/support/plugin-folder.js";
import { type ProgramLanguage, python, yaml } from "../plugin/support/program-languages.js";
import { type EngineStack } from "../support/engine-stack.js";
import { domain } from "../support/platform.js";
import { exporterOf, siteArchive, siteFiles } from "./support/archives/site-archives.js";
import { ClusterPlatform } from "./support/cluster-platform.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { chart, clusterValues, createSiteStack, siteName } from "./support/site-stack.js";

/** The program's files. */
type ProgramOf = (namespace: Namespace) => Record<string, string>;

const yamlProgram: ProgramOf = ({ cluster, name }) => ({
    "Pulumi.yaml": stringify({
        name: "site",
        runtime: "yaml",
        config: { version: { type: "string" } },
        resources: {
            docs: {
                type: "static-export:DocumentationSite",
                properties: {
                    domain,
                    version: "${version}",
                    deploymentType: "client-hosted",
                    chart,
                    namespace: name,
                    values: clusterValues(cluster),
                },
            },
        },
    }),
});

const pythonProgram: ProgramOf = ({ cluster, name }) => ({
    "Pulumi.yaml": "name: site\nruntime: python\n",
    "__main__.py": `import json
import pulumi
import pulumi_static_export as static_export

static_export.DocumentationSite(
    "docs",
    domain="${domain}",
    version=pulumi.Config().require("version"),
    deployment_type="client-hosted",
    chart="${chart}",
    namespace="${name}",
    values=json.loads('${JSON.stringify(clusterValues(cluster))}'),
)
`,
});

const programs: [string, ProgramLanguage, ProgramOf][] = [
    ["YAML", yaml, yamlProgram],
    ["Python", python, pythonProgram],
];

describe("the plugin's DocumentationSite on a cluster", () => {
    const cluster = useSharedCluster();
    let plugin: PluginFolder;
    let platform: ClusterPlatform;
    let namespace: Namespace;
    let stack: EngineStack | undefined;

    before(async () => {
        plugin = await PluginFolder.create();
        const exporter = exporterOf(({ version = "" }) => siteArchive(version));
        platform = await ClusterPlatform.start(cluster(), { exporter });
    });
    after(async () => {
        await platform?.stop();
        await plugin?.remove();
    });
    beforeEach(async () => {
        namespace = await Namespace.create(cluster(), "plugin-languages");
    });
    afterEach(async () => {
        await stack?.remove();
        await namespace.remove();
        stack = undefined;
    });

    for (const [title, language, programOf] of programs) {
        it(`rolls out each version from a ${title} program and leaves nothing behind`, async () => {
            const { pathFolders = [], env = {} } = await language.prepare(plugin);
            const running = await createSiteStack(namespace, platform, {
                program: programOf(namespace),
                pathFolders: [...plugin.pathFolders, ...pathFolders],
                env,
            });
            stack = running;
            for (const version of ["old", "new"]) {
                const pods = await namespace.podNames();
                await running.configure({ config: { version } });
                await running.up();
                if (pods.length > 0) {
                    await namespace.podsGone(...pods);
                }
                const url = await namespace.serviceUrl(siteName());
                assert.equal(await (await fetch(`${url}/`)).text(), siteFiles(version)["/index.html"]);
            }
            await running.succeed("destroy", "--yes", "--skip-preview");
            await namespace.podsGone();
            assert.deepEqual(await namespace.everything(), []);
        });
    }
});
