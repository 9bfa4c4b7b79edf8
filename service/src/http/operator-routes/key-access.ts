import { type SqlClient } from "../../database/database.js";
import { type AdminKey, type AdminKeys } from "../../keys/admin-keys.js";
import { type Caller, describeKey, mayManage, reaches } from "../protocol/caller.js";
import { RequestError } from "../protocol/request-error.js";

/** A key that a caller may see, also if it was revoked. @param within - the transaction to run in */
export async function expectSeen(
    keyId: string,
    caller: Caller,
    adminKeys: AdminKeys,
    within?: SqlClient,
): Promise<AdminKey> {
    const key = await adminKeys.get(keyId, within);
    if (key === undefined || !reaches(caller, key)) {
        throw new RequestError(404, `There is no key ${keyId}.`);
    }
    return key;
}

/** An active key that a caller may see and revoke. @param within - the transaction to run in */
export async function expectKey(
    keyId: string,
    caller: Caller,
    adminKeys: AdminKeys,
    within?: SqlClient,
): Promise<AdminKey> {
    const key = await expectSeen(keyId, caller, adminKeys, within);
    return expectActive(keyId, key.revokedAt === null ? key : undefined);
}

/** An active key whose secret or rights a caller may change. @param within - the transaction to run in */
export async function expectManaged(
    keyId: string,
    caller: Caller,
    adminKeys: AdminKeys,
    within?: SqlClient,
): Promise<AdminKey> {
    const key = await expectKey(keyId, caller, adminKeys, within);
    if (!mayManage(caller, key)) {
        throw new RequestError(
            403,
            `${describeKey(caller)} cannot change key ${key.name} (${key.id}), which expires later.`,
        );
    }
    return key;
}

/** @throws RequestError if there is none: somebody may have revoked it meanwhile */
export function expectActive<T>(keyId: string, found: T | undefined): T {
    if (found === undefined) {
        throw new RequestError(404, `There is no active key ${keyId}.`);
    }
    return found;
}

export function copyOf(names: readonly string[] | null): string[] | null {
    return names === null ? null : [...names];
}

/** A key, as the API shows it. */
export function answerOf(key: AdminKey) {
    return {
        id: key.id,
        name: key.name,
        scopes: [...key.scopes],
        domains: copyOf(key.domains),
        projects: copyOf(key.projects),
        createdBy: key.createdBy,
        createdById: key.createdById,
        createdAt: key.createdAt.toISOString(),
        expiresAt: key.expiresAt?.toISOString() ?? null,
        revokedAt: key.revokedAt?.toISOString() ?? null,
        lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    };
}
