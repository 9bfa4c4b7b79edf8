import assert from "node:assert/strict";
import { PasswordProxy, proxyPassword } from "../sdk/support/password-proxy.js";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, domain, Platform } from "./support/platform.js";

const program = `
const bundle = new StaticExportBundle("docs", { domain: "${domain}" });
export const { jobId } = bundle;
`;

const variables = ["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"];

describe("pulumi up behind a proxy that requires a password", () => {
    const saved = new Map(variables.map((name) => [name, process.env[name]]));

    before(() => variables.forEach((name) => delete process.env[name]));
    after(() =>
        saved.forEach((value, name) => Object.assign(process.env, value === undefined ? {} : { [name]: value })),
    );

    it("sends all requests of an export through the proxy, and keeps the password out of output and state", async () => {
        const platform = await Platform.start();
        const proxy = await PasswordProxy.start();
        const stack = await EngineStack.create({
            program,
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
            // Sets only the upper-case variable: Pulumi's SDK sends even calls on this machine through the proxy of the
            // lower-case variable.
            env: { HTTP_PROXY: proxy.url() },
        });
        try {
            const { output } = await stack.up();
            assert.ok(platform.requests.length >= 3);
            assert.ok(proxy.seen.length > 0);
            const { host } = new URL(platform.service.url);
            assert.deepEqual([...new Set(proxy.seen)], [host]);
            const { stdout } = await stack.succeed("stack", "export", "--show-secrets");
            assert.ok(!(output + stdout).includes(proxyPassword));
        } finally {
            await stack.remove();
            await proxy.stop();
            await platform.stop();
        }
    });
});
