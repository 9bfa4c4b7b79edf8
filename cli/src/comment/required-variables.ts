import { UsageError } from "../command-line/usage-error.js";

/** The value of an environment variable. @throws UsageError when it is missing, empty or has white space */
export function requireVariable(env: NodeJS.ProcessEnv, name: string, what: string): string {
    const value = env[name];
    if (!value) {
        throw new UsageError(`The environment variable ${name} is missing: set it to ${what}.`);
    }
    if (/[\s\p{C}]/u.test(value)) {
        throw new UsageError(`The environment variable ${name} contains white space or a line break: remove it.`);
    }
    return value;
}

/** Returns the address of an API if a token may be sent to it. @throws UsageError for other values */
export function assertApiUrl(name: string, value: string): string {
    const { protocol, hostname } = URL.canParse(value) ? new URL(value) : { protocol: "", hostname: "" };
    const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
    if (protocol !== "https:" && !(protocol === "http:" && isLocal)) {
        throw new UsageError(`${name} must be an https:// address, because a token is sent there.`);
    }
    return value;
}
