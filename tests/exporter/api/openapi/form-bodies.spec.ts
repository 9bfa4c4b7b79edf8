import assert from "node:assert/strict";
import { formBody } from "../../../../exporter/src/api/openapi/request.js";

describe("The body of a form", () => {
    const fields = [
        { field: { name: "note" }, value: "a b" },
        { field: { name: "photo", file: "one" }, value: { name: "cat.png" } },
    ] as unknown as Parameters<typeof formBody>[1];

    it("contains only the names of files if it is URL-encoded, as in browsers", () => {
        const { text } = formBody("application/x-www-form-urlencoded", fields);
        assert.equal(text, "note=a%20b&photo=cat.png");
    });

    it("contains each file as a part if it is multipart", () => {
        const { parts } = formBody("multipart/form-data", fields);
        assert.deepEqual(parts, [
            { name: "note", text: "a b" },
            { name: "photo", file: { name: "cat.png" } },
        ]);
    });

    it("says that an item of a list is JSON if it is an object or a list", () => {
        const field = { name: "items" } as (typeof fields)[number]["field"];
        const { parts } = formBody("multipart/form-data", [{ field, value: [{ id: 1 }, [2], 3] }]);
        assert.deepEqual(parts, [
            { name: "items", type: "application/json", text: '{"id":1}' },
            { name: "items", type: "application/json", text: "[2]" },
            { name: "items", text: "3" },
        ]);
    });
});
