import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Inventory, type StoredFile } from "../../../sdk/src/publish/records/inventory.js";
import { decodeInventory, encodeInventory } from "../../../sdk/src/publish/records/inventory-text.js";

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");
const headers = '{"contentType":"text/html"}';

function fileOf(index: number): StoredFile {
    const file = { digest: index % 7 === 0 ? undefined : digestOf(`${index}`), sizeBytes: index * 2 ** 21, headers };
    return index % 5 === 0
        ? { ...file, headers: `{"redirect":"/${index}"}`, goneAtMs: 1_790_000_000_000 + index }
        : file;
}

/** Returns enough files to make an inventory grow twice. */
function fill(count = 3000): [string, StoredFile][] {
    return Array.from({ length: count }, (_, index) => [`ä/page-${index}.html`, fileOf(index)]);
}

function inventoryOf(files: readonly [string, StoredFile][]): Inventory {
    const inventory = new Inventory();
    files.forEach(([path, file]) => inventory.set(path, file));
    return inventory;
}

describe("An inventory of published files", () => {
    it("returns all files in the order in which they were added", () => {
        const files = fill();
        const inventory = inventoryOf(files);
        assert.deepEqual([...inventory], files);
        assert.deepEqual(inventory.get("ä/page-2999.html"), fileOf(2999));
        assert.deepEqual(
            [inventory.size, inventory.get("missing"), inventory.has("missing")],
            [3000, undefined, false],
        );
    });

    it("replaces a file in place, and removes a file", () => {
        const inventory = inventoryOf(fill(3));
        inventory.set("ä/page-0.html", fileOf(1));
        inventory.delete("ä/page-1.html");
        assert.deepEqual(
            [...inventory],
            [
                ["ä/page-0.html", fileOf(1)],
                ["ä/page-2.html", fileOf(2)],
            ],
        );
    });

    it("creates copies that are independent of later changes", () => {
        const inventory = inventoryOf(fill(3));
        const copy = inventory.copy();
        inventory.set("ä/page-0.html", fileOf(1));
        assert.deepEqual([...copy], fill(3));
    });

    it("compares files with another inventory by content, and optionally by headers", () => {
        const [path, file] = fill(2)[1]!;
        const own = inventoryOf([
            ["first", file],
            [path, file],
        ]);
        const isSame = (other: StoredFile, comparesHeaders = false) =>
            own.isSameIn(inventoryOf([[path, other]]), path, comparesHeaders);
        assert.deepEqual([isSame(file, true), isSame({ ...file, headers: "{}" })], [true, true]);
        assert.equal(isSame({ ...file, headers: "{}" }, true), false);
        assert.equal(isSame({ ...file, digest: digestOf("other") }), false);
        // An undefined digest means that a killed run wrote the file, so its content is unknown.
        assert.equal(isSame({ ...file, digest: undefined }), false);
        assert.equal(inventoryOf([[path, fileOf(7)]]).isSameIn(inventoryOf([[path, fileOf(7)]]), path, false), false);
        assert.equal(own.isSameIn(new Inventory(), path, false), false);
        assert.equal(new Inventory().isSameIn(own, path, false), false);
    });

    it("is unchanged after being stored and read", async () => {
        const files = fill();
        const { digest, content } = await encodeInventory(inventoryOf(files));
        const read = new Inventory();
        assert.equal(await decodeInventory(content, digest, read), true);
        assert.deepEqual([...read], files);
    });

    it("is not read if its digest differs or its content is damaged", async () => {
        const { digest, content } = await encodeInventory(inventoryOf(fill(3)));
        assert.equal(await decodeInventory(content, digestOf("other"), new Inventory()), false);
        assert.equal(await decodeInventory(content.subarray(0, -9), digest, new Inventory()), false);
    });
});
