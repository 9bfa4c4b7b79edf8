/** The programs to compare. All of them read the number of sites from the configuration, and register nothing else. */

/** Programs with a Release begin with this import, as every program with a site on Kubernetes does. */
const kubernetes = `import * as k8s from "@pulumi/kubernetes";
`;

const count = `
const count = new pulumi.Config().requireNumber("count");
`;

/** A dynamic resource that does nothing, with the same inputs as the bundle below. */
const trivial = `
const provider = {
    async create(inputs: object) { return { id: "trivial", outs: inputs }; },
    async diff() { return { changes: false }; },
};
class Trivial extends pulumi.dynamic.Resource {
    declare readonly version: pulumi.Output<string>;
    constructor(name: string, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { domain: name + ".example.com", version: "1" }, opts, "bench", "Trivial");
    }
}
`;

const bundle = `const bundle = new StaticExportBundle(name, { domain: name + ".example.com", version: "1" });`;

/**
 * @param link - the link to the bundle that the Release serves
 * @param version - the bundle's version
 * @param options - the resource's options
 */
const release = (link: string, version: string, options = "{}") => `
    new k8s.helm.v3.Release(name, {
        name,
        namespace: "default",
        chart: "./chart",
        atomic: true,
        cleanupOnFail: true,
        timeout: 600,
        values: { staticExport: { enabled: true, bundleUrl: ${link}, version: ${version} } },
    }, ${options});`;

const eachSite = (body: string) => `
for (let index = 0; index < count; index++) {
    const name = \`docs-\${index}\`;
    ${body}
}
`;

/** The resources of a DocumentationSite, with trivial resources in place of its bundle and its bundle check. */
const trivialSite = `
class Site extends pulumi.ComponentResource {
    constructor(name: string) {
        super("bench:index:Site", name);
        const parent = { parent: this };
        const bundle = new Trivial(name, parent);
        const check = new Trivial(name + "-check", parent);
        ${release("bundle.urn", "bundle.version", "{ parent: this, dependsOn: check }")}
        this.registerOutputs({});
    }
}
`;

/** A program with sites, and the same program with trivial resources in place of ours. */
export interface Pair {
    readonly what: string;
    readonly ours: string;
    readonly trivial: string;
    /** Whether to preview the program with the policy pack, too. */
    readonly isChecked?: true;
}

export const pairs: readonly Pair[] = [
    {
        what: "a bundle and a Release",
        ours: kubernetes + count + eachSite(bundle + release("bundle.bundleUrl", "bundle.version")),
        trivial:
            kubernetes +
            count +
            trivial +
            eachSite(`const bundle = new Trivial(name);${release("bundle.urn", "bundle.version")}`),
        isChecked: true,
    },
    {
        what: "a DocumentationSite",
        ours:
            'import { DocumentationSite } from "pulumi-static-export/site";' +
            count +
            eachSite(
                'new DocumentationSite(name, { domain: name + ".example.com", version: "1", deploymentType: "cloud" });',
            ),
        trivial: kubernetes + count + trivial + trivialSite + eachSite("new Site(name);"),
    },
    {
        what: "a bundle alone",
        ours: count + eachSite(bundle),
        trivial: count + trivial + eachSite("new Trivial(name);"),
    },
];
