import { type Group } from "./groups.js";
import { type LastPassed } from "./last-passed.js";

/**
 * What takes longest in `npm run test:all`: each run has the files of one of these groups, which changes with the date,
 * so that all of them run within three days and a run ends within an hour on two cores.
 */
const rotation = {
    cluster: /\.cluster\.spec\.ts$/,
    registries: /\.packages\.spec\.ts$|^tests\/(e2e\/(quickstart|release\/|plugin\/languages\/)|docs\/programs)/,
    machines:
        /\.(browser|alone)\.spec\.ts$|^tests\/(service\/database|e2e\/(agent|systems))\/.*\.long\.tools\.spec\.ts$/,
} as const;

export type Turn = keyof typeof rotation;
const turns = Object.keys(rotation) as Turn[];

const dayMs = 86_400_000;

/** The group that was asked for, or the one whose turn it is on a day in UTC. @throws Error for an unknown group */
export function turnOn(date: Date, asked?: string): Turn {
    const name = asked ?? turns[Math.floor(date.getTime() / dayMs) % turns.length];
    const turn = turns.find((each) => each === name);
    if (turn === undefined) {
        throw new Error(`There is no --turn=${name}: use ${turns.join(", ")}.`);
    }
    return turn;
}

/** Leaves out the files whose turn it is not. */
export function inTurn(groups: readonly Group[], turn: Turn): Group[] {
    const waits = waitingFor(turn);
    return groups
        .map((group) => ({ ...group, files: group.files.filter((file) => !waits.some((each) => has(each, file))) }))
        .filter(({ files }) => files.length > 0);
}

/** Lines about the groups whose turn it is not: their size, and the oldest run in which each of their files passed. */
export function describeTurns(files: readonly string[], turn: Turn, last: LastPassed): string {
    const lines = waitingFor(turn).map((waiting) => {
        const ofTurn = files.filter((file) => has(waiting, file));
        const runs = ofTurn.map((file) => last[file] ?? "").sort();
        const since = runs[0] ? `all passed since ${runs[0].replace(" ", ", commit ")}` : "some have no recorded run";
        return `    ${waiting}: ${ofTurn.length} files, ${since}`;
    });
    return [`  The turn of ${turn}. These wait for theirs (or for npm run test:all -- --turn=NAME):`, ...lines].join(
        "\n",
    );
}

function waitingFor(turn: Turn): Turn[] {
    return turns.filter((each) => each !== turn);
}

function has(turn: Turn, file: string): boolean {
    return rotation[turn].test(file);
}
