import {
    type AssistantSettings,
    createAnswerServer,
    ExportedSite,
    FolderFiles,
    PodFiles,
    serveMcpOverStdio,
    type SiteFiles,
    WebFiles,
} from "@pulumi-static-export/answer";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientOptions } from "../command-line/admin-client.js";
import { withInterruption } from "../command-line/interruption.js";
import { describeListenError, listeningHost } from "../command-line/listening-host.js";
import { readManifest } from "../command-line/package-manifest.js";
import { UsageError } from "../command-line/usage-error.js";
import { reportError } from "../export/exit-codes.js";
import { openSite } from "../export/open-site.js";
import { stopOnSignal } from "../serve/stop-on-signal.js";

export interface AnswerOptions extends ClientOptions {
    readonly port: number;
    readonly host: string;
    readonly domain?: string;
    readonly groupsHeader?: string;
    readonly groupsSeparator: string;
    readonly userHeader?: string;
    readonly podFiles?: boolean;
    readonly assistantEndpoint?: string;
    readonly assistantModel?: string;
    readonly assistantSupport?: string;
    readonly assistantRequests: number;
    readonly assistantTotal: number;
    readonly assistantTokens: number;
    readonly assistantSeconds: number;
    readonly proxies: number;
    readonly logQuestions?: boolean;
}

/** Serves until a signal, then removes the unpacked files. @returns the exit code, if it could not start */
export async function answer(place: string, options: AnswerOptions): Promise<number | void> {
    const { port, host, domain, proxies, groupsHeader, groupsSeparator, userHeader } = options;
    const readerHeaders = readHeaders(groupsHeader, userHeader, groupsSeparator);
    const assistant = readAssistant(options, process.env);
    return withSite(place, options, async (site, remove) => {
        const { version } = readManifest();
        const server = createAnswerServer({
            ...{ site, version, domain, proxies, readerHeaders, assistant },
            onError: console.error,
        });
        const listen = { port, host: listeningHost(host) };
        const address = await server.listen(listen).catch((error: unknown) => {
            throw describeListenError(error as NodeJS.ErrnoException, options);
        });
        stopOnSignal(withRemoval(server, remove), { info: console.error });
        console.log(
            `Search, pages${assistant ? ", assistant" : ""} and MCP of "${site.title}" at ${address}\nPress Ctrl-C to stop.`,
        );
    });
}

/** Serves MCP over standard input and output until the agent has closed its end and has its answers. */
export async function serveToAgent(place: string, client: ClientOptions): Promise<number | void> {
    return withSite(place, client, async (site, remove) => {
        const server = serveMcpOverStdio({ site, version: readManifest().version }, console.error);
        stopOnSignal(withRemoval(server, remove), { info: console.error });
        console.error(`Serving "${site.title}" to the agent that started this command.`);
        await server.closed;
        await remove();
    });
}

function withRemoval(server: { close(): Promise<void> }, remove: () => Promise<void>) {
    return {
        async close() {
            await server.close();
            await remove();
        },
    };
}

function readHeaders(groups: string | undefined, user: string | undefined, separator: string) {
    if (groups === undefined && user === undefined) {
        return undefined;
    }
    if (groups === undefined || user === undefined) {
        throw new UsageError("--groups-header and --user-header belong together: set both.");
    }
    return { groups, user, separator };
}

function readAssistant(
    options: AnswerOptions,
    env: Readonly<Record<string, string | undefined>>,
): AssistantSettings | undefined {
    const { assistantEndpoint: address, assistantModel: model, assistantSupport: support, logQuestions } = options;
    if (address === undefined && model === undefined) {
        return undefined;
    }
    if (address === undefined || model === undefined) {
        throw new UsageError("--assistant-endpoint and --assistant-model belong together: set both.");
    }
    if (!URL.canParse(address) || !/^https?:\/\/[^/?#@]+(?:[/?#]|$)/.test(address)) {
        throw new UsageError(
            "--assistant-endpoint must be an http(s) address without a user name, such as http://ollama:11434/v1.",
        );
    }
    return {
        endpoint: { address, model, apiKey: env.STATIC_EXPORT_ASSISTANT_API_KEY || undefined },
        support,
        requestsPerMinute: options.assistantRequests,
        questionsPerHour: options.assistantTotal,
        maxTokens: options.assistantTokens,
        maxSeconds: options.assistantSeconds,
        ...(logQuestions === true && {
            onQuestion: (question, isAnswered) => console.log(JSON.stringify({ question, isAnswered })),
        }),
    };
}

async function withSite(
    place: string,
    client: ClientOptions & { readonly podFiles?: boolean },
    use: (site: ExportedSite, remove: () => Promise<void>) => Promise<void>,
): Promise<number | void> {
    const scratch = await mkdtemp(join(tmpdir(), "static-export-answer-"));
    const remove = () => rm(scratch, { recursive: true, force: true });
    try {
        await use(await openExportedSite(place, client, join(scratch, "site")), remove);
    } catch (error) {
        await remove();
        return reportError(error);
    }
}

async function openExportedSite(
    place: string,
    { podFiles = false, ...client }: ClientOptions & { readonly podFiles?: boolean },
    scratch: string,
): Promise<ExportedSite> {
    if (/^https?:\/\//i.test(place)) {
        return openFiles(place, new WebFiles(new URL(place)));
    }
    if (podFiles) {
        return openFiles(place, new PodFiles(place));
    }
    const opened = await withInterruption((signal) => openSite({ place, scratch, client }, signal));
    return openFiles(place, new FolderFiles(opened.folder));
}

async function openFiles(place: string, files: SiteFiles): Promise<ExportedSite> {
    try {
        return await ExportedSite.open(files);
    } catch (error) {
        throw new UsageError(`${place}: ${(error as Error).message}`);
    }
}
