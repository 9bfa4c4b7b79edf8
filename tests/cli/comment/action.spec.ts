import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

interface Action {
    readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
    readonly runs: {
        readonly steps: readonly { readonly name?: string; readonly if?: string; readonly run?: string }[];
    };
}

const action = parse(readFileSync("action.yml", "utf8")) as Action;

/** Evaluates an expression of a workflow, whose operators are those of JavaScript. */
function evaluate(expression: string, github: object, inputs: object = {}): unknown {
    const text = expression
        .replace(/^\$\{\{|\}\}$/g, "")
        .replace(/contains\(fromJSON\('([^']*)'\), ([\w.]+)\)/g, "$1.includes($2)")
        .replace(/startsWith\(([\w.]+), ('[^']*')\)/g, "$1.startsWith($2)");
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
    return new Function("github", "inputs", `return ${text};`)(github, inputs) as unknown;
}

describe("The action for pull requests", () => {
    for (const [event, step] of [
        ["push", "redact"],
        ["schedule", "redact"],
        ["pull_request", "preview"],
        ["pull_request_target", "preview"],
        // A check that a merge queue requires has to run there, too.
        ["merge_group", "preview"],
        ["workflow_run", "comment"],
    ] as const) {
        it(`runs the step ${step} for ${event}`, () => {
            assert.equal(evaluate(action.inputs["step"]?.default ?? "", { event_name: event }), step);
        });
    }

    const comment = action.runs.steps.find(({ name }) => name === "Comment");

    it("comments only on pull requests", () => {
        for (const [event, comments] of [
            ["pull_request", true],
            ["pull_request_target", true],
            ["merge_group", false],
            ["push", false],
        ] as const) {
            const github = { event: { workflow_run: { event } } };
            assert.equal(evaluate(comment?.if ?? "", github, { step: "comment" }), comments);
        }
    });

    it("finds its artifact among any number, by its name", () => {
        assert.match(comment?.run ?? "", /actions\/runs\/\$RUN_ID\/artifacts" -f name="\$ARTIFACT"/);
    });
});
