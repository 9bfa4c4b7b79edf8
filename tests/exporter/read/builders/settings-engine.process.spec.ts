import assert from "node:assert/strict";
import { evaluateSettings } from "../../../../exporter/src/read/builders/settings-engine.js";

/** Evaluates the first file. @returns the value, and the missing files and modules */
async function evaluate(files: Readonly<Record<string, string>>): Promise<[value: unknown, lost: string[]]> {
    const lost = { files: new Set<string>(), modules: new Set<string>() };
    const value = await evaluateSettings(Object.keys(files)[0] ?? "", (file) => files[file], lost);
    return [value, [...lost.files, ...lost.modules]];
}

const failureOf = (code: string, file = "config.mjs") =>
    evaluate({ [file]: code }).then(
        () => undefined,
        (error: Error) => error.message,
    );

describe("Settings of another builder", () => {
    it("may use all of TypeScript", async () => {
        const code = `
import { defineConfig, type DefaultTheme } from "builder";
import type { Missing } from "./not-there";
import { AlsoMissing } from "./types-only";
enum Level { One = 1, Two }
namespace Texts { export const start = "Start"; }
interface Item<T extends string = string> { text: T; link?: Record<string, [a: T, b?: number]> }
function itemOf(text: string): Item;
function itemOf<T extends string>(text: T, { link }: { link?: string } = {}): Item<T> { return { text: text!, link } as never; }
const items = [itemOf(Texts.start)] as const satisfies readonly Item[];
const sizes: { [name: string]: (value: number) => AlsoMissing } = {};
abstract class Base { protected constructor(readonly level: Level) {} }
class Own extends Base { constructor() { super(Level.Two); } }
export default defineConfig<{ a: DefaultTheme.Config }>({ items, sizes, level: new Own().level, text: <string>"as" });`;
        assert.deepEqual(await evaluate({ "config.mts": code }), [
            { items: [{ text: "Start" }], sizes: {}, level: 2, text: "as" },
            [],
        ]);
    });

    it("can import the same package and file in several files under different names", async () => {
        const files = {
            "folder/config.ts": `
import { one } from "package";
import * as all from "package";
import { suffix } from "./data.json" with { type: "json" };
import { items } from "./items";
export { items } from "./items";
export default one({ items, suffix, other: all.two({ three: 3 }) });`,
            "folder/items.ts": `
import { two } from "package";
import { start } from "./data.json";
import data from "./data.json";
export const items = two([start, data.end]);`,
            "folder/data.json": '{ "start": "a", "end": "b", "suffix": "c" }',
        };
        assert.deepEqual(await evaluate(files), [{ items: ["a", "b"], suffix: "c", other: { three: 3 } }, []]);
    });

    it("can be CommonJS modules that require other files", async () => {
        const files = {
            "config.js": `
const { labels } = require("./labels");
const path = require("path");
/** Like require("./missing"). */
const config = { title: labels.title, file: path.resolve(__dirname, "./sidebars.js"), theme: require("package").theme };
module.exports = config;`,
            "labels.js": 'exports.labels = { title: "Required" };',
        };
        assert.deepEqual(await evaluate(files), [{ title: "Required", file: "/sidebars.js" }, []]);
    });

    it("can use plugins in any way: as strings, in lists and as promises", async () => {
        const code = `
import { version, plugin, plugins } from "package";
const later = await plugin();
export default {
    text: \`v\${version}\`,
    plugins: [...plugin({ option: 1 }), ...plugins, later],
    count: plugins.length,
    url: new URL("..", import.meta.url),
};`;
        const [value] = await evaluate({ "config.mjs": code });
        assert.deepEqual(value, { text: "v", plugins: [null], count: 0, url: { href: "..", pathname: ".." } });
    });

    it("are evaluated without file and network access, and report the missing values", async () => {
        const code = `
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import glob from "fast-glob";
import { version } from "../package.json";
const found = await glob(["*.md"], { cwd: dirname("/a") }).then((files) => files.map((file) => file.name));
const pages = await (await fetch("https://example.com")).json();
export default {
    title: "Read",
    sidebar: [...readdirSync("guide", { withFileTypes: true }).map((file) => file.name), ...found, ...pages],
    version,
};`;
        assert.deepEqual(await evaluate({ "config.ts": code }), [
            { title: "Read", sidebar: [] },
            ["../package.json", "fast-glob", "fetch", "node:fs"],
        ]);
    });

    it("may use Vite's import.meta.glob, which finds no files and is reported", async () => {
        const code = `
const labels = Object.entries(import.meta.glob("./labels/*.ts", { eager: true })).map(([file]) => file);
export default { labels, folder: import.meta.dirname, isForProduction: import.meta.env.PROD };`;
        assert.deepEqual(await evaluate({ "config.ts": code }), [
            { labels: [], folder: "/", isForProduction: true },
            ["import.meta.glob"],
        ]);
    });

    it("report the reason if a promise is rejected or never settles", async () => {
        assert.equal(await failureOf('throw new Error("because of this");'), "because of this");
        assert.equal(
            await failureOf('export default async () => { throw new Error("because of that"); };'),
            "because of that",
        );
        assert.match((await failureOf("await new Promise(() => {});")) ?? "", /wait for something/);
    });

    it("stay within limits of time, memory and depth", async () => {
        const cases: readonly (readonly [code: string, reason: RegExp])[] = [
            ["for (;;) { try { for (;;); } catch {} }", /more than 1 s of processor time/],
            ["const all = async () => { for (;;) await 0; }; await all();", /more than 1 s of processor time/],
            ["const all = []; for (;;) all.push({ one: 1 });", /more than 16 MiB of memory/],
            ['export default { a: "x".repeat(1e9) };', /more than 16 MiB of memory/],
            ['export default { a: "x".repeat(3e6) };', /their value has more than 2 MiB/],
            ["const f = () => f() + 1; f();", /stack overflow/],
            ["let a = []; for (let i = 0; i < 500; i += 1) a = [a]; export default a;", /nested deeper than 64 levels/],
            ["const a = {}; a.a = a; export default a;", /circular/],
        ];
        for (const [code, reason] of cases) {
            assert.match((await failureOf(code)) ?? "", reason, code);
        }
        assert.deepEqual(await evaluate({ "config.mjs": 'export default { a: "x".repeat(1e6), b: [[[[1]]]] };' }), [
            { a: "x".repeat(1e6), b: [[[[1]]]] },
            [],
        ]);
    });

    it("do not affect later settings if their TypeScript is nested too deeply", async () => {
        const deep = `type Deep = ${"{ a: ".repeat(100_000)}1${" }".repeat(100_000)};`;
        assert.match((await failureOf(deep, "config.ts")) ?? "", /nested too deeply/);
        assert.match((await failureOf("const a: = 1;", "config.ts")) ?? "", /does not parse/);
        assert.deepEqual(await evaluate({ "config.ts": "const a: number = 1; export default { a };" }), [{ a: 1 }, []]);
    });

    it("are refused if they consist of too many files", async () => {
        const files = Object.fromEntries(
            Array.from({ length: 300 }, (_, at) => [
                `f${at}.mjs`,
                `import next from "./f${at + 1}.mjs"; export default { next };`,
            ]),
        );
        await assert.rejects(evaluate(files), /more than 200 files/);
    });
});
