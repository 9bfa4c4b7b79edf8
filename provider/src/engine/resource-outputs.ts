import type { Output } from "@pulumi/pulumi";

type Kind = "output" | "secret" | "input";

/** An output of a resource, with the type of its values. */
export interface ResourceOutput<T = unknown, K extends Kind = Kind> {
    readonly kind: K;
    readonly value?: T;
}

/**
 * The declaration of a resource's outputs. Each entry has a doc comment and the type of its values, which includes
 * undefined if the output may be missing. The function that creates the entry says whether the output is secret. The
 * properties of the class, the type of the state, the plugin's schema and the guide's lists follow from the
 * declaration.
 */
export type OutputTable = Readonly<Record<string, ResourceOutput>>;

type ValueOf<Entry> = Entry extends ResourceOutput<infer T> ? T : never;

/** The properties of a resource's class. */
export type PropertiesOf<Table extends OutputTable> = {
    readonly [Name in keyof Table]: Output<ValueOf<Table[Name]>>;
};

type NameOf<Table extends OutputTable> = {
    [Name in keyof Table]: Table[Name] extends ResourceOutput<unknown, "input"> ? never : Name;
}[keyof Table];

type PresentName<Table extends OutputTable> = {
    [Name in NameOf<Table>]: undefined extends ValueOf<Table[Name]> ? never : Name;
}[NameOf<Table>];

/** The outputs in a state, without inputs. */
export type OutputsOf<Table extends OutputTable> = {
    [Name in keyof Pick<Table, PresentName<Table>>]: ValueOf<Table[Name]>;
} & {
    [Name in keyof Pick<Table, Exclude<NameOf<Table>, PresentName<Table>>>]?: NonNullable<ValueOf<Table[Name]>>;
};

function ofKind<K extends Kind>(kind: K) {
    return <T>(): ResourceOutput<T, K> => ({ kind });
}

/** An output that appears in plain text, unless it depends on a secret. */
export const output = ofKind("output");
/** An output that is always encrypted in the state. */
export const secret = ofKind("secret");
/** An input that the class also has as a property. */
export const input = ofKind("input");

/** The names of the outputs, without inputs. */
export function outputNames<Table extends OutputTable>(table: Table): (NameOf<Table> & string)[] {
    return Object.keys(table).filter((name) => table[name]?.kind !== "input") as (NameOf<Table> & string)[];
}

export function secretNames(table: OutputTable): string[] {
    return Object.keys(table).filter((name) => table[name]?.kind === "secret");
}
