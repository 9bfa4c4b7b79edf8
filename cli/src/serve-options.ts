import { type AgentProject } from "@pulumi-static-export/service";
import { InvalidArgumentError } from "commander";

/** The options of `static-export serve`, parsed. */
export interface ServeOptions {
    port: number;
    host: string;
    dataDir: string;
    site: Record<string, string>;
    adminKeyFile?: string;
    linkTtlSeconds: number;
    publicUrl?: string;
    project?: Record<string, AgentProject>;
    fault?: string[];
}

export function readPort(text: string): number {
    return readWholeNumber(text, 0, 65_535);
}

export function readSeconds(text: string): number {
    return readWholeNumber(text, 1, 10 ** 9);
}

export function addSite(text: string, sites: Record<string, string> = {}): Record<string, string> {
    const [domain, folder] = readPair(text, "docs.example.com=./docs");
    return withEntry(sites, domain, folder);
}

export function addProject(text: string, projects: Record<string, AgentProject> = {}): Record<string, AgentProject> {
    const [id, address] = readPair(text, "docs=https://github.com/acme/docs#main");
    const [repository = "", ref] = address.split("#", 2);
    return withEntry(projects, id, ref ? { repository, ref } : { repository });
}

export function addFault(spec: string, faults: string[] = []): string[] {
    return [...faults, spec];
}

function withEntry<T>(entries: Record<string, T>, name: string, value: T): Record<string, T> {
    if (Object.hasOwn(entries, name)) throw new InvalidArgumentError(`${name} is given twice.`);
    return { ...entries, [name]: value };
}

function readWholeNumber(text: string, minimum: number, maximum: number): number {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (!(value >= minimum && value <= maximum)) {
        throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
    }
    return value;
}

function readPair(text: string, example: string): [string, string] {
    const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
        throw new InvalidArgumentError(`Write it as ${example}.`);
    }
    return [name, value];
}
