import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { withFolder } from "../../sdk/support/files.js";

/** Calls `use` with an empty database, which is closed and removed afterwards. */
export async function withSqlite(use: (database: ServiceDatabase) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        const database = openSqliteDatabase(folder);
        try {
            await use(database);
        } finally {
            await database.close();
        }
    });
}
