import assert from "node:assert/strict";
import { exportInputNames, exportRequest } from "@pulumi-static-export/contract";
import { Compile } from "typebox/compile";
import { agentJobInputs } from "../../../provider/src/agent-job/check.js";
import { checkBundle, exportInputs } from "../../../provider/src/static-export-bundle/check.js";
import { PromptBody, StartStaticExportBody } from "../../../service/src/http/protocol/schemas.js";

const domain = "docs.example.com";
const pages = (count: number) => Array.from({ length: count }, (_, page) => `/page-${page}`);

describe("The check of an export's inputs", () => {
    const service = Compile(StartStaticExportBody);
    it("has a rule for each field of the request, and for the triggers", () => {
        assert.deepEqual(Object.keys(exportInputs), [...Object.keys(exportRequest), "triggers"]);
        assert.deepEqual(Object.keys(exportInputs), ["domain", ...exportInputNames]);
    });

    const isAccepted = (inputs: object) => checkBundle({ domain, ...inputs }).failures?.length === 0;

    for (const [what, inputs] of [
        ["a version of 200 characters", { version: "v".repeat(200) }],
        ["a version of 200 characters that UTF-16 encodes as pairs", { version: "\u{1f600}".repeat(200) }],
        ["1,000 paths", { paths: pages(1000) }],
        ["a path of 2,048 characters", { paths: [`/${"a".repeat(2047)}`] }],
    ] as const) {
        it(`accepts what the service accepts: ${what}`, () => {
            assert.deepEqual([isAccepted(inputs), service.Check({ domain, ...inputs })], [true, true]);
        });
    }

    for (const [what, inputs, reason] of [
        ["a version of 201 characters", { version: "v".repeat(201) }, /^must be at most 200 characters long$/],
        ["a version with a line break", { version: "a\nb" }, /^must be one line of printable characters$/],
        ["1,001 paths", { paths: pages(1001) }, /^must contain at most 1000 page paths, got 1001: omit it to export/],
        [
            "a path of 2,049 characters",
            { paths: [`/${"a".repeat(2048)}`] },
            /only page paths that are at most 2048 char/,
        ],
        ["a path with a line break", { paths: ["/a\n"] }, /only page paths that are one line of printable characters/],
        ["a repeated path", { paths: ["/a", "/a"] }, /only once/],
        ["a label of 64 characters", { domain: `${"a".repeat(64)}.example.com` }, /must be a host name/],
    ] as const) {
        it(`refuses in the preview what the service refuses: ${what}`, () => {
            const { failures = [] } = checkBundle({ domain, ...inputs });
            assert.equal(failures.length, 1);
            assert.match(failures[0]!.reason, reason);
            assert.equal(service.Check({ domain, ...inputs }), false);
        });
    }
});

describe("The check of an agent's prompt", () => {
    it("has the service's limit", () => {
        const service = Compile(PromptBody);
        const { rule } = agentJobInputs.prompt;
        for (const [prompt, isAccepted] of [
            ["p".repeat(100_000), true],
            ["p".repeat(100_001), false],
        ] as const) {
            assert.deepEqual([rule(prompt) === undefined, service.Check({ prompt })], [isAccepted, isAccepted]);
        }
    });
});
