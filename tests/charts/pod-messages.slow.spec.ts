import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";

const root = new URL("../../", import.meta.url);

describe("documentation-site: the pod messages listed in the guide", () => {
    it("match the messages of the program that fetches bundles", async () => {
        const folders = ["sdk/src/pod/", "sdk/src/bundle/"];
        const files = await Promise.all(
            folders.map(async (folder) =>
                (await readdir(new URL(folder, root))).map((name) => new URL(`${folder}${name}`, root)),
            ),
        );
        const texts = await Promise.all(files.flat().map((file) => readFile(file, "utf8")));
        // A message may continue in the next line of the source.
        const program = texts.join("\n").replace(/["`] \+\s+["`]/g, "");
        const guide = await readFile(new URL("docs/guides/kubernetes.md", root), "utf8");
        const [, table = ""] = guide.split("| The pod says | Do this |\n");
        const rows = (table.split("\n\n")[0] ?? "").split("\n").slice(1);
        const messages = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(.+?)`/g)]);
        assert.ok(messages.length > 10, `${messages.length} messages`);
        for (const [, message = ""] of messages) {
            const words = message.split("…").map((part) => part.trim());
            assert.deepEqual(
                words.filter((part) => !program.includes(part)),
                [],
                message,
            );
        }
    });
});
