import { ServiceOptionsError } from "../shared/service-options-error.js";
import { type AdminKey, AdminKeys, KeyNameTakenError, type NewAdminKey } from "../keys/admin-keys.js";
import { InvalidKeyError, resolveReach } from "../keys/key-reach.js";
import { DatabaseUnavailableError } from "../database/database.js";
import { PostgresDatabase } from "../database/postgres-database.js";
import { hasSchema } from "../database/postgres-schema.js";

const keyName = /^[A-Za-z\d][\w.-]{0,63}$/;

/**
 * Creates a key for clients. All services with this database accept the key immediately.
 *
 * @throws ServiceOptionsError
 */
export async function createKey(url: string, wanted: NewAdminKey): Promise<{ key: AdminKey; secret: string }> {
    if (!keyName.test(wanted.name)) {
        throw new ServiceOptionsError("The name of a key has up to 64 letters, digits, dots, dashes and underscores.");
    }
    return withKeys(url, async (keys) => keys.create({ ...wanted, ...resolveReach(wanted) }));
}

/** All keys in a database, oldest first. @throws ServiceOptionsError */
export async function listKeys(url: string): Promise<AdminKey[]> {
    return withKeys(url, (keys) => keys.list());
}

/** Revokes a key: services with this database no longer accept it. @throws ServiceOptionsError */
export async function revokeKey(url: string, name: string): Promise<AdminKey> {
    const key = await withKeys(url, (keys) => keys.revoke({ name }));
    if (key === undefined) {
        throw new ServiceOptionsError(`There is no key ${JSON.stringify(name)}, or it was revoked already.`);
    }
    return key;
}

async function withKeys<T>(url: string, use: (keys: AdminKeys) => Promise<T>): Promise<T> {
    const database = new PostgresDatabase(url);
    try {
        if (!(await hasSchema(database))) {
            throw new ServiceOptionsError(
                "The database lacks this release's schema: run `static-export migrate` with it.",
            );
        }
        return await use(new AdminKeys(database, Date.now));
    } catch (error) {
        throw error instanceof KeyNameTakenError ||
            error instanceof InvalidKeyError ||
            error instanceof DatabaseUnavailableError
            ? new ServiceOptionsError(error.message)
            : error;
    } finally {
        await database.close();
    }
}
