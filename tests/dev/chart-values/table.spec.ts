import assert from "node:assert/strict";
import { valuesTable } from "../../../dev/chart-values/table.js";
import { readAndUpdate } from "../../../dev/references/write.js";

describe("The table of the values of the service's chart", () => {
    it("matches values.yaml: run `npm run references` after changing a value", async () => {
        const { text, updated } = await readAndUpdate("charts/static-export-service/README.md");
        assert.equal(text, updated);
    });

    it("has a row for each described value, with its path, type and default", () => {
        const values = [
            "# -- A group.",
            "group: { a: 1, b: [x] }",
            "worker:",
            "  # -- How many.",
            "  count: 2",
            "  undescribed: {}",
            "  deep:",
            "    # -- Whether it is on.",
            "    enabled: false",
            "# -- Some texts.",
            "list: []",
        ];
        assert.deepEqual(valuesTable(values.join("\n")).split("\n").slice(2), [
            '| group | object | `{"a": 1, "b": ["x"]}` | A group. |',
            "| list | list | `[]` | Some texts. |",
            "| worker.count | int | `2` | How many. |",
            "| worker.deep.enabled | bool | `false` | Whether it is on. |",
        ]);
    });
});
