/** Generates parts of docs/reference/ from the doc comments of the public exports. */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { type Described, describeModule } from "./describe-module.js";
import { ResourcePages, type Subjects, writeOverview } from "./write-page.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const resourceEntries = ["provider/src/index.ts", "provider/src/site.ts"];
const sdkEntries = ["sdk/src/index.ts"];

/** The page of each resource. A type is shown with the input or output that has it. */
export const subjects: Subjects = {
    "docs/reference/static-export-bundle.md": ["StaticExportBundle"],
    "docs/reference/static-export-job.md": ["StaticExportJob"],
    "docs/reference/bundle-mirror.md": ["BundleMirror"],
    "docs/reference/bundle-check.md": ["BundleCheck"],
    "docs/reference/bucket-site.md": ["BucketSite"],
    "docs/reference/documentation-site.md": ["DocumentationSite", "documentationSiteChart"],
    "docs/reference/documentation-service.md": ["DocumentationService"],
    "docs/reference/documentation-update.md": ["DocumentationUpdate"],
    "docs/reference/agent-job.md": [
        "AgentJob",
        "getAgentJob",
        "GetAgentJobArgs",
        "GetAgentJobResult",
        "getAgentJobOutput",
    ],
};

/** Callers use classes, functions, and the interfaces whose methods an AdminClient offers. */
function isUsedDirectly({ name, kind, members }: Described): boolean {
    const isClient = !/Options$|^(Clock|Timer)$/.test(name) && members.some(({ type }) => /^[(<]/.test(type));
    return kind === "class" || kind === "function" || isClient;
}

/** Returns the up-to-date generated part of each page, by the page's path from the root. */
export function writeReference(): Map<string, string> {
    return new ResourcePages(describeResources(), subjects)
        .write()
        .set("docs/reference/api-sdk.md", writeOverview(describe(sdkEntries).filter(isUsedDirectly)));
}

/** Describes the exports of the packages with resources, sorted by name. */
export function describeResources(): Described[] {
    return describe(resourceEntries);
}

let program: ts.Program | undefined;

function describe(entries: readonly string[]): Described[] {
    // One program for all callers, because reading the sources takes seconds.
    const sources = (program ??= createProgram());
    return entries
        .flatMap((entry) => describeModule(sources, root + entry))
        .sort((one, other) => one.name.localeCompare(other.name, "en"));
}

function createProgram(): ts.Program {
    const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => ts.sys.readFile(path)) as {
        config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, noEmit: true }, root);
    // Reads the sources, because declaration files count as external.
    options.paths = {
        "@pulumi-static-export/contract": [`${root}contract/src/index.ts`],
        "@pulumi-static-export/contract/api": [`${root}contract/src/api/index.ts`],
        "@pulumi-static-export/contract/proxy": [`${root}contract/src/proxy/index.ts`],
    };
    return ts.createProgram(
        [...resourceEntries, ...sdkEntries].map((entry) => root + entry),
        options,
    );
}
