import assert from "node:assert/strict";
import schema from "../../../plugin/src/schema.json" with { type: "json" };
import { findAnswerProblem, findMissingSetting } from "../../../provider/src/documentation-site/site-answer.js";

const image = { repository: "registry.example.com/static-export", tag: "1" };
const site = { answer: { image }, deploymentType: "client-hosted", takesDigest: true };

describe("The answer settings of a DocumentationSite", () => {
    it("match the inputs in the plugin's schema", () => {
        const problem = findAnswerProblem({ ...site, answer: { image, bogus: 1 } });
        const [, list = ""] = /^answer\.bogus is not an input\. The inputs are (.*)$/.exec(problem ?? "") ?? [];
        const { properties, required } = schema.types["static-export:index:SiteAnswer"];
        assert.deepEqual(list.split(", ").sort(), Object.keys(properties).sort());
        assert.deepEqual(required, ["image"]);
        assert.equal(findAnswerProblem({ ...site, answer: {} }), "answer.image is required");
        assert.equal(findAnswerProblem(site), undefined);
        assert.equal(findAnswerProblem({ ...site, answer: undefined, takesDigest: false }), undefined);
    });

    it("match the assistant's inputs in the plugin's schema", () => {
        const { properties, required } = schema.types["static-export:index:SiteAssistant"];
        const problemOf = (assistant: object) => findAnswerProblem({ ...site, answer: { image, assistant } });
        const given = Object.fromEntries(required.map((name) => [name, "x"]));
        const [, list = ""] = /The inputs are (.*)$/.exec(problemOf({ ...given, bogus: 1 }) ?? "") ?? [];
        assert.deepEqual(list.split(", ").sort(), Object.keys(properties).sort());
        assert.equal(problemOf(given), undefined);
        for (const name of required) {
            for (const missing of [undefined, ""]) {
                assert.equal(problemOf({ ...given, [name]: missing }), `answer.assistant.${name} is required`);
            }
        }
        assert.match(problemOf([given]) ?? "", /^answer\.assistant must be an object that is known while the program/);
    });

    it("are reported as missing in a preview if an assistant is switched on without an endpoint", () => {
        const wanted = { ...site, features: { aiAssistant: true } };
        const assistant = { endpoint: "http://vllm:8000/v1", model: "m" };
        assert.match(findMissingSetting(wanted) ?? "", /the site has no assistant: set answer\.assistant/);
        const unnamed = { image, assistant: { ...assistant, endpoint: "" } };
        assert.match(findMissingSetting({ ...wanted, answer: unnamed }) ?? "", /the site has no assistant/);
        assert.equal(findMissingSetting({ ...wanted, answer: { image, assistant } }), undefined);
        assert.equal(
            findMissingSetting({ ...wanted, answer: undefined, values: { answer: { assistant } } }),
            undefined,
        );
        assert.equal(findMissingSetting(site), undefined);
        assert.equal(findMissingSetting({ ...wanted, takesDigest: false }), undefined, "another chart has its own");
    });

    for (const [title, changes, says] of [
        [
            "an assistant that is switched off",
            { features: { aiAssistant: false }, answer: { image, assistant: { endpoint: "e", model: "m" } } },
            /^answer\.assistant needs features\.aiAssistant, which is false/,
        ],
        [
            "the key of an endpoint in the program",
            { answer: { image, assistant: { endpoint: "e", model: "m", apiKeySecret: "sk" } } },
            /^answer\.assistant\.apiKeySecret is not an input\. .*Secret that existingSecret names/,
        ],
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
        it(`are refused for ${title}`, () => assert.match(findAnswerProblem({ ...site, ...changes }) ?? "", says));
    }
});
