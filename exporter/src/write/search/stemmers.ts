import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/** The languages that have a stemmer, which is called as the language is in English. */
const stemmed = new Set("ar bg da de el en es fi fr hu id it lt nb nl no pt ro ru sv tr uk".split(" "));
const languages = new Intl.DisplayNames(["en"], { type: "language" });

/** The name of the stemmer for a language; undefined where there is none. */
export function stemmerOf(language: string): string | undefined {
    const [code = ""] = language.toLowerCase().split(/[-_]/);
    return stemmed.has(code) ? languages.of(code)?.split(" ", 1)[0]?.toLowerCase() : undefined;
}

/** An expression for a browser whose value is the function that cuts a word's ending off. */
export async function stemmerScript(name: string): Promise<string> {
    const path = createRequire(import.meta.url).resolve(`@orama/stemmers/${name}`);
    const source = (await readFile(path, "utf8")).replace(/\n?\/\/# sourceMappingURL=.*\s*$/, "");
    return `(()=>{const module={exports:{}},exports=module.exports;${source};return module.exports.stemmer})()`;
}
