import assert from "node:assert/strict";
import { type AgentOptions, resolveAgent } from "../../../service/src/agents/agent-options.js";

describe("The options of agents", () => {
    const refused: readonly (readonly [string, Partial<AgentOptions>, RegExp])[] = [
        ["a sandbox", { sandbox: true }, /^--agent-sandbox cannot be used with --pods: a pod isolates its agent\.$/],
        [
            "a limit of memory",
            { memoryMegabytes: 512 },
            /^--agent-memory-mb cannot be used with --pods: set agents\.pods\.resources\.limits\.memory of the chart\.$/,
        ],
    ];

    for (const [what, options, message] of refused) {
        it(`refuse ${what} for agents in pods, and say what to do`, () => {
            const pods = { file: "pods.yaml", host: "::", port: 8790 };
            assert.throws(() => resolveAgent({ command: ["agent"], pods, ...options }), {
                name: "ServiceOptionsError",
                message,
            });
        });
    }
});
