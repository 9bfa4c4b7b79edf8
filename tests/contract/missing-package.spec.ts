import assert from "node:assert/strict";
import { sep } from "node:path";
import { installationOf } from "../../contract/src/missing-package.js";
import { shellWord } from "../../contract/src/shell-words.js";

const native = (path: string) => path.replaceAll("/", sep);
const quoted = (path: string) => (process.platform === "win32" ? `"${native(path)}"` : `'${path}'`);

describe("The command that installs a missing package", () => {
    for (const [where, program, cwd, command] of [
        ["in the project", "/work/site/node_modules/a/dist/b.js", "/work/site/docs", "npm install x"],
        ["in a clone", "/clone/sdk/dist/b.js", "/work/site", "npm install x"],
        ["globally", "/usr/lib/node_modules/a/node_modules/b/c.js", "/work/site", "npm install --global x"],
        ["globally by pnpm", "/u/pnpm/global/5/node_modules/a/c.js", "/work/site", "pnpm add --global x"],
        [
            "by npx",
            "/home/u/.npm/_npx/0f1e/node_modules/a/b.js",
            "/work/site",
            `npm install --prefix ${shellWord(native("/home/u/.npm/_npx/0f1e"))} x`,
        ],
        [
            "by npx for a user with a space in the name",
            "/home/Ann Lee/.npm/_npx/0f1e/node_modules/a/b.js",
            "/work/site",
            `npm install --prefix ${quoted("/home/Ann Lee/.npm/_npx/0f1e")} x`,
        ],
    ] as const) {
        it(`installs it with a program that is installed ${where}`, () => {
            assert.equal(installationOf(["x"], native(program), native(cwd)), command);
        });
    }
});
