import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** Spec files that run in one mocha process, at the same time as the other groups. */
export interface Group {
    readonly name: GroupName;
    readonly files: readonly string[];
    /** The number of files that run at the same time. */
    readonly jobs: number;
    /**
     * The timeout for one hook or spec. The timeout is long, because the machine may be busy: it only stops specs that
     * hang.
     */
    readonly timeoutMs: number;
    /** The CPU time that a file may use in `npm test`. Time that passes on a busy machine does not count. */
    readonly maxProcessorSeconds?: number | undefined;
    /** Whether the temporary files are in memory if the system has a folder there. */
    readonly usesMemory?: boolean;
    /** Whether the group runs only on Linux, as root, with the tools that `prepare-tools.ts` installs. */
    readonly needsTools: boolean;
}

export type GroupName = "unit" | "slow" | "process" | "tools" | "engine" | "packages" | "browser" | "cluster";

interface Rule extends Omit<Group, "files"> {
    /** The words before `.spec.ts` in the names of the group's files; undefined means no word. */
    readonly suffixes: readonly (string | undefined)[];
}

const minute = 60_000;

const unit = { jobs: 2, timeoutMs: 10 * minute, usesMemory: true, needsTools: false };

/** A file's name says what its specs need: `retries.spec.ts` needs nothing, `rollout.cluster.spec.ts` a cluster. */
const rules: readonly Rule[] = [
    // Cluster specs use one cluster, one after another, because they change its nodes and count its pods.
    { name: "cluster", suffixes: ["cluster"], jobs: 1, timeoutMs: 10 * minute, needsTools: true },
    // Specs with a browser, and specs of limits on time, memory, disk or connections, run one at a time.
    { name: "browser", suffixes: ["browser", "alone"], jobs: 1, timeoutMs: 10 * minute, needsTools: true },
    // Package specs pack the packages once, and install them repeatedly from npm's cache.
    { name: "packages", suffixes: ["packages"], jobs: 1, timeoutMs: 15 * minute, needsTools: true },
    // Engine specs mostly wait for the engine, which mostly waits for processes.
    { name: "engine", suffixes: ["engine"], jobs: 3, timeoutMs: 10 * minute, needsTools: true },
    // Tool specs start programs that are installed for them, such as Helm, nginx, PostgreSQL or an S3 server.
    { name: "tools", suffixes: ["tools"], jobs: 2, timeoutMs: 10 * minute, needsTools: true },
    // Process specs start our own processes or servers, let code run into its limits, or try random damage. They take
    // seconds.
    { name: "process", suffixes: ["process"], jobs: 2, timeoutMs: 10 * minute, needsTools: false },
    // Unit specs run in one process per core, because each process loads the libraries, which takes a tenth of the
    // total time. They write thousands of small files, for which a disk takes a fifth of the time.
    { ...unit, name: "unit", suffixes: [undefined], maxProcessorSeconds: 5 },
    // Slow specs are unit specs that export many sites, or try many random cases, so `npm run check` leaves them out.
    { ...unit, name: "slow", suffixes: ["slow"], maxProcessorSeconds: 30 },
];

/**
 * Files that take minutes. Long files start first, so that none of them runs alone at the end while the other core is
 * idle.
 */
const takesMinutes = new RegExp(
    "^tests/(docs/(commands|programs)" +
        "|e2e/(quickstart|static-export-bundle|interrupts|lost-machines/|preview/|agent/|policy/|service/(killed-|chaos)))",
);

/** Whether a group runs on every machine: its specs need no server, tool or process. */
export function isUnit({ name }: Pick<Group, "name">): boolean {
    return name === "unit" || name === "slow";
}

/** Groups the spec files; the groups that take longest come first. */
export function groupSpecs(files: readonly string[]): Group[] {
    const place = (file: string) => (takesMinutes.test(file) ? 0 : 1);
    return rules
        .map(({ suffixes, ...rule }) => ({
            ...rule,
            files: files
                .filter((file) => suffixes.includes(namesOf(file).need))
                .sort((one, other) => place(one) - place(other) || one.localeCompare(other)),
        }))
        .filter((group) => group.files.length > 0);
}

/** Finds every spec file in a folder. */
export function findSpecs(folder = "tests"): string[] {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
        .filter((name) => name.endsWith(".spec.ts"));
}

/**
 * Returns whether `npm test` runs a file. Files with `.long` in their name take minutes, and few changes break only
 * these specs.
 */
export function isInTest(file: string): boolean {
    return !namesOf(file).isLong;
}

/**
 * Returns whether `npm run test:all` runs a file. The command runs the long files, and the files that try more cases at
 * the scale that `tests/scale.ts` sets.
 */
export function isInAll(file: string): boolean {
    return namesOf(file).isLong || /\/scale\.js"/.test(readFileSync(file, "utf8"));
}

/**
 * The group in `npm run test:all`: files may take any time. Files that no other command runs come first, because a time
 * limit may cut off the last ones.
 */
export function longForm(group: Group): Group {
    const files = group.files.toSorted((one, two) => +isInTest(one) - +isInTest(two));
    return { ...group, files, maxProcessorSeconds: undefined };
}

/** Reads a file name: `tests/e2e/traces.long.engine.spec.ts` is long, and needs the engine. */
function namesOf(file: string): { isLong: boolean; need: string | undefined } {
    const [, ...names] = file
        .replace(/^.*\//, "")
        .replace(/\.spec\.ts$/, "")
        .split(".");
    const isLong = names[0] === "long";
    return { isLong, need: names[isLong ? 1 : 0] };
}
