/** All of our resources in one program: a bundle with a plain Release, and a DocumentationSite with a mirror. */
export const siteProgram = `
import * as k8s from "@pulumi/kubernetes";
import { DocumentationSite } from "pulumi-static-export/site";

const config = new pulumi.Config();
const version = config.require("version");
const chart = "../../charts/documentation-site";

/** This program does not mark the values that it computes from secrets as secret. */
const token = config.require("token");
const copies = {
    plain: token,
    basic: \`Basic \${Buffer.from(\`user:\${token}\`).toString("base64")}\`,
    inAddress: \`https://docs.example.com/?q=a%20b&of=\${encodeURIComponent(token)}\`,
    inJson: JSON.stringify({ hex: Buffer.from(token).toString("hex") }),
};

const bundle = new StaticExportBundle("docs", { domain: config.require("domain"), version });
new k8s.helm.v3.Release("docs", {
    name: "docs",
    namespace: "docs",
    chart,
    atomic: true,
    cleanupOnFail: true,
    timeout: 180,
    values: {
        podAnnotations: config.requireSecretObject("annotations"),
        service: { annotations: { token: config.requireSecret("token"), ...copies } },
        staticExport: { enabled: true, bundleUrl: bundle.bundleUrl, version: bundle.version },
    },
});

const provider = new k8s.Provider("cluster", { kubeconfig: config.requireSecret("kubeconfig") });
const site = new DocumentationSite(
    "site",
    {
        domain: "other.example.com",
        version,
        deploymentType: "client-hosted",
        chart,
        namespace: "docs",
        mirror: { bucket: config.require("bucket"), endpoint: config.require("endpoint") },
    },
    { provider },
);

export const { bundleUrl } = bundle;
export const mirrored = site.mirror?.url;
export const address = pulumi.interpolate\`https://\${config.requireSecret("token")}@docs.example.com\`;
`;
