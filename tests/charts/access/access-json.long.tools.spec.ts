import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../support/fetch-pod.js";
import { chartFolder } from "../support/render-chart.js";
import { oddAccess } from "./support/odd-access.js";
import { accessJson } from "./support/private-site.js";

const run = promisify(execFile);

const busybox = await findProgram("busybox");
const interpreters = [["awk"], ...(busybox ? [[busybox, "awk"]] : [])];

interface Read {
    verdict: string;
    files: Record<string, string>;
}

/** Reads access.json as the fetch script does, and returns the script's messages and output. */
async function read(interpreter: readonly string[], access: string, separator = ","): Promise<Read> {
    const folder = await mkdtemp(path.join(tmpdir(), "access-json-"));
    try {
        await writeFile(path.join(folder, "access.json"), access);
        const [program = "", ...applet] = interpreter;
        const script = path.join(chartFolder, "files/access.awk");
        const args = [...applet, "-v", `out=${folder}`, "-f", script, path.join(folder, "access.json")];
        const { stdout } = await run(program, args, {
            env: { PATH: process.env.PATH, LC_ALL: "C", GROUPS_SEPARATOR: separator },
        });
        const names = (await readdir(folder)).filter((name) => name !== "access.json").sort();
        const texts = names.map(async (name) => [name, await readFile(path.join(folder, name), "utf8")] as const);
        return { verdict: stdout.trim(), files: Object.fromEntries(await Promise.all(texts)) };
    } finally {
        await rm(folder, { recursive: true });
    }
}

for (const interpreter of interpreters) {
    describe(`documentation-site: access.json, read by ${path.basename(interpreter.join(" "))}`, () => {
        it("becomes one list of files, and one map for each list of groups", async () => {
            const access = accessJson({
                "a.html": { content: "", groups: ["admins", "staff"] },
                "a.md": { content: "", groups: ["admins", "staff"] },
                "b/-c d'.html": { content: "", groups: [] },
                "ü.png": { content: "", groups: ["größe $x (a|b).*"] },
            });
            assert.deepEqual(await read(interpreter, access), {
                verdict: "",
                files: {
                    "0.files": "./a.html\n./a.md\n",
                    "0.map": '"~\\,admins\\," 0;\n"~\\,staff\\," 0;\n',
                    "1.files": "./b/-c d'.html\n",
                    "1.map": '"~^\\," 1;\n',
                    "2.files": "./ü.png\n",
                    "2.map": '"~\\,größe\\ \\$x\\ \\(a\\|b\\)\\.\\*\\," 2;\n',
                },
            });
        });

        it("is accepted if it lists no files", async () => {
            assert.deepEqual(await read(interpreter, accessJson({})), { verdict: "", files: {} });
        });

        for (const { title, access, says } of oddAccess) {
            it(`is refused if it ${title}`, async () => {
                assert.match((await read(interpreter, access)).verdict, says);
            });
        }

        it("is refused if it has more distinct lists of groups than nginx supports", async () => {
            const lists = (count: number) =>
                accessJson(
                    Object.fromEntries(
                        Array.from({ length: count }, (_, index) => [
                            `${index}`,
                            { content: "", groups: [`g${index}`] },
                        ]),
                    ),
                );
            assert.equal((await read(interpreter, lists(64))).verdict, "");
            assert.match((await read(interpreter, lists(65))).verdict, /line 68 begins list 65 of groups/);
        });
    });
}
