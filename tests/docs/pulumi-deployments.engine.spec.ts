import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ensurePulumi } from "@pulumi-static-export/toolchain";
import { startCommand } from "../e2e/support/run-command.js";
import { codeBlocks } from "./support/documents.js";

const stack = "/api/stacks/acme/docs/production";

/** A fake of the part of Pulumi Cloud that the page's commands call; records their requests. */
class PulumiCloud {
    readonly posted: { path: string; body: unknown }[] = [];
    #server!: Server;

    async start(): Promise<this> {
        this.#server = createServer((request, response) => {
            const { method, url: path = "/" } = request;
            void text(request).then((body) => {
                if (method === "POST") {
                    this.posted.push({ path, body: JSON.parse(body) });
                }
                const answer = answers[path] ?? {};
                response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
            });
        }).listen(0, "127.0.0.1");
        await once(this.#server, "listening");
        return this;
    }

    get url(): string {
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    async stop(): Promise<void> {
        this.#server.closeAllConnections();
        this.#server.close();
        await once(this.#server, "close");
    }
}

const answers: Record<string, object> = {
    "/api/user": { githubLogin: "acme", name: "acme", organizations: [{ githubLogin: "acme" }] },
    "/api/capabilities": { capabilities: [] },
    [stack]: { orgName: "acme", projectName: "docs", stackName: "production", tags: {}, version: 1 },
    [`${stack}/deployments`]: { id: "d_1", version: 1, consoleURL: "" },
};

describe("the commands for Pulumi Deployments in the guide", () => {
    let cloud: PulumiCloud;
    let folder: string;

    before(async () => {
        cloud = await new PulumiCloud().start();
        folder = await mkdtemp(join(tmpdir(), "static-export-deployments-"));
        await writeFile(join(folder, "Pulumi.yaml"), "name: docs\nruntime: nodejs\n");
    });
    after(async () => {
        await cloud.stop();
        await rm(folder, { recursive: true });
    });

    it("are accepted by the engine, and send Pulumi Cloud the settings listed on the page", async () => {
        const { env } = await ensurePulumi();
        const commands = codeBlocks("docs/guides/pipelines.md")
            .flatMap(({ text }) => text.split("\n"))
            .filter((line) => line.startsWith("pulumi deployment "));
        assert.equal(commands.length, 3);
        const { exitCode, output } = await startCommand("bash", ["-ec", commands.join("\n")], {
            cwd: folder,
            env: {
                ...process.env,
                ...env,
                PULUMI_HOME: join(folder, ".home"),
                PULUMI_BACKEND_URL: cloud.url,
                PULUMI_ACCESS_TOKEN: "pul-0123456789",
            },
        }).result;
        assert.equal(exitCode, 0, output);
        const [source, operation, run] = cloud.posted;
        // Newer engines also send fields without a value.
        assert.partialDeepStrictEqual(source, {
            path: `${stack}/deployments/settings`,
            body: {
                sourceContext: {
                    git: { repoUrl: "https://git.example.com/acme/infrastructure.git", branch: "refs/heads/main" },
                },
            },
        });
        assert.partialDeepStrictEqual(operation, {
            path: `${stack}/deployments/settings`,
            body: {
                operationContext: {
                    environmentVariables: { STATIC_EXPORT_BASE_URL: "https://api.example.com" },
                },
                sourceContext: { git: { repoDir: "docs" } },
            },
        });
        const { operation: started, inheritSettings } = run?.body as Record<string, unknown>;
        assert.deepEqual([run?.path, started, inheritSettings], [`${stack}/deployments`, "update", true]);
        assert.equal(cloud.posted.length, 3);
    });
});
