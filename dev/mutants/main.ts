import { readFileSync } from "node:fs";
import { listFiles } from "../test-run/changed-files.js";
import { specsOfChanges } from "../test-run/changed-specs.js";
import { isInTest } from "../test-run/groups.js";
import { instrument, type Mutant } from "./instrument.js";
import { MutantTries, type Result, runUnchanged } from "./mutant-tries.js";

/*
 * `npm run mutants -- FILE… [SPEC…] [--except=WORDS] [--minutes=NUMBER] [--numbers]` changes one expression of the
 * files at a time, and runs the specs that execute it, except those with WORDS in their title. It lists the changes
 * that no spec notices: each is in code that is not needed, or in behaviour without a spec, or changes nothing that
 * anybody sees. With `--numbers`, it multiplies the files' numbers by ten instead.
 */

const allFiles = listFiles();
const texts: Record<string, string> = {};
const options = process.argv.slice(2);
const files = options.filter((option) => !/^--|\.spec\.ts$/.test(option));
const chosen = options.filter((option) => option.endsWith(".spec.ts"));
const valueOf = (name: string) => options.find((option) => option.startsWith(`--${name}=`))?.slice(name.length + 3);
const except = valueOf("except");
const endAtMs = performance.now() + Number(valueOf("minutes") ?? Infinity) * 60_000;

if (files.length === 0) {
    console.error(
        "Usage: npm run mutants -- FILE… [SPEC…] [--except=WORDS] [--minutes=NUMBER] [--numbers]\n\n" +
            "Without specs, the specs of `npm test` that import a file run.",
    );
    process.exitCode = 2;
} else {
    process.exitCode = (await main()) ? 0 : 1;
}

async function main(): Promise<boolean> {
    const specs = chosen.length > 0 ? chosen : specsOf(files);
    const { mutants, sources } = await instrument(files, { onlyNumbers: options.includes("--numbers") });
    const baseline = await runUnchanged({ sources, specs, except, timeoutMs: 120_000 });
    if (baseline === undefined || baseline.failed.length > 0) {
        console.error(`The specs fail without any change:\n${baseline?.failed.join("\n") ?? "their process ended"}`);
        return false;
    }
    const durations = Object.entries(baseline.durations);
    const limitsMs = Object.fromEntries(durations.map(([title, usualMs]) => [title, 3000 + 5 * usualMs]));
    const task = { sources, specs, limitsMs, timeoutMs: Math.max(...Object.values(limitsMs)) };
    await new MutantTries({ mutants, task, baseline, specsOf, endAtMs, onFile: describe }).run();
    return true;
}

/** @returns the specs that import these files */
function specsOf(changed: readonly string[]): string[] {
    const { specs } = specsOfChanges(changed, allFiles, (file) => (texts[file] ??= readFileSync(file, "utf8")), 0);
    return specs.filter(isInTest);
}

function describe(file: string, mutants: readonly Mutant[], results: ReadonlyMap<string, Result>): void {
    const are = (result: Result): Mutant[] => mutants.filter(({ id }) => results.get(id) === result);
    const noticed = are("noticed").length;
    const [notTried, tried] = [are("not tried").length, mutants.length - are("not tried").length];
    const percent = tried === 0 ? 0 : Math.floor((1000 * noticed) / tried) / 10;
    console.log(
        `${file}: ${noticed} of ${tried} changes noticed (${percent} %)${notTried > 0 ? `, ${notTried} not tried` : ""}`,
    );
    for (const result of ["not noticed", "not executed"] as const) {
        are(result).forEach(({ line, change }) => console.log(`  ${result}: line ${line}: ${change}`));
    }
}
