import { AdminClient } from "@pulumi-static-export/sdk";
import { type DeploymentType } from "@pulumi-static-export/contract";
import { type Service } from "@pulumi-static-export/service";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { followExport } from "../export/run-export.js";
import { runJobCommand } from "../export/run-job-command.js";
import { assertSavable } from "../export/save-bundle.js";
import { UsageError } from "../command-line/usage-error.js";

/** The options of `build`, parsed. */
export interface BuildOptions {
    output?: string;
    domain: string;
    version?: string;
    path?: string[];
    deployment: DeploymentType;
    acknowledgeTryIt: boolean;
    strict: boolean;
    json?: boolean;
}

/** As the service: it ends a job after that long. */
const timeoutSeconds = 900;

/**
 * Exports a folder through a service of its own, which lives as long as the command: whatever the service does with a
 * site happens here, too. Leaves nothing but `output`.
 *
 * @throws UsageError
 */
export async function runBuild(folder: string, options: BuildOptions): Promise<number> {
    // Imported here, because loading the service with its database and exporter would slow down the other commands.
    const { isWithin } = await import("@pulumi-static-export/exporter");
    const { createService, ServiceOptionsError } = await import("@pulumi-static-export/service");
    const { domain, output, deployment, acknowledgeTryIt, strict } = options;
    if (output !== undefined) {
        // The next export would take the site for pages.
        if (isWithin(resolve(folder), resolve(output))) {
            throw new UsageError(`${output} lies in ${folder}, whose files are pages: choose an --output outside.`);
        }
        assertSavable({ output });
    }
    const dataDir = await mkdtemp(join(tmpdir(), "static-export-build-"));
    const adminApiKey = `build_${randomBytes(24).toString("hex")}`;
    const sites = { [domain]: folder };
    let service: Service | undefined;
    try {
        service = createService({ dataDir, adminApiKey, sites, deployment, acknowledgeTryIt, strict });
        await service.listen({ port: 0, host: "127.0.0.1" });
        // Every request of this command goes to the service above.
        process.env["no_proxy"] = "*";
        const client = new AdminClient({ baseUrl: service.url, adminApiKey });
        // The job ends with the command: there is nothing to go on with.
        return await runJobCommand(client, (run) => followExport(run, { ...options, timeoutSeconds }, () => undefined));
    } catch (error) {
        throw error instanceof ServiceOptionsError ? new UsageError(error.message) : error;
    } finally {
        await service?.close();
        await rm(dataDir, { recursive: true, force: true });
    }
}
