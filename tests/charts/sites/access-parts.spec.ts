import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { accessParts } from "../../../sdk/src/publish/site/access-parts.js";
import { accessOf } from "./support/access-of.js";
import { edgeRules as rules } from "./support/edge-rules.js";

const reader = { isSignedIn: true, groups: ["staff"] };
/** More files than one part has. */
const others = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`other-${index}.html`, ["others"]]));

async function partsOf(files: Readonly<Record<string, readonly string[]>>): Promise<Map<string, string>> {
    const folder = await mkdtemp(join(tmpdir(), "access-parts-"));
    try {
        await writeFile(join(folder, "access.json"), accessOf(files));
        return new Map([...(await accessParts(folder))].map(([path, content]) => [path, content.toString()]));
    } finally {
        await rm(folder, { recursive: true });
    }
}

describe("The parts of a long access.json", () => {
    it("are absent for a short list", async () => assert.equal((await partsOf({ "a.html": ["staff"] })).size, 0));

    it("contain each file once, in the form of access.json", async () => {
        const parts = await partsOf(others);
        assert.deepEqual(
            [...parts.keys()],
            [0, 1, 2].map((part) => `.static-export/access/${part}.json`),
        );
        const files = [...parts.values()].flatMap((text) =>
            Object.entries((JSON.parse(text) as { files: object }).files),
        );
        assert.deepEqual(Object.fromEntries(files), others);
        for (const text of parts.values()) {
            assert.doesNotThrow(() => rules.assertForm(text));
        }
    });

    it("give each reader the same files as the whole list, at every address", async () => {
        const name = fc.array(fc.constantFrom("a", "index", ".html", ".md", "/", "é", "x.css"), {
            minLength: 1,
            maxLength: 6,
        });
        const paths = fc.array(
            name.map((parts) => parts.join("").replace(/^\/+|\/(?=\/)|\/$/g, "") || "a"),
            { minLength: 1 },
        );
        await fc.assert(
            fc.asyncProperty(paths, async (list) => {
                const files = Object.fromEntries(
                    list.map((file, index) => [file, index % 2 === 0 ? ["staff"] : ["others"]]),
                );
                const whole = accessOf({ ...others, ...files });
                const parts = await partsOf({ ...others, ...files });
                for (const file of list) {
                    for (const address of [file, file.replace(/\.(?:html|md)$/, ""), `${file}/`]) {
                        const part = parts.get(`.static-export/access/${rules.partOf(address, parts.size)}.json`)!;
                        assert.deepEqual(
                            rules.mayRead(part, parts.size, address, file, reader, ","),
                            rules.mayRead(whole, undefined, file, file, reader, ","),
                        );
                    }
                }
            }),
            { numRuns: 30 },
        );
    });

    it("are never asked for a file of another address", async () => {
        const parts = await partsOf(others);
        const text = parts.get(`.static-export/access/0.json`)!;
        assert.throws(
            () => rules.mayRead(text, parts.size, "guide", "other-1.html", reader, ","),
            /does not belong to the address guide/,
        );
    });
});
