import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/** By the first part of a language's tag. */
const stemmers: Readonly<Record<string, string>> = {
    ar: "arabic",
    bg: "bulgarian",
    da: "danish",
    de: "german",
    el: "greek",
    en: "english",
    es: "spanish",
    fi: "finnish",
    fr: "french",
    hu: "hungarian",
    id: "indonesian",
    it: "italian",
    lt: "lithuanian",
    nl: "dutch",
    no: "norwegian",
    nb: "norwegian",
    pt: "portuguese",
    ro: "romanian",
    ru: "russian",
    sv: "swedish",
    tr: "turkish",
    uk: "ukrainian",
};

/** The name of the stemmer for a language; undefined where there is none. */
export function stemmerOf(language: string): string | undefined {
    const [code = ""] = language.toLowerCase().split(/[-_]/);
    return Object.hasOwn(stemmers, code) ? stemmers[code] : undefined;
}

/** An expression for a browser whose value is the function that cuts a word's ending off. */
export async function stemmerScript(name: string): Promise<string> {
    const path = createRequire(import.meta.url).resolve(`@orama/stemmers/${name}`);
    const source = (await readFile(path, "utf8")).replace(/\n?\/\/# sourceMappingURL=.*\s*$/, "");
    return `(()=>{const module={exports:{}},exports=module.exports;${source};return module.exports.stemmer})()`;
}
