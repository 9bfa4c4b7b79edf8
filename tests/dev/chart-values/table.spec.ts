import assert from "node:assert/strict";
import { valuesTable } from "../../../dev/chart-values/table.js";
import { charts } from "../../../dev/chart-values/values.js";
import { readAndUpdate } from "../../../dev/references/write.js";

describe("The table of a chart's values", () => {
    for (const chart of charts) {
        it(`matches values.yaml: run \`npm run references\` after changing a value: ${chart}`, async () => {
            const { text, updated } = await readAndUpdate(`charts/${chart}/README.md`);
            assert.equal(text, updated);
        });
    }

    it("has a row for each value and each described group, with path, type, default and description", () => {
        const values = [
            "# One value, a map. | or not",
            "affinity: {}",
            "worker:",
            "  # How many.",
            "  count: 2 # @schema { maximum: 5 }",
            "  undescribed: null # @schema optionalBoolean",
            "  # A group.",
            "  deep:",
            "    # Whether it is on.",
            "    enabled: false",
            "# Some texts.",
            "list: [x]",
            "# A number or a percentage.",
            "maxSurge: 1",
        ];
        assert.deepEqual(valuesTable("documentation-site", values.join("\n")).split("\n").slice(2), [
            "| affinity | object | `{}` | One value, a map. \\| or not |",
            '| list | list | `["x"]` | Some texts. |',
            "| maxSurge | int or string | `1` | A number or a percentage. |",
            "| worker.count | int | `2` | How many. |",
            "| worker.deep | group |  | A group. |",
            "| worker.deep.enabled | bool | `false` | Whether it is on. |",
            "| worker.undescribed | bool | `null` |  |",
        ]);
    });
});
