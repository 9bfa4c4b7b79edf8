import { type Service } from "@pulumi-static-export/service";
import { join, resolve } from "node:path";
import { describeListenError, listeningHost } from "../command-line/listening-host.js";
import { readManifest } from "../command-line/package-manifest.js";
import { readSecretFile, readSecretLines } from "../command-line/secret-file.js";
import { readAgent } from "./read-agent.js";
import { readOidc } from "./read-oidc.js";
import { describeSites, describeStorage, type JobSettings, readJobSettings } from "./service-settings.js";
import { stopOnSignal } from "./stop-on-signal.js";
import { UsageError } from "../command-line/usage-error.js";

/** The flags of `static-export serve`, parsed. */
export interface ServeOptions extends JobSettings {
    port: number;
    host: string;
}

/** Runs the service until a signal stops it. @throws UsageError if it cannot start with these options */
export async function serve(options: ServeOptions): Promise<void> {
    // The service is imported here, because loading it with its database and exporter would slow down the other
    // commands.
    const { createService, readOrCreateSecretFile, ServiceOptionsError, surviveUncaughtErrors } =
        await import("@pulumi-static-export/service");
    const settings = readJobSettings(options);
    const { dataDir, logger: log } = settings;
    const { adminKeyFile, webhookSecretFile, oidcClientSecretFile } = options;
    const keyFile = adminKeyFile ?? join(dataDir, "admin-api-key");
    const readKey = (): string => {
        if (adminKeyFile !== undefined) {
            const create = `Create one with (umask 077; openssl rand -hex 32 > ${keyFile}), `;
            return readSecretLines(
                keyFile,
                "admin key file",
                `${create}or omit --admin-key-file to have one created in the data folder.`,
            ).join("\n");
        }
        return readOrCreateSecretFile(keyFile, "admin_");
    };

    const readWebhookSecret = (file: string) => (): string =>
        readSecretFile(file, "webhook secret file", `Create one with (umask 077; openssl rand -hex 32 > ${file}).`);

    // With a shared database, the workers run the agent's command.
    const isForWorkers = options.database !== undefined && options.agentCommand === undefined;
    let service: Service | undefined;
    try {
        service = createService({
            ...settings,
            adminApiKey: readKey,
            version: readManifest().version,
            secretFiles: {
                ...(adminKeyFile === undefined ? {} : { "Admin key file": adminKeyFile }),
                ...(webhookSecretFile === undefined ? {} : { "Webhook secret file": webhookSecretFile }),
                ...(options.agentSigningKey === undefined ? {} : { "Signing key": options.agentSigningKey }),
                ...(oidcClientSecretFile === undefined ? {} : { "Client secret file": resolve(oidcClientSecretFile) }),
            },
            webhookSecret: webhookSecretFile === undefined ? undefined : readWebhookSecret(webhookSecretFile),
            agent: isForWorkers ? undefined : readAgent(options, process.env),
            oidc: readOidc(options),
            onRequest: (entry) => log.request(entry),
        });
        surviveUncaughtErrors(log);
        // The first process of a container ignores signals without a listener.
        stopOnSignal(service, log);
        await service.listen({ port: options.port, host: listeningHost(options.host) });
    } catch (error) {
        await service?.close();
        if ((error as Error).name === "AbortError") {
            return;
        }
        if (error instanceof ServiceOptionsError) {
            throw new UsageError(error.message);
        }
        throw describeListenError(error as NodeJS.ErrnoException, options);
    }

    log.started(`Admin service for ${describeSites(options)}`, [
        ["address", service.url],
        ["admin key", `in ${keyFile}`],
        ...describeStorage(options),
        ["OpenAPI", `${service.url}/openapi.json`],
        ...describeDashboard(service, options),
    ]);
}

/**
 * On this machine only, the link signs the operator in: the log of a server may be read by others, also if the server is
 * behind a proxy of the same machine.
 */
function describeDashboard(
    service: Service,
    { dashboard, host, logFormat, publicUrl }: ServeOptions,
): (readonly [string, string])[] {
    if (!dashboard) {
        return [];
    }
    const isPrivate =
        ["127.0.0.1", "localhost", "::1"].includes(host) && logFormat === "text" && publicUrl === undefined;
    const link = isPrivate ? service.createSignInLink() : undefined;
    return [["dashboard", link === undefined ? `${service.url}/dashboard` : `${link} (works once, for 15 minutes)`]];
}
