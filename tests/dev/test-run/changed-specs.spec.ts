import assert from "node:assert/strict";
import { specsOfChanges } from "../../../dev/test-run/changed-specs.js";

const project: Record<string, string> = {
    "contract/package.json": '{ "name": "@acme/contract", "exports": { ".": { "default": "./dist/index.js" } } }',
    "contract/src/index.ts": 'export { range } from "./range.js";',
    "contract/src/range.ts": "",
    "sdk/src/http/retries.ts": 'import { range } from "@acme/contract";',
    "charts/site/values.yaml": "",
    "tests/sdk/http/retries.spec.ts": 'import { retry } from "../../../sdk/src/http/retries.js";',
    "tests/sdk/http/retries.long.process.spec.ts": "",
    "tests/sdk/http/slow.long.process.spec.ts": 'import "../../../sdk/src/http/retries.js";',
    "tests/sdk/random.long.spec.ts": 'import "./http/retries.spec.js";',
    "tests/charts/serving.tools.spec.ts": "",
    "tests/e2e/up.engine.spec.ts": 'const program = `import { Export } from "@acme/contract";`;',
};

const read = (file: string) => project[file] ?? "";
const specsOf = (...changed: string[]) => specsOfChanges(changed, Object.keys(project), read).specs;

describe("The specs of a change", () => {
    it("are those that import the changed file, and those that mirror its name", () => {
        assert.deepEqual(specsOf("sdk/src/http/retries.ts"), [
            "tests/sdk/http/retries.spec.ts",
            "tests/sdk/http/retries.long.process.spec.ts",
            "tests/sdk/http/slow.long.process.spec.ts",
        ]);
    });

    it("include those that import the file through others and through a package, except long ones", () => {
        assert.deepEqual(specsOf("contract/src/range.ts"), [
            "tests/sdk/http/retries.spec.ts",
            "tests/e2e/up.engine.spec.ts",
        ]);
    });

    it("are at most as many of those that import the file through others as asked for, the nearest first", () => {
        const { specs, leftOut } = specsOfChanges(["contract/src/range.ts"], Object.keys(project), read, 1);
        assert.deepEqual([specs, leftOut], [["tests/e2e/up.engine.spec.ts"], ["tests/sdk/http/retries.spec.ts"]]);
    });

    it("are those of the nearest mirrored folder if the changed file is not code", () => {
        assert.deepEqual(specsOf("charts/site/values.yaml"), ["tests/charts/serving.tools.spec.ts"]);
    });
});
