import { execFile, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { isWithin } from "@pulumi-static-export/exporter";
import { ServiceOptionsError } from "../shared/service-options-error.js";

type Command = readonly [string, ...string[]];

/** The ids of the user and the group `nobody`. */
const nobody = 65_534;

const isRoot = process.platform === "linux" && process.getuid?.() === 0;

/** The ids with which sandboxed programs run. */
export const programIds: readonly [user: number, group: number] = isRoot
    ? [nobody, nobody]
    : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];

/**
 * Runs the programs of a service that runs as root as the user `nobody`. The kernel lets user 0 change its settings
 * below /proc/sys even without a capability and in another user namespace.
 */
export class UnprivilegedUser {
    private constructor() {}

    /**
     * @returns undefined if this process does not run as root
     * @throws ServiceOptionsError if root cannot start programs as another user here, as in some containers
     */
    static open(env: NodeJS.ProcessEnv = process.env): UnprivilegedUser | undefined {
        if (!isRoot) {
            return undefined;
        }
        const user = new UnprivilegedUser();
        const [program, ...args] = user.wrap(
            ["bwrap", "--unshare-user", "--ro-bind", "/", "/", "/bin/sh", "-c", ":"],
            "/",
            [],
        );
        const { error, status, stderr } = spawnSync(program, args, { env: { PATH: env["PATH"] }, encoding: "utf8" });
        if (error !== undefined || status !== 0) {
            const reason = error?.message ?? stderr.trim().split("\n").at(-1);
            throw new ServiceOptionsError(
                "The service runs as root. Builds and agents must not run as root, and cannot be started as the user " +
                    `nobody (${reason}). Start the service as an ordinary user, for example by \`User=\` in its ` +
                    "systemd unit or by `runAsUser` in its pod.",
            );
        }
        return user;
    }

    /**
     * Returns the command that runs the given one as `nobody`, who reaches a folder even if only root may enter the
     * folders around it.
     * @param readable further files and folders that the command reads
     */
    wrap(command: Command, folder: string, readable: readonly string[]): Command {
        const closed = closedFolderOf(folder);
        const shown = closed === undefined ? [] : [folder, ...readable].filter((path) => isWithin(closed, path));
        const around = new Set(
            shown.flatMap((path) => foldersAround(path)).filter((path) => isWithin(closed ?? "", path)),
        );
        return [
            "bwrap",
            ...["--die-with-parent", "--cap-drop", "ALL"],
            ...["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"].flatMap((capability) => ["--cap-add", capability]),
            ...["--dev-bind", "/", "/"],
            ...(closed === undefined ? [] : ["--tmpfs", closed]),
            ...[...around].flatMap((path) => ["--perms", "0755", "--dir", path]),
            ...shown.flatMap((path) => [path === folder ? "--bind" : "--ro-bind-try", path, path]),
            ...["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--no-new-privs"],
            ...["--inh-caps=-all", "--bounding-set=-all", "--", ...command],
        ];
    }

    /** Gives folders, with all that they contain, to `nobody`. */
    async give(folders: readonly string[]): Promise<void> {
        if (folders.length === 0) {
            return;
        }
        await promisify(execFile)("chown", ["-Rh", `${nobody}:${nobody}`, "--", ...folders]);
    }
}

/** Settings of git, after those in the variables: git otherwise refuses a repository of another user. */
export function trustRepositories(variables: Readonly<Record<string, string>>): Record<string, string> {
    const count = Number.parseInt(variables["GIT_CONFIG_COUNT"] ?? "0", 10);
    return {
        GIT_CONFIG_COUNT: String(count + 1),
        [`GIT_CONFIG_KEY_${count}`]: "safe.directory",
        [`GIT_CONFIG_VALUE_${count}`]: "*",
    };
}

/** The outermost folder around a path that not everybody may enter. */
function closedFolderOf(path: string): string | undefined {
    return foldersAround(path).find((folder) => (statSync(folder).mode & 0o001) === 0);
}

/** The folders around a path, the outermost first. */
function foldersAround(path: string): string[] {
    const parent = dirname(path);
    return parent === path ? [] : [...foldersAround(parent), parent];
}
