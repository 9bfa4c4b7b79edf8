import assert from "node:assert/strict";
import { installationOf } from "../../contract/src/missing-package.js";

describe("The command that installs a missing package", () => {
    for (const [where, program, cwd, command] of [
        ["in the project", "/work/site/node_modules/a/dist/b.js", "/work/site/docs", "npm install x"],
        ["in a clone", "/clone/sdk/dist/b.js", "/work/site", "npm install x"],
        ["globally", "/usr/lib/node_modules/a/node_modules/b/c.js", "/work/site", "npm install --global x"],
        [
            "by npx",
            "/home/u/.npm/_npx/0f1e/node_modules/a/b.js",
            "/work/site",
            "npm install --prefix /home/u/.npm/_npx/0f1e x",
        ],
    ] as const) {
        it(`installs it with a program that is installed ${where}`, () => {
            assert.equal(installationOf("x", program, cwd), command);
        });
    }
});
