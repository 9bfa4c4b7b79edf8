import { fileURLToPath } from "node:url";

/**
 * A program built from the Go module proxy. To add a program, add an entry here and a folder under `toolchain/go/`,
 * with a go.mod that names its package in a `tool` line and the go.sum that `go mod tidy` writes.
 */
export interface GoTool {
    /** The name is also the file name of the binary. */
    readonly name: string;
    readonly version: string;
    /** The folder with the go.mod and go.sum that pin every module and its checksum. */
    readonly sources: string;
    /** Import path of the main package, or "." if it is in `sources`. */
    readonly package: string;
    /** Go variables that the linker sets; "{version}" in a value is replaced by the version. */
    readonly variables?: Readonly<Record<string, string>>;
    readonly embeds?: EmbeddedFiles;
    /** A file of a module that the program expects in its folder, and may execute. */
    readonly script?: { readonly module: string; readonly path: string };
    /** How long a build takes on two cores with nothing cached; shown before the build starts. */
    readonly typicalMinutes: number;
    /** Set if a program of the same name on PATH is accepted instead. */
    readonly onPath?: AcceptedOnPath;
}

/** JSON files of a module that our own main package embeds; the build copies them into its folder. */
export interface EmbeddedFiles {
    readonly module: string;
    readonly files: readonly { readonly path: string; readonly set?: Readonly<Record<string, string>> }[];
}

interface AcceptedOnPath {
    /** Arguments that make the program print its version. */
    readonly versionArguments: readonly string[];
    readonly minimumVersion: string;
}

type ToolEntry = Omit<GoTool, "name" | "sources">;

const entries = {
    pulumi: {
        // The newest version whose module zip the public proxy serves.
        version: "3.274.1",
        package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
        variables: { "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": "{version}" },
        typicalMinutes: 3.5,
        onPath: { versionArguments: ["version"], minimumVersion: "3.216.0" },
    },
    "pulumi-language-nodejs": {
        // The last SDK module that contains the language host; it also works with newer engines and SDKs.
        version: "3.68.0",
        package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
        variables: { "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": "{version}" },
        typicalMinutes: 0.5,
    },
    "pulumi-language-yaml": {
        // The last version whose module zip the public proxy serves.
        version: "1.25.0",
        package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
        variables: { "github.com/pulumi/pulumi-yaml/pkg/version.Version": "{version}" },
        typicalMinutes: 1,
    },
    "pulumi-language-python": {
        // The version is chosen by the same rule as for the Node.js host. Programs run with the first Python on PATH.
        version: "3.68.0",
        package: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python",
        script: { module: "github.com/pulumi/pulumi/sdk/v3", path: "python/cmd/pulumi-language-python-exec" },
        variables: { "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": "{version}" },
        typicalMinutes: 0.5,
    },
    "pulumi-language-go": {
        // The last SDK module with this host that the public proxy serves.
        version: "3.66.0",
        package: "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go",
        variables: { "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": "{version}" },
        typicalMinutes: 0.5,
    },
    // Maven compiles Java programs, with the JDK on PATH.
    "pulumi-language-java": {
        // The newest version whose module zip the public proxy serves.
        version: "1.22.0",
        package: "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java",
        variables: { "github.com/pulumi/pulumi-java/pkg/version.Version": "{version}" },
        typicalMinutes: 1.5,
    },
    // Generates SDKs in place of newer language hosts, which the proxy does not serve. This is the newest version whose
    // generators of Java and C# the proxy also serves.
    "pulumi-sdk-generator": { version: "3.223.0", package: ".", typicalMinutes: 1 },
    helm: {
        // renovate: datasource=github-releases depName=helm/helm
        version: "4.3.1",
        package: "helm.sh/helm/v4/cmd/helm",
        variables: { "helm.sh/helm/v4/internal/version.version": "v{version}" },
        typicalMinutes: 1.2,
        onPath: { versionArguments: ["version", "--short"], minimumVersion: "3.0.0" },
    },
    versitygw: {
        // renovate: datasource=github-releases depName=versity/versitygw
        version: "1.8.0",
        package: "github.com/versity/versitygw/cmd/versitygw",
        variables: { "main.Version": "v{version}" },
        typicalMinutes: 0.8,
    },
    // Signs readers in before their requests reach the web server of charts/documentation-site.
    "oauth2-proxy": {
        // renovate: datasource=github-releases depName=oauth2-proxy/oauth2-proxy
        version: "7.15.6",
        package: "github.com/oauth2-proxy/oauth2-proxy/v7",
        variables: { "github.com/oauth2-proxy/oauth2-proxy/v7/pkg/version.VERSION": "v{version}" },
        typicalMinutes: 1.5,
    },
    actionlint: {
        // renovate: datasource=github-releases depName=rhysd/actionlint
        version: "1.7.12",
        package: "github.com/rhysd/actionlint/cmd/actionlint",
        typicalMinutes: 0.3,
        onPath: { versionArguments: ["-version"], minimumVersion: "1.7.0" },
    },
    // Signs the charts and the image of a release.
    cosign: {
        // renovate: datasource=github-releases depName=sigstore/cosign
        version: "3.1.3",
        package: "github.com/sigstore/cosign/v3/cmd/cosign",
        variables: { "sigs.k8s.io/release-utils/version.gitVersion": "v{version}" },
        typicalMinutes: 4,
    },
    // Enforces the NetworkPolicies of the local cluster.
    "kube-router": {
        // The newest version that the public proxy serves.
        version: "2.1.0",
        package: "github.com/cloudnativelabs/kube-router/v2/cmd/kube-router",
        typicalMinutes: 2,
    },
    hugo: {
        // The newest version that Go 1.26 compiles. Only the benchmark of whole sites uses Hugo.
        version: "0.165.0",
        package: "github.com/gohugoio/hugo",
        typicalMinutes: 3,
    },
    "pulumi-resource-kubernetes": {
        // The go.mod pins the release's commit, identified by date and SDK, because the proxy serves no tag for this
        // release.
        version: "4.27.0",
        package: ".",
        variables: { "github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version.Version": "{version}" },
        embeds: {
            module: "github.com/pulumi/pulumi-kubernetes/provider/v4",
            files: [
                { path: "cmd/pulumi-resource-kubernetes/schema.json", set: { version: "{version}" } },
                { path: "cmd/pulumi-resource-kubernetes/terraform-mapping.json" },
            ],
        },
        typicalMinutes: 5.5,
    },
} satisfies Record<string, ToolEntry>;

export type ToolName = keyof typeof entries;

function define([name, entry]: [string, ToolEntry]): [string, GoTool] {
    return [name, { ...entry, name, sources: fileURLToPath(new URL(`../../go/${name}`, import.meta.url)) }];
}

/** All tools, in the order in which `get` builds them: the most used first. */
export const goTools = Object.fromEntries(Object.entries(entries).map(define)) as Readonly<Record<ToolName, GoTool>>;
