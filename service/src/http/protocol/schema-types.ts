import { Type, type Static, type TSchema } from "typebox";

export const closed = { additionalProperties: false } as const;

export function StringEnum<const Values extends readonly string[]>(values: Values, description: string) {
    return Type.Unsafe<Values[number]>({ type: "string", enum: [...values], description });
}

export function Nullable<Schema extends TSchema>(schema: Schema) {
    return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [(schema as { type?: string }).type, "null"] });
}

export const DateTime = (description: string) => Type.String({ format: "date-time", description });

export const Cancelled = Type.Optional(
    Type.Boolean({
        description:
            "True for a job that somebody cancelled, or whose build has skipped its commit. Once the job has stopped, " +
            "its status is failed, but a list filtered by failed leaves it out.",
    }),
);
