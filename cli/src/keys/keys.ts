import type * as Service from "@pulumi-static-export/service";
import { type AdminKey, type KeyPriority, type KeyScope } from "@pulumi-static-export/service";
import { type Command } from "commander";
import { UsageError } from "../command-line/usage-error.js";
import { expectDatabase } from "../serve/database-option.js";

interface CreateOptions {
    database?: string;
    scope: string[];
    domain?: string[];
    project?: string[];
    expiresDays?: number;
    priority: KeyPriority;
    maxQueued?: number;
    maxRunning?: number;
}

interface ListOptions {
    database?: string;
    json?: boolean;
}

const dayMs = 24 * 3600 * 1000;

/** Prints only the key to standard output, and its purpose to standard error. @throws UsageError */
export async function createKey(name: string, options: CreateOptions, command: Command): Promise<void> {
    const { scope, domain: domains = null, project: projects = null, expiresDays } = options;
    await withService(async ({ createKey: create, keyScopes }) => {
        const scopes = scope.map((each) => expectScope(each, keyScopes));
        const expiresAt = expiresDays === undefined ? null : new Date(Date.now() + expiresDays * dayMs);
        const { priority, maxQueued: maxQueuedJobs, maxRunning: maxRunningJobs } = options;
        const wanted = { name, scopes, domains, projects, expiresAt, priority, maxQueuedJobs, maxRunningJobs };
        const { key, secret } = await create(keysDatabase(options, command), wanted);
        console.log(secret);
        console.error(`Created key ${describe(key)}. The key is shown only now.`);
    });
}

/** @throws UsageError */
export async function listKeys(options: ListOptions, command: Command): Promise<void> {
    await withService(async ({ listKeys: list }) => {
        const keys = await list(keysDatabase(options, command));
        if (options.json === true) {
            console.log(JSON.stringify(keys, undefined, 2));
        } else {
            keys.forEach((key) => console.log(describe(key)));
        }
    });
}

/** @throws UsageError */
export async function revokeKey(name: string, options: { database?: string }, command: Command): Promise<void> {
    await withService(async ({ revokeKey: revoke }) => {
        console.log(`Revoked key ${describe(await revoke(keysDatabase(options, command), name))}.`);
    });
}

async function withService(use: (service: typeof Service) => Promise<void>): Promise<void> {
    const service = await import("@pulumi-static-export/service");
    try {
        await use(service);
    } catch (error) {
        throw error instanceof service.ServiceOptionsError ? new UsageError(error.message) : error;
    }
}

/** Ends the command with wrong usage if neither the option nor the variable is given. */
function keysDatabase(options: { database?: string }, command: Command): string {
    return expectDatabase(options, command, {
        problem: "keys are stored in a PostgreSQL database",
        more: ". A service without such a database has one key, in the file admin-api-key of its data folder.",
    });
}

function expectScope(text: string, scopes: readonly KeyScope[]): KeyScope {
    const scope = scopes.find((each) => each === text);
    if (scope === undefined) {
        throw new UsageError(`There is no scope ${JSON.stringify(text)}: use ${scopes.join(", ")}.`);
    }
    return scope;
}

function describe(key: AdminKey): string {
    const { id, name, scopes, domains, projects, createdAt, expiresAt, revokedAt } = key;
    const dates = [
        `created ${dayOf(createdAt)}`,
        ...(expiresAt === null ? [] : [`expires ${dayOf(expiresAt)}`]),
        ...(revokedAt === null ? [] : [`revoked ${dayOf(revokedAt)}`]),
    ];
    const names = [...(domains ?? []), ...(projects ?? []).map((project) => `project ${project}`)];
    const of = names.length === 0 ? "all domains and projects" : names.join(", ");
    return `${name} (${id}): ${scopes.join(", ")} of ${of}; ${[...describeLimits(key), ...dates].join(", ")}`;
}

function describeLimits({ priority, maxQueuedJobs, maxRunningJobs }: AdminKey): string[] {
    return [
        ...(priority === "normal" ? [] : [`${priority} priority`]),
        ...(maxQueuedJobs === null ? [] : [`at most ${maxQueuedJobs} queued`]),
        ...(maxRunningJobs === null ? [] : [`at most ${maxRunningJobs} running`]),
    ];
}

function dayOf(date: Date): string {
    return date.toISOString().slice(0, 10);
}
