/** A difference between a commit and git's index. */
export interface IndexChange {
    oldMode: string;
    newMode: string;
    oldId: string;
    newId: string;
    /** Quoted as git quotes paths. */
    path: string;
}

/** @param output - of `git diff-index` */
export function parseChanges(output: string): IndexChange[] {
    return [...output.matchAll(/^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\t(.+)$/gm)].map(
        ([, oldMode = "", newMode = "", oldId = "", newId = "", path = ""]) => ({
            ...{ oldMode, newMode, oldId, newId, path },
        }),
    );
}
