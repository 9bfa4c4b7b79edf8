import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { Module } from "node:module";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";

export interface CompiledScript {
    /** Its value is the function in which CommonJS modules run. */
    script: Script;
    /** Saves what V8 has compiled of it by now. Undefined if an earlier start saved it. */
    save: (() => void) | undefined;
}

/**
 * Compiles a script in ASCII, or reads what an earlier start has saved, because compiling takes most of the time until the
 * engine has its first answer. Node.js has such a cache from 22.1 on only.
 */
export function compileScript(file: string): CompiledScript {
    const code = readFileSync(file);
    const digest = createHash("sha256").update(code).digest("hex");
    // Beside the script: who can write it decides what runs anyway.
    const cacheFile = `${file}-${digest.slice(0, 16)}-${cachedDataVersionTag()}.cache`;
    const cachedData = readIfThere(cacheFile);
    const script = new Script(Module.wrap(code.toString("latin1")), {
        filename: file,
        ...(cachedData && { cachedData }),
    });
    const isSaved = cachedData !== undefined && !script.cachedDataRejected;
    return { script, save: isSaved ? undefined : () => writeWhole(cacheFile, script.createCachedData()) };
}

function readIfThere(file: string): Buffer | undefined {
    try {
        return readFileSync(file);
    } catch {
        return undefined;
    }
}

/** Others may start meanwhile: they see all of it or nothing. Where it cannot be written, starts are slower, no more. */
function writeWhole(file: string, data: Buffer): void {
    const incomplete = `${file}.${process.pid}`;
    try {
        writeFileSync(incomplete, data);
        renameSync(incomplete, file);
    } catch {
        return;
    }
}
