/** Generates the pages docs/reference/api-*.md from the doc comments of the public exports. */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { type Described, describeModule } from "./describe-module.js";
import { type PageText, writeOverview, writeResources } from "./write-page.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The pages that describe resources whose outputs, or types that, the page of all inputs does not repeat. */
export const pageOf: Readonly<Record<string, string>> = {
    StaticExportBundle: "./static-export-bundle.md",
    StaticExportBundleArgs: "./static-export-bundle.md",
    BucketSite: "./bucket-site.md",
    BundleMirror: "./documentation-site.md",
    DocumentationSite: "./documentation-site.md",
    DocumentationUpdate: "./documentation-update.md",
    ChangedFiles: "./documentation-update.md",
    PublishedCommit: "./documentation-update.md",
};

interface Page extends PageText {
    readonly file: string;
    /** The modules whose exports the page describes. */
    readonly entries: readonly string[];
    readonly write: (text: PageText, exports: readonly Described[]) => string;
}

const resources: Page = {
    file: "docs/reference/api-resources.md",
    entries: ["provider/src/index.ts", "provider/src/site.ts"],
    title: "Every input and output",
    description: "What pulumi-static-export exports, from its doc comments.",
    introduction:
        "`DocumentationSite`, `DocumentationService` and their types come from `pulumi-static-export/site`, everything " +
        "else from `pulumi-static-export`. [StaticExportBundle](./static-export-bundle.md), " +
        "[BucketSite](./bucket-site.md), [BundleMirror and DocumentationSite](./documentation-site.md) and " +
        "[DocumentationUpdate](./documentation-update.md) have pages that describe their outputs.\n\n" +
        "A question mark marks an optional input. Inputs also accept outputs of other resources, and each input is " +
        "also an output of its resource.",
    write: (text, exports) => writeResources(text, exports, pageOf),
};

const sdk: Page = {
    file: "docs/reference/api-sdk.md",
    entries: ["sdk/src/index.ts"],
    title: "Every export of the SDK",
    description: "The classes, functions and interfaces of @pulumi-static-export/sdk, from their doc comments.",
    introduction:
        "The client of the [admin API](./admin-api.md) without Pulumi. Errors are subclasses of " +
        "`StaticExportError`. Your editor shows the whole comments, and those of members, arguments and results.",
    write: (text, exports) => writeOverview(text, exports.filter(isUsedDirectly)),
};

/** Callers use classes, functions, and the interfaces whose methods an AdminClient offers. */
function isUsedDirectly({ name, kind, members }: Described): boolean {
    const isClient = !/Options$|^(Clock|Timer)$/.test(name) && members.some(({ type }) => /^[(<]/.test(type));
    return kind === "class" || kind === "function" || isClient;
}

/** Returns the up-to-date pages, by their path from the root. */
export function writeReference(): Map<string, string> {
    const pages = [resources, sdk];
    const program = createProgram(pages);
    return new Map(pages.map((page) => [page.file, page.write(page, describe(program, page))]));
}

/** Describes the exports of the packages with resources, sorted by name. */
export function describeResources(): Described[] {
    return describe(createProgram([resources]), resources);
}

function describe(program: ts.Program, { entries }: Page): Described[] {
    return entries
        .flatMap((entry) => describeModule(program, root + entry))
        .sort((one, other) => one.name.localeCompare(other.name, "en"));
}

function createProgram(pages: readonly Page[]): ts.Program {
    const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => ts.sys.readFile(path)) as {
        config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, noEmit: true }, root);
    // Reads the sources, because declaration files count as external.
    options.paths = {
        "@pulumi-static-export/contract": [`${root}contract/src/index.ts`],
        "@pulumi-static-export/contract/proxy": [`${root}contract/src/proxy/index.ts`],
    };
    return ts.createProgram(
        pages.flatMap(({ entries }) => entries.map((entry) => root + entry)),
        options,
    );
}
