import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../support/fetch-pod.js";
import { chartFolder } from "../support/render-chart.js";
import { accessJson } from "./support/private-site.js";

const run = promisify(execFile);

const busybox = await findProgram("busybox");
const interpreters = [["awk"], ...(busybox ? [[busybox, "awk"]] : [])];

const good = accessJson({ "secret.html": { content: "private", groups: ["staff"] } });

const withSecond = (file: string) => good.replace('["staff"]', `["staff"],\n    "${file}": ["admins"]`);

/** What access.json may not be: it might open a file that exporters wanted closed. */
const odd: { title: string; access: string; says: RegExp }[] = [
    { title: "is empty", access: "", says: /it is truncated/ },
    { title: "breaks off", access: good.slice(0, good.lastIndexOf("  }")), says: /it is truncated/ },
    { title: "goes on after its end", access: `${good}{\n`, says: /line 7 is not of the form/ },
    { title: "goes on with a word of the reader's own", access: `${good}end\n`, says: /line 7 is not of the form/ },
    { title: "is written on one line", access: '{"formatVersion": 1, "files": {}}', says: /line 1 is not of the form/ },
    { title: "is of a later format", access: good.replace("1", "2"), says: /line 2 has another format version than 1/ },
    { title: "has another key", access: good.replace('"files"', '"file"'), says: /line 3 is not of the form/ },
    { title: "has no list", access: good.replace('["staff"]', '"staff"'), says: /line 4 is not of the form/ },
    { title: "has an escape", access: good.replace("secret", "s\\u0065cret"), says: /line 4 is not of the form/ },
    { title: "has a group with an escape", access: good.replace("staff", 'st\\"aff'), says: /line 4 is not of the/ },
    { title: "has an empty group", access: good.replace("staff", ""), says: /line 4 is not of the form/ },
    { title: "has a comma too many", access: good.replace("]", "],"), says: /line 5 is not of the form/ },
    {
        title: "has a comma too few",
        access: withSecond("other.html").replace("],", "]"),
        says: /line 5 is not of the/,
    },
    { title: "names a file twice", access: withSecond("secret.html"), says: /line 5 names a file again/ },
    { title: "leads out of the bundle", access: good.replace("secret", "../secret"), says: /line 4 names no path/ },
    { title: "has an absolute path", access: good.replace("secret", "/secret"), says: /line 4 names no path/ },
    { title: "has a dot segment", access: good.replace("secret", "./secret"), says: /line 4 names no path/ },
    {
        title: "has a group with the separator",
        access: good.replace("staff", "staff,x"),
        says: /line 4 names a group with/,
    },
    {
        title: "has a group that ends with a space",
        access: good.replace("staff", "staff "),
        says: /line 4 names a group/,
    },
    {
        title: "has a group that is too long",
        access: good.replace("staff", "g".repeat(501)),
        says: /more than 500 bytes/,
    },
];

interface Read {
    verdict: string;
    files: Record<string, string>;
}

/** Reads access.json as the fetch script does, and returns what it says and writes. */
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
        it("becomes one list of files and one map for each list of groups", async () => {
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

        it("may list no file", async () => {
            assert.deepEqual(await read(interpreter, accessJson({})), { verdict: "", files: {} });
        });

        for (const { title, access, says } of odd) {
            it(`is refused if it ${title}`, async () => {
                assert.match((await read(interpreter, access)).verdict, says);
            });
        }

        it("is refused if it has more different lists of groups than nginx has folders for", async () => {
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
