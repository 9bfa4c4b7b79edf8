import { createRequire } from "node:module";
import type * as Compiler from "@swc/wasm-typescript";

const name = "@swc/wasm-typescript";
const require = createRequire(import.meta.url);

/** Compiles TypeScript to JavaScript. @throws Error with the reason if the code does not parse */
export function withoutTypes(code: string): string {
    // Loads the compiler here, so that only sites with TypeScript settings load its 4 MB.
    const { transformSync } = require(name) as typeof Compiler;
    try {
        return transformSync(code, { mode: "transform" }).code;
    } catch (error) {
        const { code: kind, message } = error as { readonly code?: string; readonly message: string };
        if (kind !== undefined) {
            throw new Error(`it does not parse: ${message}`, { cause: error });
        }
        // A stack overflow leaves the compiler unusable, so the next file gets a new one.
        delete require.cache[require.resolve(name)];
        throw new Error("it is nested too deeply", { cause: error });
    }
}
