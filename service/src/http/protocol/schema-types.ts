import { type Fields, type SentOf } from "@pulumi-static-export/contract/api";
import { Type, type Static, type TOptional, type TSchema, type TUnsafe } from "typebox";

export const closed = { additionalProperties: false } as const;

export function StringEnum<const Values extends readonly string[]>(values: Values, description: string) {
    return Type.Unsafe<Values[number]>({ type: "string", enum: [...values], description });
}

export function Nullable<Schema extends TSchema>(schema: Schema) {
    return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [(schema as { type?: string }).type, "null"] });
}

export const DateTime = (description: string) => Type.String({ format: "date-time", description });

/** The properties of an answer whose fields the contract declares. */
export function declared<Table extends Fields>(table: Table) {
    const properties = Object.entries(table).map(([name, { schema, presence }]) => {
        const property = Type.Unsafe(schema);
        return [name, presence === "optional" ? Type.Optional(property) : property];
    });
    return Object.fromEntries(properties) as {
        [Name in keyof Table]: Table[Name]["presence"] extends "optional"
            ? TOptional<TUnsafe<SentOf<Table[Name]>>>
            : TUnsafe<SentOf<Table[Name]>>;
    };
}
