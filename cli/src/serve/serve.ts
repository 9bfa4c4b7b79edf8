import { type AgentProject, type Service } from "@pulumi-static-export/service";
import { join, resolve } from "node:path";
import { listeningHost } from "../command-line/listening-host.js";
import { readManifest } from "../command-line/package-manifest.js";
import { readSecretFile, readSecretLines } from "../command-line/secret-file.js";
import { readAgent } from "./agent-options.js";
import { readOidc } from "./oidc-options.js";
import { describeSites, readJobSettings } from "./shared-options.js";
import { type ServeOptions } from "./serve-options.js";
import { stopOnSignal } from "./stop-on-signal.js";
import { UsageError } from "../command-line/usage-error.js";

/** Runs the service until a signal stops it. @throws UsageError if it cannot start with these options */
export async function serve(options: ServeOptions): Promise<void> {
    // The service is imported here, because loading it with its database and exporter would slow down the other
    // commands.
    const { createService, FaultSpecError, ...rest } = await import("@pulumi-static-export/service");
    const { readOrCreateSecretFile, ServiceOptionsError } = rest;
    const settings = readJobSettings(options);
    const { dataDir, bucket, logger: log } = settings;
    const keyFile = resolve(options.adminKeyFile ?? join(dataDir, "admin-api-key"));
    const readKey = (): string => {
        if (options.adminKeyFile !== undefined) {
            const create = `Create one with (umask 077; openssl rand -hex 32 > ${keyFile}), `;
            return readSecretLines(
                keyFile,
                "admin key file",
                `${create}or omit --admin-key-file to have one created in the data folder.`,
            ).join("\n");
        }
        return readOrCreateSecretFile(keyFile, "admin_");
    };

    const { webhookSecretFile } = options;
    const secretFile = webhookSecretFile === undefined ? undefined : resolve(webhookSecretFile);
    const readWebhookSecret = (file: string) => (): string =>
        readSecretFile(file, "webhook secret file", `Create one with (umask 077; openssl rand -hex 32 > ${file}).`);

    const oidc = readOidc(options);
    const oidcSecretFile = options.oidcClientSecretFile;

    const { agentModel: model, agentProject } = options;
    // With a shared database, the workers run the agent's command.
    const isForWorkers = options.database !== undefined && options.agentCommand === undefined;
    const agent = isForWorkers ? undefined : readAgent(options, process.env);
    const projects = Object.entries(agentProject ?? {}).map(([id, project]) => [
        id,
        model ? { ...project, model } : project,
    ]);
    let service: Service | undefined;
    try {
        service = createService({
            ...settings,
            adminApiKey: readKey,
            version: readManifest().version,
            dashboard: options.dashboard,
            secretFiles: {
                ...(options.adminKeyFile === undefined ? {} : { "Admin key file": keyFile }),
                ...(secretFile === undefined ? {} : { "Webhook secret file": secretFile }),
                ...(oidcSecretFile === undefined ? {} : { "Client secret file": resolve(oidcSecretFile) }),
            },
            drainMs: options.graceSeconds * 1000,
            ...(options.database === undefined ? {} : { database: options.database }),
            ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
            ...(options.previewDomain === undefined ? {} : { previewDomains: options.previewDomain }),
            ...(secretFile === undefined ? {} : { webhookSecret: readWebhookSecret(secretFile) }),
            projects: Object.fromEntries(projects) as Record<string, AgentProject>,
            ...(agent === undefined ? {} : { agent }),
            ...(oidc === undefined ? {} : { oidc }),
            onRequest: (entry) => log.request(entry),
        });
        await service.listen({ port: options.port, host: listeningHost(options.host) });
    } catch (error) {
        await service?.close();
        if (error instanceof ServiceOptionsError || error instanceof FaultSpecError) {
            throw new UsageError(error.message);
        }
        throw describeStartError(error as NodeJS.ErrnoException, options);
    }
    stopOnSignal(service, log);

    log.started(`Admin service for ${describeSites(options)}`, [
        ["address", service.url],
        ["admin key", `in ${keyFile}`],
        ["data", `in ${dataDir}`],
        ...(bucket === undefined ? [] : [["bundles", `in ${bucket.url}`] as const]),
        ["OpenAPI", `${service.url}/openapi.json`],
        ...describeDashboard(service, options),
        ...(options.fault ?? []).map((fault) => ["fault", fault] as const),
    ]);
}

/** On this machine only, the link signs the operator in: the log of a server may be read by others. */
function describeDashboard(
    service: Service,
    { dashboard, host, logFormat }: ServeOptions,
): (readonly [string, string])[] {
    if (!dashboard) {
        return [];
    }
    const isPrivate = ["127.0.0.1", "localhost", "::1"].includes(host) && logFormat === "text";
    const link = isPrivate ? service.createSignInLink() : undefined;
    return [["dashboard", link === undefined ? `${service.url}/dashboard` : `${link} (works once, for 15 minutes)`]];
}

function describeStartError(error: NodeJS.ErrnoException, { host, port }: ServeOptions): UsageError {
    const noAddress = `This machine has no address ${host} to listen on: choose another --host.`;
    const reasons: Readonly<Record<string, string>> = {
        EADDRINUSE: `Port ${port} of ${host} is in use: stop the program that uses it, or choose another --port; 0 picks a free one.`,
        EACCES: `${error.message}. This user may lack permission for ports below 1024 or for the folder.`,
        EADDRNOTAVAIL: noAddress,
        ENOTFOUND: noAddress,
    };
    return new UsageError(reasons[error.code ?? ""] ?? error.message);
}
