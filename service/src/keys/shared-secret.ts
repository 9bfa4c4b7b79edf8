import { randomBytes } from "node:crypto";
import { type ServiceDatabase } from "../database/database.js";

/** The secret with this name that all processes of the service share; the first one to ask makes it. */
export async function readOrCreateSecret(database: ServiceDatabase, name: string): Promise<string> {
    await database.run("INSERT INTO secrets (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING", {
        name,
        value: randomBytes(32).toString("hex"),
    });
    const row = await database.get<{ value: string }>("SELECT value FROM secrets WHERE name = :name", { name });
    if (row === undefined) {
        throw new Error(`The secret ${name} is not in the database.`);
    }
    return row.value;
}
