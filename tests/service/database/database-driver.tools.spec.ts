import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { withFolder } from "../support/running-service.js";

/** Starts and closes a service, and prints which packages for a shared database were loaded. */
const program = `
    import { createService, migrateDatabase } from "@pulumi-static-export/service";
    import { createRequire } from "node:module";
    const [folder, database] = process.argv.slice(1);
    const options = { dataDir: folder + "/data", sites: { "docs.example.com": folder + "/site" }, adminApiKey: "admin_key_0123456789" };
    if (database === undefined) {
        const service = createService(options);
        await service.listen();
        await service.close();
    } else {
        await migrateDatabase(database).catch(() => undefined);
    }
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(loaded.some((path) => path.includes("/node_modules/pg/")));
`;

async function loadsDriver(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program, ...args]);
    return stdout.trim();
}

describe("The PostgreSQL driver", () => {
    it("is loaded only by processes that use a PostgreSQL database", async () => {
        await withFolder(async (folder) => {
            assert.equal(await loadsDriver(folder), "false");
            assert.equal(await loadsDriver(folder, "postgres://nobody@127.0.0.1:1/none"), "true");
        });
    });
});
