import type { dynamic, Input } from "@pulumi/pulumi";
import { checkInputs, type Rule } from "./check-inputs.js";
import { definedOnly } from "./defined-only.js";
import { isSameValue } from "@pulumi-static-export/contract";

/** The effect of a changed input. */
type Effect = "replacement" | "update" | "nothing";

/** An input of a resource. */
export interface ResourceInput<T = unknown> {
    readonly rule: Rule<T>;
    readonly effect: Effect;
    /** Describes a required input, for the message if it is missing. */
    readonly required?: string;
}

export interface RequiredInput<T = unknown> extends ResourceInput<T> {
    readonly required: string;
}

/**
 * The declaration of a resource's inputs, in the order of messages. Each entry has a doc comment, the type of its
 * values and its rule, and the function that creates the entry says what a change does. The types of arguments and
 * inputs, check, diff, the plugin's schema and the guide's lists follow from the declaration.
 */
export type InputTable = Readonly<Record<string, ResourceInput>>;

type ValueOf<Input> = Input extends ResourceInput<infer T> ? T : never;

type RequiredNames<Table extends InputTable> = {
    [Name in keyof Table]: Table[Name] extends RequiredInput ? Name : never;
}[keyof Table];

/*
 * Programs without a TypeScript of their own are compiled by Pulumi's, 3.8, which knows no `as` in mapped types. A
 * property that is optional in only one part of an intersection is required; the first part keeps the declaration's
 * order and its doc comments.
 */

/** The resolved inputs of a program. During a preview, values may be unknown: see unknown-value.ts. */
export type InputsOf<Table extends InputTable> = {
    [Name in keyof Table]?: ValueOf<Table[Name]>;
} & {
    [Name in RequiredNames<Table>]: ValueOf<Table[Name]>;
} & {
    /** The serialised provider. Pulumi adds the provider only on success, so a saved failure has to include it. */
    __provider?: string;
};

type InputOf<T> = Input<
    T extends readonly (infer Item)[] ? InputOf<Item>[] : T extends object ? { [Name in keyof T]: InputOf<T[Name]> } : T
>;

/** The arguments of a resource's class: each value may be an output of another resource. */
export type ArgsOf<Table extends InputTable> = {
    [Name in keyof Table]?: InputOf<ValueOf<Table[Name]>>;
} & {
    [Name in RequiredNames<Table>]: InputOf<ValueOf<Table[Name]>>;
};

function withEffect(effect: Effect) {
    function input<T>(rule: Rule<T>): ResourceInput<T>;
    function input<T>(rule: Rule<T>, required: string): RequiredInput<T>;
    function input<T>(rule: Rule<T>, required?: string): ResourceInput<T> {
        return { rule, effect, ...(required === undefined ? {} : { required }) };
    }
    return input;
}

/** An input whose change replaces the resource. */
export const replaces = withEffect("replacement");
/** An input whose change updates the resource. */
export const updates = withEffect("update");
/** An input whose change shows no diff: the next update uses it. */
export const changesNothing = withEffect("nothing");

/** Joins parts of a declaration. Unlike a spread, the type keeps the order in which the guide lists the inputs. */
export function joinInputs<
    First extends InputTable,
    Second extends InputTable,
    Third extends InputTable = Record<never, ResourceInput>,
>(first: First, second: Second, third?: Third): First & Second & Third {
    return { ...first, ...second, ...third } as First & Second & Third;
}

/** Validates a program's inputs, and removes those that are missing: with them, Pulumi would not report failures. */
export function checkResource<Table extends InputTable>(
    table: Table,
    news: Record<string, unknown>,
): { inputs: InputsOf<Table>; failures: dynamic.CheckFailure[] } {
    const inputs = Object.entries(table);
    const rules = Object.fromEntries(inputs.map(([name, { rule }]) => [name, rule]));
    const required = Object.fromEntries(inputs.map(([name, input]) => [name, input.required]));
    const failures = checkInputs(news, rules, definedOnly(required) as Record<string, string>);
    return { inputs: definedOnly(news) as InputsOf<Table>, failures };
}

/** The names of the inputs whose change updates the resource in place. */
export function inputsThatUpdate(table: InputTable): string[] {
    return inputsWith("update", table);
}

function inputsWith(wanted: Effect, table: InputTable): string[] {
    return Object.entries(table).flatMap(([name, { effect }]) => (effect === wanted ? [name] : []));
}

/**
 * Compares the inputs of a state and of a program.
 *
 * @param isOutdated - whether an update is due even if no input has changed
 */
export function diffInputs(
    table: InputTable,
    olds: object,
    news: object,
    isOutdated = false,
): { changes: boolean; replaces?: string[] } {
    const [before, after] = [olds as Record<string, unknown>, news as Record<string, unknown>];
    const changed = (names: readonly string[]) => names.filter((name) => !isSameValue(before[name], after[name]));
    const replaced = changed(inputsWith("replacement", table));
    return replaced.length > 0
        ? { changes: true, replaces: replaced }
        : { changes: isOutdated || changed(inputsThatUpdate(table)).length > 0 };
}

/** Whether a time has passed. A missing time is never due. */
export function isDue(time: string | undefined, nowMs: number): boolean {
    return time !== undefined && nowMs >= Date.parse(time);
}
