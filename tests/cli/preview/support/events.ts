import { readFixture } from "./golden.js";

/** Returns a recorded log in which `change` has replaced every string. */
export async function logWith(name: string, change: (text: string) => string): Promise<string> {
    const events = await eventsOf(name);
    const changed = (_key: string, value: unknown): unknown => (typeof value === "string" ? change(value) : value);
    return linesOf(events.map((event) => JSON.parse(JSON.stringify(event), changed) as object));
}

/** Returns a recorded log with additional events before its summary. */
export async function logAnd(name: string, ...further: object[]): Promise<string> {
    const events = await eventsOf(name);
    return linesOf(events.flatMap((event) => ("summaryEvent" in event ? [...further, event] : [event])));
}

export async function eventsOf(name: string): Promise<object[]> {
    const lines = (await readFixture(name)).split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line) as object);
}

export function linesOf(events: readonly unknown[]): string {
    return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}
