import assert from "node:assert/strict";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { isLong } from "../scale.js";
import { codeBlocks, documents, root, type CodeBlock } from "./support/documents.js";
import { Reader } from "./support/reader.js";

/** The declarations that the compiler needs to check a fragment like a program. */
const preamble = `import * as k8s from "@pulumi/kubernetes"; import * as pulumi from "@pulumi/pulumi";
import { BundleMirror, StaticExportBundle } from "pulumi-static-export";
import { DocumentationService } from "pulumi-static-export/site"; declare const bundle: StaticExportBundle;
`;

/** Excludes programs for the plugin, which import a generated package: tests/e2e/plugin runs them. */
const blocks = documents
    .flatMap(codeBlocks)
    .filter(({ language, text }) => language === "ts" && !/ from "@[\w-]+\/static-export"/.test(text));
/**
 * Excludes programs with hooks, which need a later language host (`resource-hooks.long.engine.spec.ts` runs them), and
 * the service, which exports nothing and needs secrets (`tests/e2e/kubernetes` runs it).
 */
const programs = blocks.filter(
    (block) => isProgram(block) && !isPromotion(block) && !/ResourceHook|new DocumentationService/.test(block.text),
);
/** The compiler checks all programs. Each preview takes seconds, so only `npm run test:all` previews all programs. */
const previewed = isLong ? programs : programs.slice(0, 1);

/** The stack whose output `jobId` the program of production reads. */
const stagingProgram = `import { StaticExportBundle } from "pulumi-static-export";

export const { jobId } = new StaticExportBundle("docs", { domain: "docs.example.com" });
`;

describe("A program in the documentation", () => {
    it("compiles against the real packages, with the strictness of `pulumi new`", async () => {
        await mkdir(join(root, ".e2e"), { recursive: true });
        const folder = await mkdtemp(join(root, ".e2e", "docs-"));
        try {
            const files = new Map<string, CodeBlock>();
            for (const [index, block] of blocks.entries()) {
                const file = join(folder, `${index}.ts`);
                await writeFile(file, isProgram(block) ? block.text : preamble + block.text);
                files.set(file, block);
            }
            const program = ts.createProgram([...files.keys()], {
                target: ts.ScriptTarget.ES2022,
                module: ts.ModuleKind.NodeNext,
                strict: true,
                skipLibCheck: true,
                noEmit: true,
                types: ["node"],
            });
            const complaints = [...files].flatMap(([file, { place }]) =>
                ts
                    .getPreEmitDiagnostics(program, program.getSourceFile(file))
                    .map(({ messageText }) => `${place}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`),
            );
            assert.deepEqual(complaints, []);
        } finally {
            await rm(folder, { recursive: true });
        }
    });

    for (const block of previewed) {
        it(`can be previewed by the engine without a key, a service or a cluster: ${block.place}`, async () => {
            const reader = await Reader.open();
            try {
                await reader.write("index.ts", block.text);
                await reader.follow("pulumi config set version 1");
                const { exitCode, output } = await reader.follow("pulumi preview");
                assert.equal(exitCode, 0, output);
                assert.match(output, /StaticExportBundle docs create/);
            } finally {
                await reader.leave();
            }
        });
    }

    it("promotes the export of staging to production without exporting again", async () => {
        const production = blocks.find(isPromotion);
        assert.ok(production);
        const reader = await Reader.open();
        try {
            await reader.follow("npx --no -- static-export serve --site docs.example.com=./docs");
            await reader.follow(
                "export STATIC_EXPORT_BASE_URL=http://127.0.0.1:8787\n" +
                    'export STATIC_EXPORT_ADMIN_API_KEY="$(cat .static-export/admin-api-key)"',
            );
            const deploy = async (program: string, stack: string) => {
                await reader.write("index.ts", program);
                const { exitCode, output } = await reader.follow(`pulumi stack init ${stack}\npulumi up`);
                assert.equal(exitCode, 0, output);
                return output;
            };
            const [, exported] = /(se_\w+): export started/.exec(await deploy(stagingProgram, "staging")) ?? [];
            // A file backend has a single organization, with this name.
            const output = await deploy(production.text.replace("acme/", "organization/"), "production");
            assert.doesNotMatch(output, /export started/);
            assert.match(output, new RegExp(`${exported}: bundle ready`));
        } finally {
            await reader.leave();
        }
    });
});

function isProgram({ text }: CodeBlock): boolean {
    return /^import /m.test(text);
}

/** Recognises the program that reads the output of another stack. */
function isPromotion({ title }: CodeBlock): boolean {
    return title === "production/index.ts";
}
