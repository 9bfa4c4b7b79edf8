import { type Group } from "./groups.js";
import { type LastPassed } from "./last-passed.js";

/**
 * The files of `npm run test:all` that take longest, in three groups of about half an hour of CPU time. Each run
 * includes one group, which changes with the date, so that all files run within three days and a run ends within an
 * hour on two cores.
 */
const rotation = {
    cluster: /\.cluster\.spec\.ts$|^tests\/e2e\/(systems|engine|preview)\//,
    registries: /\.packages\.spec\.ts$|^tests\/(e2e\/(quickstart|plugin\/(languages\/|archives))|docs\/programs)/,
    machines: new RegExp(
        "\\.(browser|alone)\\.spec\\.ts$|^tests/(docs/commands|e2e/release/)" +
            "|^tests/(service/database|e2e/agent)/.*\\.long\\.tools\\.spec\\.ts$",
    ),
} as const;

export type Turn = keyof typeof rotation;
const turns = Object.keys(rotation) as Turn[];

const dayMs = 86_400_000;

/** Returns the requested group, or the group of a day in UTC. @throws Error for an unknown group */
export function turnOn(date: Date, asked?: string): Turn {
    const name = asked ?? turns[Math.floor(date.getTime() / dayMs) % turns.length];
    const turn = turns.find((each) => each === name);
    if (turn === undefined) {
        throw new Error(`--turn must be one of ${turns.join(", ")}, not ${name}.`);
    }
    return turn;
}

/** Excludes the files of the other groups. */
export function inTurn(groups: readonly Group[], turn: Turn): Group[] {
    const waits = waitingFor(turn);
    return withFiles(groups, (file) => !waits.some((each) => has(each, file)));
}

/** Excludes every file but those of the group. */
export function onlyTurn(groups: readonly Group[], turn: Turn): Group[] {
    return withFiles(groups, (file) => has(turn, file));
}

function withFiles(groups: readonly Group[], includes: (file: string) => boolean): Group[] {
    return groups
        .map((group) => ({ ...group, files: group.files.filter(includes) }))
        .filter(({ files }) => files.length > 0);
}

/** Describes the other groups: their size, and the oldest of the runs in which their files passed last. */
export function describeTurns(files: readonly string[], turn: Turn, last: LastPassed): string {
    const lines = waitingFor(turn).map((waiting) => {
        const ofTurn = files.filter((file) => has(waiting, file));
        const runs = ofTurn.map((file) => last[file] ?? "").sort();
        const since = runs[0] ? `all passed since ${runs[0].replace(" ", ", commit ")}` : "some have no recorded run";
        return `    ${waiting}: ${ofTurn.length} files, ${since}`;
    });
    const title = `  Ran the group ${turn}. The others run on other days, or with npm run test:all -- --turn=NAME:`;
    return [title, ...lines].join("\n");
}

function waitingFor(turn: Turn): Turn[] {
    return turns.filter((each) => each !== turn);
}

function has(turn: Turn, file: string): boolean {
    return rotation[turn].test(file);
}
