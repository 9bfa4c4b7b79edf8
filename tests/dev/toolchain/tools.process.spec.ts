import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { goTools } from "../../../dev/toolchain/src/cache/tools.js";

describe("The registry of Go tools", () => {
    for (const tool of Object.values(goTools)) {
        it(`pins the modules of ${tool.name} and their checksums`, async () => {
            const module = await readFile(path.join(tool.sources, "go.mod"), "utf8");
            const checksums = await readFile(path.join(tool.sources, "go.sum"), "utf8");
            const replaced = new Map([...module.matchAll(/^(?:replace |\t)(\S+) => (\S+ v\S+)$/gm)].map(pair));
            const required = [...module.matchAll(/^(?:require |\t)(\S+) (v\S+)(?: \/\/ indirect)?$/gm)].map(pair);
            assert.ok(required.length > 0);
            for (const [name, version] of required) {
                const pinned = replaced.get(name) ?? `${name} ${version}`;
                assert.ok(checksums.includes(`${pinned}/go.mod h1:`), `${pinned} has no checksum`);
            }
        });

        it(`builds ${tool.name} from a package that its go.mod lists`, async () => {
            const module = await readFile(path.join(tool.sources, "go.mod"), "utf8");
            if (tool.package === ".") {
                await readFile(path.join(tool.sources, "main.go"));
            } else {
                assert.ok(module.includes(`tool ${tool.package}\n`));
            }
        });
    }
});

function pair([, name, value]: RegExpExecArray): [string, string] {
    return [name!, value!];
}
