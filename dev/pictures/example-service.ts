import { type Exporter, ProcessExporter } from "@pulumi-static-export/exporter";
import { createService, type Service } from "@pulumi-static-export/service";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const headers = { authorization: "Bearer admin_for-pictures", "content-type": "application/json" };
const failing = "support.example.com";
/** A bracket is missing. */
const damagedSettings = '{\n    "name": "Support",\n    "navigation": { "pages": ["index", "start" }\n}\n';
const domains = ["docs.example.com", "api.example.com", "handbook.example.com", failing] as const;

export interface ExampleService {
    readonly service: Service;
    /** The pages of the dashboard, by the name of their picture. */
    readonly paths: Readonly<Record<string, string>>;
}

/** Starts a service as an operator sees it: with a failed site, a running one, an update, a key and an agent job. */
export async function withExampleService<Result>(use: (example: ExampleService) => Promise<Result>): Promise<Result> {
    const folder = await mkdtemp(join(tmpdir(), "dashboard-"));
    for (const domain of domains) {
        await mkdir(join(folder, domain));
        await writeFile(join(folder, domain, "index.md"), `# ${domain}\n\nSee [the guide](./missing.md).\n`);
        await writeFile(join(folder, domain, "start.md"), "# Start\n\nInstall the command.\n");
    }
    await writeFile(join(folder, failing, "docs.json"), damagedSettings);
    const service = createService({
        dataDir: join(folder, "data"),
        sites: Object.fromEntries(domains.map((domain) => [domain, join(folder, domain)])),
        projects: { docs: { repository: "https://git.example.com/acme/docs", ref: "main" } },
        adminApiKey: "admin_for-pictures",
        version: "0.2.0",
        exporter: createExporter(),
    });
    try {
        await service.listen();
        return await use({ service, paths: await fill(service) });
    } finally {
        await service.close();
        await rm(folder, { recursive: true, force: true });
    }
}

/** Exports without a version run until the service closes. */
function createExporter(): Exporter {
    const limits = { memoryMegabytes: 1024, diskMegabytes: 1024, jobTimeoutMs: 600_000, pageTimeoutMs: 60_000 };
    const real = new ProcessExporter(limits);
    return {
        async export(request, control) {
            if (request.version === undefined) {
                await once(control.signal, "abort");
            }
            control.signal.throwIfAborted();
            return real.export(request, control);
        },
        close: () => real.close(),
    };
}

/** @returns the paths of the dashboard's pages */
async function fill(service: Service): Promise<Record<string, string>> {
    const send = async (path: string, json: object): Promise<Record<string, string>> => {
        const response = await fetch(service.url + path, { method: "POST", headers, body: JSON.stringify(json) });
        return (await response.json()) as Record<string, string>;
    };
    const start = async (domain: string, version: string | undefined, until: readonly string[]): Promise<string> => {
        const { jobId = "" } = await send("/v1/static-export/jobs", { domain, version });
        for (let status = "queued"; !until.includes(status); await delay(50)) {
            const response = await fetch(`${service.url}/v1/static-export/jobs/${jobId}`, { headers });
            ({ status } = (await response.json()) as { status: string });
        }
        return jobId;
    };
    let jobId = "";
    for (const domain of domains) {
        jobId = await start(domain, "2026-11-25", ["completed", "failed"]);
    }
    await send("/v1/keys", { name: "docs-team", scopes: ["export", "read"], domains: ["docs.example.com"] });
    await send(`/v1/project/update/${domains[0]}`, {});
    const { id = "" } = await send("/v2/agent/docs/job", { prompt: "Add a page about the dashboard." });
    await start(domains[0], undefined, ["running"]);
    return {
        sites: "/sites",
        site: `/sites/${domains[0]}`,
        jobs: "/jobs",
        job: `/jobs/${jobId}`,
        updates: "/updates",
        "agent-jobs": "/agent-jobs",
        "agent-job": `/agent-jobs/docs/${id}`,
        keys: "/keys",
        health: "/health",
    };
}
