import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { codeBlocks, root } from "./support/documents.js";

interface Rules {
    groups: { rules: { alert: string; expr: string; for: string }[] }[];
}

describe("The alerts of a service on one machine", () => {
    const block = codeBlocks("docs/guides/self-hosted-service.md").find(({ title }) => title?.endsWith("-alerts.yaml"));
    const rules = (parse(block?.text ?? "") as Rules).groups.flatMap((group) => group.rules);
    const read = (file: string) => readFileSync(join(root, file), "utf8");

    it("are those of the chart, without the labels of a cluster", () => {
        const template = read("charts/static-export-service/templates/prometheusrule.yaml");
        const { prometheusRule } = parse(read("charts/static-export-service/values.yaml")) as {
            prometheusRule: { queueWaitSeconds: number };
        };
        const ofChart = [...template.matchAll(/\(list \. "(\w+)" "(\w+)" "\w+"\s+\(printf "((?:\\.|[^"\\])*)"/g)].map(
            ([, alert, time, expr = ""]) => ({
                alert,
                expr: expr
                    .replaceAll('\\"', '"')
                    .replace(/\{%s,?/g, "{")
                    .replaceAll("{}", "")
                    .replace("%d", `${prometheusRule.queueWaitSeconds}`),
                for: time,
            }),
        );
        assert.ok(rules.length > 3);
        for (const rule of rules) {
            assert.deepEqual(
                rule,
                ofChart.find(({ alert }) => alert === rule.alert),
            );
        }
    });

    it("each have a section that says what to do", () => {
        const runbooks = read("docs/guides/alerts.md");
        assert.deepEqual(
            rules.filter(({ alert }) => !runbooks.includes(`\n### ${alert}\n`)),
            [],
        );
    });
});
