import assert from "node:assert/strict";
import schema from "../../../plugin/src/schema.json" with { type: "json" };
import { findAnswerProblem } from "../../../provider/src/documentation-site/site-answer.js";

const image = { repository: "registry.example.com/static-export", tag: "1" };
const site = { answer: { image }, deploymentType: "client-hosted", takesDigest: true };

describe("The answer of a DocumentationSite", () => {
    it("has the inputs of the plugin's schema", () => {
        const problem = findAnswerProblem({ ...site, answer: { image, bogus: 1 } });
        const [, list = ""] = /^answer\.bogus is not an input; the inputs are (.*)$/.exec(problem ?? "") ?? [];
        const { properties, required } = schema.types["static-export:index:SiteAnswer"];
        assert.deepEqual(list.split(", ").sort(), Object.keys(properties).sort());
        assert.deepEqual(required, ["image"]);
        assert.equal(findAnswerProblem({ ...site, answer: {} }), "answer.image is required");
        assert.equal(findAnswerProblem(site), undefined);
        assert.equal(findAnswerProblem({ ...site, answer: undefined, takesDigest: false }), undefined);
    });

    for (const [title, changes, says] of [
        ["two places", { values: { answer: { image } } }, /^answer and values\.answer must not both be set/],
        ["another chart", { takesDigest: false }, /^answer needs the chart in this package.*chartTakesDigest to true/],
        [
            "a deployment without a search",
            { deploymentType: "air-gapped" },
            /^answer needs documentation search, which is unavailable in deployments of type air-gapped/,
        ],
        [
            "a site whose search is off",
            { features: { documentationSearch: false } },
            /^answer needs features\.documentationSearch, which is false/,
        ],
        ["a list", { answer: [image] }, /^answer must be an object that is known/],
    ] as const) {
        it(`is refused for ${title}`, () => assert.match(findAnswerProblem({ ...site, ...changes }) ?? "", says));
    }
});
