import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { toOneLine } from "@pulumi-static-export/exporter";
import { optionTable } from "../options/option-table.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** Settings of agents' commits, for repositories that accept only some commits. */
export interface CommitOptions {
    /** The name of author and committer. @default that of the flag */
    name?: string | undefined;
    /** Their email address, which a forge may require to be that of an account. @default that of the flag */
    email?: string | undefined;
    /**
     * The message. `{job}` and `{project}` are replaced by the ids.
     * @default that of the flag
     */
    message?: string | undefined;
    /** A file with a private SSH key without a passphrase, with which git signs the commits. @default none */
    signingKeyFile?: string | undefined;
}

export interface CommitSettings {
    author: { name: string; email: string };
    messageFor: (ids: { job: string; project: string }) => string;
    signingKeyFile: string | undefined;
}

export const defaultAuthor = {
    name: optionTable.agentCommitName.default,
    email: optionTable.agentCommitEmail.default,
};

/** @throws ServiceOptionsError, which never contains the key */
export function resolveCommits(options: CommitOptions, env: NodeJS.ProcessEnv): CommitSettings {
    const { name = defaultAuthor.name, email = defaultAuthor.email } = options;
    const { message = optionTable.agentCommitMessage.default, signingKeyFile } = options;
    // Git removes such characters, and refuses a name without others.
    if (!/[\p{L}\p{N}]/u.test(name) || /[<>\p{Cc}]/u.test(name)) {
        throw new ServiceOptionsError(
            `--agent-commit-name must be a name without <, > and line breaks, got ${JSON.stringify(name)}.`,
        );
    }
    if (!/^[^\s<>\p{Cc}@]+@[^\s<>\p{Cc}@]+$/u.test(email)) {
        throw new ServiceOptionsError(`--agent-commit-email must be an address, got ${JSON.stringify(email)}.`);
    }
    if (message.trim() === "" || message.includes("\0")) {
        throw new ServiceOptionsError("--agent-commit-message must not be empty.");
    }
    return {
        author: { name, email },
        messageFor: ({ job, project }) =>
            `${message
                .replaceAll("{job}", () => job)
                .replaceAll("{project}", () => project)
                .trimEnd()}\n`,
        signingKeyFile: signingKeyFile === undefined ? undefined : openSigningKey(resolve(signingKeyFile), env),
    };
}

/** @returns the file @throws ServiceOptionsError if git cannot sign with it */
function openSigningKey(file: string, { PATH }: NodeJS.ProcessEnv): string {
    const run = (program: string, args: readonly string[]) =>
        spawnSync(program, args, { env: { PATH, LC_ALL: "C" }, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    const [, major = 0, minor = 0] = (/^git version (\d+)\.(\d+)/.exec(run("git", ["--version"]).stdout) ?? []).map(
        Number,
    );
    if (major < 2 || (major === 2 && minor < 34)) {
        throw new ServiceOptionsError(`--agent-signing-key needs git 2.34 or later, found ${major}.${minor}.`);
    }
    const { error, status, stderr } = run("ssh-keygen", ["-y", "-P", "", "-f", file]);
    if (error !== undefined) {
        throw new ServiceOptionsError(
            `--agent-signing-key needs ssh-keygen, with which git signs (${error.message}): install openssh-client.`,
        );
    }
    if (status !== 0) {
        throw new ServiceOptionsError(
            `--agent-signing-key ${file} cannot be used: ${toOneLine(stderr)}. Create a key without a passphrase: ` +
                'ssh-keygen -t ed25519 -N "" -f signing-key.',
        );
    }
    return file;
}
