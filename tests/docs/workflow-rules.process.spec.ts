import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks, documents, root } from "./support/documents.js";
import { scriptFaults, workflowFaults } from "./support/workflow-rules.js";

const filesIn = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => !name.includes("node_modules"))
        .map((name) => join(folder, name))
        .sort();
const read = (file: string) => readFileSync(join(root, file), "utf8");
const isWorkflow = (text: string) => /^on:/m.test(text) && /^jobs:/m.test(text);

const exampleFiles = filesIn("examples").filter((file) => /\.(?:ya?ml|sh|mjs)$/.test(file));
const workflows = [...exampleFiles, ...filesIn(".github")]
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => ({ place: file, text: read(file) }))
    .concat(documents.flatMap(codeBlocks).filter(({ language }) => /^ya?ml$/.test(language)))
    .filter(({ text }) => isWorkflow(text));

const pinned = "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0";
const ownBranch = "if: github.event.pull_request.head.repo.full_name == github.repository";

/** Returns a workflow with one job; the spec of a rule can replace parts of the workflow. */
function workflow({
    on = "pull_request:",
    permissions = "{}",
    uses = pinned,
    checkout = "persist-credentials: false",
    job = "permissions: { contents: read }",
    step = "run: npm ci",
}): string {
    return [
        `on:\n  ${on}`,
        `permissions: ${permissions}`,
        `jobs:\n  one:\n    runs-on: ubuntu-24.04\n    ${job}`,
        `    steps:\n      - uses: ${uses}\n        with:\n          ${checkout}`,
        `      - ${step}\n`,
    ].join("\n");
}

const writes = "permissions: { pull-requests: write }";
const afterCheck = "workflow_run: { workflows: [Check], types: [completed] }";
const runsOf = 'gh api "repos/o/r/actions/workflows/w.yml/runs?branch=main';
const ofThisRepository = "select(.head_repository.full_name == env.GITHUB_REPOSITORY)";

/** Each rule, with a workflow that it rejects and the most similar workflow that it accepts. */
const rules: Record<string, { rejected: string; accepted: string }> = {
    "grants more than reading by default": {
        rejected: workflow({ permissions: "{ contents: write }" }),
        accepted: workflow({ permissions: "{ contents: read }" }),
    },
    "does not pin actions/checkout@v5 by its commit and version": {
        rejected: workflow({ uses: "actions/checkout@v5" }),
        accepted: workflow({ uses: pinned }),
    },
    "runs on pull_request_target": {
        rejected: workflow({ on: "pull_request_target:" }),
        accepted: workflow({ on: "pull_request:" }),
    },
    "one gives a secret or write access to pull requests from forks": {
        rejected: workflow({ job: writes }),
        accepted: workflow({ job: `${ownBranch}\n    ${writes}` }),
    },
    "one checks out another ref than the default branch": {
        rejected: workflow({ on: afterCheck, job: writes }),
        accepted: workflow({
            on: afterCheck,
            job: writes,
            checkout: "persist-credentials: false\n          ref: ${{ github.event.repository.default_branch }}",
        }),
    },
    "one leaves its token in the checkout": {
        rejected: workflow({ checkout: "ref: main" }),
        accepted: workflow({ checkout: "persist-credentials: false" }),
    },
    "one puts an expression into a script": {
        rejected: workflow({ step: "run: echo ${{ github.head_ref }}" }),
        accepted: workflow({ step: "env: { HEAD: '${{ github.head_ref }}' }\n        run: echo \"$HEAD\"" }),
    },
    "one takes a run that a fork may have started": {
        rejected: workflow({ step: `run: ${runsOf}&event=push"` }),
        accepted: workflow({ step: `run: |\n          ${runsOf}&event=push" --jq '${ofThisRepository}'` }),
    },
    "one takes an artifact of any run": {
        rejected: workflow({ step: "run: gh run download --name state" }),
        accepted: workflow({ step: 'run: gh run download "$run" --name state' }),
    },
    "one changes the last comment instead of its own": {
        rejected: workflow({ step: "run: gh pr comment 5 --edit-last --body text" }),
        accepted: workflow({ step: "run: gh pr comment 5 --body text" }),
    },
};

describe("the security rules for workflows", () => {
    for (const [fault, { rejected, accepted }] of Object.entries(rules)) {
        it(`reject a workflow that ${fault.replace(/^one /, "")}`, () => {
            assert.deepEqual(workflowFaults(rejected), [fault]);
        });

        it(`accept the corrected form of a workflow that ${fault.replace(/^one /, "")}`, () => {
            assert.deepEqual(workflowFaults(accepted), []);
        });
    }

    it("reject a secret in a job that is triggered by pull requests from forks", () => {
        const step = "run: npm ci\n        env: { KEY: '${{ secrets.KEY }}' }";
        assert.deepEqual(workflowFaults(workflow({ step })), [
            "one gives a secret or write access to pull requests from forks",
        ]);
        assert.deepEqual(workflowFaults(workflow({ on: "push:", step })), []);
    });

    it("reject a list of runs if the script does not check their event or repository", () => {
        const fault = ["takes a run that a fork may have started"];
        assert.deepEqual(scriptFaults("gh run list --workflow w.yml --branch main --event push"), fault);
        assert.deepEqual(scriptFaults(`${runsOf}" --jq '${ofThisRepository}'`), fault);
    });
});

describe("the workflows in this repository, its examples and its pages", () => {
    it("are found in .github, in the examples and in the documentation", () => {
        const places = workflows.map(({ place }) => place);
        assert.ok(places.includes(".github/workflows/ci.yml"), places.join(", "));
        assert.ok(places.includes("examples/publish/github/publish.yml"), places.join(", "));
        assert.ok(
            places.some((place) => place.startsWith("docs/")),
            places.join(", "),
        );
    });

    for (const { place, text } of workflows) {
        it(`contain nothing that a pull request could misuse: ${place}`, () => {
            assert.deepEqual(workflowFaults(text), []);
        });
    }

    it("do not call a script that a pull request could misuse", () => {
        for (const file of exampleFiles) {
            assert.deepEqual(scriptFaults(read(file)), [], file);
        }
    });
});
