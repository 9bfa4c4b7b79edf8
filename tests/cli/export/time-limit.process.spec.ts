import assert from "node:assert/strict";
import { json, withServer } from "../../sdk/support/http-server.js";
import { adminApiKey } from "../../e2e/support/platform.js";
import { waitUntil } from "../../wait-until.js";
import { Command, withFolder } from "../support/command.js";

const commands = {
    export: ["export", "--domain", "docs.example.com", "--output", "site"],
    update: ["update", "docs.example.com", "--wait"],
    "agent-job create": ["agent-job", "create", "--project", "docs", "--prompt", "Fix a typo", "--wait"],
};
/** Longer than the limit of each spec. */
const busy = json(429, { error: "slow down" }, { "retry-after": "60" });

describe("A command whose start is answered 429", function () {
    this.timeout(30_000);

    for (const [name, args] of Object.entries(commands)) {
        const withCommand = (extra: string[], use: (command: Command, requests: unknown[]) => Promise<void>) =>
            withServer([busy], ({ baseUrl, requests }) =>
                withFolder((cwd) => {
                    const env = { STATIC_EXPORT_BASE_URL: baseUrl, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey };
                    return use(new Command([...args, ...extra], { cwd, env }), requests);
                }),
            );

        it(`${name} ends when --timeout-seconds would be over before the next attempt`, async () => {
            await withCommand(["--timeout-seconds", "20"], async (command, requests) => {
                const { exitCode, stderr } = await command.exited;
                assert.equal(exitCode, 5, stderr);
                assert.match(stderr, /slow down.*HTTP 429|429.*slow down/);
                assert.equal(requests.length, 1);
            });
        });

        it(`${name} ends at the first Ctrl-C between two attempts, because nothing was started`, async () => {
            await withCommand([], async (command, requests) => {
                await waitUntil("the first request", () => requests.length === 1);
                command.signal("SIGINT");
                const { exitCode, stderr } = await command.exited;
                assert.deepEqual([exitCode, requests.length], [130, 1], stderr);
            });
        });
    }
});
