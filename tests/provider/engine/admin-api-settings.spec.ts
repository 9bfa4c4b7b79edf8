import assert from "node:assert/strict";
import { MissingSettingError, readAdminApiSettings } from "../../../provider/src/engine/admin-api-settings.js";

function read(config: Record<string, string>, env: NodeJS.ProcessEnv) {
    return readAdminApiSettings({ get: (key) => config[key], require: () => assert.fail("not needed") }, env);
}

describe("settings of the admin API", () => {
    it("come from the stack's configuration", () => {
        const config = {
            "static-export:baseUrl": "https://api.example.com",
            "static-export:adminApiKey": "mint_1",
            "static-export:adminKeyPrefix": "mint_",
        };
        assert.deepEqual(read(config, {}), {
            baseUrl: "https://api.example.com",
            adminApiKey: "mint_1",
            adminKeyPrefix: "mint_",
            keySource: "configuration",
        });
    });

    it("come from the environment if the stack has no settings", () => {
        const env = { STATIC_EXPORT_BASE_URL: "https://env.example.com", STATIC_EXPORT_ADMIN_API_KEY: "k" };
        assert.deepEqual(read({}, env), {
            baseUrl: "https://env.example.com",
            adminApiKey: "k",
            adminKeyPrefix: undefined,
            keySource: "environment",
        });
    });

    it("come from the stack's configuration even if the environment also sets them", () => {
        const env = { STATIC_EXPORT_BASE_URL: "https://env.example.com", STATIC_EXPORT_ADMIN_API_KEY: "k" };
        assert.equal(
            read({ "static-export:baseUrl": "https://stack.example.com" }, env).baseUrl,
            "https://stack.example.com",
        );
    });

    it("report how to set a missing base address", () => {
        assert.throws(() => read({}, {}), {
            name: MissingSettingError.name,
            message:
                "No base address of the admin API is set. Run `pulumi config set static-export:baseUrl`, " +
                "or set the environment variable STATIC_EXPORT_BASE_URL.",
        });
    });

    it("report how to set a missing key as a secret", () => {
        assert.throws(() => read({ "static-export:baseUrl": "https://api.example.com" }, {}), {
            message:
                "No admin API key is set. Run `pulumi config set --secret static-export:adminApiKey`, " +
                "or set the environment variable STATIC_EXPORT_ADMIN_API_KEY.",
        });
    });
});
