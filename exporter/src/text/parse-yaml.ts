import type * as Yaml from "yaml";
import { lazyModule } from "./lazy-module.js";

const library = lazyModule<typeof Yaml>("yaml");

/** @throws an error whose first line says what is wrong */
export function parseYaml(text: string): unknown {
    return library().parse(text, { logLevel: "error", maxAliasCount: 10 });
}
