import { transformSync } from "esbuild";

/** Converts TypeScript to an ECMAScript module, in which `require` also works as in a CommonJS file. */
export function asModule(typescript: string): string {
    const { code } = transformSync(typescript, { loader: "ts", format: "esm", target: "node22" });
    const definition =
        'import { createRequire as createOwn } from "node:module"; const require = createOwn(import.meta.url);';
    return /\brequire\b/.test(code) ? `${definition}\n${code}` : code;
}
