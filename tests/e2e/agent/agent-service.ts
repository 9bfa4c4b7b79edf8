import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { AdminClient, type PlatformAgentJob } from "@pulumi-static-export/sdk";
import { systemClock } from "@pulumi-static-export/sdk/internal";
import { type AgentOptions, createService, type Service, type ServiceOptions } from "@pulumi-static-export/service";
import { withFolder } from "../../sdk/support/files.js";

const run = promisify(execFile);
export const adminApiKey = "agents_0123456789abcdef";
export const projectId = "docs";
export const markdownAgent = [process.execPath, resolve("examples/agent-job/markdown-agent.mjs")];
export const unrulyAgent = (...args: string[]) => [
    process.execPath,
    resolve("tests/e2e/agent/unruly-agent.mjs"),
    ...args,
];

/** A bare repository with one commit on `main`, and its content. */
export class Remote {
    readonly url: string;

    private constructor(readonly folder: string) {
        this.url = pathToFileURL(folder).href;
    }

    static async create(folder: string): Promise<Remote> {
        const remote = new Remote(join(folder, "remote.git"));
        const seed = join(folder, "seed");
        await mkdir(seed);
        await run("git", ["init", "--quiet", "--bare", "--initial-branch=main", remote.folder]);
        await run("git", ["init", "--quiet", "--initial-branch=main", seed]);
        await writeFile(join(seed, "index.md"), "# Welcome\n");
        await run("git", ["-C", seed, "add", "."]);
        await run("git", ["-C", seed, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "First"]);
        await run("git", ["-C", seed, "push", "--quiet", remote.folder, "main"]);
        return remote;
    }

    async git(...args: string[]): Promise<string> {
        const { stdout } = await run("git", ["--git-dir", this.folder, ...args], { maxBuffer: 64 * 1024 * 1024 });
        return stdout.trimEnd();
    }

    async branches(): Promise<string[]> {
        const names = await this.git("for-each-ref", "--format=%(refname:short)", "refs/heads");
        return names.split("\n").filter((name) => name !== "main");
    }

    /** Counts how many commits a branch is ahead of `main`. */
    async commitsOn(branch: string): Promise<number> {
        return Number(await this.git("rev-list", "--count", `main..${branch}`));
    }

    async fileOn(branch: string, path: string): Promise<string> {
        return this.git("show", `${branch}:${path}`);
    }
}

export interface AgentService {
    service: Service;
    client: AdminClient;
    remote: Remote;
    folder: string;
    lines: string[];
    create(prompt: string): Promise<PlatformAgentJob>;
    /** Creates a job and waits for its end. */
    run(prompt: string): Promise<PlatformAgentJob>;
    wait(id: string): Promise<PlatformAgentJob>;
    log(id: string): Promise<string>;
}

/** Creates a client that polls quickly. */
export function createFastClient(baseUrl: string): AdminClient {
    const clock = {
        ...systemClock,
        sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 50), signal),
    };
    return new AdminClient({ baseUrl, adminApiKey, clock });
}

/** Runs a service with an agent on a bare repository, in a folder that is removed afterwards. */
export async function withAgentService(
    agent: Partial<AgentOptions>,
    use: (running: AgentService) => Promise<void>,
    options: Partial<ServiceOptions> = {},
): Promise<void> {
    await withFolder(async (folder) => {
        const remote = await Remote.create(folder);
        await withServiceOver(folder, remote, agent, use, options);
    });
}

export async function withServiceOver(
    folder: string,
    remote: Remote,
    agent: Partial<AgentOptions>,
    use: (running: AgentService) => Promise<void>,
    options: Partial<ServiceOptions> = {},
): Promise<void> {
    const dataDir = join(folder, "data");
    await mkdir(join(folder, "site"), { recursive: true });
    const lines: string[] = [];
    const service = createService({
        dataDir,
        sites: { "docs.example.com": join(folder, "site") },
        adminApiKey,
        projects: { [projectId]: { repository: remote.url, ref: "main" } },
        agent: { command: markdownAgent, ...agent },
        logger: { info: (line) => lines.push(line), error: (line) => lines.push(line) },
        ...options,
    });
    let client: AdminClient | undefined;
    try {
        client = createFastClient(await service.listen());
        const { agentJobs } = client;
        const wait = (id: string) => agentJobs.pollUntilDone(projectId, id, { timeoutMs: 110_000 });
        const create = (prompt: string) => agentJobs.create(projectId, { prompt });
        await use({
            service,
            client,
            remote,
            folder,
            lines,
            create,
            wait,
            run: async (prompt) => wait((await create(prompt)).id),
            log: (id) => readFile(join(dataDir, "agent", "logs", `${id}.log`), "utf8"),
        });
    } finally {
        client?.close();
        await service.close();
    }
}
