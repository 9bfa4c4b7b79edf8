import assert from "node:assert/strict";
import { writeProject } from "../../../cli/src/init/project-files.js";
import { codeBlocks } from "../../docs/support/documents.js";
import { isLong } from "../../scale.js";
import { PolicyStack } from "./support/policy-stack.js";

const titled = (page: string, title: string | undefined) =>
    codeBlocks(page).find((block) => block.language === "ts" && block.title === title)?.text ?? "";

const start = {
    name: "docs",
    stack: "dev",
    target: "cluster",
    language: "typescript",
    baseUrl: "https://api.example.com",
    domain: "docs.example.com",
} as const;

/** The programs that declare a release. All previews together take a minute. */
const programs = {
    "the README": titled("README.md", undefined),
    ...(isLong && {
        "the guide to Kubernetes": titled("docs/guides/kubernetes.md", "index.ts"),
        "the guide to Kubernetes, in one declaration": titled("docs/guides/kubernetes.md", "site.ts"),
        "`init`, for a cluster": writeProject(start)["index.ts"]!,
    }),
};

/** Replaces the imports, which the stack has, the reader's bucket, and a chart whose pods would have to start. */
function runnable(program: string): string {
    return program
        .replace(/^import .*\n/gm, "")
        .replaceAll("documentationSiteChart()", '"./chart"')
        .replaceAll(/bucket: "docs-bundles",\s*publicUrl: "[^"]*"/g, "...storage");
}

describe("A documented program, on the real engine,", () => {
    let stack: PolicyStack;
    before(async () => {
        stack = await PolicyStack.create("", {}, ["docs.example.com"]);
        for (const [name, value] of Object.entries({ domain: "docs.example.com", version: "1", namespace: "docs" })) {
            await stack.stack.succeed("config", "set", name, value);
        }
    });
    after(() => stack?.remove());

    for (const [page, program] of Object.entries(programs)) {
        it(`breaks no rule of the policy pack in a preview, and needs no remediation: ${page}`, async () => {
            await stack.writeProgram(runnable(program));
            const { exitCode, output, violations } = await stack.preview();
            assert.equal(exitCode, 0, output);
            assert.deepEqual(violations, [], output);
            assert.doesNotMatch(output, /\[remediate\]/);
            assert.match(output, /helm\.sh\/v3:Release/);
        });
    }

    if (isLong) {
        it("breaks no rule after the export either, whose link is valid for an hour: the README", async () => {
            await stack.writeProgram(runnable(programs["the README"]));
            for (const { exitCode, output, violations } of [await stack.up(), await stack.preview()]) {
                assert.equal(exitCode, 0, output);
                assert.deepEqual(violations, [], output);
            }
        });
    }
});
