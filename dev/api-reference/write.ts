/**
 * Generates the pages docs/reference/api-*.md from the doc comments of the public exports. `npm run api-reference`
 * writes the pages; tests/dev/api-reference fails when they are out of date.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { type Described, describeModule } from "./describe-module.js";
import { writeOverview, writePage } from "./write-page.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Page {
    readonly file: string;
    /** The modules whose exports the page describes. */
    readonly entries: readonly string[];
    readonly title: string;
    readonly description: string;
    readonly introduction: string;
    readonly isShown: (described: Described) => boolean;
    readonly write: typeof writePage;
}

const pages: Page[] = [
    {
        file: "docs/reference/api-resources.md",
        entries: ["provider/src/index.ts", "provider/src/site.ts"],
        title: "Every input and output",
        description: "What pulumi-static-export exports, from its doc comments.",
        introduction:
            "`DocumentationSite`, `DocumentationService` and their types come from `pulumi-static-export/site`, everything else from `pulumi-static-export`. " +
            "[StaticExportBundle](./static-export-bundle.md), [BucketSite](./bucket-site.md) and [DocumentationSite](./documentation-site.md) have guides. " +
            "An input accepts a value or an output. Each input is also an output of its resource; the tables of resources list only further outputs.",
        isShown: () => true,
        write: writePage,
    },
    {
        file: "docs/reference/api-sdk.md",
        entries: ["sdk/src/index.ts"],
        title: "Every export of the SDK",
        description: "The classes, functions and interfaces of @pulumi-static-export/sdk, from their doc comments.",
        introduction:
            "The client of the [admin API](/reference/admin-api) without Pulumi. Errors are subclasses of `StaticExportError`. Your editor shows the comments of members, arguments and results, which the package declares.",
        isShown: ({ kind, members }) =>
            kind === "class" || kind === "function" || members.some(({ type }) => /^[(<]/.test(type)),
        write: writeOverview,
    },
];

/** Returns the up-to-date pages, by their path from the root. */
export function writeReference(): Map<string, string> {
    const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => ts.sys.readFile(path)) as {
        config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, noEmit: true }, root);
    // Reads the sources, because declaration files count as external.
    options.paths = {
        "@pulumi-static-export/contract": [`${root}contract/src/index.ts`],
        "@pulumi-static-export/contract/proxy": [`${root}contract/src/proxy/index.ts`],
    };
    const program = ts.createProgram(
        pages.flatMap(({ entries }) => entries.map((entry) => root + entry)),
        options,
    );
    const written = pages.map(({ file, entries, title, description, introduction, isShown, write }) => {
        const exports = entries.flatMap((entry) => describeModule(program, root + entry)).filter(isShown);
        const text = write(title, description, introduction, exports);
        return [file, text] as const;
    });
    return new Map(written);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    for (const [file, text] of writeReference()) {
        writeFileSync(root + file, text);
    }
}
