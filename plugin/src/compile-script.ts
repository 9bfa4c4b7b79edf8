import { createHash } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { Module } from "node:module";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";

export interface CompiledScript {
    /** Evaluates to the function that wraps a CommonJS module. */
    script: Script;
    /**
     * Saves the functions that V8 has compiled so far. Undefined if an earlier start has saved the compiled functions.
     */
    save: (() => void) | undefined;
}

/**
 * Compiles an ASCII script, or reuses the code that an earlier start has saved, because compiling takes most of the
 * time until the plugin first responds to the engine. Node.js itself has had a compile cache only since version 22.1.
 */
export function compileScript(file: string): CompiledScript {
    const code = readFileSync(file);
    const digest = createHash("sha256").update(code).update(nodeIdentity()).digest("hex");
    // The file is in the script's folder: anyone who can write there could also change the script.
    const cacheFile = `${file}-${digest.slice(0, 16)}-${cachedDataVersionTag()}.cache`;
    const cachedData = readIfThere(cacheFile);
    const script = new Script(Module.wrap(code.toString("latin1")), {
        filename: file,
        ...(cachedData && { cachedData }),
    });
    const isSaved = cachedData !== undefined && !script.cachedDataRejected;
    return { script, save: isSaved ? undefined : () => writeWhole(cacheFile, script.createCachedData()) };
}

/** V8's tag is the same for all builds of Node.js 20, but compiled code of one build crashes another build. */
function nodeIdentity(): string {
    const { size, mtimeMs } = statSync(process.execPath);
    return `${process.version} ${size} ${mtimeMs}`;
}

function readIfThere(file: string): Buffer | undefined {
    try {
        return readFileSync(file);
    } catch {
        return undefined;
    }
}

/**
 * Writes a file so that concurrent starts see either the whole file or no file. If the file cannot be written, starts
 * are slower but still work.
 */
function writeWhole(file: string, data: Buffer): void {
    const incomplete = `${file}.${process.pid}`;
    try {
        writeFileSync(incomplete, data);
        renameSync(incomplete, file);
    } catch {
        return;
    }
}
