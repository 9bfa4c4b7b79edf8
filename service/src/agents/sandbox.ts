import { spawnSync } from "node:child_process";
import { ServiceOptionsError } from "../shared/service-options-error.js";

type Command = readonly [string, ...string[]];

/**
 * The system's programs and their settings, mounted at their own paths. On many systems, `/etc/resolv.conf` is a link
 * into the last folder.
 */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/etc", "/run/systemd/resolve"];

/**
 * The sandbox gets its own /proc. The kernel forbids a new /proc in a container whose /proc has hidden parts; the
 * sandbox then gets the container's /proc. The container's /proc shows which processes run, but the sandbox can neither
 * signal them nor read their memory, files and environments, because they belong to another user namespace.
 */
const processViews = [
    ["--proc", "/proc"],
    ["--ro-bind", "/proc", "/proc"],
] as const;

/** This exit code differs from 1 (bubblewrap itself failed) and 127 (the shell is missing). */
const missingExitCode = 3;

/** The folders that a sandboxed agent sees in addition to the system's programs. */
export interface SandboxFolders {
    checkout: string;
    home: string;
    temporary: string;
    /** The repository's objects, to which the checkout refers. */
    objects: string;
}

/** Uses bubblewrap to keep agents from the files, memory and processes of the service. */
export class Sandbox {
    readonly #processView: readonly string[];

    private constructor(processView: readonly string[]) {
        this.#processView = processView;
    }

    /**
     * @param program - the agent's program, which must also exist in the sandbox
     * @throws ServiceOptionsError that says what to do if agents cannot be sandboxed here
     */
    static open(program: string, env: NodeJS.ProcessEnv = process.env): Sandbox {
        let reason = "";
        for (const view of processViews) {
            const sandbox = new Sandbox(view);
            const [bubblewrap, ...args] = sandbox.#system;
            const probe = ["/bin/sh", "-c", `test -x "$1" || exit ${missingExitCode}`, "sh", program];
            const { error, status, stderr } = spawnSync(bubblewrap, [...args, ...probe], { env, encoding: "utf8" });
            if (error !== undefined) {
                throw new ServiceOptionsError(
                    `The agents' sandbox needs bubblewrap, which cannot be started (${error.message}): install it, for ` +
                        "example by `apt install bubblewrap`, or run agents that you trust without a sandbox.",
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
            `The agents' sandbox cannot be used here: ${reason} Allow user namespaces, in a pod by the security context ` +
                "that the chart static-export-service has in agents.sandbox, or run agents that you trust without a sandbox. " +
                'What to allow is in the guide "Agent jobs", under "In a sandbox".',
        );
    }

    /**
     * Returns the command that runs the given one in the sandbox. All processes of the sandbox end with this command.
     */
    wrap(command: Command, { checkout, home, temporary, objects }: SandboxFolders): Command {
        const own = [home, temporary, checkout].flatMap((folder) => ["--bind", folder, folder]);
        const shared = ["--bind", temporary, "/tmp", "--ro-bind", objects, objects];
        return [...this.#system, ...shared, ...own, "--chdir", checkout, ...command];
    }

    get #system(): Command {
        return [
            "bwrap",
            ...["--unshare-all", "--share-net", "--die-with-parent", "--new-session"],
            ...systemFolders.flatMap((folder) => ["--ro-bind-try", folder, folder]),
            ...this.#processView,
            ...["--dev", "/dev"],
        ];
    }
}
