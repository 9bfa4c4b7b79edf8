import { stringify } from "yaml";

/** The destination of the exported site. */
export const targets = ["export", "bucket", "cluster"] as const;
export type Target = (typeof targets)[number];

export const languages = ["typescript", "yaml", "python"] as const;
export type Language = (typeof languages)[number];

/** The settings for the project to write. */
export interface Project {
    readonly name: string;
    readonly stack: string;
    readonly target: Target;
    readonly language: Language;
    readonly baseUrl: string;
    readonly domain: string;
    /** For a bucket. */
    readonly bucket?: string | undefined;
    /** For a cluster, the chart to use. TypeScript programs use the chart in the package. */
    readonly chart?: string | undefined;
}

/** Returns the files of a project by name: the project's settings, the stack's settings, and the program. */
export function writeProject(project: Project): Record<string, string> {
    const { name, stack, language } = project;
    const files = { typescript, yaml, python }[language](project);
    return {
        [`Pulumi.${stack}.yaml`]: stringify({
            config: {
                "static-export:baseUrl": project.baseUrl,
                ...Object.fromEntries(
                    Object.entries(settingsOf(project)).map(([setting, value]) => [`${name}:${setting}`, value]),
                ),
            },
        }),
        ".gitignore": ".static-export/\nnode_modules/\n__pycache__/\nvenv/\n",
        ...files,
    };
}

function settingsOf({ target, domain, bucket, chart, language }: Project): Record<string, string> {
    return {
        domain,
        // In YAML, a label of digits only would be a number.
        version: "v1",
        ...(target === "bucket" && bucket !== undefined && { bucket }),
        ...(target === "cluster" && { namespace: "default" }),
        ...(target === "cluster" && language !== "typescript" && chart !== undefined && { chart }),
    };
}

const descriptions: Record<Target, string> = {
    export: "Exports a documentation site",
    bucket: "Exports a documentation site to a bucket",
    cluster: "Exports a documentation site and serves it from Kubernetes",
};

const header = 'import * as pulumi from "@pulumi/pulumi";\n';
const inputs = `    domain: config.require("domain"),
    // A new label starts one new export job.
    version: config.require("version"),
`;

const typescriptPrograms: Record<Target, string> = {
    export: `${header}import { StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();

const bundle = new StaticExportBundle("docs", {
${inputs}});

export const { jobId, pageCount, bundleUrl } = bundle;
`,
    bucket: `${header}import { BucketSite, StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();

const bundle = new StaticExportBundle("docs", {
${inputs}    // The bucket serves the site, so the link may expire.
    renewLink: false,
});

const site = new BucketSite("docs", {
    jobId: bundle.jobId,
    bucket: config.require("bucket"),
    // The number of earlier exports that can be served again.
    keep: 3,
});

export const { jobId, pageCount } = bundle;
export const { changeSummary } = site;
`,
    cluster: `import * as k8s from "@pulumi/kubernetes";
${header}import { documentationSiteChart, StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();

const bundle = new StaticExportBundle("docs", {
${inputs}    // Renews a link that is valid for days at a daily \`pulumi up\`; a renewed link rolls no pod. If your platform's links
    // are valid for an hour, as those of a self-hosted service are, set cache.enabled or add a BundleMirror.
    renewBeforeSeconds: 24 * 3600,
});

const release = new k8s.helm.v3.Release("docs", {
    name: "docs",
    namespace: config.require("namespace"),
    chart: documentationSiteChart(),
    // A rollout that is not ready by the deadline is rolled back, and the live site stays up.
    atomic: true,
    cleanupOnFail: true,
    timeout: 600,
    values: {
        staticExport: { enabled: true, bundleUrl: bundle.bundleUrl, version: bundle.version },
    },
});

export const { jobId, pageCount } = bundle;
export const service = pulumi.interpolate\`\${release.status.name}-documentation-site\`;
`,
};

function typescript({ name, target }: Project): Record<string, string> {
    const compilerOptions = { target: "es2022", module: "nodenext", strict: true, skipLibCheck: true, noEmit: true };
    return {
        "Pulumi.yaml": stringify({ name, description: descriptions[target], runtime: "nodejs", main: "index.ts" }),
        "index.ts": typescriptPrograms[target],
        "tsconfig.json": `${JSON.stringify({ compilerOptions, files: ["index.ts"] }, undefined, 2)}\n`,
    };
}

const bundleType = "static-export:StaticExportBundle";
const yamlInputs = { domain: "${domain}", version: "${version}" };

const yamlPrograms: Record<Target, { resources: Record<string, object>; outputs: Record<string, string> }> = {
    export: {
        resources: { docs: { type: bundleType, properties: yamlInputs } },
        outputs: { jobId: "${docs.jobId}", pageCount: "${docs.pageCount}", bundleUrl: "${docs.bundleUrl}" },
    },
    bucket: {
        resources: {
            docs: { type: bundleType, properties: { ...yamlInputs, renewLink: false } },
            site: {
                type: "static-export:BucketSite",
                properties: { jobId: "${docs.jobId}", bucket: "${bucket}", keep: 3 },
            },
        },
        outputs: {
            jobId: "${docs.jobId}",
            pageCount: "${docs.pageCount}",
            changeSummary: "${site.changeSummary}",
        },
    },
    cluster: {
        resources: {
            docs: {
                type: "static-export:DocumentationSite",
                properties: {
                    ...yamlInputs,
                    deploymentType: "client-hosted",
                    namespace: "${namespace}",
                    chart: "${chart}",
                    chartTakesDigest: true,
                },
            },
        },
        outputs: { jobId: "${docs.jobId}", sha256: "${docs.sha256}" },
    },
};

function yaml(project: Project): Record<string, string> {
    const { name, target } = project;
    const config = Object.fromEntries(Object.keys(settingsOf(project)).map((each) => [each, { type: "string" }]));
    const program = { name, description: descriptions[target], runtime: "yaml", config, ...yamlPrograms[target] };
    return { "Pulumi.yaml": stringify(program) };
}

const pythonHeader = `import pulumi
import pulumi_static_export as static_export

config = pulumi.Config()
`;
const pythonInputs = `    domain=config.require("domain"),
    # A new label starts one new export job.
    version=config.require("version"),
`;

const pythonPrograms: Record<Target, string> = {
    export: `${pythonHeader}
docs = static_export.StaticExportBundle(
    "docs",
${pythonInputs})

pulumi.export("jobId", docs.job_id)
pulumi.export("pageCount", docs.page_count)
pulumi.export("bundleUrl", docs.bundle_url)
`,
    bucket: `${pythonHeader}
docs = static_export.StaticExportBundle(
    "docs",
${pythonInputs}    # The bucket serves the site, so the link may expire.
    renew_link=False,
)

site = static_export.BucketSite(
    "docs",
    job_id=docs.job_id,
    bucket=config.require("bucket"),
    # The number of earlier exports that can be served again.
    keep=3,
)

pulumi.export("jobId", docs.job_id)
pulumi.export("pageCount", docs.page_count)
pulumi.export("changeSummary", site.change_summary)
`,
    cluster: `${pythonHeader}
docs = static_export.DocumentationSite(
    "docs",
${pythonInputs}    deployment_type="client-hosted",
    namespace=config.require("namespace"),
    chart=config.require("chart"),
    chart_takes_digest=True,
)

pulumi.export("jobId", docs.job_id)
pulumi.export("sha256", docs.sha256)
`,
};

function python({ name, target }: Project): Record<string, string> {
    const runtime = { name: "python", options: { toolchain: "pip", virtualenv: "venv" } };
    return {
        "Pulumi.yaml": stringify({ name, description: descriptions[target], runtime }),
        "__main__.py": pythonPrograms[target],
        "requirements.txt": "pulumi>=3.0.0,<4.0.0\n",
    };
}
