import { isIP, isIPv4 } from "node:net";
import { resolve } from "node:path";
import { maxTimerSeconds, trimTrailing } from "@pulumi-static-export/contract";
import { type ForgeKind, forgeKinds } from "../forge/forge-kinds.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** The commands that take options of the service. */
export type ServiceCommand = "serve" | "work" | "migrate";

export interface OptionSpec {
    /** As the help shows it. Undefined for an option that only programs set. */
    readonly flag?: string;
    /** A text for `serve` and `work`, or a text for each command that has the flag. */
    readonly help?: string | Partial<Record<ServiceCommand, string>>;
    readonly default?: unknown;
    /** The default as somebody writes it, if its value is something else. */
    readonly defaultText?: string;
    /** The environment variable that replaces the flag. */
    readonly env?: string;
    /**
     * Converts the flag's value; a repeatable flag also gets what the earlier ones gave.
     * @throws ServiceOptionsError
     */
    readonly read?: (text: string, earlier?: never) => unknown;
}

/** Describes an option that has a flag. */
export function flag<const Flag extends string, const More extends Omit<OptionSpec, "flag" | "help"> = object>(
    text: Flag,
    help: NonNullable<OptionSpec["help"]>,
    more?: More,
): { readonly flag: Flag; readonly help: typeof help } & More {
    return { flag: text, help, ...(more as More) };
}

type ValueOf<Spec> = Spec extends { read: (text: string, earlier?: never) => infer Value }
    ? Value
    : Spec extends { flag: `${string}<${string}` }
      ? string
      : boolean;

/** The values of options. */
export type OptionsOf<Table> = { readonly [Name in keyof Table]?: ValueOf<Table[Name]> | undefined };

/** The values of flags, of which those with a default are never undefined. */
export type FlagsOf<Table> = OptionsOf<Table> & {
    readonly [Name in keyof Table as Table[Name] extends { default: unknown } ? Name : never]: ValueOf<Table[Name]>;
};

export function wholeNumber(min: number, max: number): (text: string) => number {
    return (text) => {
        const value = /^\d+$/.test(text) ? Number(text) : NaN;
        if (!(value >= min && value <= max)) {
            throw new ServiceOptionsError(`Use a whole number from ${min} to ${max}.`);
        }
        return value;
    };
}

export const count = wholeNumber(1, 10 ** 6);
export const seconds = wholeNumber(1, 10 ** 9);
export const timerSeconds = wholeNumber(1, maxTimerSeconds);

/** At most an hour, in seconds. @returns milliseconds */
export function graceSeconds(text: string): number {
    return wholeNumber(0, 3600)(text) * 1000;
}

/** A repeatable `name=value`, in which each name may appear once. */
export function pairs(example: string): (text: string, earlier?: Record<string, string>) => Record<string, string> {
    return (text, earlier = {}) => {
        const [name, value] = pair(text, example);
        return withEntry(earlier, name, value);
    };
}

export function file(path: string): string {
    return resolve(path);
}

export function variableNames(name: string, earlier: readonly string[] = []): readonly string[] {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
        throw new ServiceOptionsError("Pass the name of an environment variable, not its value.");
    }
    return [...earlier, name];
}

export function networks(text: string, earlier: readonly string[] = []): readonly string[] {
    const [address = "", length = "32", ...rest] = text.split("/");
    if (!isIPv4(address) || rest.length > 0 || !/^(?:[1-9]|[12]\d|3[0-2])$/.test(length)) {
        throw new ServiceOptionsError("Write it as 10.1.2.3, or as 10.1.2.0/24.");
    }
    return [...earlier, `${address}/${length}`];
}

/** A repeatable address or range of IPv4 or IPv6. */
export function proxyAddress(text: string, earlier: readonly string[] = []): readonly string[] {
    const [address = "", length, ...rest] = text.split("/");
    const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
    const isRange = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
    if (bits === 0 || !isRange || rest.length > 0) {
        throw new ServiceOptionsError("Write it as 10.1.2.3, or as 10.1.2.0/24.");
    }
    return [...earlier, text];
}

export function hostAndPort(text: string): { host: string; port: number } {
    const [, host, port] =
        /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text)?.filter((part) => part !== undefined) ?? [];
    if (host === undefined || Number(port) > 65_535) {
        throw new ServiceOptionsError("Write it as 127.0.0.1:9090, or as [::]:9090 for every address.");
    }
    return { host, port: Number(port) };
}

/** A repeatable `id=repository#branch`. */
export function projects(
    text: string,
    earlier: Record<string, { repository: string; ref?: string }> = {},
): Record<string, { repository: string; ref?: string }> {
    const [id, address] = pair(text, "docs=https://github.com/acme/docs#main");
    const [repository = "", ref] = address.split("#", 2);
    return withEntry(earlier, id, ref ? { repository, ref } : { repository });
}

export function podStep(text: string): "receive" | "send" {
    if (text !== "receive" && text !== "send") {
        throw new Error("The step must be receive or send.");
    }
    return text;
}

/** A JSON array, or words without characters that are special to a shell. */
export function words(text: string): string[] {
    if (text.trimStart().startsWith("[")) {
        const command = parseJson(text);
        if (Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === "string")) {
            return command;
        }
    } else if (!/["'`\\$|&;<>(){}*?~]/.test(text)) {
        return text.trim().split(/\s+/);
    }
    throw new ServiceOptionsError(
        `No shell runs the command: write the command as a JSON array, such as '["/usr/bin/env", "my-agent", ` +
            `"--print"]'.`,
    );
}

export function forge(text: string): { kind: ForgeKind; apiUrl: string } {
    const [kind, apiUrl] = pair(text, "github=https://api.github.com");
    const known = forgeKinds.find((each) => each === kind);
    if (known === undefined) {
        throw new ServiceOptionsError(`The forge must be one of ${forgeKinds.join(", ")}.`);
    }
    return { kind: known, apiUrl: trimTrailing(apiUrl, "/") };
}

function pair(text: string, example: string): [string, string] {
    const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
        throw new ServiceOptionsError(`Write it as ${example}.`);
    }
    return [name, value];
}

function withEntry<T>(entries: Record<string, T>, name: string, value: T): Record<string, T> {
    if (Object.hasOwn(entries, name)) {
        throw new ServiceOptionsError(`${name} is given twice.`);
    }
    return { ...entries, [name]: value };
}

function parseJson(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
