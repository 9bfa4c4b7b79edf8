import { existsSync, readFileSync, statSync } from "node:fs";
import { relative } from "node:path";
import { changedFiles, listFiles } from "./changed-files.js";
import { specsOfChanges } from "./changed-specs.js";
import { checkSources } from "./check-sources.js";
import { findSpecs, groupSpecs, isInAll, isInTest, isUnit, longForm, type Group, type GroupName } from "./groups.js";
import { describeWaiting, readLastPassed, recordPassed, waitingFirst } from "./last-passed.js";
import { prepareTools } from "./prepare-tools.js";
import { describeSlowest, summarize, type FileResult } from "./results.js";
import { runFailedAgain } from "./run-again.js";
import { filesWithSpecs, runGroup } from "./run-group.js";
import { describeTurns, inTurn, onlyTurn, type Turn, turnOn } from "./rotation.js";
import { limitOfSecondRuns, limitTo } from "./time-limit.js";
import { runTwoAtATime } from "./two-at-a-time.js";

const [command = "test", ...options] = process.argv.slice(2);
const valueOf = (option: RegExp) => options.map((each) => option.exec(each)?.[1]).find((each) => each !== undefined);
const minutes = valueOf(/^--minutes=(\d+)$/);
const limit = minutes === undefined ? undefined : limitTo(Number(minutes), Date.now());
const changed = options.map((option) => /^--changed(?:=(.+))?$/.exec(option)).find((each) => each !== null);
const rest = options.filter((option) => !/^--(minutes=|changed\b|(only-)?turn=)/.test(option));
const isFolder = (argument: string) =>
    argument.includes("/") && statSync(argument, { throwIfNoEntry: false })?.isDirectory() === true;
const isPath = (argument: string) => argument.endsWith(".spec.ts") || isFolder(argument);
const paths = rest.filter(isPath);
const mochaArguments = rest.filter((argument) => !isPath(argument));
const selectTurn = options.some((option) => option.startsWith("--only-turn=")) ? onlyTurn : inTurn;
const startedAt = performance.now();

/** The files that a command runs by default, and its variables. */
const selections: Readonly<Record<string, { includes: (file: string) => boolean; env: NodeJS.ProcessEnv }>> = {
    all: { includes: isInAll, env: { SPEC_SCALE: "1" } },
};
const { includes, env } = selections[command] ?? { includes: isInTest, env: {} };

/**
 * Specs that are chosen by file or title run on every machine; a whole command requires a machine on which all of its
 * specs can run.
 */
const isWhole = rest.length === 0 && changed === undefined;
const hasTools = process.platform === "linux" && process.getuid?.() === 0;

/**
 * One stage runs after another, and two groups of a stage run at a time. With more groups at a time, specs that expect
 * an answer within seconds would fail on two cores.
 */
const stages: readonly (readonly GroupName[])[] = [
    ["unit"],
    ["slow"],
    ["engine", "cluster", "packages", "tools", "process", "browser"],
];

const slowestShown = 25;

async function main(): Promise<boolean> {
    const turn = turnOn(new Date(), valueOf(/^--(?:only-)?turn=(.+)$/));
    const groups = await chosenGroups(turn);
    const tools = prepareTools(
        groups.map(({ name }) => name),
        { isAll: groups.some((group) => group.files.some((file) => !isInTest(file))), onProgress: console.log },
    );
    // Prevents an unhandled rejection before the groups that need the tools await this promise.
    tools.catch(() => undefined);
    const sources = isWhole ? checkSources() : Promise.resolve(true);
    const run = async (group: Group, within = limit): Promise<FileResult[]> => {
        await (group.needsTools ? tools : undefined);
        return runGroup(group, { mochaArguments, env: { ...env, ...process.env }, limit: within });
    };
    const runAgain = (group: Group) => run(group, limitOfSecondRuns(limit));
    const lastPassed = readLastPassed();
    const rounds = command === "all" && isWhole ? waitingFirst(groups, lastPassed) : [groups];
    const results: FileResult[] = [];
    for (const round of rounds) {
        for (const names of stages) {
            const ofStage = names.flatMap((name) => round.filter((group) => group.name === name));
            results.push(...(await runTwoAtATime(ofStage.map((group) => () => run(group)))).flat());
        }
    }
    const leftOut = limit ? withoutResult(groups, results) : [];
    if (changed && groups.length === 0) {
        console.log("No spec depends on the changed files.");
        return true;
    }
    if (results.length === 0 && leftOut.length === 0) {
        console.error("No spec matches.");
        return false;
    }
    const final = isWhole ? await runFailedAgain(results, groups, runAgain) : results;
    if (final.length > 1) {
        console.log(`\n${describeSlowest(final, slowestShown)}`);
    }
    if (leftOut.length > 0) {
        const waiting = leftOut.map((file) => describeWaiting(file, lastPassed)).join("\n    ");
        console.log(`\n  Left out, because they would not end within ${minutes} minutes:\n    ${waiting}\n`);
    }
    if (command === "all" && isWhole) {
        console.log(`\n${describeTurns(findSpecs().filter(includes), turn, lastPassed)}\n`);
        recordPassed(lastPassed, final, new Date());
    }
    console.log(summarize(final, (performance.now() - startedAt) / 1000));
    const areSourcesClean = await sources;
    if (!areSourcesClean) {
        // At the end, because that is all that a reader of CI's output may see.
        console.error("The checks of the sources failed: npm run lint repeats them.");
    }
    return areSourcesClean && final.every(({ failures }) => failures.length === 0);
}

function withoutResult(groups: readonly Group[], results: readonly FileResult[]): string[] {
    const ended = new Set(results.map(({ file }) => file));
    return groups.flatMap((group) => group.files).filter((file) => !ended.has(relative(".", file)));
}

function changedSpecs(commit: string | undefined): string[] {
    const { specs, leftOut } = specsOfChanges(
        changedFiles(commit),
        listFiles().filter((file) => existsSync(file)),
        (file) => readFileSync(file, "utf8"),
    );
    if (leftOut.length > 0) {
        console.log(
            `${leftOut.length} spec files do not run, because they import the changed files only through many ` +
                "others. npm test runs them.",
        );
    }
    return specs;
}

async function chosenGroups(turn: Turn): Promise<Group[]> {
    const groupsOf = (specs: readonly string[]) =>
        groupSpecs(specs).map((group) => (command === "all" ? longForm(group) : group));
    if (changed) {
        return groupsThatRunHere(groupsOf(await withMatchingTitles(changedSpecs(changed[1]))));
    }
    if (!isWhole) {
        const files = paths.flatMap((path) => (isFolder(path) ? findSpecs(path) : [path]));
        return groupsOf(await withMatchingTitles(paths.length > 0 ? files : findSpecs()));
    }
    const groups = groupsOf(findSpecs().filter(includes));
    if (command === "check") {
        return groups.filter(({ name }) => name === "unit");
    }
    return groupsThatRunHere(command === "all" ? selectTurn(groups, turn) : groups);
}

async function withMatchingTitles(asked: readonly string[]): Promise<readonly string[]> {
    return mochaArguments.length > 0 ? filesWithSpecs(asked, { mochaArguments }) : asked;
}

function groupsThatRunHere(groups: readonly Group[]): Group[] {
    // If `npm test` cannot run all specs, it ends early; the longer commands run all that they can.
    const runsHere = (group: Group) => hasTools || (command === "test" ? isUnit(group) : !group.needsTools);
    for (const { name, files: skipped } of groups.filter((group) => !runsHere(group))) {
        console.log(
            `Skipped: the ${skipped.length} files of the group "${name}", which run on Linux as root. ` +
                `To run one all the same: npm test -- ${skipped[0]}`,
        );
    }
    return groups.filter(runsHere);
}

try {
    process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
}
