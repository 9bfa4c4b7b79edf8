import { InvalidArgumentError } from "commander";

/** Splits `name=value`. @throws InvalidArgumentError */
export function readPair(text: string, example: string): [string, string] {
    const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
        throw new InvalidArgumentError(`Write it as ${example}.`);
    }
    return [name, value];
}

/** @throws InvalidArgumentError for a repeated name */
export function withEntry<T>(entries: Record<string, T>, name: string, value: T): Record<string, T> {
    if (Object.hasOwn(entries, name)) {
        throw new InvalidArgumentError(`${name} is given twice.`);
    }
    return { ...entries, [name]: value };
}
