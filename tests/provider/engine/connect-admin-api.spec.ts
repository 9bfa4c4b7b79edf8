import assert from "node:assert/strict";
import { InvalidSettingsError } from "@pulumi-static-export/sdk";
import { connectAdminApi } from "../../../provider/src/engine/connect-admin-api.js";

const env = { STATIC_EXPORT_BASE_URL: "https://api.example.com", STATIC_EXPORT_ADMIN_API_KEY: "key_5up3rs3cr3t" };

function refusalOf(config: Record<string, string>, overrides: NodeJS.ProcessEnv): string {
    const get = (name: string) => config[name.replace("static-export:", "")];
    try {
        connectAdminApi({ get, require: () => assert.fail("not needed") }, { ...env, ...overrides }).client.close();
    } catch (error) {
        assert.ok(error instanceof InvalidSettingsError, String(error));
        return error.message;
    }
    return assert.fail("was expected to be refused");
}

describe("the pipeline run", () => {
    it("is read from the configuration, or else from the environment, like the other settings", () => {
        const variables = { ...env, STATIC_EXPORT_RUN_ID: "from the environment" };
        const runOf = (config: Record<string, string>) => {
            const get = (name: string) => config[name];
            const { client, pipelineRun } = connectAdminApi({ get, require: assert.fail }, variables);
            client.close();
            return pipelineRun;
        };
        assert.equal(runOf({}), "STATIC_EXPORT_RUN_ID=from the environment");
        assert.equal(runOf({ "static-export:runId": "from the stack" }), "STATIC_EXPORT_RUN_ID=from the stack");
    });
});

describe("an invalid setting is refused with its source:", () => {
    for (const [what, config, variables, message] of [
        [
            "an address without a scheme, from the environment",
            {},
            { STATIC_EXPORT_BASE_URL: "api.example.com" },
            "baseUrl must be an address such as https://api.example.com, with https://. The setting was read from " +
                "the environment variable STATIC_EXPORT_BASE_URL.",
        ],
        [
            "an address without a scheme, from the stack, which takes precedence",
            { baseUrl: "api.example.com" },
            {},
            "baseUrl must be an address such as https://api.example.com, with https://. The setting was read from " +
                "static-export:baseUrl in the stack's configuration.",
        ],
        [
            "a key in quotes, without the key",
            {},
            { STATIC_EXPORT_ADMIN_API_KEY: '"key_5up3rs3cr3t"' },
            "adminApiKey must be the key alone, without quotation marks around it. The setting was read from the " +
                "environment variable STATIC_EXPORT_ADMIN_API_KEY.",
        ],
    ] as const) {
        it(what, () => {
            assert.equal(refusalOf(config, variables), message);
        });
    }
});
