import { type AdminClient, type AdminKey, type AdminKeyRights } from "@pulumi-static-export/sdk";
import { type ClientOptions, createClient } from "../command-line/admin-client.js";
import { UsageError } from "../command-line/usage-error.js";
import { runJobCommand } from "../export/run-job-command.js";
import { prepareSecretOutput, writeSecret } from "./secret-output.js";

/** The rights that a command sets, by its options. */
interface RightsOptions extends ClientOptions {
    scope?: string[];
    domain?: string[];
    project?: string[];
    expiresDays?: number;
}

const dayMs = 24 * 3600 * 1000;

/** Prints only the key to standard output, and its purpose to standard error. */
export function createKey(name: string, options: RightsOptions): Promise<number> {
    prepareSecretOutput();
    return withKeys(options, async ({ adminKeys }, signal) => {
        const { scopes = [], ...rights } = readRights(options);
        const { key, secret, hint } = await adminKeys.create({ name, scopes, ...rights }, { signal });
        writeSecret(secret, `The key exists: get another secret with static-export key rotate ${key.id}.`);
        console.error(`Created key ${describe(key)}. The key is shown only now.`);
        if (hint !== undefined) {
            console.error(`Note: ${hint}`);
        }
    });
}

export function listKeys(options: ClientOptions & { json?: boolean }): Promise<number> {
    return withKeys(options, async ({ adminKeys }, signal) => {
        const keys = await adminKeys.list({ signal });
        if (options.json === true) {
            console.log(JSON.stringify(keys, undefined, 2));
        } else if (keys.length === 0) {
            console.log("There are no keys except the service's own.");
        } else {
            keys.forEach((key) => console.log(describe(key)));
        }
    });
}

/** @throws UsageError if no option names a right */
export function changeKey(which: string, options: RightsOptions): Promise<number> {
    const rights = readRights(options);
    if (Object.keys(rights).length === 0) {
        throw new UsageError("Name the rights that change, such as --scope or --domain: the others stay as they are.");
    }
    return withKeys(options, async (client, signal) => {
        const { id } = await findKey(client, which, signal);
        console.log(`Changed key ${describe(await client.adminKeys.change(id, rights, { signal }))}.`);
    });
}

/** Prints only the new secret to standard output. */
export function rotateKey(which: string, options: ClientOptions & { graceSeconds: number }): Promise<number> {
    prepareSecretOutput();
    return withKeys(options, async (client, signal) => {
        const { id } = await findKey(client, which, signal);
        const { key, secret } = await client.adminKeys.rotate(id, options.graceSeconds, { signal });
        const end = options.graceSeconds === 0 ? "no longer works" : `works for ${options.graceSeconds} more seconds`;
        writeSecret(secret, `The earlier secret ${end}: get another one with static-export key rotate ${id}.`);
        console.error(`Rotated key ${describe(key)}. The earlier secret ${end}. The new one is shown only now.`);
    });
}

export function revokeKey(which: string, options: ClientOptions): Promise<number> {
    return withKeys(options, async (client, signal) => {
        const { id } = await findKey(client, which, signal);
        console.log(`Revoked key ${describe(await client.adminKeys.revoke(id, { signal }))}.`);
    });
}

export function rotateLinkSecret(options: ClientOptions & { graceSeconds?: number }): Promise<number> {
    return withKeys(options, async ({ adminKeys }, signal) => {
        const validUntil = await adminKeys.rotateLinkSecret(options.graceSeconds, { signal });
        console.log(`Links are signed with a new secret. Earlier links and sessions expire by ${validUntil}.`);
    });
}

function withKeys(
    options: ClientOptions,
    use: (client: AdminClient, signal: AbortSignal) => Promise<void>,
): Promise<number> {
    return runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
        await use(client, signal);
        return 0;
    });
}

/** @throws UsageError */
async function findKey({ adminKeys }: AdminClient, which: string, signal: AbortSignal): Promise<AdminKey> {
    const keys = await adminKeys.list({ signal });
    const active = keys.filter(({ revokedAt }) => revokedAt === null);
    const named = active.filter(({ name }) => name === which);
    const found = active.find(({ id }) => id === which) ?? named[0];
    if (found === undefined) {
        throw new UsageError(`There is no key ${JSON.stringify(which)}, or it was already revoked.`);
    }
    if (found.id !== which && named.length > 1) {
        const ids = named.map(({ id }) => id).join(", ");
        throw new UsageError(`Several keys have the name ${JSON.stringify(which)}: give an id (${ids}).`);
    }
    return found;
}

function readRights(options: RightsOptions): Partial<AdminKeyRights> {
    const { scope, domain, project, expiresDays } = options;
    return {
        ...(scope === undefined ? {} : { scopes: scope }),
        ...(domain === undefined ? {} : { domains: domain }),
        ...(project === undefined ? {} : { projects: project }),
        ...(expiresDays === undefined ? {} : { expiresAt: new Date(Date.now() + expiresDays * dayMs).toISOString() }),
    };
}

function describe(key: AdminKey): string {
    const { id, name, scopes, domains, projects, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
    const dates = [
        `created ${dayOf(createdAt)}`,
        ...(lastUsedAt === null ? [] : [`last used ${dayOf(lastUsedAt)}`]),
        ...(expiresAt === null ? [] : [`expires ${dayOf(expiresAt)}`]),
        ...(revokedAt === null ? [] : [`revoked ${dayOf(revokedAt)}`]),
    ];
    const names = [...(domains ?? []), ...(projects ?? []).map((project) => `project ${project}`)];
    const isLimited = domains !== null || projects !== null;
    const everything = isLimited ? "no domain and no project" : "all domains and projects";
    const of = names.length === 0 ? everything : names.join(", ");
    return `${name} (${id}): ${scopes.join(", ")} of ${of}; ${dates.join(", ")}`;
}

function dayOf(date: string): string {
    return date.slice(0, 10);
}
