import { spawnSync } from "node:child_process";
import { isWithin } from "@pulumi-static-export/exporter";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { seenIds } from "./program-user.js";

type Command = readonly [string, ...string[]];

/** The system's programs and their settings, mounted at their own paths. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt"];

/**
 * The files to which `/etc/resolv.conf` is a link on many systems. The folder around them also has the socket of the
 * system's resolver, which would resolve names for programs without a network.
 */
const resolverFiles = ["resolv.conf", "stub-resolv.conf"].map((name) => `/run/systemd/resolve/${name}`);

/** The system's settings that builds need; others may contain the operator's secrets. */
const settingsForBuilds = [
    ...["alternatives", "ca-certificates", "fonts", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime"],
    ...["magic", "mime.types", "nsswitch.conf", "passwd", "group", "pki/tls", "resolv.conf", "ssl/certs"],
    ...["ssl/openssl.cnf", "timezone"],
].map((name) => `/etc/${name}`);

/**
 * The sandbox gets its own /proc. The kernel forbids a new /proc in a container whose /proc has hidden parts; the
 * sandbox then gets the container's /proc. The container's /proc shows which processes run, but the sandbox can neither
 * signal them nor read their memory, files and environments, because they belong to another user namespace.
 */
const processViews = [
    ["--proc", "/proc"],
    ["--ro-bind", "/proc", "/proc"],
] as const;

/**
 * Programs could otherwise mount file systems in memory in user namespaces that they make. bubblewrap before 0.8 has no
 * such option.
 */
const ownNamespaces = [["--unshare-user", "--disable-userns"], []];

/** This exit code differs from 1 (bubblewrap itself failed) and 127 (the shell is missing). */
const missingExitCode = 3;

/** Whether programs in every sandbox see a path, unless it is hidden. */
export function isAmongPrograms(path: string): boolean {
    return systemFolders.some((folder) => isWithin(folder, path));
}

/** Whether agents in a sandbox see a path, unless it is hidden. */
export function isSeenByAgents(path: string): boolean {
    return isAmongPrograms(path) || forAgents.settings.some((place) => isWithin(place, path));
}

const ownIds = ["--uid", String(seenIds[0]), "--gid", String(seenIds[1])];

/** What programs in a sandbox see in addition to the system's programs. */
export interface SandboxFolders {
    checkout: string;
    home: string;
    /** Where programs see the checkout and the home folder. @default at their own paths */
    seen?: { readonly checkout: string; readonly home: string };
    temporary: string;
    /** Read-only: the repository's objects, to which the checkout refers, and other files. */
    readOnly: readonly string[];
    /** A file that replaces the system's list of name servers. */
    resolvConf?: string | undefined;
    /** Folders among the system's programs whose content is not shown, and files there that are empty. */
    hidden?: { readonly folders: readonly string[]; readonly files: readonly string[] };
}

/** The programs for which a sandbox is. */
interface SandboxUse {
    /** In messages: "agents". */
    readonly name: string;
    /** What else the operator can do, in messages. */
    readonly otherwise: string;
    readonly hasNetwork: boolean;
    /** The system's settings that the programs see. */
    readonly settings: readonly string[];
}

export const forAgents: SandboxUse = {
    name: "agents",
    otherwise: ", or run agents that you trust without a sandbox",
    hasNetwork: true,
    settings: ["/etc"],
};

export const forBuilds: Omit<SandboxUse, "hasNetwork"> = {
    name: "builds",
    otherwise: ", or allow no builds",
    settings: settingsForBuilds,
};

/** Uses bubblewrap to keep programs from the files, memory and processes of the service. */
export class Sandbox {
    private constructor(
        private readonly use: SandboxUse,
        private readonly processView: readonly string[],
        private readonly namespaces: readonly string[],
    ) {}

    /**
     * @param program - a program that must also exist in the sandbox
     * @throws ServiceOptionsError that says what to do if programs cannot be sandboxed here
     */
    static open(program: string, env: NodeJS.ProcessEnv = process.env, use: SandboxUse = forAgents): Sandbox {
        const { name, otherwise } = use;
        let reason = "";
        const variants = processViews.flatMap((view) => ownNamespaces.map((namespaces) => ({ view, namespaces })));
        for (const { view, namespaces } of variants) {
            const sandbox = new Sandbox(use, view, namespaces);
            const [bubblewrap, ...args] = sandbox.#system;
            const probe = ["/bin/sh", "-c", `test -x "$1" || exit ${missingExitCode}`, "sh", program];
            const { error, status, stderr } = spawnSync(bubblewrap, [...args, ...probe], { env, encoding: "utf8" });
            if (error !== undefined) {
                throw new ServiceOptionsError(
                    `The ${name}' sandbox needs bubblewrap, which cannot be started (${error.message}): install it, for ` +
                        `example by \`apt install bubblewrap\`${otherwise}.`,
                );
            }
            if (status === missingExitCode) {
                throw new ServiceOptionsError(
                    `The agent's command ${program} does not exist in the sandbox: install it, and all that it reads, below ` +
                        "/usr or /opt.",
                );
            }
            if (status === 0) {
                return sandbox;
            }
            reason = stderr.trim();
        }
        throw new ServiceOptionsError(
            `The ${name}' sandbox cannot be used here: ${reason} Allow user namespaces${otherwise}. On Kubernetes, ` +
                "the chart static-export-service needs no sandbox. " +
                'The guide "Agent jobs" says what to allow, under "In a sandbox".',
        );
    }

    /**
     * Returns the command that runs the given one in the sandbox. All processes of the sandbox end with this command.
     */
    wrap(command: Command, folders: SandboxFolders): Command {
        const { checkout, home, temporary, readOnly, resolvConf, hidden = { folders: [], files: [] } } = folders;
        const seen = folders.seen ?? { checkout, home };
        return [
            ...this.#system,
            ...hidden.folders.flatMap((folder) => ["--tmpfs", folder]),
            ...hidden.files.flatMap((file) => ["--ro-bind", "/dev/null", file]),
            ...(resolvConf === undefined ? [] : ["--ro-bind", resolvConf, "/etc/resolv.conf"]),
            ...["--bind", temporary, "/tmp", "--bind", temporary, "/dev/shm"],
            ...readOnly.flatMap((path) => ["--ro-bind-try", path, path]),
            ...["--bind", temporary, temporary, "--bind", home, seen.home, "--bind", checkout, seen.checkout],
            // Otherwise, programs could fill the machine's memory with files.
            ...[...hidden.folders, "/dev", "/"].flatMap((folder) => ["--remount-ro", folder]),
            ...["--chdir", seen.checkout, ...command],
        ];
    }

    get #system(): Command {
        return [
            "bwrap",
            ...this.namespaces,
            // Programs otherwise see the user of their run, who has no name, or root in the network of a user.
            ...ownIds,
            ...["--unshare-all", ...(this.use.hasNetwork ? ["--share-net"] : []), "--cap-drop", "ALL"],
            ...["--die-with-parent", "--new-session"],
            ...[...systemFolders, ...resolverFiles, ...this.use.settings].flatMap((path) => [
                "--ro-bind-try",
                path,
                path,
            ]),
            ...this.processView,
            ...["--dev", "/dev"],
        ];
    }
}
