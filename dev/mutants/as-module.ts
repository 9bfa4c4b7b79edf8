import { transformSync } from "esbuild";

/** Names of a CommonJS file, by their definition in a module. */
const definitions = {
    require: 'import { createRequire as createOwn } from "node:module"; const require = createOwn(import.meta.url);',
    __dirname: "const __dirname = import.meta.dirname;",
};

/** Converts TypeScript to an ECMAScript module, in which the names of a CommonJS file also work. */
export function asModule(typescript: string): string {
    const { code } = transformSync(typescript, { loader: "ts", format: "esm", target: "node22" });
    const needed = Object.entries(definitions).filter(([name]) => new RegExp(`\\b${name}\\b`).test(code));
    return [...needed.map(([, definition]) => definition), code].join("\n");
}
