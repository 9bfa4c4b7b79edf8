import assert from "node:assert/strict";
import { type CodeBlock } from "./documents.js";
import { type Reader } from "./reader.js";

const shells = ["bash", "sh", "shell", "console"];

/** Excludes scripts with a title, which are files that the reader writes. */
export function isCommands({ language, title }: CodeBlock): boolean {
    return shells.includes(language) && title === undefined;
}

/**
 * Writes the files of a page and runs its commands, in the page's order.
 *
 * @param typedOf - returns the commands of a block as the reader types them
 */
export async function followBlocks(
    reader: Reader,
    blocks: readonly CodeBlock[],
    typedOf: (block: CodeBlock) => string,
): Promise<void> {
    for (const [index, block] of blocks.entries()) {
        if (isCommands(block)) {
            await followBlock(reader, block, blocks[index + 1], typedOf(block));
        } else if (block.title !== undefined) {
            await reader.write(block.title, block.text);
        }
    }
}

/**
 * Runs one block. A following `text` block lists lines that the commands print, in any order, because the order of
 * Pulumi's lines varies; `…` matches any text. The commands must fail if, and only if, the `text` block contains an
 * error.
 *
 * @returns the output
 */
export async function followBlock(
    reader: Reader,
    block: CodeBlock,
    next: CodeBlock | undefined,
    typed: string,
): Promise<string> {
    const expected = next?.language === "text" && next.title === undefined ? next : undefined;
    const { exitCode, output } = await reader.follow(typed);
    const shouldFail = expected !== undefined && /\berror: /.test(expected.text);
    assert.equal(exitCode !== 0, shouldFail, `${block.place}: ended with ${exitCode}:\n${output}`);
    for (const line of expected?.text.split("\n").map((line) => line.trim()) ?? []) {
        const printed = new RegExp(line.split("…").map(escape).join(".*")).test(output);
        assert.ok(printed, `${expected?.place}: "${line}" was not printed. This was:\n${output}`);
    }
    return output;
}

function escape(text: string): string {
    return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
