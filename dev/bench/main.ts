import { readdirSync } from "node:fs";

/** `npm run bench NAME -- [OPTION…]` runs the benchmark in the folder of this name. */
const folder = new URL(".", import.meta.url);
const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
);
const [node = "", self = "", name = "", ...options] = process.argv;
if (names.includes(name)) {
    // Each benchmark reads its options as if it had been started itself.
    process.argv = [node, self, ...options];
    await import(new URL(`${name}/main.ts`, folder).href);
} else {
    console.error(`Usage: npm run bench NAME -- [OPTION…]\n\nNAME is one of ${names.join(", ")}.`);
    process.exitCode = 2;
}
