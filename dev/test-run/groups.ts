import { readdirSync } from "node:fs";

/** Spec files that run in one mocha, beside those of the other groups. */
export interface Group {
    readonly name: GroupName;
    readonly files: readonly string[];
    /** How many files run side by side. */
    readonly jobs: number;
    /** Of one hook or spec. Only a guard against a hang: the machine may be busy. */
    readonly timeoutMs: number;
    /** Whether it runs only on Linux, as root, with the tools that `prepare.ts` gets. */
    readonly needsTools: boolean;
}

export type GroupName = "unit" | "processes" | "engine" | "browser" | "cluster";

interface Rule extends Omit<Group, "files"> {
    /** The first rule that matches a file has it. */
    readonly matches: RegExp;
}

const minute = 60_000;

/** By what a spec waits for; a new spec that starts nothing belongs to the unit specs without a word here. */
const rules: readonly Rule[] = [
    {
        // One cluster for all of them, one after another: they change its nodes, and count its pods.
        name: "cluster",
        matches: /^tests\/e2e\/kubernetes\/(?!skip-without-cluster)/,
        jobs: 1,
        timeoutMs: 10 * minute,
        needsTools: true,
    },
    {
        // A browser that draws, and what measures time or memory: one at a time.
        name: "browser",
        matches:
            /^tests\/((service|exporter)\/.*(browser|narrow-and-printed|reading|try-it|hostile-pages|hostile-sites)|service\/(connections|full-disk)|e2e\/(service\/many-connections|scale)|dev\/bench\/.*)\.spec\.ts$/,
        jobs: 1,
        timeoutMs: 10 * minute,
        needsTools: true,
    },
    {
        // These mostly wait for the engine, which mostly waits for processes.
        name: "engine",
        matches:
            /^tests\/(e2e\/(?!kubernetes)|docs\/|charts\/|cli\/doctor\/|dev\/toolchain\/kubernetes-provider|provider\/bundle-mirror\/lifecycle)/,
        jobs: 4,
        timeoutMs: 10 * minute,
        needsTools: true,
    },
    {
        // Each spec starts a process or two of ours: seconds, and no tool.
        name: "processes",
        matches:
            /^tests\/(cli\/(completion|export)\/|cli\/(agent-job|data-folder|preview-report|redact-state|serve|serve-deployment)\.|dev\/(api-reference|architecture|toolchain)\/|dev\/test-run\/run\.|policy\/(lean-sdk|pack-process)\.|provider\/(bundle-check\/bundle-check-end|documentation-site\/light-entry|properties\/)|exporter\/process\/(long-texts|process-exporter)\.)/,
        jobs: 2,
        timeoutMs: 10 * minute,
        needsTools: false,
    },
    { name: "unit", matches: /./, jobs: 3, timeoutMs: minute, needsTools: false },
];

/** Those that take minutes. Started first, they do not keep one core busy at the end, alone. */
const long =
    /e2e\/(quickstart|static-export-bundle|upgrade|interrupts|packages\/matrix|preview\/|agent\/|policy\/)|docs\/(commands|gitlab)/;

/** Every spec file of this checkout, in its group; the groups that take longest first. */
export function groupSpecs(files: readonly string[] = findSpecs()): Group[] {
    const ruleOf = (file: string) => rules.find(({ matches }) => matches.test(file));
    const first = (file: string) => (long.test(file) ? 0 : 1);
    return rules
        .map(({ matches: _, ...rule }) => ({
            ...rule,
            files: files
                .filter((file) => ruleOf(file)?.name === rule.name)
                .sort((one, other) => first(one) - first(other) || one.localeCompare(other)),
        }))
        .filter((group) => group.files.length > 0);
}

export function findSpecs(): string[] {
    return readdirSync("tests", { recursive: true, encoding: "utf8" })
        .map((name) => `tests/${name.replaceAll("\\", "/")}`)
        .filter((name) => name.endsWith(".spec.ts"));
}
