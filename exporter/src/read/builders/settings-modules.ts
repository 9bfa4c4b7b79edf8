import { posix } from "node:path";
import { asRecord } from "../../text/json-values.js";
import { parseSettingsScript, SettingsScript } from "./settings-script.js";

/** File extensions that imports may omit. */
const endings = ["", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.mts", "/index.js"];

/** Files that settings import for the site's pages. */
const isForBrowsers = /\.(?:css|scss|sass|less|vue|svelte|astro|svg|png)$/;

const maxFiles = 200;
const maxCharacters = 4 * 1024 * 1024;

/** The prefix of modules that are files; all other modules are packages. */
const filePrefix = "file:";

/** A script with settings, and the files that the script imports. All files are read before the script is evaluated. */
export class SettingsModules {
    /**
     * Imported files that are missing (for example because a build generates them), are outside of the folder, or do
     * not parse.
     */
    readonly lost = new Set<string>();
    /** JavaScript or JSON by file; undefined for a missing file. */
    readonly #files = new Map<string, SettingsScript | object | undefined>();
    /** The names that other files import from a module. */
    readonly #names = new Map<string, Set<string>>();
    #characters = 0;

    /** @throws Error with the reason if the script does not parse */
    constructor(
        main: string,
        private readonly read: (file: string) => string | undefined,
    ) {
        this.#load(main, read(main) ?? "");
    }

    nameOf(from: string, specifier: string): string {
        if (!/^\.{1,2}(?:\/|$)/.test(specifier)) {
            return specifier;
        }
        const path = posix.join(posix.dirname(from.slice(filePrefix.length)), specifier);
        return filePrefix + (this.#find(path) ?? path);
    }

    /** Returns a module as JavaScript; a module without a file exports the replacement for a package. */
    codeOf(name: string): string {
        const script = this.#files.get(name.slice(filePrefix.length));
        if (!name.startsWith(filePrefix) || script === undefined) {
            const stub = `const all = __stub(${JSON.stringify(name)});\nexport default all;\n`;
            return stub + this.#namedExports(name, "all");
        }
        return script instanceof SettingsScript
            ? script.code(this.#namedExports(name, "module.exports"))
            : `const all = ${JSON.stringify(script)};\nexport default all;\n${this.#namedExports(name, "all")}`;
    }

    /** The existing file that an import names. */
    #find(path: string): string | undefined {
        const names = [...endings.map((end) => path + end), path.replace(/\.([cm]?)js$/, ".$1ts")];
        return names.find((each) => this.#files.has(each) || this.read(each) !== undefined);
    }

    #addImportsOf({ imports }: SettingsScript, from: string): void {
        for (const { specifier, names } of imports) {
            const name = this.nameOf(filePrefix + from, specifier);
            const known = this.#names.get(name) ?? new Set();
            this.#names.set(name, known);
            names.forEach((each) => known.add(each));
            const file = name.slice(filePrefix.length);
            if (name.startsWith(filePrefix) && !this.#files.has(file) && !isForBrowsers.test(file)) {
                this.#add(file);
            }
        }
    }

    #add(file: string): void {
        this.#files.set(file, undefined);
        const text = this.read(file);
        try {
            if (text === undefined) {
                this.lost.add(file);
            } else {
                this.#load(file, text);
            }
        } catch (error) {
            if (error instanceof TooLargeError) {
                throw error;
            }
            this.lost.add(file);
        }
    }

    #load(file: string, text: string): void {
        this.#characters += text.length;
        if (this.#files.size > maxFiles || this.#characters > maxCharacters) {
            throw new TooLargeError(
                `they are more than ${maxFiles} files or ${maxCharacters / 1024 / 1024} MiB of code`,
            );
        }
        if (file.endsWith(".json")) {
            this.#files.set(file, listOrRecord(JSON.parse(text)));
            return;
        }
        const script = parseSettingsScript(file, text);
        this.#files.set(file, script);
        this.#addImportsOf(script, file);
    }

    #namedExports(name: string, value: string): string {
        const names = [...(this.#names.get(name) ?? [])].filter((each) => each !== "default");
        return names
            .map((each, at) => `const __name${at} = ${value}.${each};\nexport { __name${at} as ${each} };\n`)
            .join("");
    }
}

class TooLargeError extends Error {
    override readonly name = "TooLargeError";
}

function listOrRecord(value: unknown): object {
    return Array.isArray(value) ? value : asRecord(value);
}
