import { execFile, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { isWithin } from "@pulumi-static-export/exporter";
import { ServiceOptionsError } from "../shared/service-options-error.js";

type Command = readonly [string, ...string[]];

/** The ids of the user and the group `nobody`. */
const nobody = 65_534;

const isRoot = process.platform === "linux" && process.getuid?.() === 0;

/** The ids that sandboxed programs see as their own. */
export const seenIds: readonly [user: number, group: number] = isRoot
    ? [nobody, nobody]
    : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];

/**
 * Where root finds ids for programs: systemd and the tools of containers give out none of the first, and systemd gives
 * the second to services without a user. Containers often have only the second.
 */
const rangesOfRoot = [
    { first: 1_900_000_000, count: 1_000_000 },
    { first: 61_184, count: 4336 },
];

/**
 * Starts a program as user 0 of a namespace with the subordinate ids of this process's user. The kernel counts watches
 * also for the user who made the namespace, so the namespace gets a small part of that user's.
 */
const withSubordinateIds: Command = [
    ...(["unshare", "--user", "--map-root-user", "--map-auto", "--", "/bin/sh", "-c"] as const),
    "for limit in inotify_instances:32 fanotify_groups:32 inotify_watches:4096; do\n" +
        '    echo "${limit#*:}" > "/proc/sys/user/max_${limit%:*}" || exit 1\n' +
        'done && exec "$@"',
    "sh",
];

const probe: Command = ["bwrap", "--unshare-user", "--ro-bind", "/", "/", "/bin/sh", "-c", ":"];

interface Ids {
    readonly first: number;
    readonly count: number;
}

/**
 * Gives each run of programs a separate user, so that no run can use up what the kernel counts for each user, such as
 * watches of files, queues of messages and keys. User 0 may change the kernel's settings below /proc/sys even without a
 * capability and in another user namespace.
 */
export class ProgramUsers {
    private constructor(
        private readonly ids: Ids,
        private readonly prefix: readonly string[],
    ) {}

    /**
     * @returns for an ordinary user, the reason why runs cannot have their own users, if they cannot
     * @throws ServiceOptionsError if root cannot start programs as another user here, as in some containers
     */
    static open(env: NodeJS.ProcessEnv = process.env): ProgramUsers | string {
        return isRoot ? ProgramUsers.#openAsRoot(env) : ProgramUsers.#openSubordinate(env);
    }

    static #openAsRoot(env: NodeJS.ProcessEnv): ProgramUsers {
        const map = readMap(readFileSync("/proc/self/uid_map", "utf8"));
        const ids = rangesOfRoot.find((range) =>
            map.some(({ first, count }) => first <= range.first && first + count >= range.first + range.count),
        );
        const users = new ProgramUsers(ids ?? { first: nobody, count: 1 }, []);
        const { fault } = users.#probe(env);
        if (fault !== undefined) {
            throw new ServiceOptionsError(
                "The service runs as root. Builds and agents must not run as root, and cannot be started as another " +
                    `user (${fault}). Start the service as an ordinary user, for example by \`User=\` in its ` +
                    "systemd unit or by `runAsUser` in its pod.",
            );
        }
        return users;
    }

    static #openSubordinate(env: NodeJS.ProcessEnv): ProgramUsers | string {
        const { output, fault } = run([...withSubordinateIds, "/bin/cat", "/proc/self/uid_map"], env);
        const ids = readMap(output).find(({ first, count }) => first > 0 && count > 1);
        if (fault !== undefined || ids === undefined) {
            return fault ?? "the service's user has no subordinate ids";
        }
        const users = new ProgramUsers(ids, withSubordinateIds);
        return users.#probe(env).fault ?? users;
    }

    #probe(env: NodeJS.ProcessEnv): { fault: string | undefined } {
        return run(this.forRun().wrap(probe, "/", []), env);
    }

    /** Whether the users are subordinate to this process's user. */
    get areSubordinate(): boolean {
        return this.prefix.length > 0;
    }

    /** Chooses a user by chance: processes of several services need not know each other. */
    forRun(): ProgramUser {
        return new ProgramUser(this.ids.first + randomInt(this.ids.count), this.prefix);
    }
}

/** The user of one run. */
export class ProgramUser {
    /** @param prefix starts commands where the id exists */
    constructor(
        private readonly id: number,
        private readonly prefix: readonly string[],
    ) {}

    /** Whether this process needs {@link asOwner} for the user's files. */
    get isSubordinate(): boolean {
        return this.prefix.length > 0;
    }

    /**
     * Returns the command that runs the given one as the user, who reaches a folder even if only this process's user
     * may enter the folders around it. The command ends with this process: the kernel sends the signal for the end of a
     * parent in the parent's name. The parent of the user's first process therefore keeps the right to end it, which
     * bubblewrap itself gives up.
     * @param readable further files and folders that the command reads
     */
    wrap(command: Command, folder: string, readable: readonly string[]): Command {
        const closed = closedFolderOf(folder);
        const shown = closed === undefined ? [] : [folder, ...readable].filter((path) => isWithin(closed, path));
        const around = new Set(
            shown.flatMap((path) => foldersAround(path)).filter((path) => isWithin(closed ?? "", path)),
        );
        const [program, ...args] = [
            ...this.prefix,
            "bwrap",
            ...["--die-with-parent", "--cap-drop", "ALL"],
            ...["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_KILL"].flatMap((capability) => [
                "--cap-add",
                capability,
            ]),
            ...["--dev-bind", "/", "/"],
            ...(closed === undefined ? [] : ["--tmpfs", closed]),
            ...[...around].flatMap((path) => ["--perms", "0755", "--dir", path]),
            ...shown.flatMap((path) => [path === folder ? "--bind" : "--ro-bind-try", path, path]),
            ...["unshare", "--fork", "setpriv", `--reuid=${this.id}`, `--regid=${this.id}`, "--clear-groups"],
            // The kernel forgets the signal of bubblewrap's --die-with-parent when the user changes.
            ...["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--pdeathsig", "KILL", "--", ...command],
        ];
        return [program ?? "", ...args];
    }

    /** Gives a folder, with all that it contains, to the user. */
    give(folder: string): Promise<void> {
        return this.#own(this.id, folder);
    }

    /** Takes a folder back, unless this process has access to it anyway. */
    async takeBack(folder: string): Promise<void> {
        if (this.isSubordinate) {
            await this.#own(0, folder);
        }
    }

    async #own(id: number, folder: string): Promise<void> {
        const [program = "", ...args] = [...this.prefix, "chown", "-Rh", `${id}:${id}`, "--", folder];
        await promisify(execFile)(program, args);
    }
}

/** Returns the command that runs the given one with access to the files of all runs' users. */
export function asOwner(command: Command): Command {
    return isRoot ? command : [...withSubordinateIds, ...command];
}

/** @returns why the command failed, if it did */
function run([program, ...args]: Command, env: NodeJS.ProcessEnv): { output: string; fault: string | undefined } {
    const options = { env: { PATH: env["PATH"] }, encoding: "utf8" } as const;
    const { error, status, stdout, stderr } = spawnSync(program, args, options);
    const isFine = error === undefined && status === 0;
    return { output: stdout ?? "", fault: isFine ? undefined : (error?.message ?? stderr.trim().split("\n").at(-1)) };
}

/** https://man7.org/linux/man-pages/man7/user_namespaces.7.html */
function readMap(text: string): Ids[] {
    const lines = text.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
    return lines.map(([first = 0, , count = 0]) => ({ first, count }));
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

/** Gives a run a user's name, because the system often has none for the id of its user. */
export function userVariables(name: string): Record<string, string> {
    return { USER: name, LOGNAME: name };
}
