import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks, documents, root } from "./support/documents.js";
import { isCommands } from "./support/follow-blocks.js";
import { ranElsewhere, runHere, substitutions, typedOf } from "./support/followed-pages.js";

const blocks = documents.flatMap(codeBlocks).filter(isCommands);

/** Returns the first command of each line, without the text of files that the lines write. */
function commandsOf(typed: string): string[] {
    return typed
        .replace(/<<'(\w+)'\n[^]*?\n\1$/gm, "")
        .replaceAll("\\\n", " ")
        .split("\n")
        .map((line) => line.replace(/^\s*(?:\w+=\$\(|(?:\w+=\S* )*)/, ""))
        .filter((line) => line !== "" && !line.startsWith("#"));
}

describe("The documented commands", () => {
    it("are run from their document, or assigned to another spec in `ranElsewhere`", () => {
        const unassigned = blocks.flatMap((block) =>
            commandsOf(typedOf(block))
                .filter((command) => !runHere.test(command))
                .map((command) => `${block.place}: ${command}`),
        );
        assert.deepEqual(unassigned, []);
    });

    it("refer to existing scripts that install and compile their dependencies on a fresh clone", () => {
        const manifest = readFileSync(join(root, "package.json"), "utf8");
        const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
        for (const document of documents) {
            const text = readFileSync(join(root, document), "utf8");
            for (const [command, script = ""] of text.matchAll(/npm (?:run )?(test|(?<=run )[\w:-]+)/g)) {
                const steps = scripts[script];
                assert.ok(steps, `${document}: there is no ${command}`);
                assert.match(steps, /^node dev\/toolchain\/(bootstrap|start)\.mjs\b/, `${document}: ${command}`);
            }
        }
    });

    it("in `ranElsewhere` are in a document, and in the spec that runs them", () => {
        const lines = blocks.flatMap(({ text }) => text.split("\n"));
        for (const { command, by, proof } of ranElsewhere) {
            assert.ok(
                existsSync(join(root, by)) && proof.test(readFileSync(join(root, by), "utf8")),
                `${by}: no ${proof}`,
            );
            assert.ok(
                lines.some((line) => command.test(line)),
                `no page says ${command}`,
            );
        }
        for (const { written } of substitutions) {
            assert.ok(
                blocks.some(({ text }) => text.search(written) !== -1),
                `no page says ${written}`,
            );
        }
    });
});
