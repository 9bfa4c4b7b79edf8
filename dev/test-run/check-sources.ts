import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { checkWords } from "../plain-words/check.js";
import { checkSupplyChain } from "../supply-chain/check.js";
import { runTwoAtATime } from "./two-at-a-time.js";

const cache = "node_modules/.cache";
const rooms = ["contract", "sdk", "provider", "plugin", "policy", "exporter", "answer", "service", "cli"].map(
    (room) => `${room}/src`,
);

/** The slowest checks come first. oxlint also checks the types of specs, scripts and examples. */
const checks = [
    ["oxlint", "."],
    ["depcruise", "--cache", `${cache}/dependency-cruiser`, "--output-type", "err", ...rooms, "dev"],
    ["oxfmt", "--check", "."],
] as const;

/** Runs the checks that a change has to pass in addition to the specs, and prints the failures. */
export async function checkSources(): Promise<boolean> {
    const supplyChain = () => Promise.resolve(checkSupplyChain(".", new Date()));
    const own = [havePlainWords, supplyChain];
    return (await runTwoAtATime([...checks.map((check) => () => passes(check)), ...own])).every(Boolean);
}

function havePlainWords(): Promise<boolean> {
    const found = checkWords(".");
    if (found.length > 0) {
        console.error(
            `${found.join("\n")}\ndev/plain-words/habits.ts lists the phrases to avoid in new lines; see above.`,
        );
    }
    return Promise.resolve(found.length === 0);
}

async function passes([program, ...args]: readonly [string, ...string[]]): Promise<boolean> {
    const child = spawn(process.execPath, [`node_modules/.bin/${program}`, ...args], {
        stdio: ["ignore", "pipe", "pipe"],
    });
    const exited = new Promise<number | null>((resolve, reject) => child.on("error", reject).on("exit", resolve));
    const [output, errors, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
    if (exitCode !== 0) {
        console.error(`${output}${errors}${program} ${args.slice(-1).join(" ")} found something to fix; see above.`);
    }
    return exitCode === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    process.exitCode = (await checkSources()) ? 0 : 1;
}
