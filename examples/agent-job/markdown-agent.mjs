#!/usr/bin/env node
// An agent without a model: it edits Markdown only as its prompt says, one instruction per line.
//
//   append to guides/start.md: A sentence.
//   replace "old" with "new" in guides/start.md
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = realpathSync(process.cwd());
for (const line of readFileSync(0, "utf8").split("\n")) {
    const append = /^\s*append to (\S+\.mdx?): (.+)$/i.exec(line);
    const replace = /^\s*replace "([^"]+)" with "([^"]*)" in (\S+\.mdx?)\s*$/i.exec(line);
    if (append) {
        const [, name, text] = append;
        edit(name, (content) => `${content.trimEnd()}\n\n${text}\n`.trimStart());
    } else if (replace) {
        const [, before, after, name] = replace;
        edit(name, (content) => content.replaceAll(before, after));
    } else if (line.trim() !== "") {
        console.log(`not an instruction: ${line}`);
    }
}

function edit(name, change) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    if (relative(root, realpathSync(dirname(path))).startsWith("..")) {
        throw new Error(`${name} lies outside of the repository`);
    }
    writeFileSync(path, change(existsSync(path) ? readFileSync(path, "utf8") : ""));
    console.log(`edited ${name}`);
}
