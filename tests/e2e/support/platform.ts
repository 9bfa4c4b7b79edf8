import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RequestLogEntry } from "@pulumi-static-export/service";
import { createFaultyService, type FaultyOptions, type FaultyService } from "../../service/support/faulty-service.js";

export const adminApiKey = "e2e_5ecret0123456789abcdef";
export const domain = "docs.example.com";

/** A real admin service for a small site; it records every request. */
export class Platform {
    private constructor(
        readonly service: FaultyService,
        readonly folder: string,
        readonly requests: RequestLogEntry[],
    ) {}

    /**
     * @param options.domains - the domains that have the site
     * @param options.host - the address to listen on if loopback is not sufficient
     * @param options.port - the port of a service that this service replaces
     * @param options.create - a kind of service other than the one-process service
     */
    static async start(
        options: Partial<FaultyOptions> & {
            domains?: string[];
            host?: string;
            port?: number;
            create?: typeof createFaultyService;
        } = {},
    ): Promise<Platform> {
        const { domains = [domain, "other.example.com"], host = "127.0.0.1", port = 0, ...others } = options;
        const { create = createFaultyService, ...serviceOptions } = others;
        const folder = await mkdtemp(join(tmpdir(), "static-export-platform-"));
        const site = join(folder, "site");
        await mkdir(site);
        await writeFile(join(site, "index.md"), "---\ntitle: Welcome\n---\n\nThe first page.\n");
        await writeFile(join(site, "start.md"), "---\ntitle: Start\n---\n\nThe second page.\n");
        const requests: RequestLogEntry[] = [];
        const service = create({
            dataDir: join(folder, "data"),
            sites: Object.fromEntries(domains.map((each) => [each, site])),
            adminApiKey,
            onRequest: (entry) => requests.push(entry),
            ...serviceOptions,
        });
        await service.listen({ host, port });
        return new Platform(service, folder, requests);
    }

    get site(): string {
        return join(this.folder, "site");
    }

    count(operation: string): number {
        return this.requests.filter((request) => request.operation === operation).length;
    }

    async stop(): Promise<void> {
        await this.service.close();
        await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
}
