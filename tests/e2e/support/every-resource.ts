import { bucket } from "../../provider/bundle-mirror/s3-server.js";
import { projectId } from "../agent/agent-service.js";

/** The contents of options.json, which each run of the program reads. */
export interface ProgramOptions {
    version?: string | undefined;
    /** A prefix for the names of all resources. */
    prefix?: string;
    /** The resource options of all resources. */
    all?: Record<string, unknown>;
    /** The resource options of the mirrors. */
    mirror?: Record<string, unknown>;
    /** Another stack whose outputs are the triggers. */
    reference?: string | undefined;
    /** The inputs of an explicit provider for the plugin's resources. */
    envVarMappings?: Record<string, string> | undefined;
}

export const domainsOf = { dynamic: ["one", "two"], plugin: ["three", "four"] } as const;

/** The number of resources that the program declares. */
export const resourceCount = 12;

/** Declares every resource twice: as a dynamic resource, and as a resource of the plugin. */
export const program = `
import { AgentJob, BundleMirror, DocumentationUpdate, StaticExportJob } from "pulumi-static-export";
import { BundleCheck } from "pulumi-static-export/site";
import { readFileSync } from "node:fs";

const options = JSON.parse(readFileSync("options.json", "utf8"));
const { version, prefix = "", reference, envVarMappings } = options;
const classes: Record<string, any> = {
    StaticExportBundle, StaticExportJob, AgentJob, DocumentationUpdate, BundleCheck, BundleMirror,
};
class PluginProvider extends pulumi.ProviderResource {}
class PluginResource extends pulumi.CustomResource {
    declare readonly jobId: pulumi.Output<string>;
    constructor(type: string, name: string, args: pulumi.Inputs, opts: pulumi.CustomResourceOptions) {
        super("static-export:index:" + type, name, { jobId: undefined, url: undefined, ...args }, opts);
    }
}
const provider = envVarMappings && new PluginProvider("static-export", "mapped", {}, { envVarMappings });
const other = reference && new pulumi.StackReference(reference);

const outputs: Record<string, pulumi.Output<string>> = {};
for (const [way, domains] of Object.entries(${JSON.stringify(domainsOf)})) {
    const [domain, second] = domains.map((name) => name + ".example.com");
    const triggers = other && [other.requireOutput(way)];
    const make = (type: string, kind: string, args: pulumi.Inputs) => {
        const name = prefix + way + "-" + kind;
        const opts = { ...options.all, ...(kind === "mirror" && options.mirror) };
        return way === "plugin"
            ? new PluginResource(type, name, args, { ...opts, provider })
            : new classes[type](name, args, opts);
    };
    const { jobId } = make("StaticExportBundle", "bundle", { domain, version, triggers });
    make("StaticExportJob", "job", { domain: second, version, triggers });
    make("AgentJob", "agent", { projectId: "${projectId}", prompt: "change nothing: " + way, triggers });
    make("DocumentationUpdate", "update", { projectId: domain, triggers });
    make("BundleCheck", "check", { jobId });
    make("BundleMirror", "mirror", {
        bucket: "${bucket}",
        endpoint: new pulumi.Config().require("endpoint"),
        deleteOnRemoval: true,
        jobId,
        prefix: (other ? "other/" : "") + way + "/",
    });
    outputs[way] = jobId;
}
export const { dynamic, plugin } = outputs;
`;
