import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { chartFolder } from "./support/render-chart.js";

describe("documentation-site: the pod messages listed in the guide", () => {
    it("match the messages of the fetch scripts", async () => {
        const scripts = ["fetch-bundle.sh", "private-files.sh"].map((name) => path.join(chartFolder, "files", name));
        const script = (await Promise.all(scripts.map((file) => readFile(file, "utf8")))).join("\n");
        const guide = await readFile(new URL("../../docs/guides/kubernetes.md", import.meta.url), "utf8");
        const [, table = ""] = guide.split("| The pod says | Do this |\n");
        const rows = (table.split("\n\n")[0] ?? "").split("\n").slice(1);
        const messages = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(.+?)`/g)]);
        assert.ok(messages.length > 10, `${messages.length} messages`);
        for (const [, message = ""] of messages) {
            const words = message.split("…").map((part) => part.trim());
            assert.deepEqual(
                words.filter((part) => !script.includes(part)),
                [],
                message,
            );
        }
    });
});
