import { stringify } from "yaml";
import { bundleOf } from "../../../provider/bucket-site/bucket-site-fixture.js";
import { PlatformServer } from "../../../provider/bundle-mirror/platform-server.js";
import { bucket, credentials, S3Server } from "../../../provider/bundle-mirror/s3-server.js";
import { PluginFolder } from "../../plugin/support/plugin-folder.js";
import { type CommandResult } from "../../support/run-command.js";
import { EngineStack } from "../../support/engine-stack.js";

type Inputs = Readonly<Record<string, unknown>>;
type Site = Readonly<Record<string, string>>;

export const secrets = {
    "static-export:adminApiKey": "test_0123456789abcdef",
    "static-export:mirrorAccessKeyId": credentials.accessKeyId,
    "static-export:mirrorSecretAccessKey": credentials.secretAccessKey,
    "static-export:purgeToken": "s3cr3t-purge-token",
};
const outputs = ["servedJobId", "releasePrefix", "uploadedFiles", "changedPaths", "earlierJobIds"];

const programs = {
    "in a program for Node.js": (inputs: Inputs) => `import { BucketSite } from "pulumi-static-export";
        const site = new BucketSite("docs", ${JSON.stringify(inputs)});
        export const { ${outputs.join(", ")} } = site;`,
    "of the plugin": (inputs: Inputs) => ({
        "Pulumi.yaml": stringify({
            name: "site",
            runtime: "yaml",
            resources: { docs: { type: "static-export:BucketSite", properties: inputs } },
            outputs: Object.fromEntries(outputs.map((name) => [name, `\${docs.${name}}`])),
        }),
    }),
};

export type Kind = keyof typeof programs;
export const kinds = Object.keys(programs) as Kind[];

/** One `BucketSite` on the real engine, with a platform that has these jobs, and a bucket. */
export class SiteStack {
    private constructor(
        readonly platform: PlatformServer,
        readonly s3: S3Server,
        readonly stack: EngineStack,
        private readonly kind: Kind,
        private readonly plugin: PluginFolder | undefined,
    ) {}

    static async create(kind: Kind, jobs: Readonly<Record<string, Site>>): Promise<SiteStack> {
        const bundles = new Map(Object.entries(jobs).map(([jobId, site]) => [jobId, bundleOf(site)]));
        const platform = await PlatformServer.start();
        platform.archive = (request, response) =>
            response.end(bundles.get(/archives\/(\w+)\.tar/.exec(request.url ?? "")?.[1] ?? ""));
        const s3 = await S3Server.start();
        const plugin = kind === "of the plugin" ? await PluginFolder.create() : undefined;
        const stack = await EngineStack.create({
            program: programs[kind]({}),
            config: { "static-export:baseUrl": platform.url },
            secret: secrets,
            pathFolders: plugin?.pathFolders ?? [],
        });
        return new SiteStack(platform, s3, stack, kind, plugin);
    }

    /** Writes the program with these inputs and runs `pulumi up`. */
    async up(inputs: Inputs): Promise<CommandResult> {
        await this.declare(inputs);
        return this.stack.up();
    }

    /** Expects `pulumi up` to fail, and returns its output. */
    async fail(inputs: Inputs): Promise<string> {
        await this.declare(inputs);
        const { exitCode, output } = await this.stack.run("up", "--yes", "--skip-preview");
        if (exitCode === 0) {
            throw new Error(`pulumi up has succeeded:\n${output}`);
        }
        return output;
    }

    async declare(inputs: Inputs): Promise<void> {
        const place = { bucket, prefix: "docs/", endpoint: this.s3.endpoint, keep: 1 };
        const program = programs[this.kind]({ jobId: "se_1", ...place, ...inputs });
        await (typeof program === "string" ? this.stack.writeProgram(program) : this.stack.writeFiles(program));
    }

    async page(path: string): Promise<string> {
        return String(await this.s3.read(`docs/${path}`));
    }

    async remove(): Promise<void> {
        await this.stack.remove();
        await this.plugin?.remove();
        await this.s3.stop();
        this.platform.stop();
    }
}
