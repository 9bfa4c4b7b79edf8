import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Returns the journal's folder: `STATIC_EXPORT_JOURNAL_DIR`, otherwise a folder in the user's XDG state folder;
 * undefined for a user without a home folder, as in some containers.
 */
export function journalFolder(env: NodeJS.ProcessEnv): string | undefined {
    if (env.STATIC_EXPORT_JOURNAL_DIR) {
        return env.STATIC_EXPORT_JOURNAL_DIR;
    }
    // A relative path counts as not set: https://specifications.freedesktop.org/basedir-spec
    const stateFolder = [env.XDG_STATE_HOME, homeStateFolder()].find((path) => path !== undefined && isAbsolute(path));
    return stateFolder && join(stateFolder, "pulumi-static-export", "jobs");
}

function homeStateFolder(): string | undefined {
    try {
        return join(homedir(), ".local", "state");
    } catch {
        return undefined;
    }
}
