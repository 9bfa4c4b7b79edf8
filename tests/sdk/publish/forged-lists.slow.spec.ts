import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FolderTarget } from "@pulumi-static-export/sdk/publish";
import fc from "fast-check";
import { encodeInventory } from "../../../sdk/src/publish/records/inventory-text.js";
import { Inventory } from "../../../sdk/src/publish/records/inventory.js";
import { formatRecord, inventoryKey, parseRecord, recordKey } from "../../../sdk/src/publish/records/site-record.js";
import { scaled } from "../../scale.js";
import { type Site, SiteFixture } from "./support/site-fixture.js";

const secret = "outside of the site";
const digest = createHash("sha256").update(secret).digest("hex");
const before: Site = { "index.html": "v1", "a.html": "a" };
const after: Site = { "index.html": "v2", "a.html": "a", "b.html": secret };

/** Publishes a site, forges the list of its files in the target, and publishes the next version. */
async function publishOver(paths: readonly string[]): Promise<{ outside: string; live: Site; logged: string[] }> {
    const fixture = await SiteFixture.create();
    try {
        const outside = join(fixture.folder, "outside.txt");
        await writeFile(outside, secret);
        await fixture.publish(before);
        const target = await FolderTarget.open(join(fixture.folder, "target"));
        const found = (await target.read(recordKey))!;
        const record = parseRecord(found.content, "");
        const forged = new Inventory();
        for (const path of [...paths, ...Object.keys(before)]) {
            forged.set(path, { digest, sizeBytes: secret.length, headers: "{}" });
        }
        const list = await encodeInventory(forged);
        await target.write(inventoryKey(list.digest), list.content);
        const live = { ...record.live!, files: list.digest };
        await target.writeRecord(formatRecord({ ...record, live, inventories: [list.digest] }), found.version);
        await fixture.publish(after, { adopt: true });
        return { outside: await readFile(outside, "utf8"), live: await fixture.live(), logged: fixture.logged };
    } finally {
        await fixture.remove();
    }
}

describe("A forged list of a site's files in a folder", () => {
    for (const path of [
        "../outside.txt",
        "x/../../outside.txt",
        "./../outside.txt",
        "/outside.txt",
        "..\\outside.txt",
    ]) {
        it(`neither reads nor removes a file outside of the folder: ${path}`, async () => {
            const { outside, live, logged } = await publishOver([path]);
            assert.deepEqual([outside, live], [secret, after]);
            assert.match(logged.join("\n"), /the list of its files is missing or was edited/);
        });
    }

    it("does not bring a file under another name into the site", async () => {
        const { live } = await publishOver(["a.html", "other.html"]);
        assert.deepEqual(live, after);
    });

    it("changes nothing that readers get, whatever it lists", async () => {
        const part = fc.constantFrom("..", ".", "", "a.html", "outside.txt", "target", "C:", "\\..", "x", "~");
        const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/"));
        await fc.assert(
            fc.asyncProperty(fc.array(path, { minLength: 1, maxLength: 4 }), async (paths) => {
                const { outside, live } = await publishOver(paths);
                assert.equal(outside, secret);
                assert.deepEqual({ ...live, ...after }, live);
            }),
            { numRuns: scaled({ short: 10, long: 500 }) },
        );
    }).timeout(300_000);
});
