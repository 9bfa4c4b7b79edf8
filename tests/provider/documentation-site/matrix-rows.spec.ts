import assert from "node:assert/strict";
import { type DeploymentOptions, featuresOf } from "../../../exporter/src/read/settings/deployment.js";
import { findUnsupported } from "../../../provider/src/documentation-site/feature-support.js";
import { findAnswerProblem, findMissingSetting } from "../../../provider/src/documentation-site/site-answer.js";

const deployments = ["cloud", "client-hosted", "air-gapped"] as const;
const image = { repository: "registry.example.com/static-export", tag: "1" };
const assistant = { endpoint: "http://vllm.models.svc:8000/v1", model: "m" };

/** Returns a site with a server for programs, with or without an assistant. */
const siteOf = (deploymentType: string, answer: object = { image }) => ({
    ...{ deploymentType, answer, takesDigest: true },
    features: { aiAssistant: true },
});

describe("The feature matrix for each deployment type", () => {
    for (const [title, options, feature, expected] of [
        ["documentation search", {}, "search", [true, true, false]],
        ["web analytics", {}, "services", [true, true, false]],
        ["AI tools of others", {}, "aiTools", [true, true, false]],
        ["the API playground", {}, "tryIt", [true, true, false]],
        ["MCP without a server", {}, "mcp", [false, false, false]],
        ["MCP with a server", { answer: true }, "mcp", [true, true, false]],
    ] as [string, DeploymentOptions, keyof ReturnType<typeof featuresOf>, boolean[]][]) {
        it(`controls ${title} in the exported files`, () => {
            assert.deepEqual(
                deployments.map((deployment) => featuresOf({ ...options, deployment })[feature]),
                expected,
            );
        });
    }

    it("decides whether a DocumentationSite accepts an assistant and a server for programs", () => {
        const rejects = (deployment: string, answer?: object) =>
            findAnswerProblem(siteOf(deployment, answer)) !== undefined;
        assert.deepEqual(
            deployments.map((deployment) => rejects(deployment)),
            [false, false, true],
        );
        assert.deepEqual(
            deployments.map((deployment) => rejects(deployment, { image, assistant })),
            [false, false, true],
        );
        assert.deepEqual(
            deployments.map((deployment) => findUnsupported(deployment, { aiAssistant: true }) !== undefined),
            [false, false, true],
        );
    });

    it("requires an endpoint for an assistant that is switched on; the preview reports a missing endpoint", () => {
        for (const deployment of ["cloud", "client-hosted"]) {
            assert.match(findMissingSetting(siteOf(deployment)) ?? "", /set answer\.assistant/);
            assert.equal(findMissingSetting(siteOf(deployment, { image, assistant })), undefined);
        }
    });
});
