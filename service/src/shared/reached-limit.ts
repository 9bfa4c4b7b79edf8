/** The words of errors for the limits that a run may reach. */
const reached = {
    memory: (most: string) => `used more than ${most} of memory`,
    disk: (most: string) => `used more than ${most} of disk`,
    files: (most: string) => `created more than ${most} files`,
    processes: (most: string) => `started more than ${most} processes`,
    time: (most: string) => `did not end within ${most} s`,
};

export type RunLimit = keyof typeof reached;

/** Says that a run reached a limit, such as `used more than 300 MB of disk`. */
export function sayReached(limit: RunLimit, most: string | number): string {
    return reached[limit](String(most));
}

/** The limit that a reason of `sayReached` names: an agent's or a build's process can only report the text. */
export function limitIn(reason: string): RunLimit | undefined {
    return patterns.find(([, pattern]) => pattern.test(reason))?.[0];
}

const patterns = Object.entries(reached).map(
    ([limit, say]) => [limit as RunLimit, new RegExp(`^${say(String.raw`[\w.]+(?: \w+)?`)}(?:$|:)`)] as const,
);
