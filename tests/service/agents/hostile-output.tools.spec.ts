import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { RunLog } from "../../../service/src/agents/agent-log.js";
import { PromptAttempts } from "../../../service/src/agents/prompt-attempts.js";
import { createPullRequests } from "../../../service/src/forge/pull-requests.js";
import { AgentHistory } from "../../../service/src/history/agent-history.js";
import { scaled } from "../../scale.js";
import { describeOnBoth } from "../database/databases.js";
import { hostileText } from "../support/hostile-text.js";

const numRuns = scaled({ short: 30, long: 500 });
const repository = "https://git.example.com/acme/docs";
const clock = { now: () => 0, sleep: () => Promise.resolve() };
const token = "the-token-of-the-forge";

describeOnBoth("An agent and a forge that write hostile text", (withDatabase) => {
    it("leave a log that can be read, and a job that has ended and is listed", async function () {
        this.timeout(numRuns * 500 + 30_000);
        const folder = await mkdtemp(join(tmpdir(), "hostile-"));
        await mkdir(join(folder, "agent", "logs"), { recursive: true });
        const answer = { status: 200, retryAfter: "1", body: "" };
        const forge = createServer((_request, response) => {
            response.writeHead(answer.status, { "retry-after": answer.retryAfter }).end(answer.body);
        }).listen(0, "127.0.0.1");
        await once(forge, "listening");
        const apiUrl = `http://127.0.0.1:${(forge.address() as AddressInfo).port}`;
        try {
            await withDatabase(async (database) => {
                const jobs = new AgentJobStore(database, Date.now);
                const attempts = new PromptAttempts(database);
                const history = new AgentHistory(database, folder, undefined);
                const { open } = createPullRequests({ kind: "github", apiUrl, token }, clock);
                const property = fc.asyncProperty(
                    hostileText,
                    fc.array(fc.oneof(hostileText, fc.uint8Array({ maxLength: 50 })), { maxLength: 5 }),
                    fc.constantFrom(200, 201, 403, 404, 422, 429, 500),
                    fc.oneof(
                        hostileText,
                        hostileText.map((text) => JSON.stringify([{ html_url: `https://x/${text}` }])),
                        hostileText.map((text) => JSON.stringify([{ html_url: text }])),
                        hostileText.map((text) => JSON.stringify({ message: text, errors: [text] })),
                        fc.json(),
                    ),
                    fc.stringMatching(/^\d{1,400}$/),
                    async (prompt, output, status, body, retryAfter) => {
                        Object.assign(answer, { status, body, retryAfter });
                        const { id } = await jobs.create("docs", { repository }, prompt);
                        const run = await attempts.claim();
                        assert.ok(run);
                        assert.equal(run.prompt, prompt);
                        const log = new RunLog(join(folder, "agent", "logs", `${id}.log`), {
                            maxBytes: 2_000_000,
                            secrets: [token],
                        });
                        output.forEach((each) => log.addOutput(Buffer.from(each as string)));
                        const branch = `agent/${id}`;
                        const change = { repository, branch, base: "main", title: "t", body: "b" };
                        const prLink = await open(change).catch((error: Error) => error);
                        if (prLink instanceof Error) {
                            assert.ok(prLink.message.length < 3000, prLink.message);
                            assert.doesNotMatch(prLink.message, /[\p{Cc}\p{Cs}]|[\u202a-\u202e]/u);
                            log.note(`Failed: ${prLink.message}`);
                            assert.equal(await attempts.fail(run, branch), true);
                        } else {
                            assert.doesNotMatch(prLink ?? "", /[\p{C}\s]/u);
                            assert.equal(await attempts.finish(run, { prLink, branch }), true);
                        }
                        await log.close();
                        const part = await history.log(id, -262_144);
                        assert.ok(part.text.length <= 262_144 && part.next >= part.from);
                        assert.equal((await history.list({ projects: null, limit: 1 })).length, 1);
                        const ended = await jobs.get("docs", id);
                        assert.notEqual(ended?.status, "active");
                    },
                );
                await fc.assert(property, { numRuns, endOnFailure: true });
            });
        } finally {
            forge.close();
            await rm(folder, { recursive: true, force: true });
        }
    });
});
